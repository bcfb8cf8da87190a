"""Whether a motion is steady: its speeds are constant, and so are the coefficients of its variations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.analysis.linear.flow import Flow
from gyrostat.analysis.linear.variations import Variations
from gyrostat.analysis.operating.generators import generators
from gyrostat.analysis.operating.operating_point import OperatingPoint, gravity_of
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_BALANCED = 1e-6
"""What accelerations may be, in terms of what gravity and the speeds there are would give."""
_STEPS = 32
_TURN = 0.5
"""How far the motion goes on before it is looked at again (rad, or sizes of the mechanism)."""
_MOST_SHOWN = 6


def demand_balanced(found: Variations) -> None:
    """Raise an error, with accelerations by name, unless all speeds are constant, as seen in some axes of the joints.

    Speeds that are vectors in the axes of a spinning child may go round there.
    """
    system, point = found.system, found.point
    left = found.udot
    if point.u.any() and left.any() and (options := generators(system)):
        turning = np.stack([option @ point.u for option in options], axis=1)
        left = left + turning @ np.linalg.lstsq(turning, -left, rcond=1e-9)[0]
    scales = Closer(system).scales
    size, fast = system.model_size, float(np.abs(point.u / scales).max(initial=0.0))
    allowed = _BALANCED * (gravity_of(system, point.parameters) / size + fast * fast + 1.0) * scales
    if (np.abs(left) <= allowed).all():
        return
    order = [i for i in np.argsort(-np.abs(left / scales)) if abs(left[i]) > allowed[i]]
    told = [f"{system.speed_names[i]} by {left[i]:.4g}" for i in order[:_MOST_SHOWN]]
    more = f" and {len(order) - _MOST_SHOWN} more" if len(order) > _MOST_SHOWN else ""
    kind = "steady motion" if point.u.any() else "equilibrium"
    remedy = "gs.steady_motion(system, …)" if point.u.any() else "gs.equilibrium(system, guess=…)"
    raise StateError(
        f"The operating point is no {kind} of {system.model.name!r}: in a second there change {', '.join(told)}{more}. "
        f"Find one with {remedy}; for one instant of a motion use linearize(…, frozen=True)."
    )


def pace_of(point: OperatingPoint) -> float:
    """Return how fast a motion is (rad/s, or sizes of the mechanism in a second)."""
    return float(np.abs(point.u / Closer(point.system).scales).max(initial=0.0))


def later(point: OperatingPoint) -> OperatingPoint:
    """Return where a motion is some time later."""
    pace = pace_of(point)
    return moved_on(point, _TURN / pace if pace else 1.0, _STEPS)


def moved_on(point: OperatingPoint, duration: float, steps: int) -> OperatingPoint:
    """Return where a motion is after a short time, which may be negative, by the classical Runge–Kutta method."""
    system = point.system
    if not point.u.any():
        return replace(point, t=point.t + duration)
    coordinates, speeds = system.program("rates_of_coordinates"), system.program("forward_dynamics")
    n_q, state = len(point.q), slice(1, 1 + len(point.q) + len(point.u))

    def rates(t: float, x: Floats) -> Floats:
        row = point.row.copy()
        row[0], row[state] = t, x
        return np.concatenate((coordinates.loop(row[None, :])[0], speeds.loop(row[None, :])[0]))

    step = duration / steps
    t, x = point.t, point.row[state]
    for _ in range(steps):
        k1 = rates(t, x)
        k2 = rates(t + step / 2, x + step / 2 * k1)
        k3 = rates(t + step / 2, x + step / 2 * k2)
        k4 = rates(t + step, x + step * k3)
        x = x + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        for first in system.coordinates.euler_parameters.values():
            x[first : first + 4] /= np.linalg.norm(x[first : first + 4])
        t += step
    return replace(point, t=point.t + duration, q=x[:n_q], u=x[n_q:])


def tangent_operator(flow: Flow) -> Floats:
    """Return how (δθ, δu) changes in a unit of time, (2n, 2n): zero at right angles to what constraints allow.

    It depends on the motion alone, not on the choice of a basis.
    """
    rates = np.vstack((flow.theta_rate, flow.udot))[:, : flow.states]
    return np.asarray(rates @ coefficients(flow))


def coefficients(flow: Flow) -> Floats:
    """Return the states as they follow from (δθ, δu): (states, 2n), zero at right angles to the basis."""
    basis = np.vstack((flow.theta, flow.u))[:, : flow.states]
    if not flow.found.system.constrained:
        return basis.T
    return np.asarray(np.linalg.solve(basis.T @ basis, basis.T), dtype=float)
