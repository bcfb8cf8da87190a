"""An event that happened."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.coordinates.arguments import Floats


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

    @property
    def changed(self) -> bool:
        """Whether the state jumped."""
        return bool((self.u_after != self.u).any() or (self.q_after != self.q).any())

    def __str__(self) -> str:
        return f"{self.event} at t = {self.time:.9g} s, {'rising' if self.direction > 0 else 'falling'}"
