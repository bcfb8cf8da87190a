"""Stopping at an event."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.analysis.events.action import Action, Effect, Moment


@dataclass(frozen=True)
class Stop(Action):
    """End the simulation at the event."""

    def effect(self, moment: Moment) -> Effect:
        """Stop."""
        return Effect(stop=True)
