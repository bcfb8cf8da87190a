"""A motion: states at output times, with the checkpoints from which states between them are recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.progress import BREAK_TOLERANCE, OUTPUT, PAUSED
from gyrostat.analysis.simulation.closed_contacts import held
from gyrostat.analysis.simulation.grain_record import GrainRecord
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.recorded import Laws, Recorded
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Outcome, Status
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME, StateParts

_INITIAL_STATUS = Status(Outcome.COMPLETED, 0.0)
Places: TypeAlias = NDArray[np.intp] | slice
"""Places of times in a motion."""


@dataclass
class Motion:
    """A motion under integration: states, segments and events so far. Only `integrate` changes it."""

    problem: Problem
    times: Floats
    states: StateParts
    """The states at these times."""
    modes: Floats = field(default_factory=lambda: np.empty((0, 0)))
    """Modes of switching functions at these times, one row for each; not-a-number where there are none."""
    reached: int = 0
    """Number of output times whose state is known."""
    segments: list[Segment] = field(default_factory=list)
    occurrences: list[Occurrence] = field(default_factory=list)
    status: Status = _INITIAL_STATUS
    error: BaseException | None = None
    """The exception of a function of the user that ended the motion."""

    remarks: dict[str, list[str]] = field(default_factory=dict)
    """Remarks on the actions of events, by event, and on grains."""
    grains: dict[str, GrainRecord] = field(default_factory=dict)
    """The recorded motion of grains by name."""

    @property
    def notes(self) -> list[str]:
        """The first remark on each event, with the number of further ones."""
        return [
            first + (f" So it was at {len(further)} later instants." if further else "")
            for first, *further in self.remarks.values()
        ]

    def instants_at(self, times: Floats) -> tuple[StateParts, Floats]:
        """Return states and modes at any times of the motion, rising, by repeating the steps that they lie in.

        At the time of an event it is the state before it.
        """
        states = self.problem.system.row.empty(len(times))
        modes = np.full((len(times), max((_mode_count(segment) for segment in self.segments), default=0)), np.nan)
        for number, chosen in self._owned(times):
            segment, wanted = self.segments[number], times[chosen]
            found, own = self._repeated(segment, wanted)
            states.put(chosen, self.problem_of(segment).from_states(segment, wanted, found))
            modes[chosen, : own.shape[1]] = own
        return states, modes

    def states_in(self, segment: Segment, times: Floats) -> StateParts:
        """Return the states at rising times within a segment; at its start, those after the events there."""
        return self.instants_in(segment, times)[0]

    def instants_in(self, segment: Segment, times: Floats) -> tuple[StateParts, Floats]:
        """Return states and modes at rising times within a segment; at its start, those after the events there."""
        states, modes = self._repeated(segment, times)
        return self.problem_of(segment).from_states(segment, times, states), modes

    @property
    def modes_at_end(self) -> Floats:
        """Modes of switching functions at the end of the last segment, in as many columns as at output times.

        Not-a-number where a Python function of an input that ended the motion fails again.
        """
        modes = np.full(self.modes.shape[1], np.nan)
        if modes.size:
            own = self._repeated(self.segments[-1], np.array([self.segments[-1].end]), strict=False)[1][0]
            modes[: own.size] = own
        return modes

    def put_modes(self, places: slice, modes: Floats) -> None:
        """Store modes at output times; their number may differ between segments."""
        if not modes.shape[1]:
            return
        lacking = modes.shape[1] - self.modes.shape[1]
        if lacking > 0:
            self.modes = np.hstack((self.modes, np.full((len(self.modes), lacking), np.nan)))
        self.modes[places, : modes.shape[1]] = modes

    def _repeated(self, segment: Segment, times: Floats, *, strict: bool = True) -> tuple[Floats, Floats]:
        """Return states and modes at times within a segment; steps next to each other are repeated in one go.

        With `strict`, the exception of a Python function of an input is raised where a time is not reached.
        """
        states, modes = np.empty((len(times), segment.states.shape[1])), np.empty((len(times), _mode_count(segment)))
        if modes.size:  # at the end of a step they are those before a switch
            places = _counts(segment.times, times - BREAK_TOLERANCE * np.abs(times), inclusive=False)
        else:  # and states those before a sample
            places = _counts(segment.times, times, inclusive=not self.problem.system.sampled_blocks)
        places = np.clip(places - 1, 0, None)
        bounds = [0, *(np.flatnonzero(np.diff(places) > 1) + 1).tolist(), len(times)]
        problem = self.problem_of(segment)
        for group in (slice(*pair) for pair in pairwise(bounds)):
            first, last = places[group.start], places[group.stop - 1]
            repeatable = problem.integrator.repeatable
            part = replace(segment, end=segment.target)
            run, function = problem.run(
                part, float(segment.times[first]), segment.states[first], times[group], watching=False
            )
            run.resume(float(segment.steps[first]))
            if segment.modes.size:
                run.set_modes(segment.modes[first], settled=True)
            go_on = problem.integrator.stepper(run)
            # more steps than at first are allowed: pivots at singular positions are chosen anew
            ahead = int(last - first + 1) * segment.stride
            left = 2 * ahead + 50 if repeatable else 1 << 62
            at_start = times[group] <= run.time
            run.log.states[at_start] = run.y
            while run.counts[OUTPUT] < group.stop - group.start and left > 0:
                before = run.steps
                reason = go_on(left if repeatable else ahead)
                left -= run.steps - before
                if reason != PAUSED:
                    break
                run.enlarge_records()
            if strict and function.failure is not None and times[group.stop - 1] > run.time:
                raise function.failure
            states[group] = run.log.states
            if modes.size:
                modes[group] = np.where(at_start[:, None], run.log.start_modes, run.log.modes)
        return states, modes

    def problem_of(self, segment: Segment) -> Problem:
        """Return the problem of a segment, with the contacts closed that rest in it."""
        return held(self.problem, segment.resting)

    def recorded(self, rows: Floats, modes: Floats) -> Recorded:
        """Return the signals at rows of states, each by the equations of motion of its segment, with its modes."""
        if len(self.segments) == 1 and not modes.shape[1] and not self.segments[0].resting:
            return Recorded(self.problem.system, rows)
        parts: dict[tuple[object, ...], tuple[Segment, int, list[Places]]] = {}
        for segment, count, chosen in self._pieces(rows[:, TIME], modes):
            formulas = {name: formula.source for name, formula in segment.plan.formulas.items()} if count else {}
            key = segment.resting, count, *formulas.items()
            parts.setdefault(key, (segment, count, []))[2].append(chosen)
        found = []
        for segment, count, chosens in parts.values():
            chosen = np.concatenate([np.arange(len(rows))[places] for places in chosens])
            laws = Laws(segment.plan.formulas, modes[chosen, :count]) if count else None
            own = rows if len(parts) == 1 and len(chosens) == 1 else rows[chosen]
            found.append((Recorded(self.problem_of(segment).system, own, laws=laws), chosen))
        if len(found) == 1 and not segment.resting:
            return found[0][0]
        return Recorded(self.problem.system, rows, found)

    def rows(self, times: Floats, states: StateParts, modes: Floats) -> Floats:
        """Return the input vectors of programs, one row for each time, with parameters and inputs as they were then."""
        if len(self.segments) == 1 and not modes.shape[1]:
            return self.problem.rows(self.segments[0], times, states)
        rows = np.empty((len(times), self.problem.system.row.size))
        for segment, count, chosen in self._pieces(times, modes):
            own = modes[chosen, :count] if count else None
            rows[chosen] = self.problem.rows(segment, times[chosen], states.at(chosen), own)
        return rows

    def _pieces(self, times: Floats, modes: Floats) -> Iterator[tuple[Segment, int, Places]]:
        """Yield segments with the number of their modes, 0 where these are not known, and the places of their times."""
        for number, chosen in self._owned(times):
            segment = self.segments[number]
            count = min(_mode_count(segment), modes.shape[1])
            if not count:
                yield segment, 0, chosen
                continue
            known = np.isfinite(modes[chosen, :count]).all(axis=1)
            if known.all():
                yield segment, count, chosen
                continue
            places = np.arange(len(times))[chosen]
            if known.any():
                yield segment, count, places[known]
            yield segment, 0, places[~known]

    def _owned(self, times: Floats) -> list[tuple[int, Places]]:
        """Return for each segment the places of those times that lie in it; at an event that before it."""
        if len(self.segments) == 1:
            return [(0, slice(0, len(times)))]
        starts = np.array([segment.start for segment in self.segments])
        owners = np.clip(np.searchsorted(starts, times, side="left") - 1, 0, None)
        return [(int(number), np.flatnonzero(owners == number)) for number in np.unique(owners)]


def _counts(values: Floats, times: Floats, *, inclusive: bool) -> NDArray[np.intp]:
    """Return how many of rising values are before each of rising times, or at it where `inclusive`.

    There are many more times than values between the first and the last of them, so that these are looked for.
    """
    first, last = np.searchsorted(values, times[[0, -1]], side="right" if inclusive else "left")
    passed = np.searchsorted(times, values[first:last], side="left" if inclusive else "right")
    return np.asarray(first + np.cumsum(np.bincount(passed, minlength=len(times))))


def _mode_count(segment: Segment) -> int:
    """Return the number of switching functions of a segment; 0 where it has no step."""
    return int(segment.modes.shape[1]) // 2
