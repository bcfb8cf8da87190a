"""A station on the path of a rope at an instant: an end, or a sheave."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.forces.force_element import PointMotion
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply
from gyrostat.spatial import Vector


@dataclass(frozen=True)
class Station:
    """A point, or a circle in the groove of a sheave, in world axes."""

    end: End
    motion: PointMotion
    radius: Scalar = 0
    """The radius of the rope's centre line on the sheave; zero at a point."""
    sense: int = 0
    """1 where the rope runs counter-clockwise about the axis, −1 where clockwise, 0 at a point."""

    @property
    def is_point(self) -> bool:
        """Whether it is a point."""
        return self.sense == 0

    @property
    def centre(self) -> Vector:
        """The point, or the centre of the circle."""
        return self.motion.position

    @property
    def axis(self) -> Vector:
        """The axis of the sheave: the z axis of its frame."""
        x, y, z = self.motion.rotation
        return (x[2], y[2], z[2])

    @property
    def mark(self) -> Vector:
        """The direction of the x axis of its frame, from which rope on a drum at an end is counted."""
        x, y, z = self.motion.rotation
        return (x[0], y[0], z[0])

    @property
    def signed_radius(self) -> Scalar:
        """The radius, negative where the rope runs clockwise."""
        return multiply(self.sense, self.radius)
