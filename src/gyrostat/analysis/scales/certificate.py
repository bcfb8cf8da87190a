"""The certificate: the expansion against the original equations over t ~ 1/ε, for a series of ε."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import Floats
from gyrostat.lazy import later

if TYPE_CHECKING:
    from gyrostat.shown import scales_plots
else:
    (scales_plots,) = later("gyrostat.shown", "scales_plots")

Reference: TypeAlias = Callable[[float, Floats, Mapping[str, float]], Floats]
"""Positions (oscillators × times; speeds of coordinates that drift) from the small parameter, times and initial values
by name."""

SERIES = (0.05, 0.025, 0.0125, 0.00625)
"""Values of the small parameter that are taken unless others are given."""
TOLERANCE = 0.1
"""By how much the power may stay below the promised one, relative to it."""
_ROUNDING = 1e-11
"""Errors below this are those of the integrations."""


@dataclass(frozen=True)
class Certificate:
    """How the largest error over 0 ≤ t ≤ duration/ε falls with ε.

    `holds` tells whether it falls at least with the power that the order promises, within ten percent.
    """

    order: int
    duration: float
    small: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def slopes(self) -> tuple[float, ...]:
        """The powers between neighbouring values of ε; none where errors are rounding."""
        pairs = zip(self.small, self.small[1:], self.errors, self.errors[1:], strict=False)
        return tuple(
            float(np.log(e1 / e2) / np.log(s1 / s2)) if min(e1, e2) > _ROUNDING else float("nan")
            for s1, s2, e1, e2 in pairs
        )

    @property
    def slope(self) -> float:
        """The power with which the error falls: a straight line through the three smallest ε."""
        kept = [(s, e) for s, e in zip(self.small, self.errors, strict=True) if e > _ROUNDING][-3:]
        if len(kept) < 2:
            return float("nan")
        small, errors = np.log(np.array(kept)).T
        return float(np.polyfit(small, errors, 1)[0])

    @property
    def is_exact(self) -> bool:
        """Whether all errors are rounding: there is nothing to fall."""
        return max(self.errors) <= _ROUNDING

    @property
    def holds(self) -> bool:
        """Whether the promise is kept."""
        return self.is_exact or bool(self.slope >= self.order * (1 - TOLERANCE))

    def __str__(self) -> str:
        lines = [f"{'eps':>10}  {'largest error':>14}  {'power':>6}"]
        for s, e, power in zip(self.small, self.errors, (None, *self.slopes), strict=True):
            lines.append(f"{s:10.6g}  {e:14.3e}  {'' if power is None else f'{power:6.3f}'}".rstrip())
        promise = f"order {self.order} promises the power {self.order} over t ≤ {self.duration:g}/eps"
        if self.is_exact:
            lines.append(f"Certified: {promise}; the errors are rounding.")
        elif self.holds:
            lines.append(f"Certified: {promise}; the error falls with {self.slope:.3f}.")
        else:
            lines.append(
                f"NOT certified: {promise}, but the error falls with {self.slope:.3f}. Look for a resonance that is "
                "not declared, for values of eps or motions that are too large, or for terms of the wrong order."
            )
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike[str] | None = None, *, dark: bool = False, axes: Any = None) -> Any:
        """Plot errors over ε with the promised slope; the extra `plots` is needed."""
        return scales_plots.plot_certificate(self, path=path, dark=dark, axes=axes)


def certify(
    order: int,
    small: Sequence[float],
    duration: float,
    n_times: int,
    approximate: Callable[[float, Floats], Floats],
    exact: Callable[[float, Floats], Floats],
) -> Certificate:
    """Compare two motions, functions of ε and times, and record the largest differences."""
    errors = []
    for value in small:
        times = np.linspace(0.0, duration / value, n_times)
        errors.append(float(np.abs(approximate(value, times) - exact(value, times)).max()))
    return Certificate(order, duration, tuple(small), tuple(errors))
