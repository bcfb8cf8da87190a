"""Bending stiffness at an inner node of a rope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import End, EndKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply
from gyrostat.spatial import Vector, dot, minus, opposite, plus, scale

_BEND_ROUNDING = 1e-24
"""Added to the square of the bend (m²), so that the direction of damping is defined on a straight rope."""


@dataclass(frozen=True)
class BendingSpring(ForceElement):
    """Bending stiffness of a line of points a, b, c at equal distances: a spring on the bend d = a − 2b + c.

    Its energy is ½ k |d|²; for a rope of bending stiffness EI in segments of length l, k = EI/l³. Damping acts on the
    rate of |d|, so that a bent rope turns freely.

    >>> import gyrostat as gs
    >>> spring = gs.BendingSpring("bend", "a", "b", "c", stiffness=10)
    """

    stores_energy: ClassVar[bool] = True
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N", "force on each outer point"),
        "length": ForceOutput(1, "m", "size of the bend d", kinematic=True),
    }
    a: End = value(EndKind(), doc="the first point")
    b: End = value(EndKind(), doc="the point between them")
    c: End = value(EndKind(), doc="the last point")
    stiffness: Quantity = value(QuantityKind(), doc="stiffness k (N/m)")
    damping: Quantity = value(QuantityKind(), 0, doc="damping (N·s/m)")

    def validate(self, place: Place) -> None:
        """Require three different points."""
        if len({self.a, self.b, self.c}) < 3:
            place.report("two of its points are the same.", "Name three points along the rope.")

    def _bend(self, motion: Motion) -> tuple[Vector, Vector]:
        """Return d and its rate."""
        a, b, c = (motion.end(end) for end in (self.a, self.b, self.c))
        return (
            minus(plus(a.position, c.position), scale(2, b.position)),
            minus(plus(a.velocity, c.velocity), scale(2, b.velocity)),
        )

    def _factor(self, motion: Motion) -> Scalar:
        """Return the force over the bend, k + damping·(d·ḋ)/d²."""
        bend, rate = self._bend(motion)
        spread = divide(dot(bend, rate), add(dot(bend, bend), _BEND_ROUNDING))
        return add(motion.evaluate(self.stiffness), multiply(motion.evaluate(self.damping), spread))

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the forces on the three points, which sum to zero."""
        back = scale(self._factor(motion), self._bend(motion)[0])
        yield PointLoad(self.a, opposite(back))
        yield PointLoad(self.b, scale(2, back))
        yield PointLoad(self.c, opposite(back))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the force on an outer point and the bend."""
        length = self.measured(motion)["length"]
        return {"force": multiply(self._factor(motion), length), "length": length}

    def measured(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the size of the bend."""
        bend, _ = self._bend(motion)
        return {"length": motion.scalars.call("sqrt", (add(dot(bend, bend), _BEND_ROUNDING),))}

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping."""
        return (self.damping,)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """Nothing: all loads are those of spring and damper."""
        return ()

    def potential(self, motion: Motion) -> Scalar:
        """Return ½ k |d|²."""
        bend, _ = self._bend(motion)
        return divide(multiply(motion.evaluate(self.stiffness), dot(bend, bend)), 2)
