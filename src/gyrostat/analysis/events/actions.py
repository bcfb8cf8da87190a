"""Actions at an event: stop, impulse, changes of parameters, states and inputs."""

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
class SetState(Action):
    """Set a state variable at the event: a number, or a formula of the parameters at that time."""

    name: str
    value: object

    def check(self, system: System, event: str) -> None:
        """Raise an error for unknown states, and for algebraic ones, whose equations determine them."""
        if self.name not in system.state_names:
            hint = did_you_mean(self.name, system.state_names) if system.state_names else "The model has no states."
            raise StateError(f"Event {event!r} sets {self.name!r}, which is not a state. {hint}")
        if system.model.state_variables[self.name].algebraic:
            raise StateError(
                f"Event {event!r} sets {self.name!r}, which is algebraic: its equation determines it. Set a parameter "
                "or a state that the equation depends on."
            )
        number_of(self.value, system.model.values(), event)

    def effect(self, instant: Instant) -> Effect:
        """Return the new value."""
        return Effect(z={self.name: number_of(self.value, instant.parameters, instant.event)})


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
