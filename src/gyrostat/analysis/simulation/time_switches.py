"""Switching times: instants at which conditions of time in formulas change, found before the integration.

No step passes over such an instant. Smooth parts of formulas that depend on time alone are examined as well: where one
varies for a short while only, as a pulse does, stops are set across the variation, since a long step would pass over it
unnoticed. Both are found by bounds over intervals of time, which miss nothing between samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.analysis.simulation.time_function import TimeFunction
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.switches import SwitchingFormula, parts_of_time, switches_of, varying_part
from gyrostat.once import cached_property
from gyrostat.system import System

_FIRST_PARTS = 64
"""Number of intervals into which a window is divided first."""
_PART_LIMIT = 4096
"""Number of intervals beyond which a window is shortened."""
_SWITCH_LIMIT = 8
"""Number of switching times up to which a function that cannot be searched completely counts as zero for some time."""
_STOP_LIMIT = 400
"""Windows with more stops are shortened."""
_SHORTEST_WINDOW = 1e-12
"""Length of a window that is not shortened further, relative to the time."""
_SMALLEST_INTERVAL = 1e-15
"""Length of an interval that is not divided further, relative to the time and the window."""
_BISECTIONS = 64
_TIME_OFFSET = 1.8e-15
"""How long before a switching time the step ends, relative to the time: at a state before the switch."""
_VARIATION_SHARE = 0.3
"""Largest part of a window in which a short variation may take place."""
_CURVATURE_RATIO = 30.0
"""Curvature of a short variation, relative to that of the rest of the window."""
_SMALLEST_VARIATION = 1e-7
"""Smallest short variation, relative to the variation of the function in the window."""
_STOPS_PER_PULSE = 24


class Window(NamedTuple):
    """The stops, rising, from a start to `end`."""

    stops: Floats
    end: float


class _TooManyError(Exception):
    """The window has too many switching times, or takes too many intervals to search."""


class _TimeSwitch(NamedTuple):
    """A switching function of time; with `whole`, every whole value of it is a switch, otherwise zero alone."""

    function: TimeFunction
    whole: bool

    def level(self, times: Floats) -> Floats:
        """Return numbers that change where the function switches."""
        values = self.function.values(times)
        return np.floor(values) if self.whole else np.sign(values)


@dataclass(frozen=True, eq=False)
class TimeSwitches:
    """Switching functions of time alone, and smooth functions of time alone, at values of the parameters."""

    switches: tuple[_TimeSwitch, ...]
    courses: tuple[TimeFunction, ...]

    @staticmethod
    def of(system: System, formulas: Mapping[str, Formula], parameters: Mapping[str, float]) -> TimeSwitches:
        """Return the switches in the model's formulas and in inputs given as formulas."""
        if not formulas and not system.time_formulas:
            return _NO_SWITCHES
        known = _FUNCTION_CACHE.setdefault(system, {})
        key = frozenset(parameters), *((name, formula.source) for name, formula in formulas.items())
        if key not in known:
            known[key] = _functions(system, formulas, {TIME, *parameters})
        switches, courses = known[key]
        return TimeSwitches(
            tuple(_TimeSwitch(TimeFunction(one.function, parameters), one.whole) for one in switches),
            tuple(TimeFunction(course, parameters) for course in courses),
        )

    def __bool__(self) -> bool:
        return bool(self.switches or self.courses)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the parameters that switching times depend on."""
        functions = (*(switch.function for switch in self.switches), *self.courses)
        return frozenset[str]().union(*(function.formula.names for function in functions)) - {TIME}

    def window(self, start: float, end: float) -> Window:
        """Return the stops from a start to an end, or to an earlier time if there are very many."""
        while True:
            smallest = end - start <= _SHORTEST_WINDOW * max(abs(start), abs(end))
            try:
                return Window(self._stops(start, end), end)
            except _TooManyError:
                if smallest:
                    return Window(np.zeros(0), end)
            end = start + 0.5 * (end - start)

    def _stops(self, start: float, end: float) -> Floats:
        stops = np.zeros(0)
        for switch in self.switches:  # conditions within conditions come first: between their stops all is smooth
            stops = _merged(np.append(stops, _roots(switch, start, end, stops)))
            if len(stops) > _STOP_LIMIT:
                raise _TooManyError
        pulses = [_pulses(course, start, end, stops) for course in self.courses]
        stops = _merged(np.concatenate([stops, *pulses]))
        return np.asarray(stops[(stops >= start) & (stops < end)])


_NO_SWITCHES = TimeSwitches((), ())
_Functions: TypeAlias = tuple[tuple[SwitchingFormula, ...], tuple[Formula, ...]]
"""Switching functions of time, and smooth functions of time."""
_FUNCTION_CACHE: WeakKeyDictionary[System, dict[tuple[Any, ...], _Functions]] = WeakKeyDictionary()
"""Functions of time of systems by the formulas of their inputs; `TimeSwitches.of` alone uses it."""


def _functions(system: System, formulas: Mapping[str, Formula], known: Set[str]) -> _Functions:
    """Return the functions of time and known names alone, without repetition."""
    timed = _of_time(system, formulas, known)
    laws = [formula for formula in system.law_formulas if not formula.names.isdisjoint(timed)]
    given = [inlined(formula, timed) for formula in (*laws, *system.with_measures(formulas.values()))]
    every = [*system.time_formulas, *(formula for formula in given if TIME in formula.names)]
    switches = [switch for formula in every for switch in switches_of(formula)]
    courses = [varying_part(part) for formula in every for part in parts_of_time(formula, known)]
    timely = (one for one in switches if TIME in one.function.names and one.function.names <= known)
    return (
        tuple({(one.function.steps, one.whole): one for one in timely}.values()),
        tuple({course.steps: course for course in courses}.values()),
    )


def _of_time(system: System, formulas: Mapping[str, Formula], known: Set[str]) -> dict[str, Formula]:
    """Return the inputs and measures that depend on time and known names alone, as formulas of these."""
    measures = {name: Formula.of(measure.formula) for name, measure in system.model.measures.items()}
    left, found = {**measures, **formulas}, dict[str, Formula]()
    while ready := [name for name, formula in left.items() if formula.names <= known | found.keys()]:
        found |= {name: inlined(left.pop(name), found) for name in ready}
    return found


def _roots(switch: _TimeSwitch, start: float, end: float, stops: Floats) -> Floats:
    """Return the stops just before all switching times of a function."""
    low, high, complete = _isolated(switch, *_divided(start, end, stops))
    first, last = switch.level(low), switch.level(high)
    changed = (first != last) & ~np.isnan(first) & ~np.isnan(last)
    low, high, first = low[changed], high[changed], first[changed]
    if not complete and len(low) > _SWITCH_LIMIT:
        raise _TooManyError
    for _ in range(_BISECTIONS if len(low) else 0):
        middle = 0.5 * (low + high)
        same = switch.level(middle) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.asarray(np.maximum(low - _TIME_OFFSET * np.abs(low), start))


def _divided(start: float, end: float, stops: Floats) -> tuple[Floats, Floats]:
    """Return intervals from start to end; those at stops are so short that the others are free of jumps."""
    after = stops + 4.0 * _TIME_OFFSET * np.abs(stops)
    times = np.unique(np.concatenate((np.linspace(start, end, _FIRST_PARTS + 1), stops, after)))
    times = times[(times >= start) & (times <= end)]
    return times[:-1], times[1:]


def _isolated(switch: _TimeSwitch, low: Floats, high: Floats) -> tuple[Floats, Floats, bool]:
    """Return intervals that contain all switching times, and whether each contains one at most.

    There the function is monotonic, or constant. A function that is zero for some time, but for rounding errors, has
    intervals that are neither; they are divided some thousand times.
    """
    finest = _SMALLEST_INTERVAL * (high[-1] - low[0])
    found: list[tuple[Floats, Floats]] = []
    while 0 < len(low) <= _PART_LIMIT:
        value, rate, _ = switch.function.bounds(low, high)
        possible = np.floor(value.low) != np.floor(value.high) if switch.whole else (value.low <= 0) & (value.high >= 0)
        single = (rate.low > 0.0) | (rate.high < 0.0) | ((rate.low == 0.0) & (rate.high == 0.0))
        if switch.whole:
            single &= np.floor(value.high) - np.floor(value.low) <= 1.0
        single |= high - low <= finest + 4.0 * _TIME_OFFSET * np.abs(high)
        chosen = possible & single
        found.append((low[chosen], high[chosen]))
        low, high = _halved(low[possible & ~single], high[possible & ~single])
    found.append((low, high))
    return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found]), not len(low)


def _halved(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the halves of intervals, in order."""
    middle = 0.5 * (low + high)
    return np.column_stack((low, middle)).ravel(), np.column_stack((middle, high)).ravel()


def _pulses(course: TimeFunction, start: float, end: float, stops: Floats) -> Floats:
    """Return stops across all short smooth variations of a function.

    A variation is short where bounds of the second derivative far exceed those in the rest of the window. Intervals of
    such regions are divided until each region has some dozens of them, whose ends are the stops.
    """
    low, high = _divided(start, end, stops)
    curvature = course.bounds(low, high)[2].magnitude
    typical = _typical(curvature, high - low)
    size = _variation(course.values(np.append(low, high)))
    found = [np.zeros(0)]
    while True:
        width = high - low
        divisible = width > _SMALLEST_INTERVAL * (end - start) + 8.0 * _TIME_OFFSET * np.abs(high)
        short = (
            (curvature > _CURVATURE_RATIO * typical) & (width**2 * curvature > _SMALLEST_VARIATION * size) & divisible
        )
        low, high = low[short], high[short]
        if not len(low):
            return np.concatenate(found)
        if len(low) > _PART_LIMIT:
            raise _TooManyError
        region = np.cumsum(np.append(False, low[1:] > high[:-1]))
        resolved = np.bincount(region)[region] >= _STOPS_PER_PULSE
        found += low[resolved], high[resolved]
        low, high = _halved(low[~resolved], high[~resolved])
        curvature = course.bounds(low, high)[2].magnitude
        size = max(size, _variation(course.values(low)))


def _variation(values: Floats) -> float:
    """Return the difference between the largest and the smallest of the finite values."""
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if len(finite) else 0.0


def _typical(curvature: Floats, width: Floats) -> float:
    """Return the curvature that is exceeded in a small part of the window only."""
    order = np.argsort(curvature)
    passed = np.cumsum(width[order])
    place = min(int(np.searchsorted(passed, (1.0 - _VARIATION_SHARE) * passed[-1])), len(order) - 1)
    return float(curvature[order[place]])


def inlined(formula: Formula, timed: Mapping[str, Formula]) -> Formula:
    """Return a formula with names of other formulas, such as inputs that are formulas of time, replaced by these."""
    if formula.names.isdisjoint(timed):
        return formula
    steps = [
        step
        for kind, payload, count in formula.steps
        for step in (timed[payload].steps if kind == "name" and payload in timed else ((kind, payload, count),))
    ]
    return Formula(formula.source, tuple(steps))


def _merged(stops: Floats) -> Floats:
    """Return stops in order; of those that differ by rounding errors only, the first."""
    rising = np.sort(stops)
    return np.asarray(rising[np.diff(rising, prepend=-np.inf) > 4e-15 * np.abs(rising)])
