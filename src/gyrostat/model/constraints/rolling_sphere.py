"""Rolling of a sphere on a plane."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import direction
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import AxisKind, End, EndKind, Quantity, QuantityKind, Triple
from gyrostat.model.names import GROUND
from gyrostat.model.record import value
from gyrostat.scalar.algebra import subtract
from gyrostat.spatial import apply, dot, minus, perpendicular, scale


@dataclass(frozen=True)
class RollingSphere(Constraint):
    """Rolling without slip of a sphere on a plane, which may be fixed in a body; spin about the normal is free.

    The multipliers are the components of the contact force on the sphere: along the normal and two tangents.
    """

    positive: ClassVar[tuple[str, ...]] = ("radius",)
    sphere: End = value(EndKind(), doc="the sphere's centre")
    radius: Quantity = value(QuantityKind(), doc="radius of the sphere (m)")
    plane: End = value(EndKind(), GROUND, doc="a point of the plane; the plane is fixed in its body")
    normal: Triple = value(AxisKind(), "z", doc="normal of the plane towards the sphere, in the axes of that frame")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the height of the lowest point, and the slip velocity along two tangents of the plane."""
        sphere, plane = motion.end(self.sphere), motion.end(self.plane)
        radius, n_P = motion.evaluate(self.radius), direction(motion, self.normal)
        normal = apply(plane.rotation, n_P)
        height = subtract(dot(normal, minus(sphere.position, plane.position)), radius)
        yield ConstraintRow(self.name, "force along the normal", residual=height)
        contact = minus(sphere.position, scale(radius, normal))
        slip = minus(sphere.velocity_at(contact), plane.velocity_at(contact))
        for number, tangent in enumerate(perpendicular(n_P, motion.scalars), 1):
            along = apply(plane.rotation, tangent)
            yield ConstraintRow(self.name, f"force along tangent {number}", speed=dot(along, slip))
