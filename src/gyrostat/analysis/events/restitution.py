"""Impact with restitution at an event."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.analysis.events.action import Action, Effect, Instant, check_speed, number_of
from gyrostat.errors import StateError
from gyrostat.system import System


@dataclass(frozen=True)
class Restitution(Action):
    """An impact that turns the approach round: its speed afterwards is −coefficient times that before.

    Without a coordinate the event's own function is the distance to the obstacle, and the impulse acts along its
    gradient; with one, at that coordinate, such as a joint at its limit. All speeds that are coupled with it change:
    Δu = −(1 + e) M⁻¹ d v / (dᵀ M⁻¹ d), v = dᵀ u.
    """

    coefficient: object
    coordinate: str | None = None

    @property
    def needs_direction(self) -> bool:
        """Without a coordinate, the event's function tells the direction."""
        return self.coordinate is None

    def check(self, system: System, event: str) -> None:
        """Refuse a coefficient outside 0 … 1 and unknown coordinates."""
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
