"""A point on a straight line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import direction, seen_from
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import AxisKind, End, EndKind, Triple
from gyrostat.model.record import value
from gyrostat.spatial import dot, perpendicular


@dataclass(frozen=True)
class PointOnLine(Constraint):
    """A point on a line fixed in a body, such as a pin in a straight slot.

    The multipliers are the components of the force on the point along the two normals of the line.
    """

    point: End = value(EndKind(), doc="the point")
    line: End = value(EndKind(), doc="a point of the line; the line is fixed in its body")
    direction: Triple = value(AxisKind(), "x", doc="direction of the line, in the axes of that frame")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the distances from the line along both normals."""
        offset = seen_from(motion.end(self.line), motion.end(self.point))
        normals = perpendicular(direction(motion, self.direction), motion.scalars)
        for number, normal in enumerate(normals, 1):
            yield ConstraintRow(self.name, f"force along normal {number}", residual=dot(normal, offset))
