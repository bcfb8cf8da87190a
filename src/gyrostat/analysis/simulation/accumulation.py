"""Accumulation of events: infinitely many in finite time, as of a ball that bounces lower and lower."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

import numpy as np

from gyrostat.coordinates.arguments import Floats

_INTERVAL_COUNT = 6
"""Number of intervals that must shrink."""
_HISTORY = 120
"""Number of intervals from which the ratio of the series is taken: the last ones are near rounding."""
_SPREAD_TOLERANCE = 0.01
"""Relative spread of successive ratios below which intervals are a geometric series."""
_REMAINING_TIME = 1e-11
"""Distance to an accumulation point, relative to the duration, at which it counts as reached."""
_INSTANT = 1e-13
"""Time span of the last events, relative to the duration, below which the contact counts as permanent."""
_NOISE = 1e-5
"""Intervals relative to the longest one below which irregular ones are rounding errors: far from the origin, positions
have few digits left for low bounces."""
_IRREGULAR_COUNT = 2
"""Number of the last intervals that are longer than the one before, from which on they are irregular."""


class Accumulation:
    """Detects accumulation of events: intervals that shrink like a geometric series."""

    def __init__(self, duration: float) -> None:
        self._duration, self._near = duration, _REMAINING_TIME * duration
        self._times: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_HISTORY + 1))
        self._counts: dict[str, int] = defaultdict(int)
        self._longest: dict[str, float] = defaultdict(float)
        self.accumulated = ""
        """The event that accumulated last."""
        self.description = ""
        """A sentence on it."""

    def forget(self, event: str) -> None:
        """Begin anew with an event."""
        self._times.pop(event, None)
        self._counts.pop(event, None)
        self._longest.pop(event, None)

    def add(self, events: Iterable[str], t: float) -> str:
        """Record events; return an explanation if they accumulate here, otherwise an empty text."""
        for name in events:
            times = self._times[name]
            if times:
                self._longest[name] = max(self._longest[name], t - times[-1])
            times.append(t)
            self._counts[name] += 1
            if len(times) <= _INTERVAL_COUNT:
                continue
            gaps = np.diff(times)
            last = gaps[-_INTERVAL_COUNT:]
            irregular = int((np.diff(last) >= 0.0).sum()) >= _IRREGULAR_COUNT
            noise = irregular and float(last.max()) <= _NOISE * self._longest[name]
            resting = last.sum() <= _INSTANT * max(abs(t), self._duration)
            ratio, steady = (0.0, False) if resting else _ratio(gaps)
            if resting or noise or ((np.diff(last) < 0.0).all() and last[-1] * ratio < self._near * (1.0 - ratio)):
                limit = t if resting or noise else t + last[-1] * ratio / (1.0 - ratio)
                shrinking = f", each interval {ratio:.3g} times the last" if steady else ""
                self.accumulated = name
                self.description = (
                    f"event {name!r} recurs at shrinking intervals, {self._counts[name]} times so far{shrinking}; "
                    f"infinitely many accumulate at t = {limit:.9g}."
                )
                return (
                    f"{self.description} There the contact becomes permanent: stop at a small speed (an event with "
                    "Stop()), or model the contact by a force."
                )
        return ""


def _ratio(gaps: Floats) -> tuple[float, bool]:
    """Return the ratio of a geometric series of intervals, and whether they are one.

    It is the median of the successive ratios that differ least: the last intervals are inexact, since bounces are then
    lower than the tolerance of the integrator or near rounding errors.
    """
    ratios = gaps[1:] / np.maximum(gaps[:-1], 1e-300)
    groups = np.lib.stride_tricks.sliding_window_view(ratios, _INTERVAL_COUNT - 1)
    spreads = np.ptp(groups, axis=1) / np.median(groups, axis=1)
    place = int(np.argmin(spreads))
    return min(float(np.median(groups[place])), 0.9999), bool(spreads[place] < _SPREAD_TOLERANCE)
