"""Shapes of a scene: a kind, its dimensions, and the pose of its frame S on the body B."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.checks import Floats, check_colour, finite, float_array


class ShapeKind(Enum):
    """Kinds of shapes; shapes of revolution have z as their axis. The values are the model's names of its shapes."""

    BOX = "box"
    CYLINDER = "cylinder"
    TUBE = "tube"
    SPHERE = "sphere"
    ELLIPSOID = "ellipsoid"
    CONE = "cone"  # its origin a quarter of its length above the base
    RING = "ring"
    LINE = "line"  # through points; with radius zero as thin as can be seen well
    MESH = "mesh"  # triangles by numbers of vertices, counterclockwise as seen from outside
    POINT = "point"  # a dot of a size that suits the scene


_DIMENSIONS: dict[ShapeKind, dict[str, tuple[int | None, ...]]] = {
    ShapeKind.BOX: {"size": (3,)},
    ShapeKind.CYLINDER: {"radius": (), "length": ()},
    ShapeKind.TUBE: {"outer_radius": (), "inner_radius": (), "length": ()},
    ShapeKind.SPHERE: {"radius": ()},
    ShapeKind.ELLIPSOID: {"semi_axes": (3,)},
    ShapeKind.CONE: {"radius": (), "length": ()},
    ShapeKind.RING: {"radius": (), "wire_radius": ()},
    ShapeKind.LINE: {"points": (None, 3), "radius": ()},
    ShapeKind.MESH: {"vertices": (None, 3), "triangles": (None, 3)},
    ShapeKind.POINT: {},
}
"""The dimensions of each kind with their array shapes, all in metres."""
_UPPER_BOUNDS = np.array(list(itertools.product((False, True), repeat=3)))
"""Which of the two bounds each corner of a box has along x, y, z."""
_NO_TURN = np.eye(3)
_ORTHOGONALITY_TOLERANCE = 1e-5


@dataclass(frozen=True, eq=False)
class SceneShape:
    """One simple shape on a body.

    `rotation` is R_BS (3, 3) and `position` r_BS_B (3,): components in S become components in B by R_BS, and S stands
    at r_BS_B on the body.

    >>> SceneShape(ShapeKind.CYLINDER, {"radius": 0.02, "length": 0.5}).corners().max(axis=0).tolist()
    [0.02, 0.02, 0.25]
    """

    kind: ShapeKind
    dimensions: Mapping[str, Any]
    rotation: Floats = field(default_factory=lambda: np.eye(3))
    position: Floats = field(default_factory=lambda: np.zeros(3))
    colour: str | None = None
    opacity: float = 1.0

    def __post_init__(self) -> None:
        item = f"Shape {self.kind.value!r}"
        wanted = _DIMENSIONS[self.kind]
        if set(self.dimensions) != set(wanted):
            raise PictureError(f"{item}: dimensions {sorted(self.dimensions)} were given; it has {sorted(wanted)}.")
        held = {name: float_array(item, name, self.dimensions[name], shape) for name, shape in wanted.items()}
        rotation = float_array(item, "components of the rotation", self.rotation, (3, 3))
        position = float_array(item, "components of the position", self.position, (3,))
        for name, array in {**held, "the components of rotation and position": rotation, "positions": position}.items():
            finite(item, name, array)
        if not _is_rotation(rotation):
            raise PictureError(f"{item}: its rotation is not one; give a matrix with perpendicular unit axes.")
        check_colour(item, self.colour)
        if not 0 < self.opacity <= 1:
            raise PictureError(f"{item}: an opacity of {self.opacity} was given; give one above 0, at most 1.")
        object.__setattr__(self, "dimensions", MappingProxyType(held))
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "position", position)

    def corners(self) -> Floats:
        """Return points (P, 3) in body axes whose hull holds the shape: the corners of its own box, or its points."""
        return np.asarray(self._corners_S() @ self.rotation.T + self.position)

    def _corners_S(self) -> Floats:
        d = self.dimensions
        low: ArrayLike | None = None
        match self.kind:
            case ShapeKind.BOX:
                high: ArrayLike = d["size"] / 2
            case ShapeKind.CYLINDER:
                high = (d["radius"], d["radius"], d["length"] / 2)
            case ShapeKind.TUBE:
                high = (d["outer_radius"], d["outer_radius"], d["length"] / 2)
            case ShapeKind.SPHERE:
                high = (d["radius"],) * 3
            case ShapeKind.ELLIPSOID:
                high = d["semi_axes"]
            case ShapeKind.CONE:
                low, high = (
                    (-d["radius"], -d["radius"], -d["length"] / 4),
                    (d["radius"], d["radius"], 0.75 * d["length"]),
                )
            case ShapeKind.RING:
                reach = d["radius"] + d["wire_radius"]
                high = (reach, reach, d["wire_radius"])
            case ShapeKind.LINE:
                around = d["radius"] * np.vstack((np.eye(3), -np.eye(3)))
                return np.asarray((d["points"][:, None] + around).reshape(-1, 3) if d["radius"] else d["points"])
            case ShapeKind.MESH:
                low, high = d["vertices"].min(axis=0), d["vertices"].max(axis=0)
            case ShapeKind.POINT:
                return np.zeros((1, 3))
        upper = np.array(high, dtype=np.float64)
        lower = -upper if low is None else np.array(low, dtype=np.float64)
        return np.asarray(np.where(_UPPER_BOUNDS, upper, lower))


def _is_rotation(R: Floats) -> bool:
    """Return whether a matrix has perpendicular unit axes, right-handed."""
    if (R == _NO_TURN).all():
        return True
    x, y, z = R.T.tolist()
    handed = (
        (x[1] * y[2] - x[2] * y[1]) * z[0] + (x[2] * y[0] - x[0] * y[2]) * z[1] + (x[0] * y[1] - x[1] * y[0]) * z[2]
    )
    return bool(np.abs(R @ R.T - _NO_TURN).max() <= _ORTHOGONALITY_TOLERANCE) and handed > 0
