"""Spring and damper on a joint coordinate, an angle or a displacement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, ReferenceKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract

_COORDINATE = Scope(time=True, system=True, variables=frozenset(("length", "angle", "rate")))


@dataclass(frozen=True)
class JointSpring(ForceElement):
    """A spring, a damper, or a general load law on one coordinate of a joint: a slide or a hinge.

    The load on the coordinate x is −stiffness·(x − natural value) − damping·rate + force. The natural value is `length`
    of a displacement, `angle` of an angle, zero by default; `force` is a formula that may use x under either name, and
    its `rate`.

    >>> JointSpring("strut", "slide", stiffness=2e4, damping=800, length=0.3).length
    Formula(source=0.3)
    """

    stores_energy: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "load on the coordinate", sliding_unit="N"),
        "length": ForceOutput(1, "rad", "value of the coordinate", sliding_unit="m", kinematic=True),
        "rate": ForceOutput(1, "rad/s", "rate of the coordinate", sliding_unit="m/s", kinematic=True),
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    stiffness: Quantity = value(QuantityKind(LAW), 0, doc="stiffness (N/m or N·m/rad)")
    damping: Quantity = value(QuantityKind(LAW), 0, doc="damping (N·s/m or N·m·s/rad)")
    length: Quantity | None = value(OptionalKind(QuantityKind(LAW)), None, doc="natural displacement, without load (m)")
    angle: Quantity | None = value(OptionalKind(QuantityKind(LAW)), None, doc="natural angle, without load (rad)")
    force: Quantity = value(
        QuantityKind(_COORDINATE), 0, doc="additional load (N or N·m), a formula of length or angle, rate, t, …"
    )

    def validate(self, place: Place) -> None:
        """Require a stiffness, damping or force, and at most one natural value."""
        if self.stiffness.number == 0 and self.damping.number == 0 and self.force.number == 0:
            place.report("it has no stiffness, damping or force.", "Give at least one of them.")
        if self.length is not None and self.angle is not None:
            place.report("it has a natural length and a natural angle.", "Give the one of its coordinate.")

    def _stretch(self, motion: Motion) -> Scalar:
        natural = self.length if self.length is not None else self.angle
        found = motion.coordinate(self.joint)
        return found if natural is None else subtract(found, motion.evaluate(natural))

    def load(self, motion: Motion) -> Scalar:
        """Return the load on the coordinate."""
        found, rate = motion.coordinate(self.joint), motion.speed(self.joint)
        elastic = multiply(motion.evaluate(self.stiffness), self._stretch(motion))
        viscous = multiply(motion.evaluate(self.damping), rate)
        given = motion.evaluate(self.force, length=found, angle=found, rate=rate)
        return add(negate(add(elastic, viscous)), given)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the load on the coordinate."""
        yield CoordinateLoad(self.joint, self.load(motion))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return load, value and rate of the coordinate."""
        return {"force": self.load(motion), **self.measured(motion)}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return value and rate of the coordinate."""
        return {"length": motion.coordinate(self.joint), "rate": motion.speed(self.joint)}

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint

    def potential(self, motion: Motion) -> Scalar:
        """Return ½ k (x − natural value)²."""
        return divide(multiply(motion.evaluate(self.stiffness), square(self._stretch(motion))), 2)
