"""The contract of a solid: mass properties from dimensions."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import ChoiceKind
from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.model.shapes.shape import Shape
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply
from gyrostat.spatial import ZERO, MassProperties, Matrix


@dataclass(frozen=True)
class Solid(Dimensioned):
    """A geometric solid with mass, mass centre, inertia and drawn shapes.

    A subclass sets `tag`, declares its dimensions as fields and their limits in `positive` and `not_negative`, and
    defines `mass_properties` over abstract scalars. By default the mass centre is the origin.
    """

    @abstractmethod
    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return mass, mass centre and inertia about the mass centre, in the body's axes."""

    @abstractmethod
    def shapes(self) -> tuple[Shape, ...]:
        """Return the drawn shapes."""


SOLIDS: Registry[Solid] = Registry("solid", Solid)

AXIS = ChoiceKind(("x", "y", "z"))
"""The axis of a solid of revolution."""


def diagonal(xx: Scalar, yy: Scalar, zz: Scalar) -> Matrix:
    """Return the inertia of a body with these principal moments along its axes."""
    return ((xx, 0, 0), (0, yy, 0), (0, 0, zz))


def about_axis(along: str, axial: Scalar, transverse: Scalar) -> Matrix:
    """Return the inertia of a body of revolution about the named axis."""
    return diagonal(
        axial if along == "x" else transverse,
        axial if along == "y" else transverse,
        axial if along == "z" else transverse,
    )


def round_bar(along: str, mass: Scalar, r2: Scalar, l2: Scalar) -> MassProperties:
    """Return the properties of a round bar: axial m r²/2 and transverse m (3 r² + l²)/12.

    `r2` is the square of the radius, of a tube the sum of the squares of both radii; `l2` that of the length. A thin
    rod has r2 = 0, a thin disc l2 = 0.
    """
    axial = divide(multiply(mass, r2), 2)
    transverse = divide(multiply(mass, add(multiply(3, r2), l2)), 12)
    return MassProperties(mass, ZERO, about_axis(along, axial, transverse))
