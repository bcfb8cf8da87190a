"""Integration of Euler parameters within a step."""

from __future__ import annotations

from enum import Enum

from gyrostat.errors import StateError


class RotationUpdate(Enum):
    """Two ways to integrate Euler parameters (Crous 2000, §3.6.3)."""

    EXPONENTIAL = "exponential"
    """Turned by a rotation vector, which preserves the norm (Crous 2000, eqs. 3.6.20–3.6.25)."""
    NORMALISED = "normalised"
    """Integrated like other coordinates, and normalised after every step."""

    @classmethod
    def _missing_(cls, value: object) -> RotationUpdate:
        raise StateError(f"The update of rotations is {value!r}. Use 'exponential' or 'normalised'.")
