"""The contract of an action at an event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gyrostat.analysis.events.contact import ClosedContact
from gyrostat.closing.closing import Closer
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.signals.contact_place import ContactPlace
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class Touch:
    """The speeds at a contact point."""

    speeds: Floats
    """Velocity relative to the other body in world axes (3), or sliding speeds."""
    jacobian: Floats
    """Derivatives of the speeds by u."""
    normal: Floats | None
    """Gradient of the event's function by displacements of the body (3); None for given sliding speeds."""


@dataclass(frozen=True)
class Instant:
    """The state at an event, the argument of an action."""

    event: str
    t: float
    q: Floats
    u: Floats
    rate: float
    """The rate of the event's function."""
    gradient: Callable[[], Floats]
    """Returns the derivatives of that rate by the speeds: the direction of the contact impulse."""
    system: System
    parameters: Mapping[str, float]
    """The values of all parameters."""
    crossing: int = 0
    """Direction in which the event's function passes zero, or would pass it: 1 rising, −1 falling, 0 unknown."""
    contacts: Callable[[], tuple[ClosedContact, ...]] = tuple
    """Returns the closed contacts of all events at this instant, each with its present speed."""
    touch: Callable[[ContactPlace], Touch] | None = None
    """Returns the speeds at a contact point."""
    z: Floats = field(default_factory=lambda: np.empty(0))
    """The state variables of components."""

    def impulse(self, direction: Floats, size: float) -> Floats:
        """Return the speeds after an impulse of given size along a direction in velocity space, u + M⁻¹ d s."""
        return self.u + size * self.mobility(direction)

    def mobility(self, direction: Floats) -> Floats:
        """Return M⁻¹ d of a direction, or of several as columns; with constraints, including their impulses.

        That is G (Gᵀ M G)⁻¹ Gᵀ d, with the columns of G a basis of the null space of the constraint Jacobian.
        """
        mass = self.system.mass_matrix(self.q, z=self.z, t=self.t, parameters=self.parameters)
        if not self.system.constrained:
            return np.asarray(np.linalg.solve(mass, direction), dtype=float)
        A = self._closer.at(self.q, self.u).matrix
        free = null_space(A, relative=1e-10)
        return np.asarray(free @ np.linalg.solve(free.T @ mass @ free, free.T @ direction), dtype=float)

    def along(self, coordinate: str) -> tuple[float, Floats]:
        """Return a coordinate's rate, or a speed, of any joint, and its direction in velocity space."""
        return self._closer.speed(coordinate, self.q, self.u)

    @property
    def _closer(self) -> Closer:
        return Closer(self.system, self.t, self.parameters)


@dataclass(frozen=True)
class Effect:
    """The changes that an action makes."""

    u: Floats | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    stop: bool = False
    z: Mapping[str, float] = field(default_factory=dict)
    """New values of state variables, by name."""
    hit: tuple[str, ...] = ()
    """Events whose contacts received an impulse: they happen at this instant, too."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Remarks by event, which become notes of the run's status."""


class Action(ABC):
    """An action at an event; subclasses are frozen dataclasses.

    `check` raises an error for names that a system does not have, before the simulation; `effect` returns the changes.
    """

    active: ClassVar[bool] = True
    """Whether the action changes anything."""

    unilateral: ClassVar[bool] = False
    """Whether the action describes a unilateral contact."""

    @property
    def needs_direction(self) -> bool:
        """Whether the action needs the gradient of the event's function, which then must not depend on speeds."""
        return False

    @property
    def place(self) -> ContactPlace | None:
        """The contact point whose sliding the action needs, if it does."""
        return None

    def check(self, system: System, event: str) -> None:
        """Raise an error for names that a system does not have."""

    def contact(self, instant: Instant) -> ClosedContact | None:
        """Return the unilateral contact that the action describes; all closed contacts take part in an impact."""
        return None

    @abstractmethod
    def effect(self, instant: Instant) -> Effect:
        """Return the changes."""


@dataclass(frozen=True)
class Record(Action):
    """Record the event without any change."""

    active: ClassVar[bool] = False

    def effect(self, instant: Instant) -> Effect:
        """Return no changes."""
        return Effect()


@dataclass(frozen=True)
class ContactMargin(Action):
    """End a mode of a rigid contact; the simulation decides the next one."""

    def effect(self, instant: Instant) -> Effect:
        """Return no changes."""
        return Effect()


def check_speed(system: System, coordinate: str, event: str) -> None:
    """Raise an error unless a name is a coordinate or speed of a joint or rotor that is not driven."""
    coordinates = system.coordinates
    known = [name.removesuffix(".rate") for name in system.speed_names]
    known += [*coordinates.chord_coordinates, *coordinates.chord_speeds]
    if coordinate.removesuffix(".rate") in known and coordinate not in coordinates.all_driven:
        return
    if coordinate in coordinates.all_driven:
        raise StateError(
            f"Event {event!r} acts on {coordinate!r}, which is driven: no impulse can change its motion. "
            "Name a coordinate that is free."
        )
    raise StateError(
        f"Event {event!r} acts on {coordinate!r}, which is no coordinate or speed. " + did_you_mean(coordinate, known)
    )


def number_of(value: object, parameters: Mapping[str, float], event: str) -> float:
    """Return the value of a number or of a formula of parameters."""
    formula = Formula.of(value)
    unknown = sorted(formula.names - set(parameters))
    if unknown:
        raise StateError(
            f"Event {event!r} uses {unknown[0]!r}, which is not a parameter. "
            + did_you_mean(unknown[0], list(parameters))
        )
    return formula.value(dict(parameters))
