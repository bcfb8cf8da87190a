"""A motion: states at output times, with the checkpoints from which states between them are recomputed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.progress import OUTPUT, PAUSED, STEP
from gyrostat.analysis.simulation.closed_contacts import held
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Outcome, Status
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME, StateParts


@dataclass
class Motion:
    """A motion under integration: states, segments and events so far. Only `integrate` changes it."""

    problem: Problem
    times: Floats
    states: StateParts
    """The states at these times."""
    reached: int = 0
    """Number of output times whose state is known."""
    segments: list[Segment] = field(default_factory=list)
    occurrences: list[Occurrence] = field(default_factory=list)
    status: Status = field(default_factory=lambda: Status(Outcome.COMPLETED, 0.0))
    error: BaseException | None = None
    """The exception of a function of the user that ended the motion."""

    remarks: dict[str, list[str]] = field(default_factory=dict)
    """Remarks on the actions of events, by event."""

    @property
    def notes(self) -> list[str]:
        """The first remark on each event, with the number of further ones."""
        return [
            first + (f" So it was at {len(further)} later instants." if further else "")
            for first, *further in self.remarks.values()
        ]

    def states_at(self, times: Floats) -> StateParts:
        """Return the states at any times of the motion, rising, by repeating the steps that they lie in.

        At the time of an event it is the state before it.
        """
        states = self.problem.system.row.empty(len(times))
        for number, chosen in self._owned(times):
            segment, wanted = self.segments[number], times[chosen]
            states.put(chosen, self.states_in(segment, wanted))
        return states

    def states_in(self, segment: Segment, times: Floats) -> StateParts:
        """Return the states at rising times within a segment; at its start, those after the events there."""
        return self.problem_of(segment).from_states(segment, times, self._repeated(segment, times))

    def _repeated(self, segment: Segment, times: Floats) -> Floats:
        """Return the states at times within a segment; steps next to each other are repeated in one go."""
        states = np.empty((len(times), segment.states.shape[1]))
        places = np.clip(np.searchsorted(segment.times, times, side="right") - 1, 0, None)
        groups = np.split(np.arange(len(times)), np.flatnonzero(np.diff(places) > 1) + 1)
        for group in groups:
            first, last = places[group[0]], places[group[-1]]
            repeatable = self.problem.integrator.repeatable
            part = replace(segment, end=segment.target if repeatable else float(times[group[-1]]))
            run, function = self.problem_of(segment).run(
                part, float(segment.times[first]), segment.states[first], times[group], watching=False
            )
            run.clock[STEP] = segment.steps[first]
            if segment.modes.size:
                run.set_modes(segment.modes[first], settled=True)
            go_on = self.problem.integrator.stepper(run)
            # more steps than at first are allowed: pivots at singular positions are chosen anew
            left = 2 * int(last - first + 1) * segment.stride + 50 if repeatable else 1 << 62
            run.log.states[times[group] <= run.time] = run.y
            while run.counts[OUTPUT] < len(group) and left > 0:
                before = run.steps
                reason = go_on(left)
                left -= run.steps - before
                if reason != PAUSED:
                    break
                run.make_room()
            if function.failure is not None and times[group[-1]] > run.time:
                raise function.failure
            states[group] = run.log.states
        return states

    def problem_of(self, segment: Segment) -> Problem:
        """Return the problem of a segment, with the contacts closed that rest in it."""
        return held(self.problem, segment.resting)

    def recorded(self, rows: Floats) -> Recorded:
        """Return the signals at rows of states, each by the equations of motion of its segment."""
        parts = []
        if any(segment.resting for segment in self.segments):
            parts = [
                (self.problem_of(self.segments[number]).system, chosen)
                for number, chosen in self._owned(rows[:, TIME])
                if self.segments[number].resting
            ]
        return Recorded(self.problem.system, rows, parts)

    def rows(self, times: Floats, states: StateParts) -> Floats:
        """Return the input vectors of programs, one row for each time, with parameters and inputs as they were then."""
        if len(self.segments) == 1:
            return self.problem.rows(self.segments[0], times, states)
        parts = [
            (chosen, self.problem.rows(self.segments[number], times[chosen], states.at(chosen)))
            for number, chosen in self._owned(times)
        ]
        rows = np.empty((len(times), parts[0][1].shape[1]))
        for chosen, part in parts:
            rows[chosen] = part
        return rows

    def _owned(self, times: Floats) -> list[tuple[int, NDArray[np.intp]]]:
        """Return for each segment the places of those times that lie in it; at an event that before it."""
        if len(self.segments) == 1:
            return [(0, np.arange(len(times)))]
        starts = np.array([segment.start for segment in self.segments])
        owners = np.clip(np.searchsorted(starts, times, side="left") - 1, 0, None)
        return [(int(number), np.flatnonzero(owners == number)) for number in np.unique(owners)]
