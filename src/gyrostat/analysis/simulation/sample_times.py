"""Sample times of sampled blocks: the multiples of their periods, with rounding."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.states import Sampled

_ROUNDING = 1e-12
"""A distance from a sample time that is a rounding error, relative to the time and the period."""


class Schedule(NamedTuple):
    """Sample times, rising, and for each of them which blocks act, shape (times, blocks)."""

    times: Floats
    due: NDArray[np.bool_]


def period_of(block: Sampled, parameters: Mapping[str, float]) -> float:
    """Return the time between samples; one that is not positive is refused."""
    period = block.period.value(dict(parameters))
    if not 0.0 < period < np.inf:
        raise StateError(f"The period of sampled {block.name!r} is {period:g} s. Give a positive time.")
    return period


def next_sample(t: float, period: float, number: int = 1) -> float:
    """Return the first sample time after a time, or a later one.

    >>> next_sample(0.3, 0.1), next_sample(0.3, 0.1, 3)
    (0.4, 0.6000000000000001)
    """
    return (math.floor(t / period + _rounding(t / period)) + number) * period


def is_due(t: float, period: float, last: float) -> bool:
    """Tell whether a time is a sample time, and not that of the last sample."""
    count = t / period
    return abs(count - round(count)) <= _rounding(count) < (t - last) / period


def schedule(periods: Sequence[float], start: float, end: float) -> Schedule:
    """Return all samples between two times, without those at the times themselves.

    >>> found = schedule([0.1, 0.2], 0.0, 0.35)
    >>> found.times.round(3).tolist(), found.due.tolist()
    ([0.1, 0.2, 0.3], [[True, False], [True, True], [True, False]])
    """
    own = []
    for period in periods:
        first = next_sample(start, period)
        count = max(0, int(np.ceil((end - first) / period)) + 1)
        times = (np.round(first / period) + np.arange(count)) * period
        own.append(times[times < end])
    times = np.sort(np.concatenate([*own, np.empty(0)]))
    spacing = min(periods, default=1.0)
    times = times[np.diff(times, prepend=-np.inf) > spacing * _roundings(times / spacing)]
    counts = times[:, None] / np.array(periods)
    return Schedule(times, np.abs(counts - np.round(counts)) <= _roundings(counts))


def _rounding(count: float) -> float:
    """Return the rounding error of a number of periods."""
    return _ROUNDING * max(1.0, abs(count))


def _roundings(counts: Floats) -> Floats:
    return np.asarray(_ROUNDING * np.maximum(1.0, np.abs(counts)))
