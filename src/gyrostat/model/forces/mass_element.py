"""The contract of force elements that carry mass beyond that of bodies, such as ropes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.model.forces.force_element import ForceElement, Load, Motion
from gyrostat.spatial import Vector

if TYPE_CHECKING:
    from gyrostat.model.ropes.moving_mass import MovingMass
    from gyrostat.model.ropes.rope_mass import VirtualMotion


@dataclass(frozen=True)
class MassElement(ForceElement):
    """Base of force elements whose mass moves with several bodies and coordinates."""

    @property
    @abstractmethod
    def has_mass(self) -> bool:
        """Whether this element has mass."""

    @abstractmethod
    def masses(self, motion: Motion) -> Sequence[MovingMass]:
        """Return the parts of the mass, with velocities that are linear in those of bodies and coordinates."""

    def weighing_masses(self, motion: Motion) -> Sequence[MovingMass]:
        """Return the parts whose weight acts with their inertia; that of others is among the loads of the element."""
        return self.masses(motion)

    @abstractmethod
    def moved_masses(self, motion: Motion, virtual: VirtualMotion) -> Sequence[MovingMass]:
        """Return the same parts in the same position with the velocities of a virtual motion."""

    @abstractmethod
    def inertia_loads(self, motion: Motion, gravity: Vector) -> Iterator[Load]:
        """Yield the loads of inertia and weight; all quantities of the motion are jets, with their rates in time."""


def mass_elements(forces: Iterable[ForceElement]) -> tuple[MassElement, ...]:
    """Return the force elements that have mass."""
    return tuple(force for force in forces if isinstance(force, MassElement) and force.has_mass)
