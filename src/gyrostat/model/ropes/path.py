"""The path of a rope as a model has it: its checks, its outputs, and its stations at an instant."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from gyrostat.model.forces.force_element import ForceOutput, Motion, PointLoad, PointMotion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.place import Place
from gyrostat.model.ropes.course import Course, CourseStop
from gyrostat.model.ropes.material import Hold
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.model.ropes.span import Unit
from gyrostat.model.ropes.station import Station
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero, multiply
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import cross, minus, scale

RopePath: TypeAlias = tuple[End | Pulley, ...]
"""The ends and pulleys of a rope, in order."""


def check_path(path: RopePath, place: Place, *, closed: bool) -> None:
    """Report pulleys of one name, and a pulley that the rope may leave without neighbours that it does not leave."""
    seen: set[str] = set()
    count = len(path)
    for i, one in enumerate(path):
        if not isinstance(one, Pulley):
            if closed or 0 < i < count - 1:
                place.inside(i).report(f"{one} is no pulley.", "Between the ends of a path there are pulleys only.")
            continue
        if one.name in seen:
            place.inside(i).report(f"the name {one.name!r} is used twice.", "Give each pulley its own name.")
        seen.add(one.name)
        neighbours = [path[k % count] for k in (i - 1, i + 1) if closed or 0 <= k < count]
        if one.lifts and (len(neighbours) < 2 or any(isinstance(n, Pulley) and n.lifts for n in neighbours)):
            place.inside(i).report(
                f"the rope may leave {one.name!r}, and a neighbour is no place at which it stays.",
                "Give lifts=True to one of two neighbouring pulleys at most, and not to a drum at an end.",
            )


def path_outputs(pulleys: tuple[Pulley, ...], holding: tuple[Pulley, ...], spans: int) -> dict[str, ForceOutput]:
    """Return the outputs of the spans and pulleys of a path."""
    return {
        **{f"span{i + 1}.tension": ForceOutput(1, "N", f"tension in span {i + 1}") for i in range(spans)},
        **{f"{one.name}.wrap": ForceOutput(1, "rad", f"wrap angle on {one.name}") for one in pulleys},
        **{f"{one.name}.slip": ForceOutput(1, "m/s", f"speed of slipping on {one.name}") for one in holding},
    }


def shift_variables(name: str, holding: tuple[Pulley, ...]) -> tuple[StateVariable, ...]:
    """Return the state variables of pulleys that hold a rope."""
    return tuple(
        StateVariable(f"{name}.{one.name}.shift", "m", f"shift of {name} on {one.name} from uniform tension")
        for one in holding
    )


class Places(Protocol):
    """Where stations are: a motion, or the record of one."""

    def end(self, end: End) -> PointMotion:
        """Return the motion of a frame on a body."""

    def evaluate(self, formula: Formula) -> Scalar:
        """Return the value of a formula."""


def stops_at(path: RopePath, motion: Places) -> list[CourseStop]:
    """Return the stations of a path at an instant."""
    found = []
    for one in path:
        if isinstance(one, Pulley):
            station = Station(one.frame, motion.end(one.frame), motion.evaluate(one.radius), one.sense)
            found.append(CourseStop(one.name, station, one.holds, one.lifts, one.turns))
        else:
            found.append(CourseStop("", Station(one, motion.end(one))))
    return found


def holds_at(name: str, holding: tuple[Pulley, ...], course: Course, motion: Motion) -> list[Hold]:
    """Return how pulleys hold a rope at an instant; the first shift of a closed one is zero."""
    found = []
    for i, (pulley, arc) in enumerate(zip(holding, course.held, strict=True)):
        friction = multiply(motion.evaluate(pulley.mu), arc.wrap)
        limit = None if pulley.grip else add(friction, motion.evaluate(pulley.loss))
        reference = course.closed and i == 0
        found.append(Hold(limit, 0 if reference else motion.quantity(f"{name}.{pulley.name}.shift")))
    return found


def span_tensions(
    tensions: list[Scalar], path: RopePath, holding: tuple[Pulley, ...], *, closed: bool
) -> dict[str, Scalar]:
    """Return the tensions of all spans, from those of the segments between pulleys that hold."""
    names, found = [one.name for one in holding], dict[str, Scalar]()
    segment = -1 if closed and names and not (isinstance(path[0], Pulley) and path[0].name == names[0]) else 0
    for i, one in enumerate(path if closed else path[:-1]):
        if i and isinstance(one, Pulley) and one.name in names:
            segment += 1
        found[f"span{i + 1}.tension"] = tensions[segment % len(tensions)]
    return found


def greatest_mismatch(course: Course, motion: Motion) -> Scalar:
    """Return the largest deviation of a span from tangent, zero where all have closed forms."""
    call = without_switches(motion.scalars).call
    sizes = [call("abs", (one,)) for leg in course.legs for one in leg.mismatch if not is_zero(one)]
    return 0 if not sizes else sizes[0] if len(sizes) == 1 else call("max", tuple(sizes))


def point_load(unit: Unit, tension: Scalar) -> PointLoad:
    """Return the load of a force per unit of tension on the body of its station."""
    force = scale(tension, unit.force)
    arm = minus(unit.point, unit.station.centre)
    return PointLoad(unit.station.end, force, cross(arm, force))
