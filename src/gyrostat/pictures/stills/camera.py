"""The camera of a still: perspective, at the least distance at which all motion is visible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.pictures.scene.checks import Floats

_SLOPE = float(np.tan(np.radians(16.0)))
"""Half the height of the field of view at unit distance."""
_MARGIN = 0.9
_LARGEST_ASPECT, _SMALLEST_ASPECT = 1.9, 0.72


@dataclass(frozen=True, eq=False)
class Camera:
    """The position of the camera, its axes, and the aspect ratio of the picture.

    Places in the picture run from −aspect to aspect and from −1 to 1.
    """

    position: Floats
    right: Floats
    up: Floats
    towards: Floats
    """The unit vector from the scene to the camera."""
    aspect: float

    def depth(self, points: Floats) -> Floats:
        """Return how far points (…, 3) are in front of the camera."""
        return np.asarray((self.position - points) @ self.towards)

    def project(self, points: Floats) -> Floats:
        """Return the places (…, 2) of points (…, 3) in the picture."""
        away = points - self.position
        scale = 1.0 / (_SLOPE * np.maximum(self.depth(points), 1e-9))
        return np.stack([away @ self.right * scale, away @ self.up * scale], axis=-1)

    @staticmethod
    def fitted(view: Viewpoint) -> Camera:
        """Return the camera whose field of view just contains all motion, in a picture of suitable aspect ratio."""
        towards = np.asarray(view.direction, dtype=float)
        if abs(towards @ view.up) > 0.9999:
            towards = towards + 1e-3 * ground_axes(view.up)[1]
            towards /= np.linalg.norm(towards)
        side = np.cross(view.up, towards)
        side /= np.linalg.norm(side)
        up = np.cross(towards, side)
        centre = (view.low + view.high) / 2
        away = view.outline - centre
        spans = [float(np.ptp(away @ axis)) + 0.08 * view.size for axis in (side, up)]
        aspect = float(np.clip(spans[0] / spans[1], _SMALLEST_ASPECT, _LARGEST_ASPECT))
        across = _room(away @ side, away @ towards, _MARGIN * _SLOPE * aspect)
        upward = _room(away @ up, away @ towards, _MARGIN * _SLOPE)
        distance = max(across[0], upward[0], 0.05 * view.size)
        position = centre + across[1] * side + upward[1] * up + distance * towards
        return Camera(position, side, up, towards, aspect)


def ground_axes(up: Floats) -> tuple[Floats, Floats]:
    """Return the directions to the right and to the front on the ground."""
    right = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    right = right - up * (up @ right)
    right /= np.linalg.norm(right)
    return right, np.cross(right, up)


def _room(aside: Floats, near: Floats, slope: float) -> tuple[float, float]:
    """Return the distance and the lateral offset at which all points are within a tangent to either side."""
    one, other = float((slope * near + aside).max()), float((slope * near - aside).max())
    return (one + other) / (2 * slope), (one - other) / 2
