"""A part of a composite: a solid with its place."""

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
    """A solid whose own origin stands at `at`, turned by rotations one after the other about turned axes."""

    tag: ClassVar[str] = "part"
    solid: Solid = value(TaggedKind(lambda: SOLIDS), doc="the solid with its dimensions")
    at: Triple = value(VectorKind(), (0, 0, 0), doc="position of the solid's origin (m)")
    turn: Turn = value(TurnKind(), (), doc="its rotations (axis, angle), about turned axes")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return the properties in the frame of the whole."""
        place = placement(self.at, self.turn, value)
        return self.solid.mass_properties(value).turned(place.R_BS).moved(place.r_BS_B)

    def shape(self) -> Group:
        """Return the shapes that are drawn, in the frame of the whole."""
        return Group(self.solid.shapes(), at=self.at, turn=self.turn)
