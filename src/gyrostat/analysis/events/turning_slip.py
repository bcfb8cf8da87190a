"""Sliding in space during an impact, where the direction of sliding turns.

In σ = |γ_t|, the angle φ of s = γ_t/σ and the variable τ of dp = σ dτ, sliding with f = −μ s is smooth up to its end:

    d(ln σ)/dτ = s · r_t,   dφ/dτ = n · r_t,   dγ_n/dτ = σ r_n,   dΛ/dτ = σ (1, f),   dW/dτ = σ γ_n,   r = D (1, f)

with n normal to s. As D is symmetric, dφ/dτ depends on φ alone and its mean over all directions is zero: φ moves
steadily to a direction in which sliding does not turn any more. From there on the motion is straight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from gyrostat.analysis.events.impulse_course import ImpulseCourse
from gyrostat.coordinates.arguments import Floats

_FINAL_LOGARITHM = float(np.log(1e-14))
"""Logarithm of the sliding speed, relative to that at the start, at which sliding ends."""
_TOLERANCE = 1e-12
"""Relative tolerance of the integration, and of the direction in which sliding does not turn."""

_Quantity = Callable[[Floats], float]


@dataclass(frozen=True, eq=False)
class _Slip:
    """Rates of sliding at a contact with Delassus matrix D; y: ln σ, φ, γ_n, Λ (3), W."""

    D: Floats
    friction: float

    def separation(self, y: Floats) -> float:
        """Return r_n, the rate of the separation speed."""
        return float(self.D[0] @ self._direction(y))

    def derivative(self, _: float, y: Floats) -> Floats:
        """Return dy/dτ."""
        direction = self._direction(y)
        rate = self.D @ direction
        c, s, sigma = np.cos(y[1]), np.sin(y[1]), np.exp(y[0])
        along, across = c * rate[1] + s * rate[2], c * rate[2] - s * rate[1]
        return np.array([along, across, sigma * rate[0], *(sigma * direction), sigma * y[2]])

    def straight(self, y: Floats) -> bool:
        """Whether sliding does not turn any more."""
        size = np.linalg.norm(self.D[1:, 0]) + self.friction * np.linalg.norm(self.D[1:, 1:])
        return bool(abs(self.derivative(0.0, y)[1]) <= _TOLERANCE * size)

    def _direction(self, y: Floats) -> Floats:
        return np.array([1.0, -self.friction * np.cos(y[1]), -self.friction * np.sin(y[1])])

    def advanced(self, y: Floats, ends: Sequence[_Quantity]) -> tuple[Floats, int | None]:
        """Return y where the first of the ends becomes positive, and its number; None where sliding goes straight on.

        Steps are divided where γ_n is extreme, so that no maximum or minimum between two steps is missed.
        """
        from scipy.integrate import DOP853

        solver = DOP853(self.derivative, 0.0, y, np.inf, rtol=_TOLERANCE, atol=1e-15)
        while not self.straight(solver.y):
            solver.step()
            dense = solver.dense_output()
            knots = (solver.t_old, _root(self.separation, dense, solver.t_old, solver.t), solver.t)
            for a, b in pairwise(knots):
                passed = [(_root(end, dense, a, b), i) for i, end in enumerate(ends) if end(dense(b)) > 0.0]
                if passed:
                    t, number = min(passed)
                    return np.asarray(dense(t)), number
        return solver.y, None


def _root(quantity: _Quantity, dense: Callable[[float], Floats], a: float, b: float) -> float:
    """Return where a quantity changes its sign between a and b; a where it does not."""
    from scipy.optimize import brentq

    if quantity(dense(a)) * quantity(dense(b)) >= 0.0:
        return a
    return float(brentq(lambda t: quantity(dense(t)), a, b, xtol=1e-300, rtol=1e-14))


def turn(course: ImpulseCourse, D: Floats, friction: float, restitution: float) -> tuple[ImpulseCourse, bool]:
    """Return the course where sliding ends or goes straight on, or the end of the impact, and whether it is that."""
    slip, start = _Slip(D, friction), course.speeds
    logarithm = float(np.log(np.hypot(start[1], start[2])))
    y = np.array([logarithm, np.arctan2(start[2], start[1]), start[0], *course.impulses, course.work])

    def stopped(y: Floats) -> float:
        return logarithm + _FINAL_LOGARITHM - float(y[0])

    def reversed_approach(y: Floats) -> float:
        return float(y[2] if course.goal is None else -y[2])

    def restored(y: Floats) -> float:
        return float(y[6]) - (np.inf if course.goal is None else course.goal)

    while True:
        goal = course.goal
        if goal is not None and course.work >= goal:
            return course, True
        y, number = slip.advanced(y, [stopped, reversed_approach, restored])
        course = _read(course, y)
        if number == 0:
            return course.sticking(), False
        if number != 1:
            return course, number == 2
        course = course.expanding(restitution) if goal is None else course.compressing()
        y[2] = 0.0


def _read(course: ImpulseCourse, y: Floats) -> ImpulseCourse:
    sigma = np.exp(y[0])
    speeds = np.array([y[2], sigma * np.cos(y[1]), sigma * np.sin(y[1])])
    return replace(course, speeds=speeds, impulses=y[3:6].copy(), work=float(y[6]))
