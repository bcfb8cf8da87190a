"""Drift of the energy in a stretch of a motion, and how much of it the integrator explains.

The tolerance explains so much: in every step each state may err by its tolerance, and the energy by what such errors
change. Fixed steps have no tolerance; their drift is compared with the energy that the motion exchanges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.simulation.energy_law import EnergyLaw
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.samples import held_places
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.supplied_work import (
    NET_POWER,
    Account,
    Stretch,
    account_of,
    argument_rows,
    exact_work,
)
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import GyrostatError
from gyrostat.once import cached_property
from gyrostat.program import Program

_SAMPLES = 9
"""The number of states of a stretch at which the energy is computed."""
_TRIALS = 8
"""The number of states to which errors of the tolerance's size are added."""
_TOLERANCE_FACTOR = 10.0
"""How many times the effect of the tolerance in each step explains a drift."""
_ROUNDING = 1e-12
"""Relative rounding errors of energies, in each step."""
DRIFT_LIMIT = 0.1
"""The largest drift of a run with fixed steps, in terms of the energy exchanged."""


class Course(NamedTuple):
    """Energies at some times of a stretch, and the work supplied up to them (J)."""

    rows: Floats
    """Rows of arguments of programs."""
    modes: Floats
    """Modes of switching functions, by row."""
    kinetic: Floats
    potential: Floats
    active: Floats
    """Kinetic energy and that of networks: squares of states, which a relative error of the states changes."""
    work: Floats | float

    @property
    def surplus(self) -> Floats:
        """The energy that the work does not explain."""
        return self.kinetic + self.potential - self.work

    @property
    def exchanged(self) -> float:
        """The energy that takes part in the motion."""
        return float(self.kinetic.max() + np.ptp(self.potential) + np.ptp(self.work))


class Drift(NamedTuple):
    """The largest drift of the energy in a stretch (J), the energy exchanged there, and what explains a drift."""

    size: float
    exchanged: float
    explained: float


@dataclass(frozen=True, eq=False)
class Watched:
    """A stretch of a motion with its problem, in which resting contacts are closed, and the law of its energy."""

    motion: Motion
    problem: Problem
    stretch: Stretch
    law: EnergyLaw

    @property
    def tolerances(self) -> tuple[float | None, Floats | float]:
        """Relative and absolute tolerance of the run; None where steps are fixed."""
        integrator = self.problem.integrator
        relative, absolute = getattr(integrator, "rtol", None), getattr(integrator, "atol", None)
        if relative is None or absolute is None or getattr(integrator, "step", None) is not None:
            return None, 0.0
        return float(relative), absolute

    def sampled(self, work: Floats | None) -> Course:
        """Return the energies at some checkpoints, with the work up to them."""
        return self.course(_samples(self.stretch), work)

    def is_kept(self, course: Course) -> bool:
        """Return whether the tolerance obviously explains the energies at some checkpoints: the frequent case."""
        relative = getattr(self.problem.integrator, "rtol", None)
        if relative is None or self.problem.integrator.momenta:
            return False
        allowed = self.stretch.steps * float(course.active.max()) + _TOLERANCE_FACTOR * _flow(self, course)
        return self.largest(course) <= float(relative) * allowed

    def drift(self, course: Course) -> Drift | None:
        """Return the largest drift at some of the states of a stretch; None where an energy is not finite."""
        if not np.isfinite(course.surplus).all():
            return None
        return Drift(self.largest(course), course.exchanged, self.explained(course))

    @cached_property
    def account(self) -> Account:
        """The energies that are compared with the work."""
        return account_of(self.problem, self.stretch.segment) if self.law is EnergyLaw.SUPPLIED else NET_POWER

    def course(self, places: slice | NDArray[np.intp], work: Floats | None) -> Course:
        """Return the energies at some checkpoints of the stretch, with the work up to them."""
        course = _course(self.problem, self.stretch, places, self.account)
        if work is None:
            return course
        return course._replace(work=(work + _held_jumps(self.problem, self.stretch, self.account))[places])

    def largest(self, course: Course) -> float:
        """Return the largest drift of a course, or the largest rise where dampers act."""
        surplus = course.surplus
        if self.law is EnergyLaw.NOT_RISING:
            return float((surplus - np.minimum.accumulate(surplus)).max())
        return float(np.abs(surplus - surplus[0]).max())

    def explained(self, course: Course) -> float:
        """Return the drift that errors of the tolerance's size in each step explain, with rounding."""
        relative, absolute = self.tolerances
        largest = (np.abs(course.kinetic) + np.abs(course.potential)).max() + np.ptp(course.work)
        rounding = _ROUNDING * self.stretch.steps * float(largest)
        if relative is None:
            return DRIFT_LIMIT * course.exchanged + _effect_on_work(self, course, 0.0, 0.0) + rounding
        effect = self.stretch.steps * _effect_of_tolerance(self, course.rows, relative, absolute)
        return _TOLERANCE_FACTOR * (effect + _effect_on_work(self, course, relative, absolute)) + rounding


def confirmed_drift(watched: Watched, drift: Drift) -> Drift:
    """Return the drift of a supplied energy with the work on the motion between checkpoints, at all of them.

    Where an exception of the program ends that, the drift counts as explained.
    """
    if watched.law is not EnergyLaw.SUPPLIED:
        return drift
    try:
        work, uncertainty = exact_work(watched.motion, watched.stretch)
    except GyrostatError:
        return drift._replace(explained=np.inf)
    course = watched.course(slice(None), work)
    explained = watched.explained(course) + _TOLERANCE_FACTOR * uncertainty
    return Drift(watched.largest(course), course.exchanged, explained)


def negligible_drift(watched: Watched) -> float:
    """Return the drift in a stretch that is small beside the energy exchanged in the whole run, or a rounding error.

    A system that has come to rest exchanges none.
    """
    motion, stretch = watched.motion, watched.stretch
    whole = [Stretch(segment, 0, len(segment.times)) for segment in motion.segments if len(segment.times)]
    exchanged = max(
        _course(motion.problem_of(one.segment), one, _samples(one), watched.account).exchanged for one in whole
    )
    rounding = _effect_of_tolerance(watched, watched.course(_samples(stretch), None).rows, _ROUNDING, _ROUNDING)
    share = DRIFT_LIMIT if watched.tolerances[0] is None else _ROUNDING * stretch.steps
    return share * exchanged + _TOLERANCE_FACTOR * stretch.steps * rounding


def largest_change(watched: Watched) -> tuple[int, float]:
    """Return the place of the step, or of the interval between checkpoints, with the largest drift, and this drift."""
    supplied = watched.law is EnergyLaw.SUPPLIED
    work = exact_work(watched.motion, watched.stretch)[0] if supplied else None
    changes = np.diff(watched.course(slice(None), work).surplus)
    worst = int(np.argmax(changes if watched.law is EnergyLaw.NOT_RISING else np.abs(changes)))
    return worst, float(changes[worst])


def _samples(stretch: Stretch) -> NDArray[np.intp]:
    """Return the places of some checkpoints of a stretch, the first and the last among them."""
    return _places(stretch.last - stretch.first)


@lru_cache(maxsize=64)
def _places(count: int) -> NDArray[np.intp]:
    """Return places among so many checkpoints, at equal distances but for the last."""
    return np.append(np.arange(0, count, -(-count // (_SAMPLES - 1))), count)


def _course(problem: Problem, stretch: Stretch, places: slice | NDArray[np.intp], account: Account) -> Course:
    """Return the energies at some checkpoints of a stretch."""
    segment = stretch.segment
    rows = argument_rows(problem, segment, *stretch.instants(places))
    steps = np.arange(stretch.first, stretch.last + 1)[places].clip(max=stretch.last - 1)
    modes = segment.modes[steps, : segment.modes.shape[1] // 2] if segment.modes.size else np.empty((len(steps), 0))
    found = _program(problem, segment).loop(rows)
    kinetic, networks = found[:, 0], int(problem.system.energy_sources.networks)
    active = kinetic + found[:, found.shape[1] - networks :].sum(axis=1)
    return Course(rows, modes, kinetic, found[:, account.energies].sum(axis=1), active, 0.0)


def _held_jumps(problem: Problem, stretch: Stretch, account: Account) -> Floats | float:
    """Return the sum, up to each checkpoint, of the changes of the energy when sampled blocks set the values they hold.

    No work is done there: it is a stiffness that changes, say.
    """
    held, segment = held_places(problem.system), stretch.segment
    if not len(held) or problem.integrator.momenta:
        return 0.0
    after, times = stretch.states, stretch.evaluated_times
    before = after.copy()
    before[1:, held] = after[:-1, held]
    changed, unchanged = (
        sum(_energies(problem, segment, argument_rows(problem, segment, times, states), account))
        for states in (after, before)
    )
    return np.cumsum(changed - unchanged)


def _effect_of_tolerance(watched: Watched, rows: Floats, relative: float, absolute: Floats | float) -> float:
    """Return the largest change of the energy by errors of the tolerance's size in all states, with random signs."""
    problem, segment = watched.problem, watched.stretch.segment
    trials, moved = _trials(watched, rows, relative, absolute)
    before, after = (sum(_energies(problem, segment, each, watched.account)) for each in (trials, moved))
    return float(np.abs(after - before).max())


def _flow(watched: Watched, course: Course) -> float:
    """Return the energy that flows through networks, about: often far more than they store."""
    if not _has_flow(watched):
        return 0.0
    return float(_powers(watched, course.rows, course.modes)[:, 1].max()) * watched.stretch.duration


def _effect_on_work(watched: Watched, course: Course, relative: float, absolute: Floats | float) -> float:
    """Return the largest change of the work of networks by errors of the tolerance's size in states, with rounding."""
    if not _has_flow(watched):
        return 0.0
    trials, moved = _trials(watched, course.rows, relative, absolute)
    modes = np.repeat(course.modes, len(trials) // len(course.rows), axis=0)
    before, after = (_powers(watched, each, modes) for each in (trials, moved))
    change = np.abs(after[:, 0] - before[:, 0]).max() + _ROUNDING * before[:, 1].max()
    return float(change) * watched.stretch.duration


def _has_flow(watched: Watched) -> bool:
    return watched.problem.system.energy_sources.networks and watched.account is NET_POWER


def _powers(watched: Watched, rows: Floats, modes: Floats) -> Floats:
    """Return net power and flow at rows of arguments and modes of switching functions."""
    formulas = watched.stretch.segment.plan.formulas or None
    program = watched.problem.system.ready_program(NET_POWER.power, inputs=formulas, locked=modes.shape[1] > 0)
    return program.loop(np.hstack((rows, modes)))


def _trials(watched: Watched, rows: Floats, relative: float, absolute: Floats | float) -> tuple[Floats, Floats]:
    """Return rows, repeated if they are few, and these with errors of a tolerance's size in all states."""
    layout = watched.problem.system.row
    trials = np.repeat(rows, -(-_TRIALS // len(rows)), axis=0)
    moved, parts = trials.copy(), (layout.q, layout.u, layout.z)
    signs = _signs(len(trials), tuple(part.stop - part.start for part in parts))
    for part, sign in zip(parts, signs, strict=True):
        moved[:, part] += (relative * np.abs(trials[:, part]).max(axis=0) + absolute) * sign
    return trials, moved


@lru_cache(maxsize=16)
def _signs(count: int, sizes: tuple[int, ...]) -> tuple[Floats, ...]:
    """Return random signs for so many rows of parts of the state, always the same."""
    rng = np.random.default_rng(0)
    return tuple(rng.choice([-1.0, 1.0], size=(count, size)) for size in sizes)


def _energies(problem: Problem, segment: Segment, rows: Floats, account: Account) -> tuple[Floats, Floats]:
    """Return kinetic energy, and the potential energy that counts, at rows of arguments."""
    found = _program(problem, segment).loop(rows)
    return found[:, 0], found[:, account.energies].sum(axis=1)


def _program(problem: Problem, segment: Segment) -> Program:
    """Return the program of energies; inputs matter only where they drive coordinates."""
    system, formulas = problem.system, segment.plan.formulas
    if not formulas or not system.driving_inputs:
        return system.ready_program("energy")
    driving = {name: formulas[name] for name in system.driving_inputs if name in formulas}
    return system.ready_program("energy", inputs=driving or None)
