"""Bodies of a scene: shapes with poses over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.annotations import Reading
from gyrostat.pictures.scene.checks import Floats, check_colour, float_array
from gyrostat.pictures.scene.shape import SceneShape


@dataclass(frozen=True, eq=False)
class SceneBody:
    """A body: its shapes, and the pose of its frame B in the world W over time.

    `positions` (N, 3) are those of its origin, `quaternions` (N, 4) those of R_WB, Hamilton, scalar first, of any
    length but zero; (3,) and (4,) for a body at rest. In frames where one of them is not finite the body is
    not shown. Without a colour it gets one of its own. `run` is the number of its run among several. `tones` (N,)
    colour it by a quantity: from 0, the lower end of the scene's scale of colours, to 1, the upper end.
    """

    name: str
    shapes: Sequence[SceneShape]
    positions: Floats
    quaternions: Floats = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    colour: str | None = None
    readings: Sequence[Reading] = ()
    run: str = ""
    tones: Floats | None = None

    def __post_init__(self) -> None:
        item = f"Body {self.name!r}"
        check_colour(item, self.colour)
        positions = float_array(item, "positions", self.positions, (None, 3), (3,))
        if self.tones is not None:
            tones = float_array(item, "tones", self.tones, (None,))
            if not ((tones >= 0) & (tones <= 1)).all():
                raise PictureError(f"{item}: tones are numbers from 0 to 1, one for each frame.")
            object.__setattr__(self, "tones", tones)
        object.__setattr__(self, "shapes", tuple(self.shapes))
        object.__setattr__(self, "readings", tuple(self.readings))
        object.__setattr__(self, "positions", positions)
        object.__setattr__(
            self, "quaternions", _unit(float_array(item, "quaternions", self.quaternions, (None, 4), (4,)))
        )


def _unit(quaternions: Floats) -> Floats:
    """Return quaternions of length one; where there is no direction, not a number."""
    lengths = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    return np.where(usable, quaternions, np.nan) / np.where(usable, lengths, 1.0)
