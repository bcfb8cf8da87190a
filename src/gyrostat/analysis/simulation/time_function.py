"""A formula of time alone: its values at many times, and rigorous bounds of it and its derivatives between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.model.formula import TIME, Formula
from gyrostat.scalar.arrays import ArrayScalars
from gyrostat.scalar.intervals import Interval, IntervalScalars, as_interval
from gyrostat.scalar.jets import Jet, JetScalars, as_jet


@dataclass(frozen=True, eq=False)
class TimeFunction:
    """A formula of time at values of the parameters."""

    formula: Formula
    parameters: Mapping[str, float]

    def values(self, times: Floats) -> Floats:
        """Return the values at many times; not-a-number outside the domain of the formula."""

        def lookup(name: str) -> object:
            return times if name == TIME else self.parameters[name]

        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(self.formula.evaluate(ArrayScalars(), lookup), dtype=float), times.shape)

    def bounds(self, low: Floats, high: Floats) -> tuple[Interval, Interval, Interval]:
        """Return bounds of the function and of its first and second derivatives between many pairs of times.

        Derivatives are bounded between switches; jumps and kinks at switches are not part of them.
        """
        ends = ArrayScalars()
        time = Jet(Interval(low, high, ends), 1, 0)

        def lookup(name: str) -> object:
            return time if name == TIME else float(self.parameters[name])

        with np.errstate(all="ignore"):
            found = as_jet(self.formula.evaluate(JetScalars(IntervalScalars(ends)), lookup))
        value, rate, acceleration = (as_interval(part, ends) for part in (found.value, found.rate, found.acceleration))
        return _spread(value, low), _spread(rate, low), _spread(acceleration, low)


def _spread(bounds: Interval, like: Floats) -> Interval:
    return bounds.of(np.broadcast_to(bounds.low, like.shape), np.broadcast_to(bounds.high, like.shape))
