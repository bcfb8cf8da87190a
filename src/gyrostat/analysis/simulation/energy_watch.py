"""Watch on the energy of a finished run: a drift that the integrator's tolerance does not explain is reported.

The energy must be constant, or only fall where dampers act, or change by the work that loads, drivers and inputs do.
The tolerance explains so much: in every step each state may err by its tolerance, and the energy by what such errors
change. Fixed steps have no tolerance; their drift is compared with the energy that the motion exchanges.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.supplied_work import (
    Stretch,
    argument_rows,
    exact_work,
    fill_tables,
    work_at_checkpoints,
)
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.errors import GyrostatError
from gyrostat.program import Program
from gyrostat.system import System

_SAMPLES = 9
"""The number of states of a stretch at which the energy is computed."""
_STRETCHES = 8
"""The number of stretches of the run that are watched: segments with the most steps, or parts of a long one."""
_MOST_STEPS = 1024
"""The number of checkpoints of all stretches at which the power is computed."""
_TRIALS = 8
"""The number of states to which errors of the tolerance's size are added."""
_EXPLAINED = 10.0
"""How many times the effect of the tolerance in each step explains a drift."""
_ROUNDING = 1e-12
"""Relative rounding errors of energies, in each step."""
_COARSE = 0.1
"""The largest drift of a run with fixed steps, in terms of the energy exchanged."""


class _Course(NamedTuple):
    """Energies at some times of a stretch, and the work supplied up to them (J)."""

    rows: Floats
    """Rows of arguments of programs."""
    kinetic: Floats
    potential: Floats
    work: Floats | float

    @property
    def surplus(self) -> Floats:
        """The energy that the work does not explain."""
        return self.kinetic + self.potential - self.work

    @property
    def exchanged(self) -> float:
        """The energy that takes part in the motion."""
        return float(self.kinetic.max() + np.ptp(self.potential) + np.ptp(self.work))


class _Drift(NamedTuple):
    """The largest drift of the energy in a stretch (J), the energy exchanged there, and what explains a drift."""

    size: float
    exchanged: float
    explained: float


def note_on_energy(motion: Motion) -> str | None:
    """Return a note on a drift of the energy that the integrator does not explain, or None."""
    segments = motion.segments
    if len(segments) > _STRETCHES:
        longest = sorted(segments, key=lambda segment: -len(segment.times))[:_STRETCHES]
        segments = sorted(longest, key=lambda segment: segment.start)
    for segment in segments:
        if not len(segment.times) or not segment.end > segment.start:
            continue
        law = energy_law(motion.problem.system, segment)
        if law is EnergyLaw.SUPPLIED and (_is_rolled(motion, segment) or motion.problem.system.sampled_blocks):
            continue
        for stretch in _stretches(segment, law, len(segments)):
            note = _note_on_stretch(motion, stretch, law)
            if note is not None:
                return note
    return None


def _is_rolled(motion: Motion, segment: Segment) -> bool:
    """Return whether the run needed no compiler, which the program of powers would: a tree of many links."""
    problem = motion.problem
    compiled = problem.integrator.jacobian or problem.integrator.momenta or segment.plan.formulas or segment.modes.size
    return problem.system.rolls and not compiled


def _note_on_stretch(motion: Motion, stretch: Stretch, law: EnergyLaw) -> str | None:
    """Return a note on a drift in a stretch; the work of loads is computed more exactly before that is reported."""
    work = work_at_checkpoints(motion, stretch) if law is EnergyLaw.SUPPLIED else None
    if _is_kept(motion, stretch, law, work):
        return None
    drift = _drift(motion, stretch, law, work)
    if drift is not None and not drift.size <= drift.explained:
        drift = _confirmed(motion, stretch, law, drift)
        if not drift.size <= max(drift.explained, _negligible(motion, stretch)):
            return _note(motion, stretch, drift, law)
    return None


def _stretches(segment: Segment, law: EnergyLaw, segments: int) -> Iterator[Stretch]:
    """Yield the watched parts of a segment: all of it, or some where there are too many checkpoints for powers."""
    count, most = len(segment.times), _MOST_STEPS // segments
    if law is EnergyLaw.UNKNOWN:
        return
    if law is not EnergyLaw.SUPPLIED or count <= most:
        yield Stretch(segment, 0, count)
        return
    parts = max(_STRETCHES // segments, 1)
    for first in np.linspace(0, count - most // parts, parts).astype(int).tolist():
        yield Stretch(segment, first, first + most // parts)


def _is_kept(motion: Motion, stretch: Stretch, law: EnergyLaw, work: Floats | None) -> bool:
    """Return whether the tolerance obviously explains the energies at some checkpoints: the frequent case.

    A constant energy that drifts differs at the end, so that both ends are enough.
    """
    problem, segment = motion.problem, stretch.segment
    relative = getattr(problem.integrator, "rtol", None)
    if relative is None or problem.integrator.momenta:
        return False
    count = stretch.last - stretch.first
    spacing = count if law is EnergyLaw.CONSTANT else -(-count // (_SAMPLES - 1))
    layout, inner = problem.system.row, segment.states[stretch.first : stretch.last : spacing]
    rows = np.empty((len(inner) + 1, layout.size))
    rows[:] = problem.arguments(segment)
    rows[:-1, layout.state], rows[-1, layout.state] = inner, stretch.last_state
    done = [0.0] * len(rows)
    if work is not None:
        places = [*range(0, count, spacing), count]
        done, rows[:, TIME] = work[places].tolist(), stretch.evaluated_times[places]
        fill_tables(problem, segment, rows)
    lowest, highest, rise, kinetic = np.inf, -np.inf, 0.0, 0.0
    for energies, supplied in zip(_program(motion, segment).loop(rows).tolist(), done, strict=True):
        surplus = sum(energies) - supplied
        lowest, highest, kinetic = min(lowest, surplus), max(highest, surplus), max(kinetic, energies[0])
        rise = max(rise, surplus - lowest)
    drift = rise if law is EnergyLaw.NOT_RISING else highest - lowest
    return bool(drift <= relative * stretch.steps * kinetic)


def _drift(motion: Motion, stretch: Stretch, law: EnergyLaw, work: Floats | None) -> _Drift | None:
    """Return the largest drift at some of the states of a stretch; None where an energy is not finite."""
    places = _samples(stretch)
    course = _course(motion, stretch, places, 0.0 if work is None else work[places])
    if not np.isfinite(course.surplus).all():
        return None
    return _Drift(_largest(course, law), course.exchanged, _explained(motion, stretch, course))


def _samples(stretch: Stretch) -> NDArray[np.intp]:
    """Return the places of some checkpoints of a stretch, the first and the last among them."""
    count = stretch.last - stretch.first
    return np.append(np.arange(0, count, -(-count // (_SAMPLES - 1))), -1)


def _negligible(motion: Motion, stretch: Stretch) -> float:
    """Return the drift in a stretch that is small beside the energy exchanged in the whole run, or a rounding error.

    A system that has come to rest exchanges none.
    """
    whole = [Stretch(segment, 0, len(segment.times)) for segment in motion.segments if len(segment.times)]
    exchanged = max(_course(motion, one, _samples(one), 0.0).exchanged for one in whole)
    rows, program = _course(motion, stretch, _samples(stretch), 0.0).rows, _program(motion, stretch.segment)
    rounding = _effect_of_tolerance(program, motion.problem.system, rows, _ROUNDING, _ROUNDING)
    share = _COARSE if _tolerances(motion)[0] is None else _ROUNDING * stretch.steps
    return share * exchanged + _EXPLAINED * stretch.steps * rounding


def _largest(course: _Course, law: EnergyLaw) -> float:
    """Return the largest drift of a course, or the largest rise where dampers act."""
    surplus = course.surplus
    if law is EnergyLaw.NOT_RISING:
        return float((surplus - np.minimum.accumulate(surplus)).max())
    return float(np.abs(surplus - surplus[0]).max())


def _rounding(course: _Course, stretch: Stretch) -> float:
    """Return the drift that rounding errors of energies and works explain."""
    largest = (np.abs(course.kinetic) + np.abs(course.potential)).max() + np.ptp(course.work)
    return _ROUNDING * stretch.steps * float(largest)


def _tolerances(motion: Motion) -> tuple[float | None, Floats | float]:
    """Return relative and absolute tolerance of a run; None where steps are fixed."""
    integrator = motion.problem.integrator
    relative, absolute = getattr(integrator, "rtol", None), getattr(integrator, "atol", None)
    if relative is None or absolute is None or getattr(integrator, "step", None) is not None:
        return None, 0.0
    return float(relative), absolute


def _explained(motion: Motion, stretch: Stretch, course: _Course) -> float:
    """Return the drift that errors of the tolerance's size in each step explain."""
    relative, absolute = _tolerances(motion)
    if relative is None:
        return _COARSE * course.exchanged + _rounding(course, stretch)
    effect = _effect_of_tolerance(
        _program(motion, stretch.segment), motion.problem.system, course.rows, relative, absolute
    )
    return _EXPLAINED * stretch.steps * effect + _rounding(course, stretch)


def _confirmed(motion: Motion, stretch: Stretch, law: EnergyLaw, drift: _Drift) -> _Drift:
    """Return the drift of a supplied energy with the work on the motion between checkpoints, at all of them.

    Where an exception of the program ends that, the drift counts as explained.
    """
    if law is not EnergyLaw.SUPPLIED:
        return drift
    try:
        work, uncertainty = exact_work(motion, stretch)
    except GyrostatError:
        return drift._replace(explained=np.inf)
    course = _course(motion, stretch, slice(None), work)
    explained = _explained(motion, stretch, course) + _EXPLAINED * uncertainty
    return _Drift(_largest(course, law), course.exchanged, explained)


def _effect_of_tolerance(
    program: Program, system: System, rows: Floats, relative: float, absolute: Floats | float
) -> float:
    """Return the largest change of the energy by errors of the tolerance's size in all states, with random signs."""
    layout, rng = system.row, np.random.default_rng(0)
    trials = np.repeat(rows, -(-_TRIALS // len(rows)), axis=0)
    before = sum(_energies(program, trials))
    for part in (layout.q, layout.u):
        size = relative * np.abs(trials[:, part]).max(axis=0) + absolute
        trials[:, part] += size * rng.choice([-1.0, 1.0], size=trials[:, part].shape)
    return float(np.abs(sum(_energies(program, trials)) - before).max())


def _course(motion: Motion, stretch: Stretch, places: slice | NDArray[np.intp], work: Floats | float) -> _Course:
    """Return the energies at some checkpoints of a stretch, with the work up to them."""
    rows = argument_rows(motion.problem, stretch.segment, stretch.evaluated_times[places], stretch.states[places])
    return _Course(rows, *_energies(_program(motion, stretch.segment), rows), work)


def _program(motion: Motion, segment: Segment) -> Program:
    """Return the program of energies; inputs matter only where they drive coordinates."""
    system, formulas = motion.problem.system, segment.plan.formulas
    if not formulas or not system.driving_inputs:
        return system.ready_program("energy")
    driving = {name: formulas[name] for name in system.driving_inputs if name in formulas}
    return system.ready_program("energy", inputs=driving or None)


def _energies(program: Program, rows: Floats) -> tuple[Floats, Floats]:
    """Return kinetic and potential energy at rows of arguments."""
    found = program.loop(rows)
    return found[:, 0], found[:, 1:].sum(axis=1)


def _note(motion: Motion, stretch: Stretch, drift: _Drift, law: EnergyLaw) -> str:
    """Return the note on a drift, with the time of its largest change in one step, or between checkpoints."""
    work = exact_work(motion, stretch)[0] if law is EnergyLaw.SUPPLIED else 0.0
    times, changes = stretch.times, np.diff(_course(motion, stretch, slice(None), work).surplus)
    worst = int(np.argmax(changes if law is EnergyLaw.NOT_RISING else np.abs(changes)))
    what = {
        EnergyLaw.CONSTANT: "drifts by",
        EnergyLaw.NOT_RISING: "rises, although only dampers act, by",
        EnergyLaw.SUPPLIED: "differs from the work that loads and drivers do by",
    }[law]
    share = f", {drift.size / drift.exchanged:.1e} of the energy exchanged" if drift.exchanged > 0 else ""
    fixed = _tolerances(motion)[0] is None
    source = "the steps are too long" if fixed else "the tolerance does not explain this"
    remedy = "Use a smaller step" if fixed else "Use smaller tolerances or another integrator"
    return (
        f"The energy {what} {drift.size:.2g} J{share}; {source}. The largest change, {abs(changes[worst]):.2g} J, is "
        f"between t = {times[worst]:.6g} s and {times[worst + 1]:.6g} s. {remedy}, and look at the motion there: near "
        "singular positions of loops, stops and discontinuities."
    )
