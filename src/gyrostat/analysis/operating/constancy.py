"""Constancy: whether the coefficients of the linear motion near a steady motion are constant, or in which axes.

In axes of the world, in which bodies may have their velocities, the coefficients of a mechanism that turns go round
with it. As speeds do, they may turn at constant rates: F(t) = exp(−Γ t) F(0) exp(Γ t), F the linear motion.
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.operating.balance import carried_on, instants
from gyrostat.analysis.operating.going_round import turning_generators
from gyrostat.analysis.operating.linear_motion import LinearMotion
from gyrostat.analysis.operating.neighbourhood import Neighbourhood
from gyrostat.coordinates.arguments import Floats

_CONSTANT = 1e-5
"""What coefficients may change, relative to the largest."""
_SHORT = 0.02
"""The part of an instant's delay by which rates of coefficients are found."""
_WEIGHTS = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
"""Central differences of order six."""


def constant_turning(around: Neighbourhood, q: Floats, u: Floats, turning: Floats) -> Floats | None:
    """Return Γ of axes in which the coefficients are constant: the given one if it will do; None if there is none."""
    now = operator(around, q, u)
    delay = instants(around, q, u)[0]
    if _keeps(around, q, u, turning, now, delay):
        return turning
    fitted = _fitted(around, q, u, turning, now, _SHORT * delay)
    return fitted if fitted is not None and _keeps(around, q, u, fitted, now, delay) else None


def operator(around: Neighbourhood, q: Floats, u: Floats) -> Floats:
    """Return how (ξ, δu) changes in a unit of time, in scaled states; zero across what constraints allow."""
    motion = LinearMotion.of(around, q, u)
    n, slopes = len(u), motion.slopes
    full = np.block([[slopes.carried, np.eye(n)], [slopes.along, slopes.by_speed]])
    scales = np.concatenate((around.scales, around.scales))
    basis, _ = np.linalg.qr(motion.states / scales[:, None])
    allowed = basis @ basis.T
    return np.asarray(allowed @ (full * scales / scales[:, None]) @ allowed)


def _keeps(around: Neighbourhood, q: Floats, u: Floats, turning: Floats, now: Floats, delay: float) -> bool:
    """Tell whether coefficients turn as Γ says."""
    from scipy.linalg import expm

    turned = np.kron(np.eye(2), expm(-turning * delay))
    there = operator(around.later(around.t + delay), *carried_on(around, q, u, delay, _of_speeds(turning, u)))
    gap = np.abs(there - turned @ now @ turned.T).max(initial=0.0)
    return bool(gap <= _CONSTANT * max(float(np.abs(now).max(initial=0.0)), 1e-12))


def _of_speeds(turning: Floats, u: Floats) -> Floats | None:
    """Return Γ as far as it turns the speeds."""
    return turning if (turning @ u).any() else None


def _fitted(around: Neighbourhood, q: Floats, u: Floats, turning: Floats, now: Floats, step: float) -> Floats | None:
    """Return Γ by which coefficients and speeds turn at this instant, as far as generators can do that."""
    options = turning_generators(around.system)
    if not options:
        return None
    rate = np.zeros_like(now)
    for k, weight in _WEIGHTS.items():
        for sign in (1, -1):
            delay = sign * k * step
            state = carried_on(around, q, u, delay, _of_speeds(turning, u))
            rate += sign * weight / step * operator(around.later(around.t + delay), *state)
    size = max(float(np.abs(now).max(initial=0.0)), 1e-12)
    pace = max(float(np.abs(u).max(initial=0.0)), 1.0)
    doubled = [np.kron(np.eye(2), option) for option in options]
    effects = np.stack([(now @ option - option @ now).ravel() / size for option in doubled], axis=1)
    speeds = np.stack([option @ u / pace for option in options], axis=1)
    right = np.concatenate((rate.ravel() / size, turning @ u / pace))
    rates = np.linalg.lstsq(np.vstack((effects, speeds)), right, rcond=1e-9)[0]
    return np.asarray(sum(x * option for x, option in zip(rates, options, strict=True)))
