"""The error certificate: the expansion compared with the original equations over t ~ 1/ε, for several ε."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import Floats
from gyrostat.analysis.scales.coefficients import number_of
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.term import ACCELERATION, RATE, Harmonic
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.results.text_table import NotebookText

if TYPE_CHECKING:
    from scipy import integrate

    from gyrostat.shown import scales_plots
else:
    (integrate,) = later("scipy", "integrate")
    (scales_plots,) = later("gyrostat.shown", "scales_plots")

_ITERATIONS = 60


Reference: TypeAlias = Callable[[float, Floats, Mapping[str, float]], Floats]
"""Positions (oscillators × times; speeds of coordinates that drift) from the small parameter, times and initial values
by name."""

SERIES = (0.05, 0.025, 0.0125, 0.00625)
"""Default values of the small parameter."""
TOLERANCE = 0.1
"""Relative tolerance of the observed power below the expected one."""
_ROUNDING = 1e-11
"""Errors below this are rounding errors of the integrations."""


@dataclass(frozen=True)
class ErrorCertificate(NotebookText):
    """The largest error over 0 ≤ t ≤ duration/ε as a function of ε.

    `holds` is true if it decreases at least with the power that the order implies, within ten percent.
    """

    order: int
    duration: float
    small: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def slopes(self) -> tuple[float, ...]:
        """The observed powers between neighbouring values of ε, without those of rounding errors."""
        pairs = zip(self.small, self.small[1:], self.errors, self.errors[1:], strict=False)
        return tuple(
            float(np.log(e1 / e2) / np.log(s1 / s2)) if min(e1, e2) > _ROUNDING else float("nan")
            for s1, s2, e1, e2 in pairs
        )

    @property
    def slope(self) -> float:
        """The observed power: slope of the line through the three smallest ε in logarithmic scales."""
        kept = [(s, e) for s, e in zip(self.small, self.errors, strict=True) if e > _ROUNDING][-3:]
        if len(kept) < 2:
            return float("nan")
        small, errors = np.log(np.array(kept)).T
        return float(np.polyfit(small, errors, 1)[0])

    @property
    def is_exact(self) -> bool:
        """Whether all errors are rounding errors."""
        return max(self.errors) <= _ROUNDING

    @property
    def holds(self) -> bool:
        """Whether the observed power is as expected."""
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
        """Plot errors over ε with the expected slope; the extra `plots` is needed."""
        return scales_plots.plot_certificate(self, path=path, dark=dark, axes=axes)


def certify(
    order: int,
    small: Sequence[float],
    duration: float,
    n_times: int,
    approximate: Callable[[float, Floats], Floats],
    exact: Callable[[float, Floats], Floats],
) -> ErrorCertificate:
    """Compare two motions, functions of ε and times, and record the largest differences."""
    errors = []
    for value in small:
        times = np.linspace(0.0, duration / value, n_times)
        errors.append(float(np.abs(approximate(value, times) - exact(value, times)).max()))
    return ErrorCertificate(order, duration, tuple(small), tuple(errors))


class Wave(NamedTuple):
    """cos(Ω t + φ) or sin(Ω t + φ) with numbers for Ω and φ."""

    function: Callable[[float], float]
    frequency: float
    phase: float


class Product(NamedTuple):
    """One term with a number as coefficient: indices in (x, x′, x″), repeated by power, and an optional wave."""

    size: float
    places: tuple[int, ...]
    wave: Wave | None = None


class OriginalEquations:
    """x_k″ = −ω_k² x_k + Σ terms at given parameters; states are positions, then speeds."""

    def __init__(self, problem: Oscillators, values: Mapping[str, float]) -> None:
        names = problem.names
        self.n = len(names)
        self._implicit = any(name.endswith(ACCELERATION) for term in problem.terms for name in term.powers)
        places = {name + suffix: i for i, (suffix, name) in enumerate(product(("", RATE, ACCELERATION), names))}
        self._sums = [
            [Product(-(_value(o.frequency.value(values), o.name) ** 2), (places[o.name],))] for o in problem.oscillators
        ]
        for term in problem.terms:
            size = number_of(term.coefficient, values).real * values[problem.small] ** term.order
            factors = tuple(places[name] for name, power in term.powers.items() for _ in range(power))
            wave = None if term.harmonic is None else _wave(term.harmonic, values)
            self._sums[places[term.oscillator]].append(Product(size, factors, wave))

    def accelerations(self, t: float, x: Sequence[float], v: Sequence[float]) -> Sequence[float]:
        """Return x″; by fixed-point iteration if accelerations occur on the right-hand side."""
        found: Sequence[float] = [0.0] * self.n
        for _ in range(_ITERATIONS if self._implicit else 1):
            state = (*x, *v, *found)
            new = [_sum(terms, t, state) for terms in self._sums]
            if all(abs(a - b) <= 1e-15 * max(abs(a), 1.0) for a, b in zip(new, found, strict=True)):
                return new
            found = new
        if self._implicit:
            raise StateError("Accelerations on the right-hand sides could not be solved for. Take smaller motions.")
        return found

    def integrate(self, times: Floats, x: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return positions and speeds (oscillators × times), to about twelve digits."""
        n = self.n
        solution = integrate.solve_ivp(
            lambda t, y: np.array([*y[n:], *self.accelerations(t, *_halves(y.tolist()))]),
            (0.0, float(times[-1])),
            np.concatenate([x, v]),
            method="DOP853",
            rtol=1e-12,
            atol=1e-14,
            t_eval=times,
        )
        if not solution.success:
            raise StateError(f"The original equations could not be integrated to the end: {solution.message}")
        return solution.y[:n], solution.y[n:]


def _halves(y: list[float]) -> tuple[list[float], list[float]]:
    return y[: len(y) // 2], y[len(y) // 2 :]


def _sum(terms: Sequence[Product], t: float, state: Sequence[float]) -> float:
    total = 0.0
    for size, places, wave in terms:
        value = size
        for place in places:
            value *= state[place]
        if wave is not None:
            value *= wave.function(wave.frequency * t + wave.phase)
        total += value
    return total


def _wave(harmonic: Harmonic, values: Mapping[str, float]) -> Wave:
    frequency, phase = (_value(each.value(values), repr(harmonic)) for each in (harmonic.frequency, harmonic.phase))
    return Wave(math.sin if harmonic.sine else math.cos, frequency, phase)


def _value(value: float | None, name: str) -> float:
    if value is None:
        raise StateError(f"The frequency of {name} has no value. Give values for all parameters.")
    return value
