"""Accumulation of events: infinitely many in finite time, as of a ball that bounces lower and lower."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

_LOOK_BACK = 6
_NEAR = 1e-11
"""Distance to an accumulation point, relative to the duration, at which it counts as reached."""
_INSTANT = 1e-13
"""Time span of the last events, relative to the duration, below which the contact counts as permanent."""


class Accumulation:
    """Detects accumulation of events: intervals that shrink like a geometric series."""

    def __init__(self, duration: float) -> None:
        self._duration, self._near = duration, _NEAR * duration
        self._times: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_LOOK_BACK + 1))
        self._counts: dict[str, int] = defaultdict(int)

    def add(self, events: Iterable[str], t: float) -> str:
        """Record events; return an explanation if they accumulate here, otherwise an empty text."""
        for name in events:
            times = self._times[name]
            times.append(t)
            self._counts[name] += 1
            if len(times) <= _LOOK_BACK:
                continue
            gaps = [later - earlier for earlier, later in zip(times, list(times)[1:], strict=False)]
            ratio = (gaps[-1] / gaps[0]) ** (1.0 / (len(gaps) - 1)) if gaps[0] > 0.0 else 0.0
            resting = times[-1] - times[0] <= _INSTANT * max(abs(t), self._duration)
            if resting or (ratio < 0.9999 and gaps[-1] * ratio / (1.0 - ratio) < self._near):
                limit = t if resting else t + gaps[-1] * ratio / (1.0 - ratio)
                shrinking = "" if resting else f", each interval {ratio:.3g} times the last"
                return (
                    f"event {name!r} recurs at shrinking intervals, {self._counts[name]} times so far{shrinking}; "
                    f"infinitely many accumulate at t = {limit:.9g}. There the contact becomes permanent: stop at a "
                    "small speed (an event with Stop()), or model the contact by a force."
                )
        return ""
