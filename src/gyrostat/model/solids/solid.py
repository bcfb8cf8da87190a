"""The contract of a solid: mass properties from dimensions."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.record import Record
from gyrostat.model.registry import Registry
from gyrostat.model.shapes.shape import Shape
from gyrostat.scalar import Scalar
from gyrostat.spatial import Matrix, MassProperties


@dataclass(frozen=True)
class Solid(Record):
    """A body of known form: gives mass, mass centre, inertia, and the shape that is drawn.

    A subclass sets `tag`, declares its dimensions as fields, and writes `mass_properties` over abstract scalars.
    Its own mass centre is the origin unless it says otherwise.
    """

    @abstractmethod
    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return mass, mass centre and inertia about the mass centre, in the body's axes."""

    @abstractmethod
    def shapes(self) -> tuple[Shape, ...]:
        """Return what is drawn."""


SOLIDS: Registry[Solid] = Registry("solid", Solid)


def about_axis(along: str, axial: Scalar, transverse: Scalar) -> Matrix:
    """Return the inertia of a body of revolution about the named axis."""
    xx, yy, zz = (axial if axis == along else transverse for axis in "xyz")
    return ((xx, 0, 0), (0, yy, 0), (0, 0, zz))
