"""A bucket of triangles full of spheres, as gyrostat's model and as plain numbers for peers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs

RADIUS, DENSITY, STIFFNESS, MU, GRAVITY = 0.15, 2600.0, 1e6, 0.5, 9.81
RESTITUTION = 0.5
SETTLED = 0.7
"""Seconds in which the grains fall together before the measurement."""
Floats = NDArray[np.float64]


def mass() -> float:
    """Return the mass of a grain."""
    return DENSITY * 4 / 3 * np.pi * RADIUS**3


def step() -> float:
    """Return the granular step, a tenth of √(m/k)."""
    return 0.1 * float(np.sqrt(mass() / STIFFNESS))


def damping() -> float:
    """Return the damping of a pair with the restitution."""
    log = np.log(RESTITUTION)
    return float(-2 * log / np.sqrt(np.pi**2 + log**2) * np.sqrt(STIFFNESS * mass() / 2))


def lattice(count: int) -> tuple[Floats, float, float]:
    """Return places on a cubic lattice with small displacements, and width and height of the bucket around them."""
    side = max(6, round((count / 1.5) ** (1 / 3)))
    n = np.arange(count)
    places = np.stack((n % side, n // side % side, n // side**2), axis=1) + 0.5
    spread = np.random.default_rng(0).uniform(-0.04, 0.04, (count, 3))
    width, height = side * 2.1 * RADIUS, (count // side**2 + 2) * 2.1 * RADIUS
    found: Floats = 2.1 * RADIUS * places + RADIUS * spread
    return found, width, height


def bucket(width: float, height: float, pieces: int = 4) -> tuple[Floats, NDArray[np.int64]]:
    """Return corners and triangles of an open bucket, each side divided into squares of two triangles."""
    u, v = np.meshgrid(np.linspace(0, 1, pieces + 1), np.linspace(0, 1, pieces + 1), indexing="ij")
    zero, w, h = 0 * u, width, height
    sides = [
        (w * u, w * v, zero), (w * u, zero, h * v), (w * v, zero + w, h * u), (zero, w * v, h * u),
        (zero + w, w * u, h * v),
    ]  # fmt: skip
    corners = np.concatenate([np.stack(side, axis=-1).reshape(-1, 3) for side in sides])
    number = np.arange((pieces + 1) ** 2).reshape(pieces + 1, pieces + 1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    faces = np.concatenate([np.stack((p.ravel(), q.ravel(), r.ravel()), axis=1) for p, q, r in ((a, b, c), (a, c, d))])
    return corners, np.concatenate([faces + k * number.size for k in range(len(sides))])


def model(count: int) -> gs.Model:
    """Return the bucket on a hoist with grains in it."""
    places, width, height = lattice(count)
    corners, faces = bucket(width, height)
    found = gs.Model("bucket of grains", gravity=(0, 0, -GRAVITY))
    mesh: Any = gs.shapes.TriangleMesh(corners, faces, closed=False)
    found.add(gs.Body("bucket", gs.box(5e4, size=(width, width, height)), surfaces={"plates": mesh}))
    found.add(gs.Prismatic("hoist", "ground", "bucket", axis="z"))
    found.add(gs.JointSpring("rope", "hoist", stiffness=5e7, damping=2e6))
    found.add(gs.Grains(
        "grains", RADIUS, DENSITY, ["bucket"], positions=places, normal=gs.KelvinVoigt(STIFFNESS, damping()),
        friction=gs.GranularFriction(MU), step=step(),
    ))  # fmt: skip
    return found
