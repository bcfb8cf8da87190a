"""The choices of an import."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.io.urdf.inertia import InertiaPolicy


@dataclass(frozen=True)
class Massless:
    """What becomes of moving links without inertia: welded, or filled with mass and moment; refused without either."""

    lock: bool = False
    fill: tuple[float, float] | None = None


@dataclass(frozen=True)
class Choices:
    """The arguments of `load_urdf`."""

    gravity: tuple[Any, ...]
    floating: bool
    inertia: InertiaPolicy
    massless: Massless
    friction_speed: float | None
    actuators: bool
