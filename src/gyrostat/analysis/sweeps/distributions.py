"""Distributions that swept values are drawn from: short names for SciPy's."""

from __future__ import annotations

import math
from typing import Any, Protocol, runtime_checkable

from gyrostat.errors import StateError


@runtime_checkable
class Distribution(Protocol):
    """What a distribution must have: the inverse of its cumulative distribution, as SciPy's frozen ones do."""

    def ppf(self, q: Any) -> Any: ...  # noqa: D102


def uniform(low: float, high: float) -> Distribution:
    """Return the distribution of values between two limits, all equally likely.

    >>> float(uniform(0.8, 1.2).ppf(0.25))
    0.9
    """
    from scipy import stats

    _demand(math.isfinite(low) and math.isfinite(high) and low < high, f"uniform({low}, {high})", "low < high")
    return stats.uniform(low, high - low)


def normal(mean: float, deviation: float) -> Distribution:
    """Return the normal distribution with a mean and a standard deviation."""
    from scipy import stats

    good = math.isfinite(mean) and math.isfinite(deviation) and deviation > 0
    _demand(good, f"normal({mean}, {deviation})", "deviation > 0")
    return stats.norm(mean, deviation)


def loguniform(low: float, high: float) -> Distribution:
    """Return the distribution of values between two positive limits whose logarithms are all equally likely."""
    from scipy import stats

    good = math.isfinite(low) and math.isfinite(high) and 0 < low < high
    _demand(good, f"loguniform({low}, {high})", "0 < low < high")
    return stats.loguniform(low, high)


def _demand(good: bool, call: str, rule: str) -> None:
    if not good:
        raise StateError(f"gs.{call} is no distribution: {rule} must hold, with finite numbers.")
