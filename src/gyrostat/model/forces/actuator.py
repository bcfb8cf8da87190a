"""Actuator: an input that acts on a joint coordinate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import CoordinateLoad, ForceElement, ForceOutput, Load, Motion
from gyrostat.model.kinds import ReferenceKind
from gyrostat.model.record import value
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Actuator(ForceElement):
    """A motor or cylinder on one coordinate; its load is an input named like the actuator, zero by default."""

    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(1, "N·m", "load on the coordinate", sliding_unit="N")
    }
    joint: str = value(ReferenceKind("coordinate"), doc="a joint, one of its coordinates, or a free rotor")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The actuator's own name."""
        return (self.name,)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the generalised force, equal to the input."""
        yield CoordinateLoad(self.joint, motion.input(self.name))

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the value of the input."""
        return {"force": motion.input(self.name)}

    @property
    def coordinate(self) -> str:
        """The coordinate of the joint or rotor."""
        return self.joint
