"""Common base of ropes and belts without mass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import ListKind, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.ropes.course import Course, course_of
from gyrostat.model.ropes.material import Feed, Material, RopeLaw
from gyrostat.model.ropes.path import (
    RopePath,
    check_path,
    greatest_mismatch,
    holds_at,
    path_outputs,
    point_load,
    shift_variables,
    span_tensions,
    stops_at,
)
from gyrostat.model.ropes.path_kind import PathKind
from gyrostat.model.ropes.pulley import Pulley
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.model.state_variable import StateVariable
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import total


@dataclass(frozen=True)
class RopeElement(ForceElement, Dimensioned):
    """Base of elastic ropes without mass that lie on sheaves: a rope with two ends, or a closed belt."""

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    closed: ClassVar[bool] = False
    """Whether the last station of the path is followed by the first."""
    positive: ClassVar[tuple[str, ...]] = ("length", "EA", "tightening", "relaxation")
    not_negative: ClassVar[tuple[str, ...]] = ("damping",)
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "tension": ForceOutput(1, "N", "tension in the first span"),
        "length": ForceOutput(1, "m", "length of the path"),
        "rate": ForceOutput(1, "m/s", "rate of the length of the path"),
        "unstretched": ForceOutput(1, "m", "length without tension"),
        "wrap": ForceOutput(1, "rad", "sum of the wrap angles"),
        "mismatch": ForceOutput(1, "1", "largest deviation of a span from tangent between tilted sheaves"),
    }
    path: RopePath = value(ListKind(PathKind()), doc="the stations of the rope, in order")
    length: Quantity = value(QuantityKind(), doc="length without tension, without rope that winches pay out (m)")
    EA: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="tension per strain (N)")
    damping: Quantity = value(QuantityKind(), 0, doc="viscous tension per rate of strain (N·s)")
    tightening: Quantity = value(
        QuantityKind(), 1e-5, doc="strain over which the damping of a rope that tightens sets in", keyword=True
    )
    relaxation: Quantity = value(
        QuantityKind(), 1e-5, doc="time by which friction looks ahead in a rope without damping (s)", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require two stations, different names, and fixed neighbours of pulleys that the rope may leave."""
        super().validate(place)
        inside = place.inside("path")
        if len(self.path) < 2:
            what, remedy = ("pulleys", "a list of pulleys") if self.closed else ("ends", "both ends and the pulleys")
            inside.report(f"it needs two {what}.", f"Give {remedy}, in order.")
        check_path(self.path, inside, closed=self.closed)

    # --- states and outputs -------------------------------------------------------------------------------------

    @cached_property
    def pulleys(self) -> tuple[Pulley, ...]:
        """The pulleys of the path, drums at its ends included."""
        return tuple(one for one in self.path if isinstance(one, Pulley))

    @cached_property
    def holding(self) -> tuple[Pulley, ...]:
        """The pulleys on which the tension may change."""
        inner = self.path if self.closed else self.path[1:-1]
        return tuple(one for one in inner if isinstance(one, Pulley) and one.holds)

    @cached_property
    def all_outputs(self) -> Mapping[str, ForceOutput]:
        """The outputs of the rope, of its spans and of its pulleys."""
        spans = len(self.path) - (0 if self.closed else 1)
        return {**self.outputs, **path_outputs(self.pulleys, self.holding, spans)}

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The shifts of the rope on pulleys that hold it; of a closed one the first is the reference."""
        return shift_variables(self.name, self.holding[1:] if self.closed else self.holding)

    @property
    def may_switch(self) -> bool:
        """True: the rope tightens and slackens, slips, and lifts off sheaves."""
        return True

    # --- mechanics ----------------------------------------------------------------------------------------------

    def course(self, motion: Motion) -> Course:
        """Return the course of the rope at an instant."""
        return motion.once(
            f"{self.name}.course",
            lambda: course_of(stops_at(self.path, motion), motion.scalars, closed=self.closed),
        )

    def feeds(self, motion: Motion) -> tuple[Feed, Feed]:
        """Return the rope paid out at both ends."""
        return Feed(), Feed()

    def material(self, motion: Motion) -> Material:
        """Return the material of the rope at an instant."""

        def form() -> Material:
            EA = None if self.EA is None else motion.evaluate(self.EA)
            damping, tightening, relaxation = (
                motion.evaluate(one) for one in (self.damping, self.tightening, self.relaxation)
            )
            law, course = RopeLaw(EA, damping, tightening, relaxation, motion.scalars), self.course(motion)
            holds = holds_at(self.name, self.holding, course, motion)
            return Material(course, law, motion.evaluate(self.length), *self.feeds(motion), holds)

        return motion.once(f"{self.name}.material", form)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the tensions at ends and sheaves."""
        material = self.material(motion)
        for segment, tension in zip(material.course.segments, material.tensions, strict=True):
            yield from (point_load(one, tension) for one in segment.forces)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rates of the shifts."""
        rates = self.material(motion).shift_rates
        return {one.name: rate for one, rate in zip(self.state_variables, rates, strict=True)}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return tensions, lengths, wrap angles and slips."""
        material = self.material(motion)
        slips = dict(zip((one.name for one in self.holding), material.slips, strict=True))
        return self._described(motion, material.tensions, material.unstretched, slips)

    def _described(
        self, motion: Motion, tensions: list[Scalar], unstretched: Scalar, slips: Mapping[str, Scalar]
    ) -> dict[str, Scalar]:
        """Return the outputs, from the tensions of segments, the length without tension, and slips by pulley."""
        course = self.course(motion)
        spans = span_tensions(tensions, self.path, self.holding, closed=self.closed)
        return {
            "tension": spans["span1.tension"],
            "length": course.length,
            "rate": course.rate,
            "unstretched": unstretched,
            "wrap": total(list(course.wraps.values())),
            "mismatch": greatest_mismatch(course, motion),
            **spans,
            **{f"{name}.wrap": wrap for name, wrap in course.wraps.items()},
            **{f"{name}.slip": slip for name, slip in slips.items()},
        }

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy."""
        return self.material(motion).stored
