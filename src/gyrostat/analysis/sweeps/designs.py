"""Experimental designs and probability distributions of sampled points."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import later

if TYPE_CHECKING:
    from scipy import stats
else:
    (stats,) = later("scipy", "stats")


@runtime_checkable
class Distribution(Protocol):
    """A probability distribution with its inverse cumulative distribution function `ppf`, as SciPy's frozen ones."""

    def ppf(self, q: Any) -> Any: ...  # noqa: D102


def uniform(low: float, high: float) -> Distribution:
    """Return the uniform distribution between two limits.

    >>> float(uniform(0.8, 1.2).ppf(0.25))
    0.9
    """
    _require(math.isfinite(low) and math.isfinite(high) and low < high, f"uniform({low}, {high})", "low < high")
    return stats.uniform(low, high - low)


def normal(mean: float, deviation: float) -> Distribution:
    """Return the normal distribution with a mean and a standard deviation."""
    good = math.isfinite(mean) and math.isfinite(deviation) and deviation > 0
    _require(good, f"normal({mean}, {deviation})", "deviation > 0")
    return stats.norm(mean, deviation)


def loguniform(low: float, high: float) -> Distribution:
    """Return the log-uniform distribution between two positive limits."""
    good = math.isfinite(low) and math.isfinite(high) and 0 < low < high
    _require(good, f"loguniform({low}, {high})", "0 < low < high")
    return stats.loguniform(low, high)


def _require(good: bool, call: str, rule: str) -> None:
    if not good:
        raise StateError(f"gs.{call} is no distribution: {rule} must hold, with finite numbers.")


@dataclass(frozen=True)
class Design(ABC):
    """An experimental design in the unit cube; equal seeds give equal points, so that sweeps can be resumed."""

    count: int
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("count", 1), ("seed", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                call = f"{type(self).__name__}({name}={value!r})"
                raise StateError(f"{call}: the {name} must be a whole number, at least {least}.")

    @abstractmethod
    def samples(self, dimensions: int) -> Floats:
        """Return points of the unit cube, shape (number of points, dimensions)."""

    def _require_power_of_two(self) -> None:
        if self.count & (self.count - 1):
            above = 1 << int(self.count).bit_length()
            raise StateError(
                f"{type(self).__name__}({self.count}): Sobol's points keep their balance only if there are 2, 4, 8, … "
                f"of them. Take {above // 2} or {above}."
            )


@dataclass(frozen=True)
class LatinHypercube(Design):
    """Latin hypercube sampling: each of `count` equally probable intervals of each variable has one sample.

    >>> sorted((LatinHypercube(4).samples(2)[:, 0] * 4).astype(int).tolist())
    [0, 1, 2, 3]
    """

    def samples(self, dimensions: int) -> Floats:
        """Return the points."""
        sampler = stats.qmc.LatinHypercube(dimensions, seed=np.random.default_rng(self.seed))
        return np.asarray(sampler.random(self.count), dtype=float)


@dataclass(frozen=True)
class SobolSequence(Design):
    """Scrambled points of Sobol's low-discrepancy sequence; `count` is a power of two."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_power_of_two()

    def samples(self, dimensions: int) -> Floats:
        """Return the points."""
        return _sobol(self.count, dimensions, self.seed)


@dataclass(frozen=True)
class Saltelli(Design):
    """Saltelli's design for Sobol indices: `count` (d + 2) points for d sampled names, `count` a power of two.

    Two independent sets A and B of `count` points, and for each name the set A with the column of that name from B
    (Saltelli et al. 2010, Computer Physics Communications 181, 259, table 2).
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_power_of_two()

    def samples(self, dimensions: int) -> Floats:
        """Return A, B and the mixed sets in this order."""
        both = _sobol(self.count, 2 * dimensions, self.seed)
        a, b = both[:, :dimensions], both[:, dimensions:]
        mixed = []
        for i in range(dimensions):
            one = a.copy()
            one[:, i] = b[:, i]
            mixed.append(one)
        return np.concatenate([a, b, *mixed])


def _sobol(count: int, dimensions: int, seed: int) -> Floats:
    sampler = stats.qmc.Sobol(dimensions, scramble=True, seed=np.random.default_rng(seed))
    return np.asarray(sampler.random(count), dtype=float)
