"""Stronge's hypothesis at a single contact with friction: the motion as a function of the normal impulse.

With the normal impulse p as the independent variable (Routh, Dynamics of a System of Rigid Bodies, 1905), the speeds of
separation and sliding change by dγ/dp = D (1, f): f = −μ s where the contact slides in the direction s, and where it
sticks the f that keeps γ_t = 0. Compression ends where γ_n = 0. Expansion ends where the work of the normal impulse
since then is e² times that of compression (Stronge, Impact Mechanics, 2000, ch. 4).

Pieces with a constant direction of sliding are solved in closed form. In space the direction turns while the contact
slides; in σ = |γ_t|, the angle φ of s and the variable τ of dp = σ dτ that motion is smooth up to the end of sliding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gyrostat.analysis.events.contact import REST
from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.coordinates.arguments import Floats

_SLOW = 1e-14
"""Sliding speed, relative to that at the start, at which sliding ends in space."""
_TOLERANCE = 1e-12
"""Relative tolerance of the integration of sliding in space."""
_IMMOBILE = 1e-13
"""Rate of the separation speed, relative to that without friction, at which a contact that sticks cannot separate."""
_FAR = 1e6
"""Largest τ of a course of sliding, in units of its own rates."""


@dataclass(frozen=True, eq=False)
class _Course:
    """Speeds, impulses and work of the normal impulse at a point of the impact."""

    speeds: Floats
    impulses: Floats
    work: float
    goal: float | None = None
    """Work at the end of expansion; None during compression."""

    def moved(self, rate: Floats, direction: Floats, p: float, *, stops: bool = False) -> _Course:
        """Return the course after a normal impulse p along a direction of impulses; rate = dγ/dp is constant."""
        work = self.work + p * self.speeds[0] + 0.5 * p * p * rate[0]
        speeds = self.speeds + p * rate
        if stops:
            speeds[1:] = 0.0
        return replace(self, speeds=speeds, impulses=self.impulses + p * direction, work=work)

    def expanding(self, restitution: float) -> _Course:
        """Return the course at the end of compression, with the work at which expansion ends."""
        speeds = self.speeds.copy()
        speeds[0] = 0.0
        return replace(self, speeds=speeds, goal=self.work * (1.0 - restitution**2))


def impulses_by_work(contacts: ContactSet) -> Floats:
    """Return the impulses at a single contact by Stronge's hypothesis."""
    if contacts.speeds[0] >= 0.0:
        return np.zeros(len(contacts.speeds))
    D, friction, restitution = contacts.D, float(contacts.friction[0]), float(contacts.restitution[0])
    rest = -REST * contacts.speeds[0]
    course = _Course(contacts.speeds.copy(), np.zeros(len(D)), 0.0)
    sliding = float(np.linalg.norm(course.speeds[1:]))
    if len(D) == 3 and sliding > 0.0:
        course, ended = _turning(course, D, friction, restitution)
        if ended:
            return course.impulses
        course = replace(course, speeds=np.append(course.speeds[0], [0.0, 0.0]))
    while True:
        direction = np.append(1.0, _tangential(course.speeds[1:], D, friction))
        rate = D @ direction
        stop = _end_of_sliding(course.speeds[1:], rate[1:])
        if course.goal is None:
            stuck = stop == np.inf and rate[0] <= _IMMOBILE * D[0, 0]
            if stuck or course.speeds[0] >= -rest:  # sliding and approach end together where few speeds are free
                course = course.expanding(restitution)
                continue
            compressed = -course.speeds[0] / rate[0] if rate[0] > 0.0 else np.inf
            if compressed <= stop:
                course = course.moved(rate, direction, compressed).expanding(restitution)
                continue
        else:
            # γ_n p + ½ γ_n′ p² = goal − work; γ_n ≥ 0 and the right side is not negative
            missing, speed = max(course.goal - course.work, 0.0), course.speeds[0]
            if rate[0] <= _IMMOBILE * D[0, 0] and speed <= rest:
                return course.impulses
            root = speed * speed + 2.0 * rate[0] * missing
            last = 2.0 * missing / (speed + np.sqrt(root)) if root > 0.0 else 0.0 if missing == 0.0 else np.inf
            if last <= stop:
                return course.moved(rate, direction, last).impulses
        course = course.moved(rate, direction, stop, stops=True)


def _tangential(sliding: Floats, D: Floats, friction: float) -> Floats:
    """Return the tangential impulse for each unit of the normal one."""
    speed = float(np.linalg.norm(sliding))
    if speed > 0.0:
        return np.asarray(-friction / speed * sliding)
    block, pull = D[1:, 1:], D[1:, 0]
    hold = -np.linalg.lstsq(block, pull, rcond=1e-13)[0]
    if np.linalg.norm(hold) <= friction:
        return np.asarray(hold)
    # sliding sets in along s with (μ D_tt + λ) s = D_tn, λ > 0: the only direction in which it grows along itself
    from scipy.optimize import brentq

    def excess(growth: float) -> float:
        return float(np.linalg.norm(np.linalg.solve(friction * block + growth * np.eye(len(block)), pull))) - 1.0

    growth = float(np.linalg.norm(pull))
    growth = brentq(excess, 1e-16 * growth, growth, xtol=1e-300, rtol=1e-15)
    s = np.linalg.solve(friction * block + growth * np.eye(len(block)), pull)
    return np.asarray(-friction * s / np.linalg.norm(s))


def _end_of_sliding(sliding: Floats, rate: Floats) -> float:
    """Return the normal impulse at which sliding along a fixed direction ends; infinite where it does not."""
    speed = float(np.linalg.norm(sliding))
    if speed == 0.0:
        return np.inf
    slowing = -float(sliding @ rate) / speed
    return speed / slowing if slowing > 0.0 else np.inf


def _turning(course: _Course, D: Floats, friction: float, restitution: float) -> tuple[_Course, bool]:
    """Return the course at the end of sliding in space, or at the end of the impact, and whether it is that."""
    scale = float(np.linalg.norm(course.speeds[1:]))
    rates = float(np.linalg.norm(D[1:, 0]) + friction * np.linalg.norm(D[1:, 1:]))

    def derivative(_: float, y: Floats) -> Floats:
        # y: ln σ, φ, γ_n, Λ (3), work
        s = np.array([np.cos(y[1]), np.sin(y[1])])
        across, sigma = np.array([-s[1], s[0]]), np.exp(y[0])
        direction = np.append(1.0, -friction * s)
        rate = D @ direction
        return np.concatenate(([s @ rate[1:], across @ rate[1:], sigma * rate[0]], sigma * direction, [sigma * y[2]]))

    start = course.speeds
    y = np.concatenate(([np.log(scale), np.arctan2(start[2], start[1]), start[0]], course.impulses, [course.work]))
    slow, far = float(np.log(scale * _SLOW)), _FAR / rates
    y, reached = _integrated(derivative, y, far, [lambda _, y: y[2], lambda _, y: y[0] - slow])
    course = _read(course, y)
    if reached != 0:
        return course, False
    course = course.expanding(restitution)
    goal = course.goal
    assert goal is not None
    y[2] = 0.0
    y, reached = _integrated(derivative, y, far, [lambda _, y: y[6] - goal, lambda _, y: y[0] - slow])
    return _read(course, y), reached == 0


def _integrated(
    derivative: Callable[[float, Floats], Floats], y: Floats, far: float, ends: list[Callable[[float, Floats], float]]
) -> tuple[Floats, int]:
    """Return y where the first of two quantities passes zero, and which of them it was."""
    from scipy.integrate import solve_ivp

    for end, way in zip(ends, (1.0, -1.0), strict=True):
        end.terminal, end.direction = True, way  # type: ignore[attr-defined]
    if ends[0](0.0, y) >= 0.0:
        return y, 0
    found = solve_ivp(derivative, (0.0, far), y, method="DOP853", rtol=_TOLERANCE, atol=1e-15, events=ends)
    assert found.t_events is not None
    return np.asarray(found.y[:, -1]), 0 if len(found.t_events[0]) else 1


def _read(course: _Course, y: Floats) -> _Course:
    sigma = np.exp(y[0])
    speeds = np.array([y[2], sigma * np.cos(y[1]), sigma * np.sin(y[1])])
    return replace(course, speeds=speeds, impulses=y[3:6].copy(), work=float(y[6]))
