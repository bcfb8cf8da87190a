"""The problem's own equations in numbers, to compare the expansion with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import Floats
from gyrostat.analysis.scales.floats import number_of
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.term import ACCELERATION, RATE, Harmonic
from gyrostat.errors import StateError

_ITERATIONS = 60


class Wave(NamedTuple):
    """cos(Ω t + φ) or sin(Ω t + φ) in numbers."""

    function: Callable[[float], float]
    frequency: float
    phase: float


class Product(NamedTuple):
    """One term in numbers: its size times what stands at places of (x, x′, x″), as often as its power, and a wave."""

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
        """Return x″; where accelerations stand on the right-hand side, by iteration from those without."""
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
        from scipy.integrate import solve_ivp

        n = self.n
        solution = solve_ivp(
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
