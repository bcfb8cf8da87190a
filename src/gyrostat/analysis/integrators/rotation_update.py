"""How Euler parameters are carried through a step."""

from __future__ import annotations

from enum import Enum

from gyrostat.errors import StateError


class RotationUpdate(Enum):
    """Two ways to integrate Euler parameters (003 §3.6.3)."""

    EXPONENTIAL = "exponential"
    """Turned by a rotation vector: the norm stays one by itself (003 eqs 3.6.20–3.6.25)."""
    NORMALISED = "normalised"
    """Integrated like other coordinates, and normalised after every step."""

    @classmethod
    def _missing_(cls, value: object) -> RotationUpdate:
        raise StateError(f"The update of rotations is {value!r}. Use 'exponential' or 'normalised'.")
