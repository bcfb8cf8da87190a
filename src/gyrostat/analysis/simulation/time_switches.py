"""Switching times: instants at which conditions of time in formulas change, found before the integration.

No step passes over such an instant. Smooth formulas of time alone are sampled as well: where one varies for a short
while only, as a pulse does, stops are set across the variation, since a long step would pass over it unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.model.formula import TIME, Formula
from gyrostat.analysis.simulation.state_switches import law_formulas
from gyrostat.model.switches import Switch, switches_of
from gyrostat.scalar.arrays import ArrayScalars
from gyrostat.system import System

_SAMPLES = 2048
"""The least number of samples in a window."""
_MOST_STOPS = 400
"""Windows with more stops are shortened."""
_BISECTIONS = 64
_BEFORE = 1.8e-15
"""How long before a switching time the step ends, relative to the time: at a state before the switch."""
_QUIET = 1e-6
"""The largest relative change between samples of a formula that counts as constant."""
_ISOLATED = 0.3
"""The largest part of a window in which a formula may vary and count as constant otherwise."""
_STOPS_PER_PULSE = 24


class Window(NamedTuple):
    """The times from `start` to `end` with all stops in between, rising."""

    stops: Floats
    end: float


@dataclass(frozen=True, eq=False)
class TimeSwitches:
    """Switching functions of time alone, and smooth formulas of time alone, at values of the parameters."""

    switches: tuple[Switch, ...]
    courses: tuple[Formula, ...]
    parameters: Mapping[str, float]

    @staticmethod
    def of(system: System, formulas: Mapping[str, Formula], parameters: Mapping[str, float]) -> TimeSwitches:
        """Return the switches in the model's formulas and in inputs given as formulas."""
        known = {TIME, *parameters}
        timed = {name: formula for name, formula in formulas.items() if formula.names <= known}
        own = [*system.time_formulas, *law_formulas(system)] if timed else system.time_formulas
        every = list(dict.fromkeys(_inlined(formula, timed) for formula in (*own, *formulas.values())))
        switches = [switch for formula in every for switch in switches_of(formula)]
        of_time = [switch for switch in switches if TIME in switch.function.names and switch.function.names <= known]
        courses = [formula for formula in every if TIME in formula.names and formula.names <= known]
        return TimeSwitches(tuple(of_time), tuple(courses), parameters)

    def __bool__(self) -> bool:
        return bool(self.switches or self.courses)

    def window(self, start: float, end: float, spacing: float) -> Window:
        """Return the stops from a start to an end, or to an earlier time if there are very many.

        `spacing` is that of outputs: functions are sampled four times as often, and more where that changes anything.
        """
        while True:
            span = end - start
            count = int(min(max(_SAMPLES, 4.0 * span / spacing), 100_000))
            stops = self._stops(np.linspace(start, end, count + 1))
            finer = self._stops(np.linspace(start, end, int(1.618 * count) + 1))  # periods of samples do not coincide
            if len(finer) <= _MOST_STOPS and self._agree(stops, finer, span / count):
                return Window(finer, end)
            shorter = start + 0.5 * span
            if not start < shorter < end or span <= 1e-12 * max(abs(start), abs(end)):
                return Window(finer[:_MOST_STOPS], end)
            end = shorter

    def _agree(self, stops: Floats, finer: Floats, spacing: float) -> bool:
        """Tell whether two samplings found the same stops; across pulses these may differ by a few samples."""
        slack = 4.0 * spacing if self.courses else 1e-9 * spacing
        return len(stops) == len(finer) and bool(np.all(np.abs(stops - finer) <= slack))

    def names(self) -> frozenset[str]:
        """Return the names of the parameters that switching times depend on."""
        formulas = (*(switch.function for switch in self.switches), *self.courses)
        return frozenset[str]().union(*(formula.names for formula in formulas)) - {TIME}

    def _stops(self, times: Floats) -> Floats:
        jumps = _merged(np.concatenate([np.zeros(0), *(self._roots(switch, times) for switch in self.switches)]))
        pulses = [_pulses(self._values(course, times), times, jumps) for course in self.courses]
        stops = _merged(np.concatenate([jumps, *pulses])) if pulses else jumps
        return np.asarray(stops[(stops >= times[0]) & (stops < times[-1])])

    def _roots(self, switch: Switch, times: Floats) -> Floats:
        """Return the stops just before all switching times of a function between samples."""
        values = self._values(switch.function, times)
        levels = np.floor(values) if switch.whole else np.sign(values)
        changed = np.flatnonzero((levels[1:] != levels[:-1]) & np.isfinite(values[1:]) & np.isfinite(values[:-1]))
        low, high = times[:-1][changed], times[1:][changed]
        first = levels[:-1][changed]
        for _ in range(_BISECTIONS if len(changed) else 0):
            middle = 0.5 * (low + high)
            there = self._values(switch.function, middle)
            same = (np.floor(there) if switch.whole else np.sign(there)) == first
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return np.asarray(np.maximum(low - _BEFORE * np.abs(low), times[0]))

    def _values(self, formula: Formula, times: Floats) -> Floats:
        """Return the values of a formula of time at many times; not-a-number outside its domain."""

        def lookup(name: str) -> object:
            return times if name == TIME else self.parameters[name]

        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(formula.evaluate(ArrayScalars(), lookup), dtype=float), times.shape)


def _inlined(formula: Formula, timed: Mapping[str, Formula]) -> Formula:
    """Return a formula with the names of inputs that are formulas of time replaced by these."""
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


def _pulses(values: Floats, times: Floats, jumps: Floats) -> Floats:
    """Return stops across all short smooth variations of a formula that is constant otherwise."""
    size = float(np.ptp(values[np.isfinite(values)])) if np.isfinite(values).any() else 0.0
    if size == 0.0:
        return np.zeros(0)
    with np.errstate(invalid="ignore"):
        active = ~(np.abs(np.diff(values)) <= _QUIET * size)
    for sides in (jumps, jumps + 4.0 * _BEFORE * np.abs(jumps)):  # a jump between samples, or at one of them
        active[np.clip(np.searchsorted(times, sides, side="right") - 1, 0, len(active) - 1)] = False
    if active.mean() > _ISOLATED:
        return np.zeros(0)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], active, [False])).astype(int)))
    found = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        before, after = times[max(first - 1, 0)], times[min(last + 1, len(times) - 1)]
        found.append(np.linspace(before, after, _STOPS_PER_PULSE))
    return np.concatenate([np.zeros(0), *found])
