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
    """A constraint as a residual of position, which must be zero, or as a speed, which must be zero, or as both.

    A row with a residual is holonomic; where it has no speed, the residual's rate is one. Where the residual is zero,
    its rate and the speed are the same. A row without a residual is nonholonomic, such as rolling.
    """

    owner: str
    """The joint or constraint that it belongs to."""
    label: str
    """Which direction of it."""
    speed: Scalar | None = None
    residual: Scalar | None = None
    unit: str = "N"
    """The unit of its multiplier."""

    @property
    def name(self) -> str:
        """Owner and direction."""
        return f"{self.owner}: {self.label}"


@dataclass(frozen=True)
class Constraint(Component, Dimensioned):
    """Base of all constraints. A subclass declares its fields and defines `rows`.

    A row gives a residual, of positions, rotations, coordinates and time; its rate, the directions in which its load
    acts and everything else follow from it. A nonholonomic row gives a speed instead, affine in velocities, angular
    velocities and rates of coordinates. The multiplier of a row is the load that acts along its growth: where the
    residual is a length, a force in newtons.
    """

    section: ClassVar[str] = "constraints"
    word: ClassVar[str] = "constraint"
    suffixes: ClassVar[frozenset[str]] = frozenset(("force",))

    @abstractmethod
    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the rows, always the same ones in the same order."""

    @property
    def coordinate(self) -> str | None:
        """The coordinate on which the multiplier is a load; None where the constraint is one of places."""
        return None


CONSTRAINTS: Registry[Constraint] = Registry("constraint", Constraint)
