"""Watch on the energy of a finished run: a drift that the integrator's tolerance does not explain is reported.

The energy must be constant, or only fall where dampers act, or change by the work that loads, drivers and inputs do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.simulation.energy_drift import Drift, Watched, confirmed_drift, largest_change, negligible_drift
from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.supplied_work import Stretch, work_at_checkpoints
from gyrostat.coordinates.arguments import Floats
from gyrostat.program import Buffer, Program
from gyrostat.system import System

_STRETCHES = 8
"""The number of stretches of the run that are watched: segments with the most steps, or parts of a long one.

Of segments with a constant energy all are."""
_STEP_LIMIT = 1024
"""The number of checkpoints of all stretches at which the power is computed."""
_REPEAT_LIMIT = 4096
"""The number of checkpoints between which steps are repeated before a drift is reported."""
_CACHE_KEY = "room for energies"
"""Key of the system's cache."""


def note_on_energy(motion: Motion) -> str | None:
    """Return a note on a drift of the energy that the integrator does not explain, or None."""
    suspects = [(segment, law) for segment, law in _laws(motion) if law is not EnergyLaw.UNKNOWN]
    if len(suspects) > _STRETCHES:
        longest = sorted(suspects, key=lambda one: -len(one[0].times))[:_STRETCHES]
        suspects = sorted(longest, key=lambda one: one[0].start)
    for segment, law in suspects:
        problem = motion.problem_of(segment)
        for stretch in _stretches(segment, law, len(suspects)):
            note = _note_on_stretch(Watched(motion, problem, stretch, law))
            if note is not None:
                return note
    return None


def _laws(motion: Motion) -> Iterator[tuple[Segment, EnergyLaw]]:
    """Yield the segments with the laws of their energies, without those whose energy is obviously what it must be.

    That is known at once of constant energies, and where the integrator added up the work of loads.
    """
    for segment in motion.segments:
        problem = motion.problem_of(segment)
        law = energy_law(problem.system, segment)
        simple = law is EnergyLaw.CONSTANT or segment.carries_work
        if segment.end > segment.start and not (simple and _is_kept_at_ends(problem, segment)):
            yield segment, law


def _stretches(segment: Segment, law: EnergyLaw, segments: int) -> Iterator[Stretch]:
    """Yield the watched parts of a segment: all of it, or some where there are too many checkpoints for powers."""
    count, most = len(segment.times), _STEP_LIMIT // segments
    if not count:
        return
    if law is not EnergyLaw.SUPPLIED or segment.carries_work or count <= most:
        yield Stretch(segment, 0, count)
        return
    parts = max(_STRETCHES // segments, 1)
    for first in np.linspace(0, count - most // parts, parts).astype(int).tolist():
        yield Stretch(segment, first, first + most // parts)


def _note_on_stretch(watched: Watched) -> str | None:
    """Return a note on a drift in a stretch; the work of loads is computed more exactly before that is reported."""
    supplied = watched.law is EnergyLaw.SUPPLIED
    work = work_at_checkpoints(watched.motion, watched.stretch) if supplied else None
    course = watched.sampled(work)
    if watched.is_kept(course):
        return None
    drift = watched.drift(course)
    if drift is not None and not drift.size <= drift.explained:
        watched = _suspect_part(watched, work)
        drift = confirmed_drift(watched, drift)
        if not drift.size <= max(drift.explained, negligible_drift(watched)):
            return _note(watched, drift)
    return None


def _suspect_part(watched: Watched, work: Floats | None) -> Watched:
    """Return the part of a long stretch about the largest change of energy that the work does not explain."""
    stretch, most = watched.stretch, _REPEAT_LIMIT
    if work is None or stretch.last - stretch.first <= most:
        return watched
    changes = np.abs(np.diff(watched.course(slice(None), work).surplus))
    first = min(max(stretch.first + int(changes.argmax()) - most // 2, stretch.first), stretch.last - most)
    return replace(watched, stretch=Stretch(stretch.segment, first, first + most))


class _Room(NamedTuple):
    """The program of energies, with room for a row and its outputs."""

    program: Program
    row: Buffer
    found: Buffer

    @staticmethod
    def of(system: System) -> _Room:
        program = system.ready_program("energy")
        return _Room(program, program.input_buffer(), program.output_buffer())

    def energies(self, state: slice, y: Floats) -> list[float]:
        """Return kinetic and potential energies at a state, which is entered in the row."""
        self.row.array[state] = y
        self.program(self.row, self.found)
        found: list[float] = self.found.array.tolist()
        return found


def _is_kept_at_ends(problem: Problem, segment: Segment) -> bool:
    """Return whether the tolerance obviously explains the drift of an energy: the frequent case.

    An energy that drifts differs at the end from a constant, or from the work that the integrator added up. Inputs and
    time do not matter to it.
    """
    integrator, system = problem.integrator, problem.system
    relative = getattr(integrator, "rtol", None)
    if relative is None or integrator.momenta or not len(segment.times):
        return False
    room: _Room = system.cache.pop(_CACHE_KEY, None) or _Room.of(system)
    room.row.array[:] = problem.arguments(segment)
    state = system.row.state
    begin, end = room.energies(state, segment.states[0]), room.energies(state, segment.final)
    system.cache.keep(_CACHE_KEY, room)
    change = sum(end) - sum(begin)
    if segment.carries_work:
        change = end[0] + end[1] - begin[0] - begin[1] - segment.work
    explained: float = relative * len(segment.times) * segment.stride * max(begin[0], end[0])
    return abs(change) <= explained


def _note(watched: Watched, drift: Drift) -> str:
    """Return the note on a drift, with the time of its largest change in one step, or between checkpoints."""
    times, (worst, change) = watched.stretch.times, largest_change(watched)
    what = {
        EnergyLaw.CONSTANT: "drifts by",
        EnergyLaw.NOT_RISING: "rises, although nothing supplies energy, by",
        EnergyLaw.SUPPLIED: "differs from the work that loads, drivers and sources do by",
    }[watched.law]
    share = f", {drift.size / drift.exchanged:.1e} of the energy exchanged" if drift.exchanged > 0 else ""
    fixed = watched.tolerances[0] is None
    source = "the steps are too long" if fixed else "the tolerance does not explain this"
    remedy = "Use a smaller step" if fixed else "Use smaller tolerances or another integrator"
    return (
        f"The energy {what} {drift.size:.2g} J{share}; {source}. The largest change, {abs(change):.2g} J, is "
        f"between t = {times[worst]:.6g} s and {times[worst + 1]:.6g} s. {remedy}, and look at the motion there: near "
        "singular positions of loops, stops and discontinuities."
    )
