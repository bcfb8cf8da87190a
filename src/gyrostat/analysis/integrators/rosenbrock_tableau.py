"""Rosenbrock methods: their numbers, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.integrators.tableau import Floats
from gyrostat.once import cached_property


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
    def weights(self) -> Floats:
        """The weights of the step in terms of k."""
        return np.asarray(self.b @ self.gamma_matrix)

    def stability(self, z: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Return R(z) = 1 + z bᵀ (I − z (α + Γ))⁻¹ 1, the growth of ẏ = λ y in one step with z = h λ."""
        points = np.asarray(z, dtype=complex)
        matrices = np.eye(self.stages) - points[..., None, None] * (self.alpha + self.gamma_matrix)
        stages = np.linalg.solve(matrices, np.ones((*points.shape, self.stages, 1)))[..., 0]
        return np.asarray(1.0 + points * (stages @ self.weights), dtype=np.complex128)
