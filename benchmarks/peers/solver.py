"""What computes a motion: one way of one package, with one number that says how fine it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from peers.tree import Floats


class Found(NamedTuple):
    """The end of a motion."""

    q: Floats
    """Coordinates, in gyrostat's order."""
    seconds: float | None = None
    """What the package says its integration took, where that counts and not the whole call."""


@dataclass(frozen=True)
class Solver:
    """A way to the end of a motion: `run` takes the setting, a step or a tolerance."""

    package: str
    method: str
    setting: str
    """What is set: "step" or "tolerance"."""
    run: Callable[[float], Found]
    first: float
    """The setting to begin with."""
    order: float
    """The error goes about with this power of the setting."""

    @property
    def name(self) -> str:
        """Package and method."""
        return f"{self.package}, {self.method}"
