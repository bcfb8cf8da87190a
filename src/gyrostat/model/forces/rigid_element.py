"""The contract of unilateral constraints: rigid contacts, and ropes that do not stretch."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces.force_element import ForceElement, Motion
from gyrostat.model.kinds import Quantity
from gyrostat.scalar import Scalar
from gyrostat.spatial import Matrix, Vector, dot, minus, scale

ROWS = 4
"""Directions of a contact: the normal, and three components of the tangential velocity in the axes of b's shape."""
INPUTS = ("normal", "tangent_x", "tangent_y", "tangent_z", "normal_margin", "tangent_margin")
"""Inputs of a contact, which the simulation gives: its load by direction, and the functions whose zeros end a mode."""


@dataclass(frozen=True)
class Touching:
    """A point of contact at an instant, in world axes."""

    gap: Scalar
    normal: Vector
    """Unit vector from b to a."""
    point: Vector
    velocity: Vector
    """Velocity of a's material point there relative to that of b."""
    axes: Matrix
    """Rotation to the world from the axes of b's shape, in which tangential loads have their components."""

    @property
    def sliding(self) -> Vector:
        """The tangential part of the velocity."""
        return across(self.normal, self.velocity)


@dataclass(frozen=True)
class RigidElement(ForceElement):
    """Base of force elements with gaps that cannot become negative: their loads follow from accelerations."""

    noun: ClassVar[str] = "Contact"
    """The noun for such an element in messages."""

    @property
    @abstractmethod
    def is_rigid(self) -> bool:
        """Whether this element is a unilateral constraint."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The names of its gaps."""

    @abstractmethod
    def touches(self, motion: Motion) -> list[Touching]:
        """Return the gaps with their velocities, one for each label."""

    @property
    @abstractmethod
    def frictions(self) -> tuple[Quantity, Quantity]:
        """The coefficients of friction of sliding and of rest."""

    @property
    @abstractmethod
    def impact(self) -> tuple[Quantity, str | None]:
        """The coefficient of restitution and its meaning: newton, poisson, stronge, or by default."""

    @property
    @abstractmethod
    def separation(self) -> str:
        """Remedy for a gap that is negative at the start."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """For each gap its load by direction and its margins, which a simulation gives by itself."""
        return tuple(f"{label}.{one}" for label in self.labels for one in INPUTS) if self.is_rigid else ()

    @property
    def solved_inputs(self) -> tuple[str, ...]:
        """All inputs."""
        return self.inputs


def across(normal: Vector, vector: Vector) -> Vector:
    """Return the part of a vector perpendicular to a unit vector."""
    return minus(vector, scale(dot(normal, vector), normal))


def rigid_elements(forces: Iterable[ForceElement]) -> tuple[RigidElement, ...]:
    """Return the unilateral constraints among force elements."""
    return tuple(force for force in forces if isinstance(force, RigidElement) and force.is_rigid)
