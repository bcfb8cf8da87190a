"""Selection of the frames of a long run: as many as are visible.

The page interpolates between frames, so a frame is left out where interpolation of its kept neighbours replaces it.
A sequence whose second divided differences are at most d lies within d (b − a)²/4 of its chord from a to b: the
comparison function d (t − a)(b − t) has the second divided difference −d everywhere. Jumps and kinks have large ones
and are kept; smooth or slow motion costs little.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.scene import Scene

SMALL_SCENE_POSES = 60_000
"""Scenes with fewer poses than this are kept whole."""
POSE_LIMIT = 1_500_000
"""How many poses a page holds at most."""
VISIBLE_ERROR = 1 / 3000
"""The visible error, relative to the scene's size: half a pixel of a large window."""
_LONGEST_SIGNAL = 3000
_UNEVENNESS = 0.0642
"""Interpolating unit quaternions linearly over the angle 2φ is ahead or behind by at most about 0.0642 φ³."""


def frames_to_keep(
    scene: Scene, view: Viewpoint, *, small: int = SMALL_SCENE_POSES, most: int = POSE_LIMIT
) -> NDArray[np.intp]:
    """Return the indices of the frames to keep, in order, the first and the last among them."""
    width = len(scene.bodies) + sum(line.points.shape[-2] for line in scene.lines)
    if scene.frames * width <= small:
        return np.arange(scene.frames)
    limit = max(1000, most // width)
    tolerance = VISIBLE_ERROR * view.size
    for _ in range(20):
        kept = _walk(scene.times, *_bends(scene, view, tolerance), tolerance)
        if len(kept) <= limit:
            return kept
        tolerance *= max(1.5, (len(kept) / limit) ** 2)
    return np.unique(np.linspace(0, scene.frames - 1, limit).round().astype(np.intp))


def signal_frames(scene: Scene, signals: list[NDArray[np.float64]]) -> NDArray[np.intp]:
    """Return the frames of the curves (N,) to keep: the extremes of each interval of time, so that no peak is lost."""
    if scene.frames <= _LONGEST_SIGNAL or not signals:
        return np.arange(scene.frames)
    stretches = max(150, _LONGEST_SIGNAL // (2 * len(signals)))
    starts = np.unique(np.linspace(0, scene.frames, stretches, endpoint=False).astype(np.intp))
    kept = {0, scene.frames - 1, *starts.tolist()}
    for signal in signals:
        for piece, start in zip(np.split(signal, starts[1:]), starts, strict=True):
            known = np.isfinite(piece)
            if known.any():
                kept |= {int(start + np.nanargmin(piece)), int(start + np.nanargmax(piece))}
            edges = np.flatnonzero(np.diff(known))
            kept |= {int(start + k) for k in (*edges, *(edges + 1))}
    return np.array(sorted(kept), dtype=np.intp)


def _walk(
    times: NDArray[np.float64], bend: NDArray[np.float64], spin: NDArray[np.float64], tolerance: float
) -> NDArray[np.intp]:
    """Return frames from each of which the next is as far away as bend (m/s²) and spin (parts of a limit) allow."""
    clock, bends, spins = times.tolist(), bend.tolist(), spin.tolist()
    kept = [0]
    largest = turned = 0.0
    for frame in range(1, len(clock)):
        start = kept[-1]
        if frame > start + 1:
            largest = max(largest, bends[frame - 1])
        turned += spins[frame - 1]
        span = clock[frame] - clock[start]
        if frame > start + 1 and (turned > 1 or not largest * span * span <= 4 * tolerance):
            kept.append(frame - 1)
            largest, turned = 0.0, spins[frame - 1]
    if kept[-1] != len(clock) - 1:
        kept.append(len(clock) - 1)
    return np.array(kept, dtype=np.intp)


def _bends(scene: Scene, view: Viewpoint, tolerance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest second divided difference of all positions (N,), and the rotation after each frame (N,).

    The latter is a part of the angle over which interpolation is even enough.
    """
    bend, spin = np.zeros(scene.frames), np.zeros(scene.frames)
    for body, reach in zip(scene.bodies, view.reaches, strict=True):
        moved = _bend(scene.times, body.positions) if body.positions.ndim > 1 else np.zeros(scene.frames)
        if body.quaternions.ndim > 1 and reach > 0:
            turns, angles = _turns(scene.times, body.quaternions)
            moved += 2 * reach * turns
            np.maximum(spin, angles / (2 * np.cbrt(tolerance / (4 * _UNEVENNESS * reach))), out=spin)
        np.maximum(bend, moved, out=bend)
        for way in _ways(scene, body):
            np.maximum(bend, _bend(scene.times, way), out=bend)
    for line in scene.lines:
        if line.points.ndim > 2:
            for k in range(line.points.shape[1]):
                np.maximum(bend, _bend(scene.times, line.points[:, k]), out=bend)
    return bend, spin


def _ways(scene: Scene, body: SceneBody) -> list[NDArray[np.float64]]:
    """Return the positions (N, 3) of a body's points whose paths are drawn; a path is straight between frames."""
    points = [path.point for path in scene.paths if (path.run, path.body) == (body.run, body.name)]
    return [np.broadcast_to(body.positions + rotated(body.quaternions, point), (scene.frames, 3)) for point in points]


def _second_differences(times: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return second divided differences of values (N, k) at inner frames, (N − 2, k)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.diff(values, axis=0) / np.diff(times)[:, None]
        return np.asarray(np.diff(slopes, axis=0) / (times[2:] - times[:-2])[:, None])


def _bend(times: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length of second divided differences (N,), none at the ends, infinite at jumps and gaps."""
    bend = np.zeros(len(times))
    bend[1:-1] = np.linalg.norm(_second_differences(times, values), axis=1)
    return _known(bend, values)


def _turns(times: NDArray[np.float64], quaternions: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Return the same for rotations, without changes of the quaternion's length, and the angles of rotation (N,)."""
    cosines = (quaternions[1:] * quaternions[:-1]).sum(axis=1)
    signs = np.concatenate(([1.0], np.cumprod(np.where(cosines < 0, -1.0, 1.0))))
    turning = quaternions * signs[:, None]
    change = _second_differences(times, turning)
    middle = turning[1:-1]
    across = change - (change * middle).sum(axis=1, keepdims=True) * middle
    bend, angles = np.zeros(len(times)), np.zeros(len(times))
    bend[1:-1] = np.linalg.norm(across, axis=1)
    angles[:-1] = 2 * np.arccos(np.minimum(1.0, np.nan_to_num(np.abs(cosines), nan=1.0)))
    return _known(bend, quaternions), angles


def _known(bend: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a bend (N,) without gaps: infinite at the edge of what is known, zero where nothing is."""
    missing = np.asarray(~np.isfinite(values).all(axis=1))
    within = np.zeros(len(bend), dtype=bool)
    within[1:-1] = missing[:-2] & missing[1:-1] & missing[2:]
    return np.where(np.isnan(bend), np.where(within, 0.0, np.inf), bend)
