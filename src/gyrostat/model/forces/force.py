"""A given force on a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.axes import AxesKind, rotation_of_axes
from gyrostat.model.forces.force_element import LAW, ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import End, EndKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.spatial import Vector, apply


@dataclass(frozen=True)
class Force(ForceElement):
    """A force with given components, which may be formulas of time, coordinates, speeds and inputs."""

    outputs: ClassVar[Mapping[str, ForceOutput]] = {"force": ForceOutput(3, "N", "force on the point")}
    at: End = value(EndKind(), doc="point of application")
    components: Triple = value(VectorKind(LAW), doc="x, y, z components (N)")
    axes: End | None = value(AxesKind(), "world", doc="axes of the components: world, body, or a body or frame by name")

    def _in_world(self, motion: Motion) -> Vector:
        x, y, z = (motion.evaluate(component) for component in self.components)
        force: Vector = (x, y, z)
        return apply(rotation_of_axes(self.axes, self.at, motion), force)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force."""
        yield PointLoad(self.at, self._in_world(motion))

    def observed(self, motion: Motion) -> Mapping[str, Vector]:
        """Return the force."""
        return {"force": self._in_world(motion)}
