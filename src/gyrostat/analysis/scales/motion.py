"""x(t) from the expansion: initial amplitudes, integration of the modulation equations, and coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import Complexes, Floats, TermTable
from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.rate_terms import amplitude_terms
from gyrostat.analysis.scales.term import RATE
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.names import did_you_mean

if TYPE_CHECKING:
    from scipy import integrate, optimize
else:
    integrate, optimize = later("scipy", "integrate", "optimize")

_RELATIVE_TOLERANCE, _ABSOLUTE_TOLERANCE = 1e-12, 1e-14


class AmplitudeMotion:
    """The motion at given parameters: slowly varying complex amplitudes, and coordinates as polynomials in them.

    A coordinate without stiffness has a mean position beside its mean speed; positions are appended to amplitudes.
    """

    def __init__(self, modulation: Any, values: Mapping[str, float]) -> None:
        expansion: PerturbationExpansion = modulation.expansion
        problem, variables = expansion.problem, expansion.variables
        self.expansion, self.names, self.n = expansion, problem.names, expansion.n
        self.free = np.array(variables.free)
        arguments = (problem.small, variables)
        keep = range(self.n)
        self._rates = TermTable(modulation.terms, *arguments)
        self._positions = TermTable([amplitude_terms(expansion, expansion.positions[k]) for k in keep], *arguments)
        self._speeds = TermTable([amplitude_terms(expansion, expansion.speeds(k)) for k in keep], *arguments)
        self._c_rates, self._c_positions, self._c_speeds = (
            table.coefficients(values) for table in (self._rates, self._positions, self._speeds)
        )
        natural = [expansion.basis.vector(o.frequency).value(values) for o in problem.oscillators]
        self.natural = np.array(
            [_require_frequency(value, name) for value, name in zip(natural, self.names, strict=True)]
        )
        fast, slow, offset = [], [], []
        for phasor in variables.phasors:
            true = _require_frequency(phasor.angle.value(values), phasor.name)
            base = (
                0.0
                if phasor.constant
                else _require_frequency(expansion.basis.vector(phasor.angle).value(values), phasor.name)
            )
            fast.append(0.0 if phasor.constant else true)
            slow.append(0.0 if phasor.constant else true - base)
            offset.append(true if phasor.constant else 0.0)
        self._fast, self._slow, self._offset = np.array(fast), np.array(slow), np.array(offset)

    def rates(self, t: float, A: Complexes) -> Complexes:
        """Return the rates of the amplitudes."""
        phasors = np.exp(1j * (self._slow * t + self._offset))
        turned = (phasors**self._rates.turns).prod(axis=1)
        return self._rates.summed(self._c_rates * self._rates.products(A) * turned)

    def coordinates(self, t: Floats, A: Complexes) -> tuple[Floats, Floats]:
        """Return positions and speeds (oscillators × times) of amplitudes (oscillators × times).

        Mean positions of coordinates without stiffness are not contained.
        """
        z = A * np.exp(1j * np.outer(self.natural, t))
        phasors = np.exp(1j * (np.outer(self._fast, t) + self._offset[:, None]))
        return self._sum(self._positions, self._c_positions, z, phasors), self._sum(
            self._speeds, self._c_speeds, z, phasors
        )

    def _sum(self, table: TermTable, coefficients: Complexes, z: Complexes, phasors: Complexes) -> Floats:
        each = np.repeat(coefficients[:, None], z.shape[1], axis=1)
        for k in range(self.n):
            each *= z[k] ** table.direct[:, k, None] * np.conj(z[k]) ** table.conjugate[:, k, None]
        for s in range(len(phasors)):
            each *= phasors[s] ** table.turns[:, s, None].astype(float)
        return np.asarray(table.summed(each).real)

    def amplitudes_from(self, initial: Mapping[str, float]) -> tuple[Complexes, Floats]:
        """Return the amplitudes, and mean positions of coordinates without stiffness, at t = 0 from initial values.

        Names are those of coordinates, x and x.rate; values are zero by default.
        """
        known = [name + suffix for name in self.names for suffix in ("", RATE)]
        for name in initial:
            if name not in known:
                raise StateError(
                    f"There is no coordinate {name!r} to give an initial value. {did_you_mean(name, known)}"
                )
        x = np.array([initial.get(name, 0.0) for name in self.names])
        v = np.array([initial.get(name + RATE, 0.0) for name in self.names])
        safe = np.where(self.free, 1.0, self.natural)
        guess = np.where(self.free, v + 0j, (x - 1j * v / safe) / 2)
        zero = np.zeros(1)

        def residual(y: Floats) -> Floats:
            found_x, found_v = self.coordinates(zero, self._complex(y)[:, None])
            return np.concatenate([np.where(self.free, y[self.n :], found_x[:, 0] - x), found_v[:, 0] - v])

        solution = optimize.root(residual, np.concatenate([guess.real, guess.imag]), tol=1e-13)
        size = max(1.0, float(np.abs(np.concatenate([x, v])).max()))
        if not np.all(np.isfinite(solution.x)) or np.abs(residual(solution.x)).max() > 1e-9 * size:
            raise StateError(
                "No amplitudes give these initial values: they are too large for the expansion. Take smaller ones."
            )
        A = self._complex(solution.x)
        offset = x - self.coordinates(zero, A[:, None])[0][:, 0]
        return A, np.where(self.free, offset, 0.0)

    def _complex(self, y: Floats) -> Complexes:
        return np.asarray(y[: self.n] + 1j * np.where(self.free, 0.0, y[self.n :]))

    def follow(self, times: Floats, A: Complexes, mean: Floats) -> tuple[Complexes, Floats]:
        """Return amplitudes and mean positions (oscillators × times), from those at t = 0."""
        n = self.n

        def slow(t: float, y: Floats) -> Floats:
            now = y[:n] + 1j * y[n : 2 * n]
            rates = self.rates(t, now)
            return np.concatenate(
                [rates.real, np.where(self.free, 0.0, rates.imag), np.where(self.free, now.real, 0.0)]
            )

        start = np.concatenate([A.real, A.imag, mean])
        span = (0.0, float(times[-1]))
        if span[1] == 0.0:
            return np.repeat(A[:, None], len(times), axis=1), np.repeat(mean[:, None], len(times), axis=1)
        solution = integrate.solve_ivp(
            slow, span, start, method="DOP853", rtol=_RELATIVE_TOLERANCE, atol=_ABSOLUTE_TOLERANCE, t_eval=times
        )
        if not solution.success:
            raise StateError(f"The modulation equations could not be integrated to the end: {solution.message}")
        return solution.y[:n] + 1j * solution.y[n : 2 * n], solution.y[2 * n :]

    def positions(self, times: Floats, initial: Mapping[str, float]) -> tuple[Floats, Floats]:
        """Return positions and speeds (oscillators × times) from initial values at t = 0."""
        A, mean = self.amplitudes_from(initial)
        slow, drift = self.follow(times, A, mean)
        x, v = self.coordinates(times, slow)
        return x + drift, v


def _require_frequency(value: float | None, name: str) -> float:
    if value is None:
        raise StateError(f"A frequency of {name!r} has no value. Give values for all parameters.")
    return value
