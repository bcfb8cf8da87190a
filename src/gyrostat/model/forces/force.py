"""A given force on a point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.forces.axes import AxesKind, rotation_of_axes
from gyrostat.model.forces.force_element import LAW, ForceElement, Load, Motion, PointLoad
from gyrostat.model.kinds import End, EndKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.spatial import Vector, apply


@dataclass(frozen=True)
class Force(ForceElement):
    """A force with given components, which may be formulas of time, coordinates, speeds and inputs."""

    at: End = value(EndKind(), doc="where it acts")
    components: Triple = value(VectorKind(LAW), doc="x, y, z components (N)")
    axes: End | None = value(AxesKind(), "world", doc="axes of the components: world, body, or a body or frame by name")

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force."""
        x, y, z = (motion.evaluate(component) for component in self.components)
        force: Vector = (x, y, z)
        yield PointLoad(self.at, apply(rotation_of_axes(self.axes, self.at, motion), force))
