"""A part of a composite: a solid with its placement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import TaggedKind, Triple, Turn, TurnKind, VectorKind
from gyrostat.model.record import Record, value
from gyrostat.model.shapes.group import Group
from gyrostat.model.shapes.shape import placement
from gyrostat.model.solids.solid import SOLIDS, Solid
from gyrostat.spatial import MassProperties


@dataclass(frozen=True)
class Part(Record):
    """A solid with the position of its origin and successive rotations, each about the rotated axes."""

    tag: ClassVar[str] = "part"
    solid: Solid = value(TaggedKind(lambda: SOLIDS), doc="the solid with its dimensions")
    at: Triple = value(VectorKind(), (0, 0, 0), doc="position of the solid's origin (m)")
    turn: Turn = value(TurnKind(), (), doc="successive rotations (axis, angle), about rotated axes")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return the mass properties in the frame of the composite."""
        place = placement(self.at, self.turn, value)
        return self.solid.mass_properties(value).turned(place.R_BS).moved(place.r_BS_B)

    def shape(self) -> Group:
        """Return the drawn shapes in the frame of the composite."""
        return Group(self.solid.shapes(), at=self.at, turn=self.turn)
