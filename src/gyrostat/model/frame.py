"""Named frames on bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Triple, Turn, TurnKind, VectorKind
from gyrostat.model.record import Record, value
from gyrostat.spatial import IDENTITY, Matrix, Vector, product, rotation_about


@dataclass(frozen=True)
class Frame(Record):
    """A frame fixed in a body: the position of its origin, and successive rotations."""

    tag: ClassVar[str] = "frame"
    at: Triple = value(VectorKind(), (0, 0, 0), doc="position of the origin, in body axes (m)")
    turn: Turn = value(TurnKind(), (), doc="successive rotations (axis, angle), each about the rotated axes")

    def placement(self, value: Evaluator) -> tuple[Matrix, Vector]:
        """Return R_BF and r_BF_B, the pose of the frame F in the body B."""
        return rotation_of_turn(self.turn, value), value.vector(self.at)


def rotation_of_turn(turn: Turn, value: Evaluator) -> Matrix:
    """Return the product of the rotations, which maps components in the rotated axes to the original axes."""
    R = IDENTITY
    for axis, angle in turn:
        R = product(R, rotation_about(value.direction(axis), value(angle), value.scalars))
    return R
