"""Progress of long derivations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Progress:
    """How far a derivation is: its stage, what has been done in it, and of how much, where that is known beforehand."""

    stage: str
    done: int
    total: int | None = None

    def __str__(self) -> str:
        if self.total is None:
            return f"{self.stage}: {self.done:,} products of coefficients"
        return f"{self.stage}: {self.done:,} of {self.total:,}"


Report: TypeAlias = Callable[[Progress], None]
"""Who wants to know is called with every `Progress`, often enough for a line on a terminal."""
