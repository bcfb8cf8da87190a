"""Spring and damper on a joint coordinate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import Quantity, QuantityKind, ReferenceKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract

_ANGLE = Scope(time=True, system=True, variables=frozenset(("angle", "rate")))


@dataclass(frozen=True)
class TorsionSpring(ForceElement):
    """A spring, a damper, or a general load law on one coordinate of a joint.

    The load on the coordinate is −stiffness·(angle − natural angle) − damping·rate + torque, where `torque` is a
    formula that may use `angle` and `rate`. For a displacement coordinate the same law
    holds with displacement in place of angle.

    >>> import gyrostat as gs
    >>> spring = gs.TorsionSpring("spring", "hinge", stiffness=20, damping=0.1)
    """

    stores_energy: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "load on the coordinate", sliding_unit="N"),
        "length": ForceOutput(1, "rad", "value of the coordinate", sliding_unit="m", kinematic=True),
        "rate": ForceOutput(1, "rad/s", "rate of the coordinate", sliding_unit="m/s", kinematic=True),
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")
    stiffness: Quantity = value(QuantityKind(LAW), 0, doc="stiffness (N·m/rad)")
    damping: Quantity = value(QuantityKind(LAW), 0, doc="damping (N·m·s/rad)")
    angle: Quantity = value(QuantityKind(LAW), 0, doc="natural angle, without load (rad)")
    torque: Quantity = value(QuantityKind(_ANGLE), 0, doc="additional load (N·m), a formula of angle, rate, t, …")

    def validate(self, place: Place) -> None:
        """Require a stiffness, damping or torque."""
        if self.stiffness.number == 0 and self.damping.number == 0 and self.torque.number == 0:
            place.report("it has no stiffness, damping or torque.", "Give at least one of them.")

    def load(self, motion: Motion, angle: Scalar, rate: Scalar) -> Scalar:
        """Return the load on the coordinate."""
        elastic = multiply(motion.evaluate(self.stiffness), subtract(angle, motion.evaluate(self.angle)))
        viscous = multiply(motion.evaluate(self.damping), rate)
        given = motion.evaluate(self.torque, angle=angle, rate=rate)
        return add(negate(add(elastic, viscous)), given)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the load on the coordinate."""
        angle, rate = motion.coordinate(self.joint), motion.speed(self.joint)
        yield CoordinateLoad(self.joint, self.load(motion, angle, rate))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return load, angle and rate."""
        angle, rate = motion.coordinate(self.joint), motion.speed(self.joint)
        return {"force": self.load(motion, angle, rate), "length": angle, "rate": rate}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return angle and rate."""
        return {"length": motion.coordinate(self.joint), "rate": motion.speed(self.joint)}

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping."""
        return (self.damping,)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """The additional load."""
        return (self.torque,)

    def potential(self, motion: Motion) -> Scalar:
        """Return ½ k (angle − natural angle)²."""
        stretch = subtract(motion.coordinate(self.joint), motion.evaluate(self.angle))
        return divide(multiply(motion.evaluate(self.stiffness), square(stretch)), 2)
