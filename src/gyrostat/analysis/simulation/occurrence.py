"""An event that happened."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts

_NO_STATES: Floats = np.empty(0)


@dataclass(frozen=True, eq=False)
class Occurrence:
    """When an event happened, in which direction its function crossed zero, and the state before and after."""

    event: str
    time: float
    direction: int
    q: Floats
    u: Floats
    q_after: Floats
    u_after: Floats
    z: Floats = field(default_factory=lambda: _NO_STATES)
    """The state variables of components before the event."""
    z_after: Floats = field(default_factory=lambda: _NO_STATES)

    @staticmethod
    def of(event: str, time: float, direction: int, before: StateParts, after: StateParts) -> Occurrence:
        """Return the occurrence of an event with the states before and after it."""
        return Occurrence(event, time, direction, before.q, before.u, after.q, after.u, before.z, after.z)

    @property
    def after(self) -> StateParts:
        """The state after the event."""
        return StateParts(self.q_after, self.u_after, self.z_after)

    @property
    def changed(self) -> bool:
        """Whether the state jumped."""
        before = StateParts(self.q, self.u, self.z)
        return any((new != old).any() for new, old in zip(self.after, before, strict=True))

    def __str__(self) -> str:
        return f"{self.event} at t = {self.time:.9g} s, {'rising' if self.direction > 0 else 'falling'}"
