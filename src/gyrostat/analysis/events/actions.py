"""Actions at an event: stop, impulse, impact with restitution, changes of parameters, states and inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gyrostat.analysis.events.action import Action, Effect, Instant, check_speed, number_of
from gyrostat.analysis.events.impact import Contact, solve_impact
from gyrostat.coordinates.arguments import Floats
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
    """An impact with Newton's coefficient of restitution e and without friction.

    Without a coordinate the event's own function is the distance to the obstacle, and the impulse acts along its
    gradient; with one, at that coordinate, such as a joint at its limit. A single contact is left with −e times its
    speed of approach, and all coupled speeds change: Δu = −(1 + e) M⁻¹ d v / (dᵀ M⁻¹ d), v = dᵀ u.

    All contacts that are closed at the instant take part. None of them is left with less than −e times its speed of
    approach, the impulses push and never pull, and energy is never gained (`impact.solve_impact`).
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

    def contact(self, instant: Instant) -> Contact | None:
        """Return the contact with the obstacle; None where no side of it is known to be free."""
        if self.coordinate is None:
            direction, speed = instant.gradient(), instant.rate
            side = -instant.crossing or -int(np.sign(speed))
        else:
            speed, direction = instant.along(self.coordinate)
            side = -instant.crossing * self._sense(instant, speed, direction)
        if not side:
            return None
        coefficient = number_of(self.coefficient, instant.parameters, instant.event)
        return Contact(instant.event, side * direction, side * speed, coefficient)

    def _sense(self, instant: Instant, speed: float, direction: Floats) -> int:
        """Return 1 if the event's function rises with the coordinate, −1 if it falls, 0 if that is unknown."""
        if instant.rate * speed != 0.0:
            return int(np.sign(instant.rate * speed))
        try:
            return int(np.sign(instant.gradient() @ instant.mobility(direction)))
        except StateError:  # the function depends on speeds
            return 0

    def effect(self, instant: Instant) -> Effect:
        """Return the speeds after the impact of all closed contacts."""
        own = self.contact(instant)
        contacts = instant.contacts() or ((own,) if own is not None else ())
        impact = solve_impact(contacts, instant.mobility)
        if impact is None:
            return Effect()
        hit = tuple(contact.event for contact, size in zip(contacts, impact.impulses, strict=True) if size > 0.0)
        return Effect(u=instant.u + impact.change, hit=hit)


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
