"""Lines that deform: springs, dampers, actuators, ropes, links, beams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.annotations import Reading
from gyrostat.pictures.scene.checks import Floats, check_colour, float_array


class LineKind(Enum):
    """How a line is drawn between or through its points."""

    SPRING = "spring"  # a coil that stretches
    DAMPER = "damper"  # a cylinder with a piston rod
    SPRING_DAMPER = "spring_damper"  # a coil around a damper
    ACTUATOR = "actuator"  # a thicker cylinder with a rod
    ROPE = "rope"  # round and smooth through all points
    BEAM = "beam"  # as a rope, thicker
    LINK = "link"  # a thin rod, straight between its points
    ARROW = "arrow"  # from the first to the last point: a force or another vector


_TUBES = (LineKind.ROPE, LineKind.BEAM, LineKind.LINK)
"""Lines drawn as one tube through their points."""


@dataclass(frozen=True, eq=False)
class Polyline:
    """A line through K points that move: `points` (N, K, 3), in world axes, or (K, 3) for a line at rest.

    In frames where a point is not finite the line is not shown. `radius` (m) is that of the rope, rod or coil; without
    it, it suits the scene. `tones` (N, K) colour a rope, beam or link in animations from 0, its own colour, to 1, red.
    """

    name: str
    kind: LineKind
    points: Floats
    radius: float | None = None
    colour: str | None = None
    readings: Sequence[Reading] = ()
    run: str = ""
    tones: Floats | None = None

    def __post_init__(self) -> None:
        item = f"Line {self.name!r}"
        points = float_array(item, "points", self.points, (None, None, 3), (None, 3))
        if points.shape[-2] < 2:
            raise PictureError(f"{item} has {points.shape[-2]} points in a frame; a line needs two or more.")
        if self.radius is not None and not 0 < self.radius < math.inf:
            raise PictureError(f"{item}: a radius of {self.radius} was given; give a positive one, or none.")
        check_colour(item, self.colour)
        if self.tones is not None:
            tones = float_array(item, "tones", self.tones, (None, None))
            if self.kind not in _TUBES:
                raise PictureError(f"{item} is drawn as {self.kind.value}, which has no tones; leave them out.")
            if tones.shape != points.shape[:-1] or not ((tones >= 0) & (tones <= 1)).all():
                raise PictureError(f"{item}: tones are numbers from 0 to 1, one for each point in each frame.")
            object.__setattr__(self, "tones", tones)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "readings", tuple(self.readings))

    def lengths(self) -> tuple[float, float]:
        """Return the least and the greatest distance between the ends, over all frames."""
        distances = np.linalg.norm(self.points[..., -1, :] - self.points[..., 0, :], axis=-1)
        seen = distances[np.isfinite(distances)]
        return (float(seen.min()), float(seen.max())) if seen.size else (0.0, 0.0)
