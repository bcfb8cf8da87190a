"""The viewpoint of a scene: its extent, the upward direction, and a direction of view that suits the motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import PictureError
from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene.body import SceneBody
from gyrostat.pictures.scene.scene import Scene

_POINTS = 60_000
"""Approximate numbers of points of bodies, and of frames of each, from which the extent is found."""
_SAMPLES = (60, 400)
_DIRECTIONS = 96
_FLATNESS_RATIO = 0.2
"""Planar motion of bodies thicker than this, relative to their extent, is shown obliquely: a car that bounces."""
AXES_LENGTH = 0.075
"""Length of the axes of the world, in sizes of the scene; as in ground.js of the page."""
_COMPACTNESS_RATIO = 0.15
"""The camera follows a mechanism that at each instant is smaller than this part of its way."""


@dataclass(frozen=True)
class Viewpoint:
    """The box that holds all motion, the unit vector upwards, the direction from the scene to the camera.

    `outline` (P, 3) are the outermost points of all motion, and the tips of the axes of the world where these stand
    within it; `reaches` has for each body the largest distance of its shapes from its origin. Where a mechanism travels
    far, the camera follows the body with the number `follow`: box and outline are then those relative to this body, at
    its first position. `swept` are the outermost points of the whole way in any case.
    """

    outline: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    up: NDArray[np.float64]
    direction: NDArray[np.float64]
    reaches: NDArray[np.float64]
    swept: NDArray[np.float64]
    follow: int | None = None

    @property
    def size(self) -> float:
        """The diagonal of the box, one where it has none."""
        return float(np.linalg.norm(self.high - self.low)) or 1.0

    @property
    def detail(self) -> float:
        """The reach of the smallest body that has one, at most the size."""
        return float(min([self.size, *self.reaches[self.reaches > 0]]))


def viewpoint(scene: Scene, others: Sequence[NDArray[np.float64]] = ()) -> Viewpoint:
    """Return the viewpoint of a scene, and of other lines (N, K, 3) that belong to it."""
    corners = [_corners(body, scene) for body in scene.bodies]
    samples = np.clip(_POINTS // (1 + sum(map(len, corners))), *_SAMPLES)
    frames = np.unique(np.linspace(0, scene.frames - 1, min(scene.frames, int(samples))).round().astype(np.intp))
    clouds = [_moving(body, seen, frames) for body, seen in zip(scene.bodies, corners, strict=True)]
    clouds += [_kept(line.points, frames, 2) for line in scene.lines]
    clouds += [_kept(points, frames, 2) for points in others]
    clouds += [joint.point.reshape(1, 1, 3) for joint in scene.joints if not joint.body]
    clouds += [one.cloud() for one in scene.grains]
    points = np.concatenate([cloud.reshape(-1, 3) for cloud in clouds])
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        raise PictureError(
            f"Scene {scene.title!r}: no body and no line has a finite pose in any frame: there is nothing to draw. "
            "Check the run that made them."
        )
    swept = _outline(points)
    follow = _followed(scene, clouds, frames, float(np.linalg.norm(np.ptp(points, axis=0))))
    if follow is not None:
        clouds = [cloud for cloud in clouds if len(cloud) == len(frames)]
        way = _kept(scene.bodies[follow].positions, frames, 1)
        clouds = [cloud - (way - way[0])[:, None] for cloud in clouds]
        points = np.concatenate([cloud.reshape(-1, 3) for cloud in clouds])
        points = points[np.isfinite(points).all(axis=1)]
    up = -scene.gravity / np.linalg.norm(scene.gravity) if scene.gravity.any() else np.array([0.0, 0.0, 1.0])
    direction = _direction(_seen_from_aside(scene, clouds), up) if scene.view is None else _unit(scene.view)
    reaches = np.array([np.linalg.norm(seen, axis=1).max() for seen in corners])
    low, high = points.min(axis=0), points.max(axis=0)
    outline = np.vstack([swept, _axes_tips(low, high)]) if follow is None else _outline(points)
    return Viewpoint(outline, low, high, up, direction, reaches, swept, follow)


def _seen_from_aside(scene: Scene, clouds: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Return the points that decide from where planar motion is seen: supports do not, a floor that is stated does."""
    if scene.floor is not None:
        return clouds
    still = [body.positions.ndim == 1 for body in scene.bodies]
    moving = [cloud for k, cloud in enumerate(clouds) if k >= len(still) or not still[k]]
    return moving or clouds


def _followed(scene: Scene, clouds: list[NDArray[np.float64]], frames: NDArray[np.intp], size: float) -> int | None:
    """Return the number of the body that the camera follows: the first that moves, where all travel far together."""
    moving = [k for k, body in enumerate(scene.bodies) if body.positions.ndim > 1]
    if len(frames) < 3 or not moving or len({body.run for body in scene.bodies}) > 1:
        return None
    seen = np.concatenate([clouds[k] for k in moving], axis=1)
    if not np.isfinite(seen).all():
        return None
    extents = np.linalg.norm(np.ptp(seen, axis=1), axis=1)
    return moving[0] if float(extents.max()) < _COMPACTNESS_RATIO * size else None


def _outline(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points that lie outermost in some direction, of many directions spread evenly."""
    k = np.arange(_DIRECTIONS) + 0.5
    height, angle = 1 - 2 * k / _DIRECTIONS, np.pi * (1 + 5**0.5) * k
    radius = np.sqrt(1 - height**2)
    directions = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1)
    return np.asarray(points[np.unique([np.argmax(points @ direction) for direction in directions])])


def _axes_tips(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the tips (3, 3) of the axes of the world where the origin lies in the box of all motion; else none."""
    near = 1e-6 * float(np.linalg.norm(high - low))
    within = (low <= near).all() and (high >= -near).all()
    return AXES_LENGTH * float(np.linalg.norm(high - low)) * np.eye(3) if within else np.zeros((0, 3))


def _corners(body: SceneBody, scene: Scene) -> NDArray[np.float64]:
    """Return the points of a body that must be visible, in body axes: of shapes and drawn paths, and its origin."""
    traced = [path.point[None] for path in scene.paths if (path.run, path.body) == (body.run, body.name)]
    shown = [*(shape.corners() for shape in body.shapes), *traced]
    return np.concatenate(shown) if shown else np.zeros((1, 3))


def _kept(values: NDArray[np.float64], frames: NDArray[np.intp], still: int) -> NDArray[np.float64]:
    return values[frames] if values.ndim > still else values[None]


def _moving(body: SceneBody, corners: NDArray[np.float64], frames: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the corners of a body in some frames, (frames, corners, 3)."""
    positions, quaternions = _kept(body.positions, frames, 1), _kept(body.quaternions, frames, 1)
    return positions[:, None] + rotated(quaternions[:, None], corners[None])


def _direction(clouds: list[NDArray[np.float64]], up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a direction to the camera: nearly normal to planar motion of flat bodies, else obliquely from above."""
    right = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    right -= up * (up @ right)
    right /= np.linalg.norm(right)
    front, tilt = np.cross(right, up), 0.55 * right + 0.5 * up
    normal = _normal(clouds)
    points = np.concatenate([cloud.reshape(-1, 3) for cloud in clouds])
    points = points[np.isfinite(points).all(axis=1)]
    if normal is not None and np.ptp(points @ normal) > _FLATNESS_RATIO * np.linalg.norm(np.ptp(points, axis=0)):
        normal = None
    if normal is not None and abs(normal @ up) < 0.05:
        across = np.cross(up, normal)
        front = normal * np.sign(across[np.argmax(np.abs(across))])
        tilt = 0.2 * np.cross(up, front) + 0.16 * up
    elif normal is not None and abs(normal @ up) > 0.99:
        front, tilt = up, 0.6 * front
    return _unit(front + tilt)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector))


def _normal(clouds: list[NDArray[np.float64]]) -> NDArray[np.float64] | None:
    """Return the normal of the plane of motion, if all bodies move in one plane and are flat along it; else None."""
    spread = np.zeros((3, 3))
    known = [cloud[np.isfinite(cloud).all(axis=(1, 2))] for cloud in clouds]
    for seen in known:
        if len(seen):
            moved = (seen - seen.mean(axis=0)).reshape(-1, 3)
            spread += moved.T @ moved
    values, vectors = np.linalg.eigh(spread)
    if not (values[0] < 1e-8 * values[2] and values[1] > 1e-5 * values[2]):
        return None
    extents = np.ptp(np.concatenate([seen.reshape(-1, 3) for seen in known]) @ vectors, axis=0)
    return vectors[:, 0] if extents[0] < _FLATNESS_RATIO * extents.max() else None
