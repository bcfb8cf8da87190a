"""Content of a URDF file: links and joints as plain records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Numbers: TypeAlias = tuple[float, ...]
Rows: TypeAlias = tuple[tuple[float, float, float], ...]

ZERO: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Origin:
    """A pose: position (m), and roll, pitch, yaw (rad) with R = Rz(yaw) Ry(pitch) Rx(roll)."""

    xyz: tuple[float, float, float] = ZERO
    rpy: tuple[float, float, float] = ZERO

    @property
    def turn(self) -> list[tuple[str, float]]:
        """The successive rotations about rotated axes, without those by zero."""
        roll, pitch, yaw = self.rpy
        return [(axis, angle) for axis, angle in (("z", yaw), ("y", pitch), ("x", roll)) if angle]


@dataclass(frozen=True)
class Visual:
    """A drawn geometry: its kind, its dimensions by name, its pose on the link, and the file of a mesh."""

    kind: str
    dimensions: Mapping[str, Numbers]
    origin: Origin
    file: str = ""


@dataclass(frozen=True)
class LinkDescription:
    """A link: mass (kg), inertia about the mass centre in the axes of `inertial` (kg·m²), drawn geometries."""

    name: str
    mass: float = 0.0
    inertial: Origin = Origin()
    inertia: Rows = (ZERO, ZERO, ZERO)
    visuals: tuple[Visual, ...] = ()

    @property
    def without_inertia(self) -> bool:
        """Whether the link has neither mass nor moments of inertia."""
        return self.mass == 0 and not any(entry for row in self.inertia for entry in row)


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another one: q = multiplier·q_leader + offset."""

    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class JointDescription:
    """A joint between two links, in the pose `origin` on its parent."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Origin = Origin()
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    mimic: Mimic | None = None


@dataclass(frozen=True)
class RobotDescription:
    """A tree of links, with the root first and every link after its parent."""

    name: str
    links: Mapping[str, LinkDescription]
    joints: tuple[JointDescription, ...]
    root: str
    notes: tuple[str, ...] = field(default=())
    """Description of all that was left out."""
