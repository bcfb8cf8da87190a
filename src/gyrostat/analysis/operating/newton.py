"""Newton's method for systems with more or fewer equations than unknowns: least changes, limited steps.

Equations may follow from others, and unknowns may be undetermined: a step is the least one, in scaled unknowns, that
solves the linear equations. Progress is measured by the steps themselves, not by residuals, so that units of equations
do not matter (the natural monotonicity test of Deuflhard).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

ITERATIONS = 100
HALVINGS = 12
CONVERGENCE_TOLERANCE = 1e-13
_STALL_TOLERANCE = 1e-9
DERIVATIVE_ROUNDING = 1e-11
"""Derivatives of an equation below this, relative to the largest, are rounding errors; the equation is trivial."""

P = TypeVar("P")


class NonlinearEquations(Protocol[P]):
    """Equations on points of any kind."""

    def residual(self, point: P) -> Floats:
        """Return the residual, which must be zero."""

    def jacobian(self, point: P) -> Floats:
        """Return the derivatives of the residual along small steps from a point."""

    def moved(self, point: P, step: Floats) -> P:
        """Return the point after a step."""

    def scales(self, point: P) -> Floats:
        """Return the size of each unknown's steps."""

    def longest(self, point: P) -> Floats:
        """Return the longest steps allowed, in scales; infinite where there is no limit."""

    @property
    def dependent(self) -> float:
        """Singular values of the Jacobian below this, relative to the largest, count as zero."""


@dataclass(frozen=True, eq=False)
class LeastSteps:
    """The linear equations at a point, factorised: least steps that remove residuals, and undetermined directions."""

    scales: Floats
    weights: Floats
    inverse: Floats
    """The generalised inverse, of weighted equations in scaled unknowns."""
    null_space: Floats
    """The null space in scaled unknowns, as orthonormal columns."""

    @staticmethod
    def of(jacobian: Floats, scales: Floats, dependent: float) -> LeastSteps:
        """Factorise; equations are scaled by their derivatives, singular values below `dependent` count as zero."""
        scaled = jacobian * scales
        size = np.linalg.norm(scaled, axis=1)
        nontrivial = size > DERIVATIVE_ROUNDING * size.max(initial=0.0)
        weights = np.divide(1.0, size, out=np.zeros_like(size), where=nontrivial)
        left, values, right = np.linalg.svd(scaled * weights[:, None], full_matrices=True)
        rank = int((values > dependent * max(1.0, values[0] if len(values) else 1.0)).sum())
        inverse = (right[:rank].T / values[:rank]) @ left[:, :rank].T
        return LeastSteps(scales, weights, inverse, right[rank:].T)

    def step(self, residual: Floats) -> Floats:
        """Return the least step, in scaled unknowns, that minimises the residual."""
        return np.asarray(-self.inverse @ (self.weights * residual))


def solve(equations: NonlinearEquations[P], start: P) -> tuple[P, bool]:
    """Return the point reached from a start, and whether the steps converged there."""
    point = start
    residual = equations.residual(point)
    for _ in range(ITERATIONS):
        least = LeastSteps.of(equations.jacobian(point), equations.scales(point), equations.dependent)
        step = least.step(residual)
        length = float(np.abs(step).max(initial=0.0))
        if length <= CONVERGENCE_TOLERANCE:
            return point, True
        ratios = np.abs(step) / equations.longest(point)
        factor = 1.0 / max(1.0, float(ratios.max(initial=0.0)))
        advanced = _advanced(equations, point, least, step, factor)
        if advanced is None:
            return point, length <= _STALL_TOLERANCE
        point, residual = advanced
    return point, False


def _advanced(
    equations: NonlinearEquations[P], point: P, least: LeastSteps, step: Floats, factor: float
) -> tuple[P, Floats] | None:
    """Return the next point and its residual; None if no part of the step makes progress."""
    length = float(np.linalg.norm(step))
    for _ in range(HALVINGS):
        try:
            there = equations.moved(point, factor * step * least.scales)
            residual = equations.residual(there)
        except StateError:
            factor /= 4
            continue
        with np.errstate(over="ignore"):  # exponentials far from the solution
            left = float(np.linalg.norm(least.step(residual)))
        if left <= (1.0 - factor / 4) * length:
            return there, residual
        factor /= 2
    return None
