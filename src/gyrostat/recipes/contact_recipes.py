"""Recipes of contacts on the traced engine: sliding speeds at a contact point, and the normal there."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.recipes.trace import Trace
from gyrostat.recipes.traced_instant import TracedInstant, formula_values, table_of
from gyrostat.scalar.traced import Traced, column
from gyrostat.signals.contact_place import ContactPlace, place_in
from gyrostat.signals.formulas import formula_value, signal_value
from gyrostat.signals.signal import AXES
from gyrostat.spatial import cross, minus, plus


def sliding(trace: Trace, place: ContactPlace) -> dict[str, Any]:
    """Return sliding speeds given by formulas, and their derivatives by u."""
    formulas = {str(i): formula for i, formula in enumerate(place.sliding)}
    return _with_derivatives(trace, formula_values(TracedInstant.solved(trace), formulas))


def contact_motion(trace: Trace, place: ContactPlace, when: Formula, event: str, *, inferred: bool) -> dict[str, Any]:
    """Return the velocity of a contact point relative to the other body, its derivatives by u, and the normal.

    The normal is the gradient of the event's function as the body is displaced without turning. It is of unit length
    where the function is a distance.
    """
    instant, table, end = TracedInstant.solved(trace), table_of(trace), place.end
    assert end is not None
    scalars = trace.motion.scalars
    other = End(place.against)
    x, y, z = (formula_value(table, one, instant, scalars) for one in place.offset)
    offset = x, y, z
    omega = instant.omega(end.body)
    if inferred and end.name is None and casadi.jacobian_sparsity(column(omega), trace.arguments["u"]).nnz():
        raise StateError(
            f"Event {event!r} has friction, and its formula {str(when)!r:.60} names the origin of {end.body!r}, a "
            f"body that turns. State where it touches: at={end.body!r} for the origin itself, or with the way from "
            f"there in world axes, such as at=({end.body!r}, (0, '-r', 0)) for a ball on a floor."
        )
    velocity = plus(instant.velocity(end), cross(omega, offset))
    if place.against != GROUND:
        arm = minus(plus(instant.position(end), offset), instant.position(other))
        carried = plus(instant.velocity(other), cross(instant.omega(place.against), arm))
        velocity = minus(velocity, carried)
    displacement = casadi.SX.sym("displacement", 3)

    def displaced(name: str) -> Any:
        value, found = signal_value(table, name, instant), place_in(table, name)
        if found is None or found.body != end.body:
            return value
        return value + Traced(displacement[AXES.index(name.rpartition(".")[2])])

    function = column([when.evaluate(scalars, displaced)])
    gradient = casadi.jacobian(function, displacement)
    if gradient.nnz() == 0:
        raise StateError(
            f"Event {event!r} has friction at {str(end)!r}, but its formula {str(when)!r:.60} names no point of "
            f"{end.body!r}, so that the normal is not known. Write it over coordinates of its points, such as "
            f"{end.body}.y, or give sliding=('…',)."
        )
    normal = casadi.substitute(casadi.densify(gradient), displacement, casadi.SX.zeros(3))
    return {**_with_derivatives(trace, column(velocity)), "normal": casadi.densify(normal)}


def _with_derivatives(trace: Trace, speeds: Any) -> dict[str, Any]:
    jacobian = casadi.jacobian(speeds, trace.arguments["u"])
    return {"speeds": casadi.densify(speeds), "jacobian": casadi.densify(jacobian)}
