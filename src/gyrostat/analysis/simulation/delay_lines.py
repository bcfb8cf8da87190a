"""Delays in a simulation: the recorded courses of their signals, as tables of inputs for the time to come.

A segment of the motion is no longer than the shortest delay, so that all delayed values in it are known at its start
(the method of steps). Courses are recorded in smooth pieces: between two instants at which a signal may have a jump or
a kink. Such an instant passes through the delay, one derivative higher each time; after the third a cubic spline is as
good across it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.time_switches import TimeSwitches
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.inputs.table import Interpolation, Table
from gyrostat.model.states import Delay
from gyrostat.system import System

_SMALLEST_COUNT, _LARGEST_COUNT = 8, 4096
"""Numbers of intervals of a recorded piece."""
_TOLERANCE = 1e-9
"""Relative error of the interpolation for integrators without a tolerance of their own."""
_GENERATIONS = 3
"""Number of passages through delays after which a discontinuity is smooth enough."""
_ROUNDING = 1e-12
_RELATIVE_OFFSET, _SMALLEST_OFFSET = 1e-13, 1e-15
"""Distance from a discontinuity at which signals are evaluated on one side of it: relative to the time, and in s."""

Course = Callable[[Floats], Floats]
"""The values of all delayed signals, (times, signals), at times."""

Past: TypeAlias = Mapping[str, float] | Motion
"""Delayed signals before the start: constants by the names of delays, or the motion that is continued."""


@dataclass(frozen=True)
class _Piece:
    """The recorded values of all delayed signals at times, (times, signals)."""

    times: Floats
    values: Floats


class DelayFailedError(Exception):
    """A signal has no finite value that could be delayed; the text is the reason."""


class DelayLines:
    """The delays of a system in one simulation."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._blocks = system.delays
        self._pieces: list[_Piece] = []
        self._breaks: list[tuple[float, int]] = []
        """Instants of possible discontinuities, rising, with the number of delays that they have passed."""
        self._delays: list[float] = []

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def start(self, t: float, parameters: Mapping[str, float], tolerance: float | None, past: Past) -> None:
        """Record the signals before the start: by a known past, else by the courses that delays have in the model."""
        self._tolerance = _TOLERANCE if tolerance is None else tolerance
        self._delays = [block.delay.value(dict(parameters)) for block in self._blocks]
        for block, delay in zip(self._blocks, self._delays, strict=True):
            if not 0.0 < delay < np.inf:
                raise StateError(f"The delay of {block.name!r} is {delay:g} s. Give a positive time.")

        segments = past.segments if isinstance(past, Motion) else []
        shift = t - segments[-1].end if segments else 0.0
        begin, first = t - max(self._delays), segments[0].start + shift if segments else t

        def course(times: Floats) -> Floats:
            return np.column_stack([self._given(block, times - shift, parameters, past) for block in self._blocks])

        if first > begin:
            try:
                self._record_before(course, begin, first, parameters)
            except DelayFailedError as error:
                raise StateError(f"Before the start {error} Give finite values: Delay(…, initial=…).") from None
        for segment in segments:
            if isinstance(past, Motion) and segment.end + shift > begin and segment.end > segment.start:
                self._record_segment(past, segment, shift, smooth=False)

    def _record_before(self, course: Course, begin: float, end: float, parameters: Mapping[str, float]) -> None:
        """Record the signals before the first motion, in smooth pieces between switching times of their formulas."""
        switches, reached = TimeSwitches.of(self._system, {}, parameters), begin
        while reached < end:
            stops, reached = switches.window(reached, end)
            for stop in stops.tolist():
                self._enter(stop, 0)
        self._enter(end, 0)
        first = begin
        for instant, _ in list(self._breaks):
            self._record(course, first, _before(instant) if instant < end else end)
            first = _behind(instant)

    def _given(self, block: Delay, times: Floats, parameters: Mapping[str, float], past: Past) -> Floats:
        """Return the course of a signal before the first motion."""
        if not isinstance(past, Motion) and block.name in past:
            return np.full(len(times), past[block.name])
        return np.array([_value(block.initial, {**parameters, TIME: s}) for s in times.tolist()], dtype=float)

    def next_after(self, t: float) -> float:
        """Return how far delayed values are known and smooth after a time; infinity without delays."""
        found = np.inf
        for delay in self._delays:
            found = min(found, t + delay)
            for instant, passed in self._breaks:
                arrival = instant + delay
                if passed < _GENERATIONS and arrival > t + _ROUNDING * (abs(t) + delay):
                    found = min(found, arrival)
        return float(found)

    def plan(self, plan: InputPlan, t: float, end: float) -> InputPlan:
        """Return the plan of inputs in which delayed values have their courses from a time to another."""
        if not self._blocks:
            return plan
        tables = {
            block.name: self._table(i, t - delay, end - delay).moved(delay)
            for i, (block, delay) in enumerate(zip(self._blocks, self._delays, strict=True))
        }
        return plan.changed(InputPlan(tables=tables))

    def record(self, motion: Motion, segment: Segment, *, smooth: bool) -> None:
        """Record a segment that was integrated; at its end there is a discontinuity unless it is `smooth` there."""
        if self._blocks and segment.end > segment.start:
            self._record_segment(motion, segment, 0.0, smooth=smooth)

    def _record_segment(self, motion: Motion, segment: Segment, shift: float, *, smooth: bool) -> None:
        """Record a segment of a motion, at times later by a shift."""
        locked, problem = bool(segment.modes.size), motion.problem_of(segment)
        program = self._system.program("delayed_signals", inputs=segment.plan.formulas or None, locked=locked)
        values, on_modes = (program.output_slice(name) for name in ("values", "on_modes"))

        def course(times: Floats) -> Floats:
            own = np.clip(times - shift, segment.start, segment.end)
            states, modes = motion.instants_in(segment, own)
            rows = problem.rows(segment, own, states, modes if locked else None)
            return program.loop(np.hstack((rows, modes)) if locked else rows)[:, values]

        start, last = segment.start + shift, segment.end + shift
        switching = bool(program.loop(np.zeros((1, program.input_size)))[0, on_modes].any())
        cuts = [shift + cut for cut in self._cuts(segment, on_modes=switching)]
        known = [instant for instant, _ in self._breaks]
        inner = [cut for cut in cuts if not _same(cut, start) and not _same(cut, last)]
        begins = [_behind(start) if any(_same(one, start) for one in (*known, *cuts)) else start, *map(_behind, inner)]
        ends = [*map(_before, inner), _before(last) if any(_same(one, last) for one in cuts) else last]
        for begin, end in zip(begins, ends, strict=True):
            self._record(course, begin, end)
        arrived = [
            passed + 1 for delay in self._delays for instant, passed in self._breaks if _same(instant + delay, last)
        ]
        for cut in cuts:
            self._enter(cut, 0)
        if not smooth or arrived:
            self._enter(last, min(arrived) if smooth else 0)
        self._forget(last)

    def _cuts(self, segment: Segment, *, on_modes: bool) -> list[float]:
        """Return the instants of a segment at which signals may jump or have a kink, rising.

        Formulas of time and tables have them, and conditions of the state where signals depend on them (`on_modes`).
        """
        found = [segment.stops, segment.plan.kinks(self._system)]
        if on_modes:
            found.append(segment.times[1:][(segment.modes[1:] != segment.modes[:-1]).any(axis=1)])
        cuts = list[float]()
        for time in np.unique(np.concatenate(found)).tolist():
            inside = segment.start < time < segment.end or _same(time, segment.start) or _same(time, segment.end)
            if inside and not (cuts and _same(cuts[-1], time)):
                cuts.append(time)
        return cuts

    def _enter(self, instant: float, passed: int) -> None:
        """Enter an instant of a possible discontinuity, once, with the least number of delays that it has passed."""
        same = [number for one, number in self._breaks if _same(one, instant)]
        others = [one for one in self._breaks if not _same(one[0], instant)]
        self._breaks = sorted([*others, (instant, min([passed, *same]))])

    def _forget(self, t: float) -> None:
        """Drop what lies further back than the longest delay."""
        oldest = t - max(self._delays) * (1.0 + _ROUNDING)
        self._pieces = [piece for piece in self._pieces if piece.times[-1] > oldest]
        self._breaks = [one for one in self._breaks if one[0] > oldest]

    def _record(self, course: Course, begin: float, end: float) -> None:
        """Record a smooth piece, with twice as many intervals until a spline gives the new values.

        A piece as short as rounding errors of its times, as between 0.2 s ten times over and 2 s, is left out.
        """
        if end - begin <= _ROUNDING * (abs(begin) + abs(end)):
            return
        count = _SMALLEST_COUNT
        times = np.linspace(begin, end, count + 1)
        values = self._finite(times, course(times))
        while count < _LARGEST_COUNT:
            between = 0.5 * (times[1:] + times[:-1])
            found = self._finite(between, course(between))
            scale = np.abs(found).max(axis=0) + 1e-3 * np.abs(found).max(initial=0.0) + 1e-300
            spline = np.column_stack([_cubic(times, column).at(between) for column in values.T])
            error = (np.abs(spline - found) / scale).max(initial=0.0)
            order = np.argsort(np.concatenate((times, between)), kind="stable")
            times, values = np.concatenate((times, between))[order], np.concatenate((values, found))[order]
            count *= 2
            if error <= self._tolerance:
                break
        self._pieces.append(_Piece(times, values))

    def _finite(self, times: Floats, values: Floats) -> Floats:
        """Return values of all signals if they are finite; else raise an error that names the delay."""
        wrong = np.argwhere(~np.isfinite(values))
        if len(wrong):
            row, column = wrong[0]
            block = self._blocks[column]
            raise DelayFailedError(
                f"the signal {block.input!s:.60} of delay {block.name!r} is {values[row, column]} at "
                f"t = {times[row]:.6g}."
            )
        return values

    def _table(self, i: int, begin: float, end: float) -> Table:
        """Return the course of one signal between two times as a table."""
        middle = 0.5 * (begin + end)
        pieces = [piece for piece in self._pieces if piece.times[-1] > begin and piece.times[0] < end]
        sharp = [instant for instant, passed in self._breaks if passed < _GENERATIONS]
        low = max((one for one in sharp if one <= middle), default=-np.inf)
        high = min((one for one in sharp if one > middle), default=np.inf)
        slack = _ROUNDING * (abs(begin) + abs(end))
        whole = [p for p in pieces if p.times[0] >= low - slack and p.times[-1] <= high + slack]
        times, places = np.unique(np.concatenate([piece.times for piece in whole]), return_index=True)
        return _cubic(times, np.concatenate([piece.values[:, i] for piece in whole])[places])


def _same(one: float, other: float) -> bool:
    """Tell whether two times differ by rounding errors only."""
    return abs(one - other) <= _ROUNDING * (abs(one) + abs(other))


def _before(t: float) -> float:
    """Return the time just before a discontinuity."""
    return t - _RELATIVE_OFFSET * abs(t)


def _behind(t: float) -> float:
    """Return the time just behind a discontinuity."""
    return t + _RELATIVE_OFFSET * abs(t) + _SMALLEST_OFFSET


def _value(formula: Formula, known: dict[str, float]) -> float:
    """Return the value of a formula; outside the domain of a function not-a-number."""
    try:
        return formula.value(known)
    except (ArithmeticError, ValueError):
        return np.nan


def _cubic(times: Floats, values: Floats) -> Table:
    return Table(times, values, Interpolation.CUBIC)
