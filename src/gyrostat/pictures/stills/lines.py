"""The surfaces of springs, dampers, actuators, ropes, beams and links."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.polyline import LineKind, Polyline
from gyrostat.pictures.stills.mesh import Mesh, sweep

_POINTS_PER_TURN = 12
_STRAIGHT_SHARE = 0.1
_THICKNESS = {
    LineKind.DAMPER: 0.010,
    LineKind.SPRING_DAMPER: 0.008,
    LineKind.ACTUATOR: 0.014,
    LineKind.ROPE: 0.004,
    LineKind.BEAM: 0.009,
    LineKind.LINK: 0.005,
    LineKind.ARROW: 0.0042,
}
"""Radii as parts of the scene's size, where none is given."""
COLOURS = {
    LineKind.SPRING: "#8d99a8",
    LineKind.DAMPER: "#7a8796",
    LineKind.SPRING_DAMPER: "#8d99a8",
    LineKind.ACTUATOR: "#c98a2b",
    LineKind.ROPE: "#a98657",
    LineKind.BEAM: "#7a8796",
    LineKind.LINK: "#7a8796",
    LineKind.ARROW: "#d1495b",
}


def line_meshes(line: Polyline, points: Floats, size: float) -> list[Mesh]:
    """Return the surfaces of a line through points (K, 3) at an instant."""
    if line.kind in (LineKind.ROPE, LineKind.BEAM, LineKind.LINK):
        radius = _THICKNESS[line.kind] * size if line.radius is None else line.radius
        way = _straight(points) if line.kind is LineKind.LINK else _smooth(points)
        return [sweep(way, np.full(len(way), radius), 10)]
    lengths = line.lengths()
    if line.kind is LineKind.ARROW:
        return [_arrow(line, points, lengths, size)]
    found = []
    if line.kind in (LineKind.SPRING, LineKind.SPRING_DAMPER):
        found.append(_coil(line, points, lengths, size))
    if line.kind in (LineKind.DAMPER, LineKind.SPRING_DAMPER, LineKind.ACTUATOR):
        found.append(_telescope(line, points, lengths, size))
    return found


def _coil(line: Polyline, points: Floats, lengths: tuple[float, float], size: float) -> Mesh:
    """Return a coil whose number of turns is that of its mean length."""
    given = 0.016 * size if line.radius is None else line.radius
    radius = min(given, 0.2 * max(lengths[1], 0.05 * size))
    turns = int(np.clip(round((sum(lengths) / 2 or 0.1 * size) / (1.6 * radius)), 5, 16))
    steps = turns * _POINTS_PER_TURN
    i = np.arange(steps + 1)
    near = radius * np.minimum(1.0, np.minimum(i, steps - i) / (0.5 * _POINTS_PER_TURN))
    way = _STRAIGHT_SHARE + (1 - 2 * _STRAIGHT_SHARE) * i / steps
    angle = 2 * np.pi * i / _POINTS_PER_TURN
    start, along = points[0], points[-1] - points[0]
    length = float(np.linalg.norm(along))
    direction = along / length if length > 1e-12 else np.array([1.0, 0.0, 0.0])
    normal = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    normal /= np.linalg.norm(normal)
    round_ = np.outer(near * np.cos(angle), normal) + np.outer(near * np.sin(angle), np.cross(direction, normal))
    way_points = np.vstack((start, start + np.outer(way, along) + round_, points[-1]))
    return sweep(way_points, np.full(len(way_points), 0.17 * radius), 6)


def _telescope(line: Polyline, points: Floats, lengths: tuple[float, float], size: float) -> Mesh:
    """Return a barrel with a rod that slides in it."""
    given = _THICKNESS[line.kind] * size if line.radius is None else line.radius
    radius = min(given, 0.18 * max(lengths[1], 0.05 * size))
    along = points[-1] - points[0]
    length = float(np.linalg.norm(along)) or 1e-12
    whole = max(0.62 * lengths[0], 0.3 * lengths[1])
    near = min(0.12 * whole, 0.1 * length)
    far = near + min(whole, 0.8 * length)
    stem = 0.38 * radius
    inner = np.linspace(near, far, 5)
    outer = np.linspace(far, length, 4)
    ways = np.concatenate(([0.0, near], [near], inner[:-1], [far, far], outer[1:]))
    radii = np.concatenate(([stem, stem], [stem], np.full(4, radius), [radius, stem], np.full(3, stem)))
    return sweep(points[0] + np.outer(ways / length, along), radii, 14)


def _arrow(line: Polyline, points: Floats, lengths: tuple[float, float], size: float) -> Mesh:
    """Return a shaft with a head, smaller where the arrow is shorter than its head."""
    radius = _THICKNESS[line.kind] * size if line.radius is None else line.radius
    along = points[-1] - points[0]
    length = float(np.linalg.norm(along)) or 1e-12
    whole = min(7 * radius, 0.6 * (lengths[1] or size))
    head = min(whole, length)
    shaft, wide = head / whole * radius, head / whole * 2.6 * radius
    ways = np.concatenate((np.linspace(0.0, length - head, 6), [length - head], np.linspace(length - head, length, 4)))
    radii = np.concatenate((np.full(6, shaft), [wide], np.linspace(wide, 1e-6 * wide, 4)))
    return sweep(points[0] + np.outer(ways / length, along), radii, 12)


def _straight(points: Floats) -> Floats:
    """Return more points on the straight pieces between the given ones."""
    ways = np.linspace(0.0, 1.0, 7, endpoint=False)[:, None]
    return np.vstack((*(a + ways * (b - a) for a, b in pairwise(points)), points[-1:]))


def _smooth(points: Floats) -> Floats:
    """Return more points on a smooth line through the given ones."""
    if len(points) < 3:
        return _straight(points)
    padded = np.vstack((2 * points[0] - points[1], points, 2 * points[-1] - points[-2]))
    s = np.linspace(0.0, 1.0, 4, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        pieces.append(b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a))))
    return np.vstack((*pieces, points[-1:]))
