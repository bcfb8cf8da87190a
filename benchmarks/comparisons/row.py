"""A row of the table of ratios."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One quantity of one model: our time, a peer's, their ratio, and the ratio that is aimed at."""

    quantity: str
    model: str
    seconds: float
    peer: str
    peer_seconds: float
    ratio: float
    difference: float
    """The largest difference between the results of both, relative to the largest result."""
    target: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        return None if self.target is None else self.ratio <= self.target
