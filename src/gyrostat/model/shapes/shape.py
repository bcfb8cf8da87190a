"""The contract of a drawn shape, and its placement on a body."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.frame import rotation_of_turn
from gyrostat.model.kinds import Triple, Turn, TurnKind, VectorKind
from gyrostat.model.record import value
from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, plus, product

Dimensions: TypeAlias = dict[str, Scalar | Vector | tuple[Vector, ...]]
"""Dimensions by name: lengths, vectors or points, in metres."""


@dataclass(frozen=True)
class Placement:
    """Pose of a frame S in a frame B: R_BS maps components in S to components in B."""

    R_BS: Matrix = IDENTITY
    r_BS_B: Vector = ZERO

    def then(self, inner: Placement) -> Placement:
        """Return the composition with a placement in S, as a placement in B."""
        return Placement(product(self.R_BS, inner.R_BS), plus(self.r_BS_B, apply(self.R_BS, inner.r_BS_B)))


def placement(at: Triple, turn: Turn, value: Evaluator) -> Placement:
    """Return the placement of a frame with a position and successive rotations."""
    return Placement(rotation_of_turn(turn, value), value.vector(at))


@dataclass(frozen=True)
class Drawn:
    """One simple shape with numbers: its kind, its dimensions, and the placement of its frame S on the body."""

    shape: str
    dimensions: Dimensions
    placement: Placement
    file: str = ""
    """The file of a mesh."""


@dataclass(frozen=True, kw_only=True)
class Shape(Dimensioned):
    """The appearance of a body; it has no mass.

    A subclass sets `tag`, declares its dimensions as fields and returns their values from `dimensions`. It is
    described in its own frame S, whose origin is at `at` on the body and which is rotated by `turn`.
    """

    at: Triple = value(VectorKind(), (0, 0, 0), doc="position of its origin on the body (m)", keyword=True)
    turn: Turn = value(TurnKind(), (), doc="successive rotations (axis, angle), about rotated axes", keyword=True)

    @abstractmethod
    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the dimensions by name."""

    def axes(self) -> Matrix:
        """Return the orientation of S before `turn`; by default that of the body's axes."""
        return IDENTITY

    def placement(self, value: Evaluator) -> Placement:
        """Return the placement of S on the body."""
        return placement(self.at, self.turn, value).then(Placement(self.axes()))

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return the simple shapes to draw, with their values; `on` places the body's frame in another frame."""
        own = self.placement(value)
        return (Drawn(self.tag, self.dimensions(value), on.then(own) if on else own),)


SHAPES: Registry[Shape] = Registry("shape", Shape)
