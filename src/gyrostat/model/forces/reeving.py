"""A rope without mass over pulleys."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from gyrostat.model.forces.force_element import CoordinateLoad, ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.forces.winch import Winch
from gyrostat.model.kinds import End, ListKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.ropes.course import Course, Stop, course_of
from gyrostat.model.ropes.material import Feed, Hold, Material, RopeLaw
from gyrostat.model.ropes.path_kind import PathKind
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.model.ropes.span import Unit
from gyrostat.model.ropes.station import Station
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.model.state_variable import StateVariable
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, total
from gyrostat.spatial import cross, minus, scale


@dataclass(frozen=True)
class Reeving(ForceElement, Dimensioned):
    """An elastic rope without mass, straight between the pulleys of its path and on arcs of their sheaves.

    `path` is a list of an end, pulleys and an end. An end is a place on a body; where it is a `Pulley`, the rope lies on
    that drum from the x axis of its frame on, and a `Winch` turns it. The tension is EA times the strain, with damping in
    proportion to the rate of strain; a slack rope has no tension. It is uniform up to pulleys with `mu`, `loss` or `grip`,
    on which a state, `name.pulley.shift`, tells how far the rope is from a uniform tension.

    >>> import gyrostat as gs
    >>> wheel = gs.Pulley("top", "ground", radius=0.1, side="right")
    >>> rope = Reeving("rope", ["a", wheel, "b"], length=4, EA=1e6)
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    positive: ClassVar[tuple[str, ...]] = ("length", "EA", "tightening", "relaxation")
    not_negative: ClassVar[tuple[str, ...]] = ("damping",)
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "tension": ForceOutput(1, "N", "tension at the first end"),
        "length": ForceOutput(1, "m", "length of the path"),
        "rate": ForceOutput(1, "m/s", "rate of the length of the path"),
        "unstretched": ForceOutput(1, "m", "length of the rope without tension"),
        "wrap": ForceOutput(1, "rad", "sum of the wrap angles"),
        "mismatch": ForceOutput(1, "1", "largest deviation of a span from tangent between tilted sheaves"),
    }
    path: tuple[End | Pulley, ...] = value(ListKind(PathKind()), doc="an end, pulleys and an end, in order")
    length: Quantity = value(QuantityKind(), doc="length without tension, without rope that winches pay out (m)")
    EA: Quantity = value(QuantityKind(), doc="tension per strain (N)")
    damping: Quantity = value(QuantityKind(), 0, doc="viscous tension per rate of strain (N·s)")
    tightening: Quantity = value(
        QuantityKind(), 1e-5, doc="strain over which the damping of a rope that tightens sets in", keyword=True
    )
    relaxation: Quantity = value(
        QuantityKind(), 1e-5, doc="time in which tension beyond the limit of friction decays (s)", keyword=True
    )
    winches: tuple[Winch, ...] = dataclasses.field(default=(), kw_only=True, repr=False)
    """The winches of the model that pay out this rope."""

    def validate(self, place: Place) -> None:
        """Require two ends, different names, and fixed neighbours of pulleys that the rope may leave."""
        super().validate(place)
        inside = place.inside("path")
        if len(self.path) < 2:
            inside.report("a rope needs two ends.", "Give a place on a body at the beginning and at the end.")
        check_path(self.path, inside, closed=False)

    def resolved(self, components: Mapping[str, Component]) -> Self:
        """Return the rope with the winches that pay it out."""
        found = (one for one in components.values() if isinstance(one, Winch) and one.rope == self.name)
        return dataclasses.replace(self, winches=tuple(found))

    # --- states and outputs -------------------------------------------------------------------------------------

    @cached_property
    def pulleys(self) -> tuple[Pulley, ...]:
        """The pulleys of the path, drums at its ends included."""
        return tuple(one for one in self.path if isinstance(one, Pulley))

    @cached_property
    def holding(self) -> tuple[Pulley, ...]:
        """The pulleys on which the tension may change."""
        return tuple(one for one in self.path[1:-1] if isinstance(one, Pulley) and one.holds)

    @cached_property
    def all_outputs(self) -> Mapping[str, ForceOutput]:
        """The outputs of the rope, of its spans and of its pulleys."""
        return {**self.outputs, **path_outputs(self.pulleys, self.holding, len(self.path) - 1)}

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The shifts of the rope on pulleys that hold it."""
        return shift_variables(self.name, self.holding)

    @property
    def may_switch(self) -> bool:
        """True: the rope tightens and slackens, slips, and lifts off sheaves."""
        return True

    # --- mechanics ----------------------------------------------------------------------------------------------

    def course(self, motion: Motion) -> Course:
        """Return the course of the rope at an instant."""
        return motion.once(f"{self.name}.course", lambda: course_of(stops_at(self.path, motion), motion.scalars))

    def material(self, motion: Motion) -> Material:
        """Return the material of the rope at an instant."""

        def form() -> Material:
            law = RopeLaw(
                *(motion.evaluate(one) for one in (self.EA, self.damping, self.tightening, self.relaxation)),
                motion.scalars,
            )
            course = self.course(motion)
            feeds = (self._feed(motion, at) for at in ("first", "last"))
            return Material(course, law, motion.evaluate(self.length), *feeds, holds_at(self.name, self.holding, course, motion))

        return motion.once(f"{self.name}.material", form)

    def _feed(self, motion: Motion, at: str) -> Feed:
        feeds = [one.feed(motion) for one in self.winches if one.at == at]
        return Feed(total([one.length for one in feeds]), total([one.rate for one in feeds]))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the tensions at ends and sheaves, and the loads on drums."""
        material = self.material(motion)
        for segment, tension in zip(material.course.segments, material.tensions, strict=True):
            yield from (point_load(one, tension) for one in segment.forces)
        for winch in self.winches:
            if winch.joint is not None:
                force = material.feed_force(0 if winch.at == "first" else -1)
                yield CoordinateLoad(winch.joint, multiply(force, winch.lever(motion)))

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rates of the shifts."""
        rates = self.material(motion).shift_rates
        return {one.name: rate for one, rate in zip(self.state_variables, rates, strict=True)}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return tensions, lengths, wrap angles and slips."""
        material = self.material(motion)
        course = material.course
        return {
            "tension": material.tensions[0],
            "length": course.length,
            "rate": course.rate,
            "unstretched": material.unstretched,
            "wrap": total(list(course.wraps.values())),
            "mismatch": greatest_mismatch(course, motion),
            **course_outputs(material, self.path, self.holding),
        }

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy."""
        return self.material(motion).stored


def check_path(path: tuple[End | Pulley, ...], place: Place, *, closed: bool) -> None:
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


def path_outputs(
    pulleys: tuple[Pulley, ...], holding: tuple[Pulley, ...], spans: int
) -> dict[str, ForceOutput]:
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


def stops_at(path: tuple[End | Pulley, ...], motion: Motion) -> list[Stop]:
    """Return the stations of a path at an instant."""
    found = []
    for one in path:
        if isinstance(one, Pulley):
            station = Station(one.frame, motion.end(one.frame), motion.evaluate(one.radius), one.sense)
            found.append(Stop(one.name, station, one.holds, one.lifts, one.turns))
        else:
            found.append(Stop("", Station(one, motion.end(one))))
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


def course_outputs(
    material: Material, path: tuple[End | Pulley, ...], holding: tuple[Pulley, ...]
) -> dict[str, Scalar]:
    """Return the outputs of spans and pulleys."""
    course, names = material.course, [one.name for one in holding]
    found: dict[str, Scalar] = {}
    segment = -1 if course.closed and names and not (isinstance(path[0], Pulley) and path[0].name == names[0]) else 0
    for i in range(len(path) if course.closed else len(path) - 1):
        one = path[i]
        if i and isinstance(one, Pulley) and one.name in names:
            segment += 1
        found[f"span{i + 1}.tension"] = material.tensions[segment % len(material.tensions)]
    found |= {f"{name}.wrap": wrap for name, wrap in course.wraps.items()}
    found |= {f"{name}.slip": slip for name, slip in zip(names, material.slips, strict=True)}
    return found


def greatest_mismatch(course: Course, motion: Motion) -> Scalar:
    """Return the largest deviation of a span from tangent, zero where all have closed forms."""
    call = motion.scalars.call
    sizes = [call("abs", (one,)) for leg in course.legs for one in leg.mismatch if not (isinstance(one, int) and one == 0)]
    return 0 if not sizes else sizes[0] if len(sizes) == 1 else call("max", tuple(sizes))


def point_load(unit: Unit, tension: Scalar) -> PointLoad:
    """Return the load of a force per unit of tension on the body of its station."""
    force = scale(tension, unit.force)
    arm = minus(unit.point, unit.station.centre)
    return PointLoad(unit.station.end, force, cross(arm, force))
