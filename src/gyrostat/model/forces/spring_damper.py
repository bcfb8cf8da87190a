"""Spring and damper between two points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import LAW, ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import End, EndKind, OptionalKind, Quantity, QuantityKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract
from gyrostat.spatial import Vector, dot, minus, opposite, scale

_LINE = Scope(time=True, system=True, variables=frozenset(("length", "rate")))


@dataclass(frozen=True)
class SpringDamper(ForceElement):
    """A spring, a damper, or a general force law along the line between two points; tension is positive.

    tension = stiffness·(length − natural length) + damping·rate + force, where `force` is a formula that may use
    `length` and `rate` (Crous 2000, eq. 3.5.1; tension is positive, contrary to the text there).

    >>> import gyrostat as gs
    >>> spring = gs.SpringDamper("spring", "ground", "bob", stiffness=100, damping=2, length=0.5)
    """

    stores_energy: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N", "tension"),
        "length": ForceOutput(1, "m", "distance of the ends", kinematic=True),
        "rate": ForceOutput(1, "m/s", "rate of the distance of the ends", kinematic=True),
    }
    a: End = value(EndKind(), doc="one end")
    b: End = value(EndKind(), doc="the other end")
    stiffness: Quantity = value(QuantityKind(LAW), 0, doc="stiffness (N/m)")
    damping: Quantity = value(QuantityKind(LAW), 0, doc="damping (N·s/m)")
    length: Quantity | None = value(OptionalKind(QuantityKind(LAW)), None, doc="natural length, without tension (m)")
    force: Quantity = value(QuantityKind(_LINE), 0, doc="additional tension (N), a formula of length, rate, t, …")

    def validate(self, place: Place) -> None:
        """Require a stiffness, damping or force, and a natural length if there is stiffness."""
        if self.stiffness.number != 0 and self.length is None:
            place.report("it has stiffness but no natural length.", "Give length=…, the length without tension.")
        if self.stiffness.number == 0 and self.damping.number == 0 and self.force.number == 0:
            place.report("it has no stiffness, damping or force.", "Give at least one of them.")

    def _line(self, motion: Motion) -> tuple[Scalar, Scalar, Vector]:
        """Return length, rate, and the unit vector from a to b."""
        a, b = motion.end(self.a), motion.end(self.b)
        along = minus(b.position, a.position)
        length = motion.scalars.call("sqrt", (dot(along, along),))
        unit: Vector = (divide(along[0], length), divide(along[1], length), divide(along[2], length))
        return length, dot(unit, minus(b.velocity, a.velocity)), unit

    def tension(self, motion: Motion, length: Scalar, rate: Scalar) -> Scalar:
        """Return the tension."""
        stretch = 0 if self.length is None else subtract(length, motion.evaluate(self.length))
        elastic = multiply(motion.evaluate(self.stiffness), stretch)
        viscous = multiply(motion.evaluate(self.damping), rate)
        return add(add(elastic, viscous), motion.evaluate(self.force, length=length, rate=rate))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the tension on both ends, towards each other."""
        length, rate, unit = self._line(motion)
        pull = scale(self.tension(motion, length, rate), unit)
        yield PointLoad(self.a, pull)
        yield PointLoad(self.b, opposite(pull))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return tension, length and rate."""
        length, rate, _ = self._line(motion)
        return {"force": self.tension(motion, length, rate), "length": length, "rate": rate}

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping."""
        return (self.damping,)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """The additional tension."""
        return (self.force,)

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return length and rate."""
        length, rate, _ = self._line(motion)
        return {"length": length, "rate": rate}

    def potential(self, motion: Motion) -> Scalar:
        """Return ½ k (length − natural length)²."""
        if self.length is None:
            return 0
        length, _, _ = self._line(motion)
        stretch = subtract(length, motion.evaluate(self.length))
        return divide(multiply(motion.evaluate(self.stiffness), square(stretch)), 2)
