"""An impulse at an event."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.analysis.events.action import Action, Effect, Instant, check_speed, number_of
from gyrostat.system import System


@dataclass(frozen=True)
class Impulse(Action):
    """A sudden impulse on one coordinate (N·s, or N·m·s for an angle); coupled speeds change with it: Δu = M⁻¹ d s."""

    coordinate: str
    size: object

    def check(self, system: System, event: str) -> None:
        """Refuse unknown coordinates and formulas."""
        check_speed(system, self.coordinate, event)
        number_of(self.size, system.model.values(), event)

    def effect(self, instant: Instant) -> Effect:
        """Return the speeds after the impulse."""
        size = number_of(self.size, instant.parameters, instant.event)
        return Effect(u=instant.impulse(instant.along(self.coordinate)[1], size))
