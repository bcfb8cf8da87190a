"""The ground of a still: a grid that fades out, and shadows on it."""

from __future__ import annotations

import itertools

import numpy as np

from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.stills.camera import Camera, ground_axes

_PIECES = 24


def ground_level(view: Viewpoint, stated: float | None = None) -> float:
    """Return the height of the ground: as stated, at zero where the lowest point is near it, else a little below."""
    if stated is not None:
        return stated
    corners = np.array(list(itertools.product(*zip(view.low, view.high, strict=True))))
    lowest = float((corners @ view.up).min())
    return 0.0 if -0.004 * view.size < lowest < 0.08 * view.size else lowest - 0.025 * view.size


def _reach(view: Viewpoint, stated: float | None) -> float:
    """Return how far the ground reaches: as far as what stands on it, a little more where the model states it."""
    corners = np.array(list(itertools.product(*zip(view.low, view.high, strict=True)))) - (view.low + view.high) / 2
    flat = corners - np.outer(corners @ view.up, view.up)
    travel = float(np.linalg.norm(np.ptp(view.swept, axis=0))) if view.follow is not None else 0.0
    part = 1.15 if stated is None else 1.5
    return max(part * float(np.linalg.norm(flat, axis=1).max()), 0.3 * view.size) + travel


def grid_lines(view: Viewpoint, camera: Camera, stated: float | None = None) -> tuple[Floats, Floats, Floats]:
    """Return segments of the grid's lines in the picture (S, 2, 2), their opacity (S,), and whether main lines."""
    right, front = ground_axes(view.up)
    spacing = nice_below(view.size / 9)
    reach = _reach(view, stated)
    centre = (view.low + view.high) / 2
    middle = centre + view.up * (ground_level(view, stated) - centre @ view.up)
    ends, away, main = [], [], []
    for one, other in ((right, front), (front, right)):
        low, high = ((float(middle @ one) + sign * reach) / spacing for sign in (-1, 1))
        for number in range(int(np.ceil(low)), int(np.floor(high)) + 1):
            aside = number * spacing - float(middle @ one)
            half = np.sqrt(max(0.0, float(reach**2 - aside**2)))
            ways = np.linspace(-half, half, _PIECES + 1)
            points = middle + aside * one + ways[:, None] * other
            ends.append(np.stack([points[:-1], points[1:]], axis=1))
            away.append(np.hypot(aside, (ways[:-1] + ways[1:]) / 2))
            main.append(np.full(_PIECES, number % 5 == 0))
    pieces, distances = np.concatenate(ends), np.concatenate(away)
    seen = (camera.depth(pieces) > 0.02 * view.size).all(axis=1)
    part = np.clip((distances / reach - 0.45) / 0.55, 0.0, 1.0)
    strength = 1 - part**2 * (3 - 2 * part)
    return camera.project(pieces[seen]), strength[seen], np.concatenate(main)[seen]


def shadow_outlines(faces: Floats, view: Viewpoint, sun: Floats, camera: Camera, stated: float | None = None) -> Floats:
    """Return the shadows of faces (F, 4, 3) in the picture (F, 4, 2)."""
    height = faces @ view.up - ground_level(view, stated)
    fallen = faces - (height / (sun @ view.up))[..., None] * sun
    seen = (camera.depth(fallen) > 0.02 * view.size).all(axis=1) & (height > -1e-6 * view.size).all(axis=1)
    return camera.project(fallen[seen])


def nice_below(x: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at most x.

    >>> nice_below(0.37), nice_below(7.0)
    (0.2, 5.0)
    """
    power = 10.0 ** np.floor(np.log10(x))
    return float(next(k for k in (5, 2, 1) if k * power <= x * (1 + 1e-12)) * power)
