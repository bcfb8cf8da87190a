"""Grains: spheres in great numbers, drawn as instances of one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.checks import Floats, check_colour, finite, float_array

_POSITION_LIMIT = 500_000
"""Number of positions, grains times frames, that a scene keeps."""


@dataclass(frozen=True, eq=False)
class SceneGrains:
    """n spheres with `radii` (n,) at `positions` (F, n, 3), in world axes, at times of their own (F,)."""

    name: str
    times: Floats
    positions: Floats
    radii: Floats
    colour: str = "#b08d57"
    run: str = ""

    def __post_init__(self) -> None:
        item = f"Grains {self.name!r}"
        times = float_array(item, "times", self.times, (None,))
        radii = float_array(item, "radii", self.radii, (None,))
        if np.shape(self.positions) != (len(times), len(radii), 3) or not len(times) or not len(radii):
            raise PictureError(
                f"{item}: positions have the shape {np.shape(self.positions)}; they need "
                f"({len(times)}, {len(radii)}, 3)."
            )
        kept = np.unique(np.linspace(0, len(times) - 1, self._frames(len(times), len(radii))).round().astype(int))
        positions = float_array(item, "positions", np.asarray(self.positions)[kept], (None, None, 3))
        finite(item, "positions", positions)
        check_colour(item, self.colour)
        for name, array in (("times", times[kept]), ("radii", radii), ("positions", positions)):
            object.__setattr__(self, name, array)

    @staticmethod
    def _frames(frames: int, count: int) -> int:
        return max(1, min(frames, _POSITION_LIMIT // count))

    def at(self, time: float) -> Floats:
        """Return the positions (n, 3) at a time, linear between frames."""
        place = int(np.clip(np.searchsorted(self.times, time, side="right") - 1, 0, max(len(self.times) - 2, 0)))
        after = min(place + 1, len(self.times) - 1)
        span = self.times[after] - self.times[place]
        share = float(np.clip((time - self.times[place]) / span, 0.0, 1.0)) if span > 0 else 0.0
        return np.asarray((1 - share) * self.positions[place] + share * self.positions[after])

    def cloud(self) -> Floats:
        """Return points (1, P, 3) that span most grains: a few that fly far off do not count."""
        low, high = np.percentile(self.positions.reshape(-1, 3), (1, 99), axis=0)
        reach = float(self.radii.max())
        return np.array([[low - reach, high + reach]])
