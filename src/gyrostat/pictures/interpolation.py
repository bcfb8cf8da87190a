"""Interpolation of poses between frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Moments:
    """Times between frames: frame `before`, frame `after` and the part `part` of the way, each (M,).

    Outside the frames nothing is known: the part is not a number.
    """

    before: NDArray[np.intp]
    after: NDArray[np.intp]
    part: NDArray[np.float64]

    @classmethod
    def between(cls, frames: NDArray[np.float64], times: NDArray[np.float64]) -> Moments:
        """Return where `times` lie between the times of frames, which do not decrease."""
        before = np.clip(np.searchsorted(frames, times, side="right") - 1, 0, len(frames) - 1)
        after = np.minimum(before + 1, len(frames) - 1)
        span = frames[after] - frames[before]
        part = np.where(span > 0, (times - frames[before]) / np.where(span > 0, span, 1.0), 0.0)
        outside = (times < frames[0]) | (times > frames[-1])
        return cls(before, after, np.where(outside, np.nan, part))

    def linear(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values (N, …) at these times, along straight lines."""
        part = self.part.reshape(-1, *(1,) * (values.ndim - 1))
        start, end = values[self.before], values[self.after]
        return np.where(part == 0, start, start + part * (end - start))

    def rotations(self, quaternions: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return unit quaternions (N, …, 4) at these times, along the shorter arc."""
        part = self.part.reshape(-1, *(1,) * (quaternions.ndim - 1))
        start, end = quaternions[self.before], quaternions[self.after]
        side = np.where((start * end).sum(axis=-1, keepdims=True) < 0, -1.0, 1.0)
        blend = np.where(part == 0, start, (1 - part) * start + part * side * end)
        return np.asarray(blend / np.linalg.norm(blend, axis=-1, keepdims=True))
