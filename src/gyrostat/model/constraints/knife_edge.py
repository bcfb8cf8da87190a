"""A blade that slides along itself only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import direction, velocity_at
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import AxisKind, End, EndKind, Triple
from gyrostat.model.names import GROUND
from gyrostat.model.record import value
from gyrostat.scalar.algebra import divide
from gyrostat.spatial import apply, cross, dot, minus, scale


@dataclass(frozen=True)
class KnifeEdge(Constraint):
    """A point with a blade, a skate or a thin wheel that turns freely, does not move sideways over a plane.

    Sideways is normal × direction. Nothing is said of the height; where that is not held by joints, add a PointOnPlane.
    The multiplier is the sideways force on the blade.
    """

    blade: End = value(EndKind(), doc="where the blade touches")
    direction: Triple = value(AxisKind(), "x", doc="direction of the blade, in the axes of that place")
    plane: End = value(EndKind(), GROUND, doc="a place on the body that the blade slides over")
    normal: Triple = value(AxisKind(), "z", doc="normal of the plane, in the axes of that place")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the sideways velocity."""
        blade, plane = motion.end(self.blade), motion.end(self.plane)
        along = apply(blade.rotation, direction(motion, self.direction))
        normal = apply(plane.rotation, direction(motion, self.normal))
        across = cross(normal, along)
        side = scale(divide(1, motion.scalars.call("sqrt", (dot(across, across),))), across)
        sliding = minus(blade.velocity, velocity_at(plane, blade.position))
        yield ConstraintRow(self.name, "sideways force", speed=dot(side, sliding))
