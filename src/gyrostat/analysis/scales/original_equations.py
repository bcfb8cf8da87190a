"""The problem's own equations in numbers, to compare the expansion with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import Floats
from gyrostat.analysis.scales.floats import number_of
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.term import ACCELERATION, RATE
from gyrostat.errors import StateError

_ITERATIONS = 60


class OriginalEquations:
    """x_k″ = −ω_k² x_k + Σ terms at given parameters; states are positions, then speeds."""

    def __init__(self, problem: Oscillators, values: Mapping[str, float]) -> None:
        names = problem.names
        self.n = len(names)
        self._implicit = any(name.endswith(ACCELERATION) for term in problem.terms for name in term.powers)
        variables = {
            name + suffix: f"{letter}{k}"
            for letter, suffix in (("x", ""), ("v", RATE), ("a", ACCELERATION))
            for k, name in enumerate(names)
        }
        sums = [
            [f"{-(_value(o.frequency.value(values), o.name) ** 2)!r} * x{k}"] for k, o in enumerate(problem.oscillators)
        ]
        for term in problem.terms:
            size = number_of(term.coefficient, values).real * values[problem.small] ** term.order
            factors = [repr(size), *(variables[name] for name, power in term.powers.items() for _ in range(power))]
            if term.harmonic is not None:
                frequency = _value(term.harmonic.frequency.value(values), repr(term.harmonic))
                phase = _value(term.harmonic.phase.value(values), repr(term.harmonic))
                factors.append(f"{'sin' if term.harmonic.sine else 'cos'}({frequency!r} * t + {phase!r})")
            sums[names.index(term.oscillator)].append(" * ".join(factors))
        self._function = _compiled(self.n, [" + ".join(terms) for terms in sums])

    def accelerations(self, t: float, x: Sequence[float], v: Sequence[float]) -> Sequence[float]:
        """Return x″; where accelerations stand on the right-hand side, by iteration from those without."""
        found: Sequence[float] = [0.0] * self.n
        for _ in range(_ITERATIONS if self._implicit else 1):
            new = self._function(t, *x, *v, *found)
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


def _compiled(n: int, sums: Sequence[str]) -> Callable[..., Sequence[float]]:
    """Return a function of t, x0 …, v0 …, a0 … from sums that contain nothing but these and numbers."""
    arguments = ", ".join(["t", *(f"{letter}{k}" for letter in "xva" for k in range(n))])
    code = compile(f"lambda {arguments}: ({', '.join(sums)},)", "<oscillators>", "eval")
    function: Callable[..., Sequence[float]] = eval(code, {"sin": math.sin, "cos": math.cos, "__builtins__": {}})
    return function


def _value(value: float | None, name: str) -> float:
    if value is None:
        raise StateError(f"The frequency of {name} has no value. Give values for all parameters.")
    return value
