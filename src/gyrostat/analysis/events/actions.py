"""Actions at an event: stop, impulse, impact with restitution, changes of parameters and inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.analysis.events.action import Action, Effect, Instant, check_speed, number_of
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System


@dataclass(frozen=True)
class Stop(Action):
    """End the simulation at the event."""

    def effect(self, instant: Instant) -> Effect:
        """Return the stop."""
        return Effect(stop=True)


@dataclass(frozen=True)
class Impulse(Action):
    """A sudden impulse on one coordinate (N·s, or N·m·s for an angle); coupled speeds change with it: Δu = M⁻¹ d s."""

    coordinate: str
    size: object

    def check(self, system: System, event: str) -> None:
        """Raise an error for unknown coordinates and formulas."""
        check_speed(system, self.coordinate, event)
        number_of(self.size, system.model.values(), event)

    def effect(self, instant: Instant) -> Effect:
        """Return the speeds after the impulse."""
        size = number_of(self.size, instant.parameters, instant.event)
        return Effect(u=instant.impulse(instant.along(self.coordinate)[1], size))


@dataclass(frozen=True)
class Restitution(Action):
    """An impact with Newton's coefficient of restitution: the speed afterwards is −coefficient times that before.

    Without a coordinate the event's own function is the distance to the obstacle, and the impulse acts along its
    gradient; with one, at that coordinate, such as a joint at its limit. All coupled speeds change:
    Δu = −(1 + e) M⁻¹ d v / (dᵀ M⁻¹ d), v = dᵀ u.
    """

    coefficient: object
    coordinate: str | None = None

    @property
    def needs_direction(self) -> bool:
        """Whether the direction is the gradient of the event's function: if there is no coordinate."""
        return self.coordinate is None

    def check(self, system: System, event: str) -> None:
        """Raise an error for a coefficient outside 0 … 1 and for unknown coordinates."""
        value = number_of(self.coefficient, system.model.values(), event)
        if not 0.0 <= value <= 1.0:
            raise StateError(f"Event {event!r} has a coefficient of restitution of {value:g}. It must be from 0 to 1.")
        if self.coordinate is not None:
            check_speed(system, self.coordinate, event)

    def effect(self, instant: Instant) -> Effect:
        """Return the speeds after the impact."""
        if self.coordinate is None:
            direction, approach = instant.gradient(), instant.rate
        else:
            approach, direction = instant.along(self.coordinate)
        yielding = instant.mobility(direction)
        give = float(direction @ yielding)
        if give <= 0.0:
            raise StateError(
                f"At event {instant.event!r} no speed can turn the approach round: its function does not depend on the "
                "motion there. Name a coordinate: Restitution(coefficient, coordinate)."
            )
        coefficient = number_of(self.coefficient, instant.parameters, instant.event)
        return Effect(u=instant.u - (1.0 + coefficient) * approach / give * yielding)


@dataclass(frozen=True)
class SetParameter(Action):
    """Set a parameter from the event on: a number, or a formula of the parameters at that time."""

    name: str
    value: object

    def check(self, system: System, event: str) -> None:
        """Raise an error for unknown parameters and negative masses."""
        if self.name not in system.model.parameters:
            hint = did_you_mean(self.name, list(system.model.parameters))
            raise StateError(f"Event {event!r} sets {self.name!r}, which is not a parameter. {hint}")
        value = number_of(self.value, system.model.values(), event)
        try:
            system.changed_masses.require_valid(system.model.values({self.name: value}))
        except StateError as error:
            raise StateError(f"Event {event!r} sets {self.name!r}. {error}") from None

    def effect(self, instant: Instant) -> Effect:
        """Return the new value."""
        return Effect(parameters={self.name: number_of(self.value, instant.parameters, instant.event)})


@dataclass(frozen=True)
class SetInput(Action):
    """Set an input from the event on: a value as in `inputs` of a simulation."""

    name: str
    value: Any

    def check(self, system: System, event: str) -> None:
        """Raise an error for unknown inputs."""
        if self.name not in system.inputs:
            hint = did_you_mean(self.name, list(system.inputs))
            raise StateError(f"Event {event!r} sets {self.name!r}, which is not an input. {hint}")

    def effect(self, instant: Instant) -> Effect:
        """Return the new input."""
        return Effect(inputs={self.name: self.value})
