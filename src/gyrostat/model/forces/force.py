"""A given force on a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.axes import AxesKind, rotation_of_axes
from gyrostat.model.forces.force_element import LAW, ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import End, EndKind, OptionalKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.spatial import Vector, apply, cross, minus, opposite


@dataclass(frozen=True)
class Force(ForceElement):
    """A force with given components, which may be formulas of time and of all that a state determines.

    With `reaction`, the body of that place bears the opposite load: the opposite force at the same point in space, so
    that the two have no resultant.
    """

    outputs: ClassVar[Mapping[str, ForceOutput]] = {"force": ForceOutput(3, "N", "force on the point")}
    at: End = value(EndKind(), doc="point of application")
    components: Triple = value(VectorKind(LAW), doc="x, y, z components (N)")
    axes: End | None = value(AxesKind(), "world", doc="axes of the components: world, body, or a body or frame by name")
    reaction: End | None = value(OptionalKind(EndKind()), None, doc="place on the body that bears the opposite load")

    def _in_world(self, motion: Motion) -> Vector:
        x, y, z = (motion.evaluate(component) for component in self.components)
        force: Vector = (x, y, z)
        return apply(rotation_of_axes(self.axes, self.at, motion), force)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the force, and its reaction."""
        force = self._in_world(motion)
        yield PointLoad(self.at, force)
        if self.reaction is not None:
            arm = minus(motion.end(self.at).position, motion.end(self.reaction).position)
            yield PointLoad(self.reaction, opposite(force), opposite(cross(arm, force)))

    def observed(self, motion: Motion) -> Mapping[str, Vector]:
        """Return the force."""
        return {"force": self._in_world(motion)}
