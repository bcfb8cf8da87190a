"""A point on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import direction, seen_from
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import AxisKind, End, EndKind, Triple
from gyrostat.model.record import value
from gyrostat.spatial import dot


@dataclass(frozen=True)
class PointOnPlane(Constraint):
    """A point on a plane fixed in a body. The multiplier is the force on the point along the normal."""

    point: End = value(EndKind(), doc="the point")
    plane: End = value(EndKind(), doc="a point of the plane; the plane is fixed in its body")
    normal: Triple = value(AxisKind(), "z", doc="normal of the plane, in the axes of that frame")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the height above the plane."""
        offset = seen_from(motion.end(self.plane), motion.end(self.point))
        yield ConstraintRow(self.name, "force along the normal", residual=dot(direction(motion, self.normal), offset))
