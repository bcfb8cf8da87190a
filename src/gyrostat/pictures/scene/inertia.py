"""Shapes for a body that has none: its inertia ellipsoid, and lines to its points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.pictures.scene.checks import finite, float_array
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind

_SMALLEST_AXIS_RATIO = 0.04
"""The least ratio of semi-axes that is drawn, so that a flat body can still be seen from its edge."""


def inertia_ellipsoid(mass: float, inertia: ArrayLike, com: ArrayLike = (0, 0, 0)) -> SceneShape:
    """Return the uniform ellipsoid that has this mass and this inertia (3, 3) about its mass centre, in body axes.

    From I_x = m (b² + c²)/5 and its like follows a² = 5 (I_y + I_z − I_x)/(2 m). A body without inertia is a point.

    >>> inertia_ellipsoid(5.0, [[2, 0, 0], [0, 2, 0], [0, 0, 2]]).dimensions["semi_axes"].tolist()
    [1.0, 1.0, 1.0]
    """
    item = "Inertia ellipsoid"
    tensor = float_array(item, "components of the inertia", inertia, (3, 3))
    finite(item, "components of the inertia", tensor)
    centre = float_array(item, "components of the mass centre", com, (3,))
    moments, axes = np.linalg.eigh((tensor + tensor.T) / 2)
    if not (mass > 0 and moments.max() > 0):
        return SceneShape(ShapeKind.POINT, {}, position=centre)
    semi_axes = np.sqrt(np.maximum(0.0, 2.5 / mass * (moments.sum() - 2 * moments)))
    semi_axes = np.maximum(semi_axes, _SMALLEST_AXIS_RATIO * semi_axes.max())
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return SceneShape(ShapeKind.ELLIPSOID, {"semi_axes": semi_axes}, rotation=axes, position=centre, opacity=0.6)


def link_lines(hub: ArrayLike, points: ArrayLike, radius: float = 0.0) -> tuple[SceneShape, ...]:
    """Return lines from a hub (3,) to each of some points (P, 3), in body axes."""
    ends = float_array("Link lines", "points", points, (None, 3))
    middle = float_array("Link lines", "components of the hub", hub, (3,))
    return tuple(
        SceneShape(ShapeKind.LINE, {"points": [middle, end], "radius": radius})
        for end in ends
        if not np.array_equal(middle, end)
    )
