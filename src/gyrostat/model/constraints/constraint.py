"""The contract of a constraint: scalar conditions on the motion of bodies and coordinates, over abstract scalars."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces import Motion
from gyrostat.model.kinds import Scope
from gyrostat.model.record import Component
from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar

POSITIONS = Scope(time=True, positions=True)
"""Names in a holonomic equation: coordinates and components of positions."""


@dataclass(frozen=True)
class ConstraintRow:
    """A scalar constraint: a position residual that must be zero, a speed that must be zero, or both.

    A row with a residual is holonomic; by default its speed is the time derivative of the residual. A given speed must
    equal that derivative where the residual is zero. A row without a residual is nonholonomic, as for rolling.
    """

    owner: str
    """Name of the joint or constraint that has this row."""
    label: str
    """Label of the direction within the owner."""
    speed: Scalar | None = None
    residual: Scalar | None = None
    unit: str = "N"
    """The unit of its multiplier."""

    @property
    def name(self) -> str:
        """Name of the row: owner and direction."""
        return f"{self.owner}: {self.label}"


@dataclass(frozen=True)
class Constraint(Component, Dimensioned):
    """Base of all constraints. A subclass declares its fields and defines `rows`.

    A row gives a residual as a function of positions, rotations, coordinates and time; its time derivative and its
    Jacobian, hence the direction of its load, follow from it. A nonholonomic row gives a speed instead, affine in
    velocities, angular velocities and rates of coordinates. The multiplier of a row is the load in the direction of
    increasing residual: if the residual is a length, a force in newtons.
    """

    file_section: ClassVar[str] = "constraints"
    word: ClassVar[str] = "constraint"
    suffixes: ClassVar[frozenset[str]] = frozenset(("force",))

    @abstractmethod
    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the rows; their number and order do not depend on the motion."""

    @property
    def coordinate(self) -> str | None:
        """The coordinate on which the multiplier is a load; None for a constraint between points."""
        return None


CONSTRAINTS: Registry[Constraint] = Registry("constraint", Constraint)
