"""Paths: the traces of points."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gyrostat.pictures.scene.checks import Floats, check_colour, finite, float_array


@dataclass(frozen=True, eq=False)
class ScenePath:
    """The trace of a point (3,), in body axes, of a body; in the body's colour unless another is given."""

    name: str
    body: str
    point: Floats = field(default_factory=lambda: np.zeros(3))
    colour: str | None = None
    run: str = ""

    def __post_init__(self) -> None:
        item = f"Path {self.name!r}"
        point = float_array(item, "components of the point", self.point, (3,))
        finite(item, "the components of the point", point)
        check_colour(item, self.colour)
        object.__setattr__(self, "point", point)
