"""Stopping at an event."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.analysis.events.action import Action, Effect, Instant


@dataclass(frozen=True)
class Stop(Action):
    """End the simulation at the event."""

    def effect(self, instant: Instant) -> Effect:
        """Stop."""
        return Effect(stop=True)
