"""Stronge's hypothesis at a single contact with friction: the motion as a function of the normal impulse.

With the normal impulse p as the independent variable (Routh, Dynamics of a System of Rigid Bodies, 1905), the speeds of
separation and sliding change by dγ/dp = D (1, f): f = −μ s where the contact slides in the direction s, and where it
sticks the f that keeps γ_t = 0. Compression ends where γ_n = 0. Expansion ends where the work of the normal impulse
since then is e² times that of compression (Stronge, Impact Mechanics, 2000, ch. 4). In space, where the direction of
sliding turns, the contact may approach again during expansion: the work of compression is then the largest one.

Pieces with a constant direction of sliding are solved in closed form; `turning_slip` has the others.
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.events.contact import REST_SPEED
from gyrostat.analysis.events.contact_set import ContactSet
from gyrostat.analysis.events.impulse_course import ImpulseCourse
from gyrostat.analysis.events.turning_slip import turn
from gyrostat.coordinates.arguments import Floats

_RATE_TOLERANCE = 1e-13
"""Rate of the separation speed, relative to that without friction, at which a contact that sticks cannot separate."""


def impulses_by_work(contacts: ContactSet) -> Floats:
    """Return the impulses at a single contact by Stronge's hypothesis."""
    if contacts.speeds[0] >= 0.0:
        return np.zeros(len(contacts.speeds))
    D, friction, restitution = contacts.D, float(contacts.friction[0]), float(contacts.restitution[0])
    rest = -REST_SPEED * contacts.speeds[0]
    course = ImpulseCourse(contacts.speeds.copy(), np.zeros(len(D)))
    if len(D) == 3 and course.speeds[1:].any():
        course, ended = turn(course, D, friction, restitution)
        if ended:
            return course.impulses
    while True:
        direction, rate = _piece(course.speeds[1:], D, friction)
        stop = _end_of_sliding(course.speeds[1:], rate[1:])
        stuck = stop == np.inf and rate[0] <= _RATE_TOLERANCE * D[0, 0]
        if course.goal is None:
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
            if stuck:  # more impulse would not change the motion
                return course.impulses
            root = speed * speed + 2.0 * rate[0] * missing
            last = 2.0 * missing / (speed + np.sqrt(root)) if root > 0.0 else 0.0 if missing == 0.0 else np.inf
            if last <= stop:
                return course.moved(rate, direction, last).impulses
        course = course.moved(rate, direction, stop).sticking()
        if course.speeds[0] < 0.0:  # in space the contact may approach again
            course = course.compressing()


def _piece(sliding: Floats, D: Floats, friction: float) -> tuple[Floats, Floats]:
    """Return the direction of the impulse and dγ/dp, for each unit of the normal impulse.

    The tangential rates of a contact that sticks are exactly zero: a rounding error would be sliding in some direction.
    """
    speed = float(np.linalg.norm(sliding))
    if speed > 0.0:
        direction = np.append(1.0, -friction / speed * sliding)
        return direction, D @ direction
    hold = -np.linalg.lstsq(D[1:, 1:], D[1:, 0], rcond=1e-13)[0]
    if np.linalg.norm(hold) <= friction:
        direction = np.append(1.0, hold)
        return direction, np.append(D[0] @ direction, np.zeros(len(hold)))
    direction = np.append(1.0, -friction * _onset(D, friction))
    return direction, D @ direction


def _onset(D: Floats, friction: float) -> Floats:
    """Return the direction s in which sliding sets in: (μ D_tt + λ) s = D_tn with λ > 0.

    It is the only direction in which sliding grows along itself.
    """
    from scipy.optimize import brentq

    mobility, axes = np.linalg.eigh(friction * D[1:, 1:])
    pull = axes.T @ D[1:, 0]

    def along(growth: float) -> Floats:
        return np.asarray(pull / (np.maximum(mobility, 0.0) + growth))

    largest = float(np.linalg.norm(pull))
    growth = brentq(
        lambda growth: float(np.linalg.norm(along(growth))) - 1.0, 1e-16 * largest, largest, xtol=1e-300, rtol=1e-15
    )
    s = axes @ along(growth)
    return np.asarray(s / np.linalg.norm(s))


def _end_of_sliding(sliding: Floats, rate: Floats) -> float:
    """Return the normal impulse at which sliding along a fixed direction ends; infinite where it does not."""
    speed = float(np.linalg.norm(sliding))
    if speed == 0.0:
        return np.inf
    slowing = -float(sliding @ rate) / speed
    return speed / slowing if slowing > 0.0 else np.inf
