"""The choices of an import."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from gyrostat.io.urdf.inertia import InertiaPolicy
from gyrostat.model.contacts import NormalLaw


@dataclass(frozen=True)
class Massless:
    """Treatment of moving links without inertia: welded, or filled with mass and moment; refused without either."""

    lock: bool = False
    fill: tuple[float, float] | None = None


class Drives(Enum):
    """Drives of the coordinates of hinges and slides."""

    NONE = "none"
    UNLIMITED = "unlimited"
    LIMITED = "limited"  # by the effort in the file


@dataclass(frozen=True)
class Choices:
    """The choices among the arguments of `load_urdf`."""

    gravity: tuple[Any, ...]
    floating: bool
    inertia: InertiaPolicy
    massless: Massless
    friction_speed: float | None
    stops: NormalLaw | None
    """The law of stops at the ends of joints; None for joints that only record their limits."""
    drives: Drives
