"""A knife edge: no lateral velocity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import direction
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import AxisKind, End, EndKind, Triple
from gyrostat.model.names import GROUND
from gyrostat.model.record import value
from gyrostat.scalar.algebra import divide
from gyrostat.spatial import apply, cross, dot, minus, scale


@dataclass(frozen=True)
class KnifeEdge(Constraint):
    """A blade, skate or thin free wheel, whose contact point has no lateral velocity on a plane.

    The lateral direction is normal × direction. The height is not constrained; if no joint constrains it, add a
    PointOnPlane. The multiplier is the lateral force on the blade.
    """

    blade: End = value(EndKind(), doc="contact point of the blade")
    direction: Triple = value(AxisKind(), "x", doc="direction of the blade, in the axes of that frame")
    plane: End = value(EndKind(), GROUND, doc="a point of the plane; the plane is fixed in its body")
    normal: Triple = value(AxisKind(), "z", doc="normal of the plane, in the axes of that frame")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the lateral velocity."""
        blade, plane = motion.end(self.blade), motion.end(self.plane)
        along = apply(blade.rotation, direction(motion, self.direction))
        normal = apply(plane.rotation, direction(motion, self.normal))
        across = cross(normal, along)
        side = scale(divide(1, motion.scalars.call("sqrt", (dot(across, across),))), across)
        sliding = minus(blade.velocity, plane.velocity_at(blade.position))
        yield ConstraintRow(self.name, "sideways force", speed=dot(side, sliding))
