"""Surfaces of quadrilateral faces."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gyrostat.pictures.scene.checks import Floats

Whole = NDArray[np.intp]


def _no_edges() -> Whole:
    return np.zeros((0, 2), dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (V, 3), faces (F, 4), counterclockwise as seen from outside, and edges (E, 2) to be drawn.

    A face with three corners repeats one of them.
    """

    vertices: Floats
    faces: Whole
    edges: Whole = field(default_factory=_no_edges)

    def placed(self, rotation: Floats, position: Floats) -> Mesh:
        """Return the surface rotated and translated."""
        return Mesh(self.vertices @ rotation.T + position, self.faces, self.edges)


def joined(meshes: list[Mesh]) -> Mesh:
    """Return several surfaces as one."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]),
        np.concatenate([mesh.edges + start for mesh, start in zip(meshes, starts, strict=False)]),
    )


def lathe(profile: list[tuple[float, float]], around: int, grain: float, *, closed: bool = False) -> Mesh:
    """Return the surface that a profile of (radius, height) sweeps about z, its outside to the right of the way.

    Pieces longer than `grain` are divided, so that faces stay small. Sharp corners of the profile become edges.
    """
    corners = [*profile, profile[0]] if closed else profile
    ways: list[tuple[float, float]] = []
    sharp: list[int] = []
    for k, (start, end) in enumerate(pairwise(corners)):
        count = max(1, min(40, int(np.ceil(np.hypot(end[0] - start[0], end[1] - start[1]) / grain))))
        if start[0] > 0 and (closed or k > 0) and _turns(corners, k, closed):
            sharp.append(len(ways))
        ways += [
            (start[0] + (end[0] - start[0]) * i / count, start[1] + (end[1] - start[1]) * i / count)
            for i in range(count)
        ]
    if not closed:
        ways.append(corners[-1])
    rows = len(ways)
    angle = 2 * np.pi * np.arange(around) / around
    r, z = np.array(ways).T
    vertices = np.stack(
        [np.outer(r, np.cos(angle)), np.outer(r, np.sin(angle)), np.repeat(z[:, None], around, axis=1)], axis=-1
    )
    faces = _grid_faces(rows, around, wrap_rows=closed)
    place = np.arange(around)
    edges = [np.stack([k * around + place, k * around + (place + 1) % around], axis=1) for k in sharp]
    return Mesh(vertices.reshape(-1, 3), faces, np.concatenate(edges) if edges else _no_edges())


def _turns(corners: list[tuple[float, float]], k: int, closed: bool) -> bool:
    """Return whether the profile turns by more than 35 degrees at its k-th corner."""
    before = corners[k - 1] if k else corners[-2]
    here, after = corners[k], corners[k + 1]
    one = np.arctan2(here[1] - before[1], here[0] - before[0])
    other = np.arctan2(after[1] - here[1], after[0] - here[0])
    return bool(abs((other - one + np.pi) % (2 * np.pi) - np.pi) > 0.61)


def _grid_faces(rows: int, around: int, *, wrap_rows: bool) -> Whole:
    """Return the faces of a grid of vertices whose columns close on themselves."""
    i, j = np.meshgrid(np.arange(rows if wrap_rows else rows - 1), np.arange(around), indexing="ij")
    below, above = (i % rows) * around, ((i + 1) % rows) * around
    after = (j + 1) % around
    return np.stack([below + j, below + after, above + after, above + j], axis=-1).reshape(-1, 4)


def ball(radius: float, around: int = 24) -> Mesh:
    """Return a sphere."""
    polar = np.linspace(-np.pi / 2, np.pi / 2, around // 2 + 1)
    profile = [(max(0.0, radius * float(np.cos(a))), radius * float(np.sin(a))) for a in polar]
    sphere = lathe(profile, around, np.inf)
    return Mesh(sphere.vertices, sphere.faces)


def cylinder(radius: float, length: float, around: int, grain: float) -> Mesh:
    """Return a cylinder along z."""
    half = length / 2
    return lathe([(0.0, -half), (radius, -half), (radius, half), (0.0, half)], around, grain)


def box(size: Floats, grain: float) -> Mesh:
    """Return a box; its faces are divided into cells not longer than `grain`."""
    half = np.asarray(size, dtype=float) / 2
    sides, edges = [], []
    for k in range(3):
        across = [(k + 1) % 3, (k + 2) % 3]
        counts = [max(1, min(40, int(np.ceil(2 * half[a] / grain)))) for a in across]
        for sign in (1.0, -1.0):
            u, v = (np.linspace(-half[a], half[a], n + 1) for a, n in zip(across, counts, strict=True))
            vertices = np.zeros((len(u), len(v), 3))
            vertices[..., k] = sign * half[k]
            vertices[..., across[0]], vertices[..., across[1]] = np.meshgrid(u, v, indexing="ij")
            i, j = np.meshgrid(np.arange(counts[0]), np.arange(counts[1]), indexing="ij")
            n = len(v)
            quads = np.stack([i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1], axis=-1).reshape(-1, 4)
            rim = [i[:, 0] * n, (i[:, 0] + 1) * n], [i[:, 0] * n + n - 1, (i[:, 0] + 1) * n + n - 1]
            edges.append(np.concatenate([np.stack(pair, axis=1) for pair in rim]))
            sides.append(Mesh(vertices.reshape(-1, 3), quads if sign > 0 else quads[:, ::-1], edges[-1]))
    return joined(sides)


def sweep(points: Floats, radii: Floats, around: int) -> Mesh:
    """Return a round surface along a line of points (K, 3) with radii (K,); frames are transported without twist."""
    ahead = np.empty_like(points)
    ahead[1:-1] = points[2:] - points[:-2]
    ahead[0], ahead[-1] = points[1] - points[0], points[-1] - points[-2]
    lengths = np.linalg.norm(ahead, axis=1)
    known = np.flatnonzero(lengths > 1e-12)
    direction = np.array([1.0, 0.0, 0.0]) if not len(known) else ahead[known[0]] / lengths[known[0]]
    normal = np.eye(3)[np.argmin(np.abs(direction))]
    angle = 2 * np.pi * np.arange(around) / around
    vertices = np.empty((len(points), around, 3))
    for k, point in enumerate(points):
        if lengths[k] > 1e-12:
            direction = ahead[k] / lengths[k]
        normal = normal - direction * (direction @ normal)
        normal = normal / (np.linalg.norm(normal) or 1.0)
        other = np.cross(direction, normal)
        vertices[k] = point + radii[k] * (np.outer(np.cos(angle), normal) + np.outer(np.sin(angle), other))
    return Mesh(vertices.reshape(-1, 3), _grid_faces(len(points), around, wrap_rows=False))


def rod(start: Floats, end: Floats, radius: float, around: int, grain: float) -> Mesh:
    """Return a round rod between two points, open at its ends."""
    count = max(2, min(40, int(np.ceil(float(np.linalg.norm(end - start)) / grain)) + 1))
    ways = np.linspace(0.0, 1.0, count)[:, None]
    return sweep(start + ways * (end - start), np.full(count, radius), around)
