"""Named frames on bodies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Triple, Turn, TurnKind, VectorKind
from gyrostat.model.kinds.kind import Naming, Path, Plain, Schema, Use
from gyrostat.model.names import fault_of
from gyrostat.model.place import Place
from gyrostat.model.record import Record, value
from gyrostat.spatial import IDENTITY, Matrix, Vector, product, rotation_about


@dataclass(frozen=True)
class BaseKind:
    """The place on which a frame stands: the name of a point or frame of the same body, another frame, or the body."""

    def read(self, value: object, place: Place) -> str | Frame | None:
        """Read a name, a frame or a mapping that describes one; None is the body's own frame."""
        if value is None or isinstance(value, Frame):
            return value
        if not isinstance(value, str):
            return Frame.from_plain(value, place)
        if fault := fault_of(value):
            place.report(*fault)
        return value

    def write(self, value: str | Frame | None) -> Plain:
        """Return the name, or the fields of the frame."""
        return value.to_plain() if isinstance(value, Frame) else value

    def schema(self) -> Schema:
        """Return the JSON Schema of a name or a frame."""
        return {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/frame"}]}

    def uses(self, value: str | Frame | None, path: Path = ()) -> Iterable[Use]:
        """Return the formulas of a frame; a name is local to its body."""
        return value.uses(path) if isinstance(value, Frame) else ()

    def renamed(self, value: str | Frame | None, naming: Naming) -> str | Frame | None:
        """Return the frame with other names in its formulas; a name is local to its body."""
        return value.renamed(naming) if isinstance(value, Frame) else value


@dataclass(frozen=True)
class Frame(Record):
    """A frame fixed in a body: the position of its origin, and successive rotations.

    It stands on the body's own frame, or `on` a named point or frame of the same body, whose axes it starts from.
    """

    tag: ClassVar[str] = "frame"
    at: Triple = value(VectorKind(), (0, 0, 0), doc="position of the origin, in the axes that it stands on (m)")
    turn: Turn = value(TurnKind(), (), doc="successive rotations (axis, angle), each about the rotated axes")
    on: str | Frame | None = value(BaseKind(), None, doc="a point or frame of the same body; the body without it")

    def placement(self, value: Evaluator) -> tuple[Matrix, Vector]:
        """Return R_SF and r_SF_S, the pose of the frame F in the frame S on which it stands."""
        return rotation_of_turn(self.turn, value), value.vector(self.at)

    @property
    def base(self) -> str | None:
        """The name of the place on the body at the bottom of frames that stand on each other; None for the body."""
        on = self.on
        while isinstance(on, Frame):
            on = on.on
        return on

    def on_body(self) -> Frame:
        """Return the frame with the lowest of the frames that stand on each other on the body's own frame."""
        return replace(self, on=self.on.on_body() if isinstance(self.on, Frame) else None)


def rotation_of_turn(turn: Turn, value: Evaluator) -> Matrix:
    """Return the product of the rotations, which maps components in the rotated axes to the original axes."""
    R = IDENTITY
    for axis, angle in turn:
        R = product(R, rotation_about(value.direction(axis), value(angle), value.scalars))
    return R
