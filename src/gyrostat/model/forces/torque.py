"""A given torque on a body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.forces.axes import AxesKind, rotation_of_axes
from gyrostat.model.forces.force_element import LAW, ForceElement, Load, Motion, PointLoad
from gyrostat.model.kinds import End, ReferenceKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.spatial import ZERO, Vector, apply


@dataclass(frozen=True)
class Torque(ForceElement):
    """A torque with given components, which may be formulas of time, coordinates, speeds and inputs."""

    body: str = value(ReferenceKind("body"), doc="the body it acts on")
    components: Triple = value(VectorKind(LAW), doc="x, y, z components (N·m)")
    axes: End | None = value(AxesKind(), "world", doc="axes of the components: world, body, or a body or frame by name")

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the torque."""
        end = End(self.body)
        x, y, z = (motion.evaluate(component) for component in self.components)
        moment: Vector = (x, y, z)
        yield PointLoad(end, ZERO, apply(rotation_of_axes(self.axes, end, motion), moment))
