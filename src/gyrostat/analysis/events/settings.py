"""Changes of parameters and inputs at an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.analysis.events.action import Action, Effect, Moment, number_of
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System


@dataclass(frozen=True)
class SetParameter(Action):
    """Give a parameter another value from the event on: a number, or a formula of parameters as they are then."""

    name: str
    value: object

    def check(self, system: System, event: str) -> None:
        """Refuse unknown parameters, and masses that would be negative."""
        if self.name not in system.model.parameters:
            hint = did_you_mean(self.name, list(system.model.parameters))
            raise StateError(f"Event {event!r} sets {self.name!r}, which is not a parameter. {hint}")
        value = number_of(self.value, system.model.values(), event)
        try:
            system.changed_masses.require_valid(system.model.values({self.name: value}))
        except StateError as error:
            raise StateError(f"Event {event!r} sets {self.name!r}. {error}") from None

    def effect(self, moment: Moment) -> Effect:
        """Return the new value."""
        return Effect(parameters={self.name: number_of(self.value, moment.parameters, moment.event)})


@dataclass(frozen=True)
class SetInput(Action):
    """Give an input another course from the event on: whatever `inputs` of a simulation takes."""

    name: str
    value: Any

    def check(self, system: System, event: str) -> None:
        """Refuse unknown inputs."""
        if self.name not in system.inputs:
            hint = did_you_mean(self.name, list(system.inputs))
            raise StateError(f"Event {event!r} sets {self.name!r}, which is not an input. {hint}")

    def effect(self, moment: Moment) -> Effect:
        """Return the new course."""
        return Effect(inputs={self.name: self.value})
