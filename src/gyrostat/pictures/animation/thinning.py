"""Which frames of a long run are kept: as many as the eye needs.

The page interpolates between frames. A frame is left out where interpolation between its kept neighbours differs from
it by less than the eye sees; jumps and kinks are therefore kept, and smooth or slow motion costs little.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.pictures.interpolation import Moments
from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene.scene import Scene

SMALL = 60_000
"""Scenes with fewer poses than this are kept whole."""
MOST = 1_500_000
"""How many poses a page holds at most."""
FINEST = 1 / 3000
"""What the eye sees, as a part of the scene's size: half a pixel of a large window."""
_CHUNK = 400_000
_LONGEST_SIGNAL = 3000


def frames_to_keep(scene: Scene, view: Viewpoint, *, small: int = SMALL, most: int = MOST) -> NDArray[np.intp]:
    """Return the indices of the frames to keep, in order, the first and the last among them."""
    width = len(scene.bodies) + sum(line.points.shape[-2] for line in scene.lines)
    if scene.frames * width <= small:
        return np.arange(scene.frames)
    limit = min(scene.frames, max(1000, most // width))
    kept = np.unique(np.linspace(0, scene.frames - 1, 65).round().astype(np.intp))
    while len(kept) < limit:
        errors = _errors(scene, view, kept)
        starts = kept[:-1]
        worst = np.maximum.reduceat(errors[:-1], starts)
        owner = np.repeat(np.arange(len(starts)), np.diff(kept))
        first = np.full(len(starts), scene.frames)
        np.minimum.at(first, owner, np.where(errors[:-1] == worst[owner], np.arange(scene.frames - 1), scene.frames))
        wanted = worst > FINEST * view.size
        if not wanted.any():
            break
        ranked = np.flatnonzero(wanted)[np.argsort(-worst[wanted], kind="stable")]
        kept = np.union1d(kept, first[ranked[: limit - len(kept)]])
    return kept


def signal_frames(scene: Scene, signals: list[NDArray[np.float64]]) -> NDArray[np.intp]:
    """Return the frames of the curves (N,) to keep: of each stretch of time its extremes, so that no peak is lost."""
    if scene.frames <= _LONGEST_SIGNAL or not signals:
        return np.arange(scene.frames)
    stretches = max(150, _LONGEST_SIGNAL // (2 * len(signals)))
    starts = np.unique(np.linspace(0, scene.frames, stretches, endpoint=False).astype(np.intp))
    kept = {0, scene.frames - 1, *starts.tolist()}
    for signal in signals:
        for piece, start in zip(np.split(signal, starts[1:]), starts, strict=True):
            if np.isfinite(piece).any():
                kept |= {int(start + np.nanargmin(piece)), int(start + np.nanargmax(piece))}
            if not np.isfinite(piece).all():
                kept |= {int(start + k) for k in np.flatnonzero(np.diff(np.isfinite(piece)))}
                kept |= {int(start + k + 1) for k in np.flatnonzero(np.diff(np.isfinite(piece)))}
    return np.array(sorted(kept), dtype=np.intp)


def _errors(scene: Scene, view: Viewpoint, kept: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return for each frame the largest distance (N,) between where things are and where the page would draw them."""
    errors = np.zeros(scene.frames)
    index = np.arange(scene.frames)
    before = np.searchsorted(kept, index, side="right") - 1
    after = np.minimum(before + 1, len(kept) - 1)
    span = scene.times[kept[after]] - scene.times[kept[before]]
    part = np.where(span > 0, (scene.times - scene.times[kept[before]]) / np.where(span > 0, span, 1.0), 0.0)
    part = np.where(index == kept[before], 0.0, part)
    length = max(1, _CHUNK // max(1, len(scene.bodies)))
    traced = [
        [path.point for path in scene.paths if (path.run, path.body) == (body.run, body.name)] for body in scene.bodies
    ]
    for start in range(0, scene.frames, length):
        here = slice(start, start + length)
        moments = Moments(kept[before[here]], kept[after[here]], part[here])
        worst = errors[here]
        for k, body in enumerate(scene.bodies):
            moving, turning = body.positions.ndim > 1, body.quaternions.ndim > 1
            error = np.zeros(len(worst))
            if moving:
                error = _gap(body.positions[here], moments.linear(body.positions))
            if turning:
                turn = body.quaternions[here], moments.rotations(body.quaternions)
                error = error + 2 * view.reaches[k] * _half_angle_sine(*turn)
            for point in traced[k]:
                way = body.positions + rotated(body.quaternions, np.broadcast_to(point, (scene.frames, 3)))
                error = np.maximum(error, _gap(way[here], moments.linear(way)))
            np.maximum(worst, np.nan_to_num(error, nan=np.inf), out=worst)
        for line in scene.lines:
            if line.points.ndim > 2:
                gap = _gap(line.points[here], moments.linear(line.points)).max(axis=1)
                np.maximum(worst, gap, out=worst)
    return errors


def _gap(true: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return distances (…); none where both are missing, infinite where one is."""
    distance = np.linalg.norm(true - drawn, axis=-1)
    return np.where(np.isnan(distance), _differ(true, drawn), distance)


def _half_angle_sine(true: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sine of half the angle between rotations; infinite where one is missing."""
    cosine = np.minimum(1.0, np.abs((true * drawn).sum(axis=-1)))
    sine = np.sqrt(1 - cosine**2)
    return np.where(np.isnan(sine), _differ(true, drawn), sine)


def _differ(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    same = np.isfinite(a).all(axis=-1) == np.isfinite(b).all(axis=-1)
    return np.where(same, 0.0, np.inf)
