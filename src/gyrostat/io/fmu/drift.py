"""How an FMU keeps its state on the constraints, and Euler parameters at unit length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.system import System

_LARGEST_CHANGE = 1e-9
"""The change of a state by its projection, relative to 1 + its size, at which a unit asks for an event."""


@dataclass(frozen=True)
class Drift:
    """The rows of constraints, the size of the mechanism, and where Euler parameters begin."""

    rows: int
    size: float
    turns: tuple[int, ...]

    @staticmethod
    def of(system: System) -> Drift:
        """Return that of a system."""
        coordinates = system.coordinates
        return Drift(len(system.constraints), coordinates.size, tuple(coordinates.euler_parameters.values()))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of the system that the projection calls."""
        return ("projected_coordinates", "projected_speeds") if self.rows else ()

    def macros(self) -> Mapping[str, str]:
        """Return the macros by name."""
        return {
            "N_ROWS": str(self.rows),
            "UNIT_SIZE": repr(float(self.size)),
            "N_TURNS": str(len(self.turns)),
            "TURN_PLACES": "{" + ", ".join(map(str, self.turns)) + "}",
            "DRIFT": repr(_LARGEST_CHANGE),
        }
