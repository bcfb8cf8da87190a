"""Stops of a coordinate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gyrostat.model.contacts import NORMAL_LAWS, Indentation, NormalForce, NormalLaw
from gyrostat.model.forces.force_element import CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, ReferenceKind, TaggedKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import Reset, StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, negate, subtract, total
from gyrostat.scalar.operations import without_switches


class _Stop(NamedTuple):
    """A stop at an instant."""

    label: str
    direction: int
    """1 for the lower stop, which pushes forwards, −1 for the upper one."""
    pressed: Indentation
    normal: NormalForce


@dataclass(frozen=True)
class JointLimit(ForceElement):
    """Stops at which a coordinate of a joint ends, by a normal law of contacts.

    The gap is the distance to a stop, in metres or radians; coefficients of the law are per metre or radian. Where the
    law remembers the speed of approach, it is a state, `name.lower.approach` or `name.upper.approach`.

    >>> import gyrostat as gs
    >>> limit = JointLimit("stop", "a1", gs.HuntCrossley(1e4, 1, restitution=0.3), lower="-30*deg", upper="90*deg")
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "load of the stops on the coordinate", sliding_unit="N"),
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    law: NormalLaw = value(TaggedKind(lambda: NORMAL_LAWS), doc="the normal law")
    lower: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="the lower end (m or rad)")
    upper: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="the upper end (m or rad)")

    def validate(self, place: Place) -> None:
        """Require an end, and ends in order."""
        if self.lower is None and self.upper is None:
            place.report("it has no ends.", "Give lower=…, upper=…, or both.")
        elif self.lower is not None and self.upper is not None:
            low, high = self.lower.number, self.upper.number
            if low is not None and high is not None and low >= high:
                place.inside("upper").report(f"{self.upper} is not above lower, {self.lower}.", "Exchange the two.")

    @property
    def _ends(self) -> dict[str, tuple[int, Quantity]]:
        ends = {"lower": (1, self.lower), "upper": (-1, self.upper)}
        return {label: (side, end) for label, (side, end) in ends.items() if end is not None}

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The speeds of approach, where the law remembers them."""
        names = [f"{self.name}.{label}.approach" for label in self._ends] if self.law.remembers else []
        return tuple(StateVariable(name, "", f"speed of approach at touch, {name}") for name in names)

    def _stops(self, motion: Motion) -> Iterator[_Stop]:
        q, rate = motion.coordinate(self.joint), motion.speed(self.joint)
        for label, (side, end) in self._ends.items():
            approach = motion.quantity(f"{self.name}.{label}.approach") if self.law.remembers else 0
            gap = multiply(side, subtract(q, motion.evaluate(end)))
            pressed = Indentation(gap, multiply(side, rate), approach, motion.scalars, motion.evaluate)
            yield _Stop(label, side, pressed, self.law.normal(pressed))

    def _load(self, motion: Motion) -> Scalar:
        return total([multiply(stop.direction, stop.normal.force) for stop in self._stops(motion)])

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the load of both stops."""
        yield CoordinateLoad(self.joint, self._load(motion))

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return zeros: speeds of approach are set at touch alone."""
        return {variable.name: 0 for variable in self.state_variables}

    def resets(self, motion: Motion) -> Iterator[Reset]:
        """Yield the speed of approach at each stop."""
        smooth = without_switches(motion.scalars)
        for stop in self._stops(motion) if self.law.remembers else ():
            approach = smooth.call("max", (negate(stop.pressed.rate), 0))
            yield Reset(stop.pressed.touching, {f"{self.name}.{stop.label}.approach": approach})

    def touching(self, motion: Motion) -> Iterator[Scalar]:
        """Yield the condition of an overlap at each stop."""
        for stop in self._stops(motion):
            yield stop.pressed.touching

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the load."""
        return {"force": self._load(motion)}

    def potential(self, motion: Motion) -> Scalar:
        """Return the elastic energy of both stops."""
        return total([stop.normal.stored for stop in self._stops(motion)])

    @property
    def may_switch(self) -> bool:
        """True: the law changes at the stops."""
        return True

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint
