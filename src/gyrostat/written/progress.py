"""Progress of long derivations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class DerivationProgress:
    """The progress of a derivation: its stage, the amount done in it, and the total where it is known."""

    stage: str
    done: int
    total: int | None = None

    def __str__(self) -> str:
        if self.total is None:
            return f"{self.stage}: {self.done:,} products of coefficients"
        return f"{self.stage}: {self.done:,} of {self.total:,}"


Report: TypeAlias = Callable[[DerivationProgress], None]
"""A callback that gets every `DerivationProgress`, often enough for a line on a terminal."""
