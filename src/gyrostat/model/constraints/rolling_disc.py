"""Rolling of a thin disc on a plane."""

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
from gyrostat.scalar.algebra import divide, multiply, subtract
from gyrostat.spatial import apply, cross, dot, minus, scale


@dataclass(frozen=True)
class RollingDisc(Constraint):
    """Rolling without slip of a thin disc on a plane, for any inclination but flat; the plane may be fixed in a body.

    With a the disc's axis, n the plane's normal and C the disc's centre, the lowest point of the rim is
    K = C − r (n − (a·n) a)/|a × n|. It remains on the plane, with the disc on the side of n, and the
    material points of disc and plane at K have equal velocities. The multipliers are the components of the force on the
    disc at K: along the normal, along the track a × n, and across the track.
    """

    positive: ClassVar[tuple[str, ...]] = ("radius",)
    disc: End = value(EndKind(), doc="the disc's centre")
    radius: Quantity = value(QuantityKind(), doc="radius of the disc (m)")
    axis: Triple = value(AxisKind(), "z", doc="the disc's axis, in the axes of its centre")
    plane: End = value(EndKind(), GROUND, doc="a point of the plane; the plane is fixed in its body")
    normal: Triple = value(AxisKind(), "z", doc="normal of the plane towards the disc, in the axes of that frame")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the height of the rim, and the slip along the track and across it."""
        disc, plane = motion.end(self.disc), motion.end(self.plane)
        axis = apply(disc.rotation, direction(motion, self.axis))
        normal = apply(plane.rotation, direction(motion, self.normal))
        tilt, radius = dot(axis, normal), motion.evaluate(self.radius)
        track = cross(axis, normal)
        steepness = motion.scalars.call("sqrt", (dot(track, track),))
        up = minus(normal, scale(tilt, axis))
        contact = minus(disc.position, scale(divide(radius, steepness), up))
        height = subtract(dot(normal, minus(disc.position, plane.position)), multiply(radius, steepness))
        yield ConstraintRow(self.name, "force along the normal", residual=height)
        slip = minus(disc.velocity_at(contact), plane.velocity_at(contact))
        along = scale(divide(1, steepness), track)
        yield ConstraintRow(self.name, "force along the track", speed=dot(along, slip))
        yield ConstraintRow(self.name, "force across the track", speed=dot(cross(normal, along), slip))
