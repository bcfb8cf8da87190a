"""A rope over pulleys."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from gyrostat.model.forces.force_element import CoordinateLoad, ForceOutput, Load, Motion
from gyrostat.model.forces.mass_element import MassElement
from gyrostat.model.forces.rigid_element import INPUTS, RigidElement, Touching
from gyrostat.model.forces.rope_element import RopeElement
from gyrostat.model.forces.variable_mass import MotionInTime
from gyrostat.model.forces.winch import Winch
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FlagKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.ropes.catenaries import hanging_shape
from gyrostat.model.ropes.hanging import HangingSegment, Heavy
from gyrostat.model.ropes.material import Feed, Material
from gyrostat.model.ropes.moving_mass import MovingMass
from gyrostat.model.ropes.path import greatest_mismatch, point_load, stops_at
from gyrostat.model.ropes.rope_mass import FedEnd, RopeMass, VirtualMotion
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, negate, subtract, total
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import IDENTITY, Vector, dot, minus

_FIRST_END, _LAST_END = "first", "last"
_ZERO = Formula.of(0)
_HANGING_OUTPUTS: Mapping[str, ForceOutput] = {
    "first": ForceOutput(1, "N", "tension at the beginning of"),
    "last": ForceOutput(1, "N", "tension at the end of"),
    "horizontal": ForceOutput(1, "N", "horizontal component of the tension in"),
    "sag": ForceOutput(1, "m", "depth of the middle below the mean height of both ends of"),
}


@dataclass(frozen=True)
class Reeving(RopeElement, RigidElement, MassElement):
    """A rope that is straight between the pulleys of its path and lies on arcs of their sheaves.

    `path` is a list of an end, pulleys and an end. An end is a place on a body; where it is a `Pulley`, the rope lies
    on that drum from the x axis of its frame on. A `Winch` pays out rope at an end. The tension is EA times the strain,
    with damping in proportion to the rate of strain; a slack rope has no tension. It is uniform up to pulleys with
    `mu`, `loss` or `grip`, on which a state, `name.pulley.shift`, tells how far the rope is from a uniform tension.

    With `inextensible=True` in the place of EA the rope is a unilateral constraint, as a rigid contact: taut, with a
    tension that follows from the accelerations, or slack. Where it snaps tight, speeds jump.

    With `density` the rope has mass, which moves along its spans, over the sheaves and off the drums of winches: its
    inertia and weight are those of straight spans of uniform strain between pulleys with `grip`. Tensions are then
    means along the rope, about which those of spans vary by weight and inertia. With `sag=True` spans have the shape
    and the tensions of elastic catenaries at rest, taut or loose; their inertia remains that of straight spans.

    >>> import gyrostat as gs
    >>> wheel = gs.Pulley("top", "ground", radius=0.1, side="right")
    >>> rope = Reeving("rope", ["a", wheel, "b"], length=4, EA=1e6)
    """

    supplies_power: ClassVar[bool] = True
    noun: ClassVar[str] = "Rope"
    not_negative: ClassVar[tuple[str, ...]] = ("damping", "density")
    inextensible: bool = value(FlagKind(), False, doc="whether the rope does not stretch", keyword=True)
    density: Quantity = value(QuantityKind(), 0, doc="mass per length without tension (kg/m)", keyword=True)
    sag: bool = value(FlagKind(), False, doc="whether spans of a rope with density hang as catenaries", keyword=True)
    winches: tuple[Winch, ...] = dataclasses.field(default=(), kw_only=True, repr=False)
    """The winches of the model that pay out this rope."""

    def validate(self, place: Place) -> None:
        """Refuse elasticity, friction and lift-off of an inextensible rope."""
        super().validate(place)
        if self.has_mass:
            self._validate_mass(place)
        if self.sag and (self.inextensible or not self.has_mass):
            fact = "the rope does not stretch." if self.inextensible else "the rope has no density."
            remedy = "Give EA=…; a large one is as good." if self.inextensible else "Give density=…, or leave out sag."
            place.inside("sag").report(fact, remedy)
        for pulley in self.pulleys if self.sag else ():
            if pulley.grip:
                place.inside("sag").report(
                    f"pulley {pulley.name!r} has grip=True.",
                    "A rope that sags runs freely over its pulleys, and off the drums of winches; a Rope has both.",
                )
        if not self.inextensible:
            if self.EA is None:
                place.inside("EA").report("it is missing.", "Give EA=…, the tension per strain, or inextensible=True.")
            return
        if self.EA is not None or self.damping.number != 0:
            place.inside("inextensible").report("it has EA or damping as well.", "Leave out one of the two.")
        for pulley in self.pulleys:
            if pulley.lifts or (pulley.holds and not pulley.grip):
                place.inside("inextensible").report(
                    f"pulley {pulley.name!r} {'lets the rope lift off' if pulley.lifts else 'has friction'}.",
                    "Friction and lift-off are for elastic ropes: give EA=…, or grip=True to the pulley.",
                )

    def _validate_mass(self, place: Place) -> None:
        """Refuse friction and lift-off of a rope with mass."""
        for pulley in self.pulleys:
            if pulley.lifts or (pulley.holds and not pulley.grip):
                what = "lets the rope lift off" if pulley.lifts else "has friction"
                place.inside("density").report(
                    f"pulley {pulley.name!r} {what}.",
                    "A rope with density runs over pulleys without friction or with grip=True; a Rope has both.",
                )

    @property
    def has_mass(self) -> bool:
        """Whether the rope has mass."""
        return self.density.number != 0

    @property
    def is_rigid(self) -> bool:
        """Whether the rope is a unilateral constraint."""
        return self.inextensible

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of the rope, or those of its parts between pulleys that it grips."""
        count = len(self.holding) + 1
        return (self.name,) if count == 1 else tuple(f"{self.name}.part{i + 1}" for i in range(count))

    @property
    def frictions(self) -> tuple[Quantity, Quantity]:
        """Zero: there is no sliding."""
        return _ZERO, _ZERO

    @property
    def impact(self) -> tuple[Quantity, str | None]:
        """A rope that snaps tight does not rebound."""
        return _ZERO, None

    @property
    def separation(self) -> str:
        """Remedy for a rope that is too short."""
        return f"Rope {self.name!r} is too short for its path by this length: give a longer one, or move its ends."

    @property
    def may_switch(self) -> bool:
        """Whether laws have conditions: an inextensible rope has modes instead."""
        return not self.inextensible

    def touches(self, motion: Motion) -> list[Touching]:
        """Return the slack of the rope, or of its parts, with its rate, as the gap of a contact."""
        material = self.material(motion)
        places = [segment.legs[0].points[0] for segment in material.course.segments]
        return [
            Touching(slack, (1, 0, 0), place, (rate, 0, 0), IDENTITY)
            for (slack, rate), place in zip(material.gaps, places, strict=True)
        ]

    def _tensions(self, motion: Motion) -> list[Scalar]:
        """Return the tension of each segment."""
        if self.inextensible:
            return [motion.input(f"{label}.{INPUTS[0]}") for label in self.labels]
        return self.material(motion).tensions

    def resolved(self, components: Mapping[str, Component]) -> Self:
        """Return the rope with the winches that pay it out."""
        found = (one for one in components.values() if isinstance(one, Winch) and one.rope == self.name)
        return dataclasses.replace(self, winches=tuple(found))

    def feeds(self, motion: Motion) -> tuple[Feed, Feed]:
        """Return the rope paid out at both ends."""
        return self._feed(motion, _FIRST_END), self._feed(motion, _LAST_END)

    def _feed(self, motion: Motion, at: str) -> Feed:
        feeds = [one.feed(motion) for one in self.winches if one.at == at]
        return Feed(total([one.length for one in feeds]), total([one.rate for one in feeds]))

    def _winch_force(self, motion: Motion, winch: Winch) -> Scalar:
        at = 0 if winch.at == _FIRST_END else -1
        if self.inextensible:
            return self._tensions(motion)[at]
        material = self.material(motion)
        if not self.sag:
            return material.feed_force(at)
        one, station = material.hung[at], self.rope_mass(motion).stations[at]
        lifted = dot(one.heavy.gravity, minus(one.centre, station.centre))
        return add(material.feed_force(at), multiply(one.heavy.density, lifted))

    def rope_mass(self, motion: Motion) -> RopeMass:
        """Return the mass of the rope at an instant."""

        def form() -> RopeMass:
            course, density = self.course(motion), motion.evaluate(self.density)
            ends = self._fed_end(motion, _FIRST_END), self._fed_end(motion, _LAST_END)
            stops = stops_at((self.path[0], self.path[-1]), motion)
            stations = stops[0].station, stops[1].station
            return RopeMass(
                course, super(Reeving, self).material(motion).parts, density, ends, stations, motion.scalars
            )

        return motion.once(f"{self.name}.mass", form)

    def _fed_end(self, motion: Motion, at: str) -> FedEnd | None:
        found = [one.fed_end(motion) for one in self.winches if one.at == at and one.joint is not None]
        return found[0] if found else None

    def masses(self, motion: Motion) -> Sequence[MovingMass]:
        """Return the spans, arcs and drums with the rope's mass."""
        found = self.rope_mass(motion)
        return (dataclasses.replace(found, hung=self.material(motion).hung) if self.sag else found).parts

    def moved_masses(self, motion: Motion, virtual: VirtualMotion) -> Sequence[MovingMass]:
        """Return the same parts with the velocities of a virtual motion."""
        return self.rope_mass(motion).moved(virtual).parts

    def weighing_masses(self, motion: Motion) -> Sequence[MovingMass]:
        """Return the parts with the rope's mass; of a rope that hangs, only rope on drums."""
        return self.rope_mass(motion).drums if self.sag else self.masses(motion)

    def inertia_loads(self, motion: Motion, gravity: Vector) -> Iterator[Load]:
        """Yield the loads of inertia and weight."""
        yield from self.rope_mass(motion).loads(gravity, hanging=self.sag)

    # --- sag ----------------------------------------------------------------------------------------------------

    @cached_property
    def all_outputs(self) -> Mapping[str, ForceOutput]:
        """The outputs of the rope, with those of spans that hang."""
        count = len(self.path) - 1 if self.sag else 0
        hanging = {
            f"span{i + 1}.{key}": dataclasses.replace(one, description=f"{one.description} span {i + 1}")
            for i in range(count)
            for key, one in _HANGING_OUTPUTS.items()
        }
        return {**super().all_outputs, **hanging}

    def material(self, motion: Motion) -> Material:
        """Return the material of the rope at an instant, with the shapes of segments that hang."""
        straight = super().material(motion)
        if not self.sag:
            return straight
        return motion.once(f"{self.name}.hanging", lambda: dataclasses.replace(straight, hung=self._hung(motion)))

    def _hung(self, motion: Motion) -> tuple[HangingSegment, ...]:
        assert isinstance(motion, MotionInTime), "ropes hang in the motion of a mechanism"
        assert self.EA is not None, "validated when it was made"
        EA, density, found = motion.evaluate(self.EA), motion.evaluate(self.density), []
        mass = self.rope_mass(motion)
        for segment, length in zip(mass.segments, mass.lengths, strict=True):
            spans = [one.span for one in segment.spans]
            arcs = [arc for _, arc in segment.on_sheaves]
            found.append(hanging_shape(spans, arcs, Heavy(length, EA, density, motion.gravity), motion.scalars))
        return tuple(found)

    def _hanging_loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the loads of the hanging shapes, and their viscous tensions along the straight path."""
        material = self.material(motion)
        for one in material.hung:
            yield from one.loads()
        if material.law.damping != 0:
            for segment, tension in zip(material.course.segments, material.viscous, strict=True):
                yield from (point_load(one, tension) for one in segment.forces)

    def _hanging_outputs(self, motion: Motion) -> Iterator[tuple[str, Scalar]]:
        """Yield the outputs of the hanging shapes, and those that differ from the ones of straight spans."""
        hung = self.material(motion).hung
        spans = [span for one in hung for span in one.spans]
        for i, one in enumerate(spans):
            numbers = (*one.tensions, one.horizontal, one.sag)
            yield from ((f"span{i + 1}.{key}", x) for key, x in zip(_HANGING_OUTPUTS, numbers, strict=True))
        turned = {id(one.span): one.turned for one in spans}
        wraps = []
        for arc in self.course(motion).arcs:
            before, after = (None if leg is None else turned[id(leg.span)] for leg in (arc.arriving, arc.leaving))
            more = add(0 if before is None else before[1], 0 if after is None else after[0])
            wraps.append(add(arc.wrap, more))
            yield f"{arc.name}.wrap", wraps[-1]
        yield "wrap", total(wraps)
        call = without_switches(motion.scalars).call
        yield "mismatch", call("max", (greatest_mismatch(self.course(motion), motion), *(one.residual for one in hung)))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the tensions at ends and sheaves, and the loads on drums."""
        if self.sag:
            yield from self._hanging_loads(motion)
        else:
            for segment, tension in zip(self.course(motion).segments, self._tensions(motion), strict=True):
                yield from (point_load(one, tension) for one in segment.forces)
        for winch in self.winches:
            if winch.joint is not None:
                load = multiply(self._winch_force(motion, winch), winch.lever(motion))
                yield CoordinateLoad(winch.joint, load)

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return tensions, lengths, wrap angles and slips."""
        if self.sag:
            return {**super().observed(motion), **dict(self._hanging_outputs(motion))}
        if not self.inextensible:
            return super().observed(motion)
        material = self.material(motion)
        slips = dict(zip((one.name for one in self.holding), material.slips, strict=True))
        return self._described(motion, self._tensions(motion), material.unstretched, slips)

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy; of a rope that hangs, with that of its weight."""
        if self.inextensible:
            return 0
        weights = [dot(one.heavy.gravity, one.moment) for one in self.material(motion).hung]
        return subtract(super().potential(motion), total(weights))

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the power of winches that pay out at a given speed."""
        given = [one for one in self.winches if one.joint is None]
        powers = [multiply(self._winch_force(motion, one), one.feed(motion).rate) for one in given]
        return negate(total(powers))
