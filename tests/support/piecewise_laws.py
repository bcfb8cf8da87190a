"""Random laws with nested conditions of time and state, and their motion by SciPy, piece by piece.

A law is a formula over the angle a of a pendulum and its rate r, and a function of the same in which the truth of each
condition is given. Between two switches all truths are constant, so that SciPy integrates smooth equations; each switch
is located as an event, where the truths of the conditions change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

Floats = np.ndarray
Values = dict[str, float]
Place = tuple[float, float, float]
"""Time, angle, rate."""
Branch = Callable[[Values, Place, Sequence[bool]], float]
"""The value of a part of a law, with parameters, at a place, with the truths of all conditions."""
Function = Callable[[Values, Place], float]

STIFFNESS, DAMPING, GRAVITY = 4.0, 0.3, 2.0
"""More than random laws can take away: motions stay bounded."""
INERTIA = 1.0 / 3.0
"""Moment of inertia about its end of a uniform rod of 1 kg and 1 m."""


@dataclass
class Law:
    """A law under construction: its parameters with their ranges, and its switching functions."""

    rng: np.random.Generator
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    formula: str = ""
    value: Branch = lambda p, at, truths: 0.0

    def parameter(self, low: float, high: float) -> str:
        """Return the name of a new parameter."""
        name = f"c{len(self.ranges)}"
        self.ranges[name] = low, high
        return name

    def condition(self) -> tuple[str, int]:
        """Return a random comparison and its number: true where its function is positive."""
        kind = self.rng.choice(["t", "a", "a", "a", "r", "mixed"])
        low, high = {"t": (0.1, 4.5), "a": (-0.9, 0.9), "r": (-1.5, 1.5), "mixed": (-1.0, 1.0)}[kind]
        name = self.parameter(low, high)
        sides = {"t": "t", "a": "{a}", "r": "{r}", "mixed": "({a} + 0.4*{r})"}
        weights = {"t": (1, 0, 0), "a": (0, 1, 0), "r": (0, 0, 1), "mixed": (0, 1, 0.4)}[kind]
        self.functions.append(lambda p, at: float(np.dot(weights, at)) - p[name])
        return f"{sides[kind]} > {name}", len(self.functions) - 1

    def pulse(self) -> tuple[str, int, int]:
        """Return a condition that is true during a random time, or over a random range of the angle."""
        width = self.parameter(2e-3, 0.6)
        place, name = (0, "t") if self.rng.random() < 0.5 else (1, "{a}")
        start = self.parameter(*((0.1, 4.0) if place == 0 else (-0.7, 0.5)))
        self.functions.append(lambda p, at: at[place] - p[start])
        self.functions.append(lambda p, at: at[place] - p[start] - p[width])
        last = len(self.functions) - 1
        return f"({name} > {start}) and ({name} < {start} + {width})", last - 1, last

    def branch(self, depth: int) -> tuple[str, Branch]:
        """Return a random expression with at most so many nested conditions."""
        if depth == 0:
            return self.leaf()
        kind = self.rng.choice(["where", "where", "pulse", "logic", "clip", "abs"])
        if kind == "clip":
            bound, gain = self.parameter(0.1, 0.8), self.parameter(0.5, 3.0)
            upper, lower = len(self.functions), len(self.functions) + 1
            self.functions += [lambda p, at: at[1] - p[bound], lambda p, at: at[1] + p[bound]]
            text, inner = self.branch(depth - 1)
            return (
                f"({text} - {gain}*min(max({{a}}, -{bound}), {bound}))",
                lambda p, at, m: (
                    inner(p, at, m) - p[gain] * (p[bound] if m[upper] else at[1] if m[lower] else -p[bound])
                ),
            )
        if kind == "abs":
            middle, gain, own = self.parameter(-0.5, 0.5), self.parameter(-0.8, 0.8), len(self.functions)
            self.functions.append(lambda p, at: at[1] - p[middle])
            text, inner = self.branch(depth - 1)
            return (
                f"({text} + {gain}*abs({{a}} - {middle}))",
                lambda p, at, m: inner(p, at, m) + p[gain] * (at[1] - p[middle]) * (1 if m[own] else -1),
            )
        truth: Callable[[Sequence[bool]], bool]
        if kind == "pulse":
            condition, first, last = self.pulse()
            truth = lambda m: m[first] and not m[last]  # noqa: E731
        elif kind == "logic":
            (one, i), (other, j) = self.condition(), self.condition()
            condition, truth = f"({one}) or not ({other})", lambda m: m[i] or not m[j]
        else:
            condition, i = self.condition()
            truth = lambda m: m[i]  # noqa: E731
        (yes, high), (no, low) = self.branch(depth - 1), self.branch(depth - 1)
        return f"where({condition}, {yes}, {no})", lambda p, at, m: (high if truth(m) else low)(p, at, m)

    def leaf(self) -> tuple[str, Branch]:
        """Return a constant, a ramp in time, or a spring."""
        kind, gain = self.rng.choice(["constant", "ramp", "spring"]), self.parameter(-2.0, 2.0)
        if kind == "constant":
            return gain, lambda p, at, m: p[gain]
        if kind == "ramp":
            return f"{gain}*(1 - t/5)", lambda p, at, m: p[gain] * (1 - at[0] / 5)
        return f"0.5*{gain}*{{a}}", lambda p, at, m: 0.5 * p[gain] * at[1]


def random_law(structure: int, depth: int = 3) -> Law:
    """Return the law of a number."""
    law = Law(np.random.default_rng([structure, 17]))
    law.formula, law.value = law.branch(depth)
    return law


@dataclass(frozen=True)
class Jolt:
    """The pivot's motion s = ½ acceleration max(t − begin, 0)² + speed max(t − kink, 0): its velocity jumps once."""

    begin: float = np.inf
    acceleration: float = 0.0
    kink: float = np.inf
    speed: float = 0.0

    def rate(self, t: float, *, begun: bool) -> float:
        """Return s̈."""
        return self.acceleration if begun else 0.0


def reference(
    law: Law, p: Values, start: tuple[float, float], duration: float, *, lever: bool, jolt: Jolt, longest: float = 0.05
) -> Floats | None:
    """Return a and r at the end; None where the motion slides along a switch, which this reference does not follow.

    The law is a torque, or with `lever` a horizontal force at the free end.
    """
    functions: list[Function] = [*law.functions, lambda p, at: at[0] - jolt.begin, lambda p, at: at[0] - jolt.kink]
    y, t, last, kink = np.array(start), 0.0, -1.0, len(functions) - 1
    truths = [function(p, (t, *y)) > 0 for function in functions]

    def rates(t: float, y: Floats) -> list[float]:
        a, r = y
        load = law.value(p, (t, a, r), truths) * (np.cos(a) if lever else 1.0)
        pivot = jolt.rate(t, begun=truths[kink - 1])
        moment = load - STIFFNESS * a - DAMPING * r - 0.5 * GRAVITY * np.sin(a) - 0.5 * pivot * np.cos(a)
        return [r, moment / INERTIA]

    for _ in range(300):
        events = [_event(function, p) for function in functions]
        found = solve_ivp(
            rates, (t, duration), y, method="DOP853", rtol=1e-11, atol=1e-13, events=events, max_step=longest
        )
        t, y = float(found.t[-1]), found.y[:, -1]
        if t >= duration:
            return y
        hit = [i for i, times in enumerate(found.t_events) if len(times)]
        if t - last < 1e-7:
            return None
        last = t
        for i in hit:
            truths[i] = not truths[i]
        if kink in hit:  # conditions of the rate change with it
            y[1] -= 0.5 * jolt.speed * np.cos(y[0]) / INERTIA
            truths = [truths[i] if i in hit else f(p, (t, *y)) > 0 for i, f in enumerate(functions)]
        y, t = y + 1e-12 * np.array(rates(t, y)), t + 1e-12  # beyond the zero, so that it is not found again
        if any((functions[i](p, (t, *y)) > 0) != truths[i] for i in hit):
            return None
    return None


def _event(function: Function, p: Values) -> Callable[[float, Floats], float]:
    def event(t: float, y: Floats) -> float:
        return function(p, (t, y[0], y[1]))

    event.terminal = True  # type: ignore[attr-defined]
    return event
