"""Models with grains for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

import gyrostat as gs

G = 9.81
DENSITY = 2600.0
_CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
_FACES = [
    *((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)),
    *((2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)),
]


def mass_of(radius: float) -> float:
    """Return the mass of a grain."""
    return DENSITY * 4 / 3 * np.pi * radius**3


def vessel(half: float, *, at: tuple[float, float, float] = (0, 0, 0), lid: bool = True) -> gs.shapes.TriangleMesh:
    """Return the inner surface of a cube of triangles that face inwards; without a lid it is open above."""
    corners = [[half * x + a for x, a in zip(corner, at, strict=True)] for corner in _CORNERS]
    faces = [face[::-1] for face in (_FACES if lid else _FACES[:-2])]
    return gs.shapes.TriangleMesh(corners, faces, closed=False)


def two_grains(normal: Any, friction: Any = None, *, velocity: float = 1.0, radius: float = 0.05, **fields: Any) -> Any:
    """Return a model of one grain that flies at a fixed wall along −z, without gravity."""
    model = gs.Model("impact")
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    grains = gs.Grains(
        "grain", radius, DENSITY, ["ground"], positions=[(0, 0, 1.02 * radius)], velocity=(0, 0, -velocity),
        normal=normal, friction=friction, **fields,
    )  # fmt: skip
    model.add(grains)
    return model


def last_motion(trajectory: gs.Trajectory, name: str) -> Any:
    """Return positions, velocities and angular velocities at the end, in double precision."""
    motion = trajectory.motion.grains[name].state["motion"]
    return motion[:, :3], motion[:, 3:6], motion[:, 6:9]
