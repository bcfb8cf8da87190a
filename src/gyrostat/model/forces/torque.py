"""A given torque on a body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.axes import AxesKind, rotation_of_axes
from gyrostat.model.forces.force_element import LAW, ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.kinds import End, OptionalKind, ReferenceKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.spatial import ZERO, Vector, apply, opposite


@dataclass(frozen=True)
class Torque(ForceElement):
    """A torque with given components, which may be formulas of time and of all that a state determines.

    With `reaction`, that body bears the opposite torque.
    """

    outputs: ClassVar[Mapping[str, ForceOutput]] = {"moment": ForceOutput(3, "N·m", "torque on the body")}
    body: str = value(ReferenceKind("body"), doc="the body it acts on")
    components: Triple = value(VectorKind(LAW), doc="x, y, z components (N·m)")
    axes: End | None = value(AxesKind(), "world", doc="axes of the components: world, body, or a body or frame by name")
    reaction: str | None = value(
        OptionalKind(ReferenceKind("body")), None, doc="the body that bears the opposite torque"
    )

    def _in_world(self, motion: Motion) -> Vector:
        x, y, z = (motion.evaluate(component) for component in self.components)
        moment: Vector = (x, y, z)
        return apply(rotation_of_axes(self.axes, End(self.body), motion), moment)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the torque, and its reaction."""
        moment = self._in_world(motion)
        yield PointLoad(End(self.body), ZERO, moment)
        if self.reaction is not None:
            yield PointLoad(End(self.reaction), ZERO, opposite(moment))

    def observed(self, motion: Motion) -> Mapping[str, Vector]:
        """Return the torque."""
        return {"moment": self._in_world(motion)}
