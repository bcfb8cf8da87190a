"""The sample times of all sampled blocks in their common period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from gyrostat.errors import StateError
from gyrostat.model.states import Sampled

_LARGEST_RATIO = 1000
"""The largest integers whose quotient may be the ratio of two periods."""
_RATIO_TOLERANCE = 1e-9
"""Error of such a quotient, relative to the ratio, that is rounding."""
_SAMPLE_LIMIT = 10_000
"""The most sample times in a common period."""


@dataclass(frozen=True)
class SampleTimes:
    """Instants in the common period, from zero, each with the numbers of the blocks that act."""

    period: float
    instants: tuple[tuple[float, tuple[int, ...]], ...]

    @property
    def steps(self) -> list[tuple[tuple[int, ...], float]]:
        """The blocks that act at each instant, and the time until the next one."""
        ends = [*(t for t, _ in self.instants[1:]), self.period]
        return [(due, end - t) for (t, due), end in zip(self.instants, ends, strict=True)]


def sample_times(blocks: Sequence[Sampled], parameters: Mapping[str, float]) -> SampleTimes:
    """Return the sample times of one or more blocks; periods without a short common multiple are an error.

    >>> fast, slow = Sampled("fast", 0.1, "x"), Sampled("slow", 0.3, "x")
    >>> [due for _, due in sample_times([fast, slow], {}).instants]
    [(0, 1), (0,), (0,)]
    """
    periods = {block.name: block.period.value(dict(parameters)) for block in blocks}
    for name, period in periods.items():
        if not 0.0 < period < np.inf:
            raise StateError(f"The period of sampled {name!r} is {period:g} s. Give a positive time.")
    first = next(iter(periods.values()))
    ratios = {name: Fraction(period / first).limit_denominator(_LARGEST_RATIO) for name, period in periods.items()}
    unit = Fraction(gcd(*(r.numerator for r in ratios.values())), lcm(*(r.denominator for r in ratios.values())))
    counts = [int(ratio / unit) for ratio in ratios.values()]
    exact = all(abs(float(ratios[name]) * first / period - 1.0) <= _RATIO_TOLERANCE for name, period in periods.items())
    if not exact or lcm(*counts) > _SAMPLE_LIMIT:
        listed = ", ".join(f"{name!r} {period:g} s" for name, period in periods.items())
        raise StateError(
            f"The periods of sampled blocks have no short common multiple: {listed}. Choose periods that are small "
            "multiples of one time."
        )
    whole = lcm(*counts)
    due = ((k, tuple(i for i, count in enumerate(counts) if k % count == 0)) for k in range(whole))
    period = min(whole // count * one for count, one in zip(counts, periods.values(), strict=True))
    return SampleTimes(period, tuple((period * k / whole, blocks) for k, blocks in due if blocks))
