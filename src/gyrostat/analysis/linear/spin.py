"""Axes that do not spin along: in which the coefficients of a steady motion are constant.

Joints with Euler parameters are varied in the axes of the child. Seen there, a vehicle in a steady turn is always the
same; but of a wheel or top that spins, gravity and contact go round. Of a symmetric body the axes may be let go by its
spin: axes F that turn relative to the child with a constant angular velocity η. With ẋ = F x in the child's axes the
coefficients are constant in F if dF/dt = F Γ − Γ F, and the speeds if du/dt = −Γ u, where Γ = −η× on all vectors of the
joint; these equations give η.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.analysis.linear.flow import Flow, flow_of
from gyrostat.analysis.linear.reduction import reduce_variations
from gyrostat.analysis.linear.steadiness import moved_on, pace_of, tangent_operator
from gyrostat.analysis.linear.variations import vary
from gyrostat.analysis.operating.generators import generators, spinning_axes
from gyrostat.analysis.operating.operating_point import OperatingPoint
from gyrostat.coordinates.arguments import Floats

_TURN = 0.02
"""How far the motion goes between the instants from which rates of coefficients are found (rad)."""
_WEIGHTS = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
"""Central differences of order six."""
_SAME = 1e-8
"""Angular velocities that differ by less than this, in terms of the motion, are the same."""


def flow_at(point: OperatingPoint) -> Flow:
    """Return the varied motion at an instant, in any basis."""
    found = vary(point)
    return flow_of(found, reduce_variations(found))


def spin_of(flow: Flow) -> Floats | None:
    """Return Γ of axes in which the coefficients do not change, or None where those of the children will do.

    Where several will do, as for a top that sleeps, those that turn least relative to the parents are taken.
    """
    system, point = flow.found.system, flow.found.point
    options = generators(system)
    pace = pace_of(point)
    if not options or not pace:
        return None
    step = _TURN / pace
    rate = sum(
        sign * weight / step * tangent_operator(flow_at(moved_on(point, sign * k * step, 8 * k)))
        for k, weight in _WEIGHTS.items()
        for sign in (1, -1)
    )
    now = tangent_operator(flow)
    size = max(float(np.abs(now).max()), 1e-300) * pace
    doubled = [np.kron(np.eye(2), option) for option in options]
    effects = np.stack([(now @ option - option @ now).ravel() / size for option in doubled], axis=1)
    turning = np.stack([-option @ point.u for option in options], axis=1) / pace**2
    equations = np.vstack((effects, turning))
    right = np.concatenate((np.ravel(rate) / size, flow.found.udot / pace**2))
    still = -np.concatenate([point.u[list(vectors[0])] for vectors in spinning_axes(system)])
    weights = still + np.linalg.lstsq(equations, right - equations @ still, rcond=1e-9)[0]
    for exact in (still, np.zeros_like(still)):  # differences have errors; these two values are not theirs
        weights = np.where(np.abs(weights - exact) <= _SAME * pace, exact, weights)
    if not weights.any():
        return None
    return np.asarray(sum(weight * option for weight, option in zip(weights, options, strict=True)))


def without_spin(flow: Flow, spin: Floats) -> Flow:
    """Return the varied motion in axes that turn with Γ; at the instant they coincide with the child's."""
    udot = flow.udot + spin @ flow.u
    needs = flow.needs - flow.mass @ (flow.reduction.speed_pick @ spin @ flow.u)
    return replace(flow, theta_rate=flow.theta_rate + spin @ flow.theta, udot=udot, needs=needs, spin=spin)
