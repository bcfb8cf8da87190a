"""Whether a motion is steady: its speeds are constant, and so are the coefficients of its variations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from gyrostat.analysis.linear.flow import Flow
from gyrostat.analysis.linear.variations import Variations
from gyrostat.analysis.operating_point import OperatingPoint, gravity_of
from gyrostat.errors import StateError
from gyrostat.pipeline.arguments import Floats
from gyrostat.pipeline.closing import Closer

_BALANCED = 1e-6
"""What accelerations may be, in terms of what gravity and the speeds there are would give."""
_CONSTANT = 1e-6
"""How much coefficients may change, in terms of the largest, and count as constant."""
_STEPS = 32
_TURN = 0.7
"""How far the motion goes on before it is looked at again (rad, or sizes of the mechanism)."""
_MOST_SHOWN = 6


def demand_balanced(found: Variations) -> None:
    """Raise an error, with accelerations by name, unless all speeds are constant."""
    system, point = found.system, found.point
    scales = Closer(system).scales
    size, fast = system.model_size, float(np.abs(point.u / scales).max(initial=0.0))
    allowed = _BALANCED * (gravity_of(system, point.parameters) / size + fast * fast + 1.0) * scales
    if (np.abs(found.udot) <= allowed).all():
        return
    order = [i for i in np.argsort(-np.abs(found.udot / scales)) if abs(found.udot[i]) > allowed[i]]
    told = [f"{system.speed_names[i]} by {found.udot[i]:.4g}" for i in order[:_MOST_SHOWN]]
    more = f" and {len(order) - _MOST_SHOWN} more" if len(order) > _MOST_SHOWN else ""
    kind = "steady motion" if point.u.any() else "equilibrium"
    remedy = "gs.steady_motion(system, …)" if point.u.any() else "gs.equilibrium(system, guess=…)"
    raise StateError(
        f"The operating point is no {kind} of {system.model.name!r}: in a second there change {', '.join(told)}{more}. "
        f"Find one with {remedy}; for one instant of a motion use linearize(…, frozen=True)."
    )


def later(point: OperatingPoint) -> OperatingPoint:
    """Return where a motion with constant speeds is some time later."""
    system = point.system
    pace = float(np.abs(point.u / Closer(system).scales).max(initial=0.0))
    step = (_TURN / pace if pace else 1.0) / _STEPS
    program = system.program("rates_of_coordinates")
    places = slice(1, 1 + len(point.q))

    def rates(t: float, q: Floats) -> Floats:
        row = point.row.copy()
        row[0], row[places] = t, q
        return np.asarray(program.loop(row[None, :])[0])

    t, q = point.t, point.q
    for _ in range(_STEPS if point.u.any() else 0):
        q = _advanced(rates, t, q, step)
        for first in system.coordinates.euler_parameters.values():
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
        t += step
    return replace(point, t=point.t + _STEPS * step, q=q)


def _advanced(rates: Callable[[float, Floats], Floats], t: float, q: Floats, step: float) -> Floats:
    """Return the coordinates after a step of the classical Runge–Kutta method."""
    k1 = rates(t, q)
    k2 = rates(t + step / 2, q + step / 2 * k1)
    k3 = rates(t + step / 2, q + step / 2 * k2)
    k4 = rates(t + step, q + step * k3)
    return np.asarray(q + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


def demand_constant(now: Flow, then: Flow) -> None:
    """Raise an error unless the coefficients are the same at two instants, and the basis does not turn."""
    states = now.states
    first, second = now.state_rates[:, :states], then.state_rates[:, :states]
    size = max(float(np.abs(first).max(initial=0.0)), 1e-300)
    change = np.abs(first - second)
    if now.drift <= _CONSTANT and float(change.max(initial=0.0)) <= _CONSTANT * size:
        return
    names = (*now.reduction.positions, *now.reduction.speeds)
    i, j = np.unravel_index(int(np.argmax(change)), change.shape)
    raise StateError(
        f"The coefficients of the linear equations are not constant along this motion of "
        f"{now.found.system.model.name!r}: that of {names[j]!r} in the rate of {names[i]!r} goes from "
        f"{first[i, j]:.4g} to {second[i, j]:.4g}. If the motion is periodic use gs.floquet(…). A steady turn has "
        "constant coefficients in a Free joint's own axes, a steady spin in angles about axes that do not spin; for "
        "one instant use linearize(…, frozen=True)."
    )
