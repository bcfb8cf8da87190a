"""Tableaus: coefficients of Runge–Kutta and Rosenbrock methods, and quantities derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyrostat.once import cached_property

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


ONSETS = (0.5, 1.5, 2.5)
"""Powers of time with which the rates of contact laws and flows begin at a switch."""


def widest_gap(times: Floats) -> tuple[float, float]:
    """Return the middle of the widest gap between the times of stages and the ends of a step, and half its width."""
    marks = np.unique(np.concatenate((times, [0.0, 1.0])))
    place = int(np.argmax(np.diff(marks)))
    return float(marks[place] + marks[place + 1]) / 2, float(marks[place + 1] - marks[place]) / 2


@dataclass(frozen=True, eq=False)
class Tableau:
    """A Runge–Kutta method: k_i = f(t + c_i h, y + h Σ a_ij k_j), y_new = y + h Σ b_i k_i.

    The rate at the end of the step is one stage more, number s: it begins the next step, and serves error and dense
    output. Stages beyond it serve dense output alone.
    """

    name: str
    order: int
    a: Floats
    """Shape (s, s), strictly lower triangular where the method is explicit."""
    b: Floats
    c: Floats
    error: Floats | None = None
    """Shape (1 or 2, s + 1): weights whose sum is the error of a step; two rows are combined as in Hairer's DOP853."""
    error_order: int = 0
    """The power of h with which that error falls."""
    extra_a: Floats | None = None
    """Shape (extra, s + 1 + extra): the weights of stages for dense output alone."""
    extra_c: Floats | None = None
    dense: Floats | None = None
    """Shape (s + 1 + extra, degree): y(t + θh) = y + h Σ_i k_i Σ_j dense[i, j] θ^(j+1); None is Hermite's cubic."""

    @property
    def stages(self) -> int:
        """The number s of stages of a step."""
        return len(self.b)

    @cached_property
    def all_stages(self) -> tuple[Floats, Floats]:
        """The weights of all stages, shape (n, n), and their times: those of the step, its end, and the extra ones."""
        s, extra = self.stages, 0 if self.extra_c is None else len(self.extra_c)
        a, c = np.zeros((s + 1 + extra, s + 1 + extra)), np.ones(s + 1 + extra)
        a[:s, :s], a[s, :s], c[:s] = self.a, self.b, self.c
        if self.extra_a is not None and self.extra_c is not None:
            a[s + 1 :], c[s + 1 :] = self.extra_a, self.extra_c
        return a, c

    @cached_property
    def sparse_stages(self) -> tuple[Places, Places, Floats]:
        """The weights of all stages that are not zero: where each stage begins, which stages it takes, and weights."""
        a, _ = self.all_stages
        stages, sources = np.nonzero(a)
        begins = np.searchsorted(stages, np.arange(len(a) + 1))
        return begins.astype(np.int64), sources.astype(np.int64), a[stages, sources]

    @cached_property
    def dense_weights(self) -> Floats:
        """The weights of dense output, those of Hermite's cubic where the tableau has none."""
        return np.ascontiguousarray(hermite_cubic(self.b) if self.dense is None else self.dense)

    @cached_property
    def error_weights(self) -> Floats:
        """The weights of the error in two rows, zeros where the tableau has none."""
        weights = np.zeros((2, self.stages + 1))
        if self.error is not None:
            weights[: len(self.error)] = self.error
        return weights

    def stability(self, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Return R(z) = 1 + z bᵀ (I − z A)⁻¹ 1, the growth of ẏ = λ y in one step, z = h λ (Crous 2000, app. C)."""
        points = np.asarray(z, dtype=complex)
        matrices = np.eye(self.stages) - points[..., None, None] * self.a
        stages = np.linalg.solve(matrices, np.ones((*points.shape, self.stages, 1)))[..., 0]
        return np.asarray(1.0 + points * (stages @ self.b), dtype=np.complex128)

    @cached_property
    def real_limit(self) -> float:
        """How far the region of stability reaches along the negative real axis."""
        low, high = 0.0, 20.0
        for _ in range(2):  # where the growth first exceeds one, then the same within that interval
            x = np.linspace(low, high, 401)
            outside = np.abs(self.stability(-x.astype(complex))) > 1 + 1e-9
            if not outside.any():
                return np.inf
            first = int(np.argmax(outside))
            low, high = float(x[first - 1]), float(x[first])
        return low

    @cached_property
    def twin_stages(self) -> tuple[int, int]:
        """Two stages at one time, whose difference estimates the largest eigenvalue; the last such pair."""
        times = self.all_stages[1][: self.stages + 1]
        pairs = [(i, j) for j in range(len(times)) for i in range(1, j) if abs(times[i] - times[j]) < 1e-12]
        return pairs[-1] if pairs else (self.stages, self.stages)

    @cached_property
    def onset(self) -> float:
        """By how much the error of a step may exceed its estimate where rates begin like a fractional power of time.

        The largest ratio for ẏ = t^p, p one of `ONSETS`; at least one.
        """
        times, (first, second) = self.all_stages[1][: self.stages + 1], self.error_weights
        largest = 1.0
        for power in ONSETS:
            rates = times**power
            error = abs(self.b @ rates[:-1] - 1 / (1 + power))
            low, high = abs(first @ rates), abs(second @ rates)
            estimate = low if high == 0.0 else low**2 / np.hypot(low, 0.1 * high)
            largest = max(largest, float(error / estimate)) if estimate > 0.0 else largest
        return largest

    @cached_property
    def beginning(self) -> float:
        """The estimated error of a step of length one for ẏ = t^(3/2), raised by `onset`."""
        rates = self.all_stages[1][: self.stages + 1] ** 1.5
        low, high = (abs(float(weights @ rates)) for weights in self.error_weights)
        return self.onset * (low if high == 0.0 else low**2 / float(np.hypot(low, 0.1 * high)))


@dataclass(frozen=True, eq=False)
class RosenbrockTableau:
    """A Rosenbrock method of s stages, in the form of Hairer and Wanner (II, section IV.7) without products with J.

    (1/(hγ) − J) U_i = f(t + c_i h, y + Σ a_ij U_j) + Σ link_ij U_j/h + h time_i ∂f/∂t, y_new = y + Σ b_i U_i. J is the
    Jacobian at the start of the step. With k = Γ⁻¹ U / h it is k_i = f(y + h Σ α_ij k_j) + h J Σ γ_ij k_j.
    """

    name: str
    order: int
    gamma: float
    a: Floats
    """Shape (s, s), strictly lower triangular; so is `link`."""
    link: Floats
    b: Floats
    c: Floats
    time: Floats
    error: Floats
    """Weights of the U whose sum is the error of a step."""
    error_order: int
    """The power of h with which that error falls."""
    dense: Floats
    """Shape (s, degree): y(t + θh) = y + Σ_i U_i Σ_j dense[i, j] θ^(j+1)."""

    @property
    def stages(self) -> int:
        """The number s of stages of a step."""
        return len(self.b)

    @cached_property
    def gamma_matrix(self) -> Floats:
        """Γ, lower triangular with γ on its diagonal."""
        return np.asarray(np.linalg.inv(np.eye(self.stages) / self.gamma - self.link), dtype=np.float64)

    @cached_property
    def alpha(self) -> Floats:
        """The weights of earlier stages in terms of k."""
        return np.asarray(self.a @ self.gamma_matrix)

    @cached_property
    def onset(self) -> float:
        """By how much the error of a step may exceed its estimate where rates begin like a fractional power of time.

        The largest ratio for ẏ = t^p, p one of `ONSETS`, with J = 0 and ∂f/∂t = 0 at t = 0; at least one.
        """
        largest = 1.0
        for power in ONSETS:
            u = self.gamma_matrix @ self.c**power
            largest = max(largest, float(abs(self.b @ u - 1 / (1 + power)) / abs(self.error @ u)))
        return largest

    @cached_property
    def beginning(self) -> float:
        """The estimated error of a step of length one for ẏ = t^(3/2), raised by `onset`."""
        return self.onset * abs(float(self.error @ (self.gamma_matrix @ self.c**1.5)))

    @cached_property
    def weights(self) -> Floats:
        """The weights of the step in terms of k."""
        return np.asarray(self.b @ self.gamma_matrix)

    def stability(self, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Return R(z) = 1 + z bᵀ (I − z (α + Γ))⁻¹ 1, the growth of ẏ = λ y in one step with z = h λ."""
        points = np.asarray(z, dtype=complex)
        matrices = np.eye(self.stages) - points[..., None, None] * (self.alpha + self.gamma_matrix)
        stages = np.linalg.solve(matrices, np.ones((*points.shape, self.stages, 1)))[..., 0]
        return np.asarray(1.0 + points * (stages @ self.weights), dtype=np.complex128)


def hermite_cubic(b: Floats) -> Floats:
    """Return the dense weights of the cubic through states and rates at both ends; its error falls with h⁴."""
    dense = np.zeros((len(b) + 1, 3))
    # y0 + θ² (3 − 2θ) (y1 − y0) + h θ (1 − θ)² k0 − h θ² (1 − θ) k1
    dense[:-1, 1], dense[:-1, 2] = 3 * b, -2 * b
    dense[0] += (1, -2, 1)
    dense[-1] += (0, -1, 1)
    return dense


def bootstrapped_quartic(b: Floats) -> tuple[Floats, Floats, Floats]:
    """Return one extra stage (weights, time) and the dense weights of the quartic that takes its rate.

    The cubic gives a state at a third of the step (at the half the rate would follow from the ends, by Simpson's rule);
    the rate there fixes the quartic, whose error falls with h⁵.
    """
    s, third = len(b), 1 / 3
    powers = third ** np.arange(1, 4)
    weights = np.append(hermite_cubic(b) @ powers, 0.0)[None, :]
    # p(θ) = y0 + Σ p_j θ^j with given p'(0), p'(1), p'(1/3) and p(1)
    conditions = np.array([[1, 0, 0, 0], [1, 2, 3, 4], [1, 2 * third, 3 * third**2, 4 * third**3], [1, 1, 1, 1]])
    given = np.zeros((4, s + 2))
    given[0, 0] = given[1, s] = given[2, s + 1] = 1
    given[3, :s] = b
    return weights, np.array([third]), np.linalg.solve(conditions, given).T
