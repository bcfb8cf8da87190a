"""Work of all loads, drivers and inputs in a segment: the change of kinetic and potential energy that they explain."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.integrators.run import NO_ROPES
from gyrostat.analysis.kernels.library import add_work
from gyrostat.analysis.kernels.power_tables import Checkpoints, PowerNumbers, PowerTables
from gyrostat.analysis.kernels.progress import HERMITE_NODES
from gyrostat.analysis.simulation.driver_kinks import later_side
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.samples import held_places, samples_within
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.lazy import later
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import ropes
else:
    (ropes,) = later("gyrostat.analysis.simulation", "ropes")

GAUSS_NODES = 5
"""Gauss points in each piece of a step; exact for polynomials of degree 9."""

_COARSE_TOLERANCE = 1e-3
"""The relative tolerance from which on work is integrated from powers alone."""


class Account(NamedTuple):
    """The energies that are compared with a work, and the power that changes them."""

    power: str
    """The program of the power."""
    energies: slice | list[int]
    """The potential energies that count, among the columns of the program of energies."""


NET_POWER = Account("net_power", slice(1, None))


def _by_loads(system: System) -> Account:
    """Return the account in which springs do work, and only gravity and networks store energy.

    It takes no derivative of energies, so that rolled code has it.
    """
    networks = sum(state.stores_energy for state in system.model.states.values())
    return Account("load_power", [1, *range(-networks, 0)])


def account_of(problem: Problem, segment: Segment) -> Account:
    """Return the account of a segment; a tree of many links whose run needed no compiler needs none for this either."""
    if segment.carries_work:
        return _by_loads(problem.system)
    system, integrator = problem.system, problem.integrator
    straight = integrator.jacobian and not system.derivatives_roll
    compiled = straight or integrator.momenta or segment.plan.formulas or segment.modes.size
    banded = system.whole_ropes and ropes.takes_ropes(system, integrator, segment, segment.modes.shape[1] // 2)
    return _by_loads(system) if banded or (system.rolls and not compiled) else NET_POWER


class Stretch(NamedTuple):
    """A part of a segment between two of its checkpoints; the last of them may be its end."""

    segment: Segment
    first: int
    last: int

    @property
    def times(self) -> Floats:
        """The times of the checkpoints, with that of the end."""
        segment = self.segment
        inner = segment.times[self.first : self.last + 1]
        return np.append(inner, segment.end) if self.last == len(segment.times) else inner

    @property
    def evaluated_times(self) -> Floats:
        """The times of the checkpoints; that of the start of a segment is just behind a kink of a driver there."""
        times = self.times.copy()
        if self.first == 0:
            times[0] = later_side(self.segment.start)
        return times

    @property
    def states(self) -> Floats:
        """The states at these times."""
        segment = self.segment
        inner = segment.states[self.first : self.last + 1]
        return np.vstack((inner, segment.final)) if self.last == len(segment.times) else inner

    @property
    def works(self) -> Floats:
        """The work up to these times that the integrator added up, from the start of the segment."""
        segment = self.segment
        inner = segment.works[self.first : self.last + 1]
        return np.append(inner, segment.work) if self.last == len(segment.times) else inner

    @property
    def last_state(self) -> Floats:
        """The state at the last of these times."""
        segment = self.segment
        return segment.final if self.last == len(segment.times) else segment.states[self.last]

    def instants(self, places: slice | NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return times for evaluation and states at some checkpoints; of places, the last is that of the end."""
        if isinstance(places, slice):
            return self.evaluated_times[places], self.states[places]
        segment, inner = self.segment, places[:-1] + self.first
        times, states = np.empty(len(places)), np.empty((len(places), segment.states.shape[1]))
        times[:-1], states[:-1], states[-1] = segment.times[inner], segment.states[inner], self.last_state
        times[-1] = segment.end if self.last == len(segment.times) else segment.times[self.last]
        if inner[0] == 0:
            times[0] = later_side(segment.start)
        return times, states

    @property
    def duration(self) -> float:
        """The time from the first checkpoint to the last."""
        segment = self.segment
        end = segment.end if self.last == len(segment.times) else float(segment.times[self.last])
        return end - float(segment.times[self.first])

    @property
    def steps(self) -> int:
        """The number of steps."""
        return (self.last - self.first) * self.segment.stride


def work_at_checkpoints(motion: Motion, stretch: Stretch) -> Floats:
    """Return the work from the first checkpoint of a stretch to each: that which the integrator added up, or by powers.

    Hermite's polynomial through the powers of up to six checkpoints is integrated, between discontinuities of inputs,
    formulas and modes. That takes one evaluation of the rates and two of the powers in each step. Where rates
    are not smooth, or tolerances are coarse, Lagrange's polynomial takes the powers alone.
    """
    segment = stretch.segment
    if segment.carries_work:
        carried: Floats = stretch.works - segment.works[stretch.first]
        return carried
    times, states = stretch.times, stretch.states
    problem = motion.problem_of(segment)
    system, plan, size = problem.system, segment.plan, problem.system.row.state_size
    modes = np.ascontiguousarray(segment.modes[stretch.first : stretch.last, : segment.modes.shape[1] // 2])
    breaks = problem.breaks(segment, samples_within(system, segment))
    if problem.integrator.momenta:
        states = system.row.joined(problem.from_states(segment, times, states))
    options: dict[str, Any] = {"inputs": plan.formulas or None, "locked": modes.shape[1] > 0}
    banded = NO_ROPES
    if system.whole_ropes:
        banded = ropes.kernel_ropes(system, problem.integrator, segment, modes.shape[1])
    rates, power, found = 0, 0, size
    if banded is NO_ROPES:
        if _has_smooth_rates(problem):  # steps of systems with constraints use rates that are followed by pivots
            program = system.ready_program("guarded_rates" if system.constrained else "rates", **options)
            rates, found = program.address, program.output_size
        power = system.ready_program(account_of(problem, segment).power, **options).address
    row = np.append(problem.arguments(segment), np.zeros(modes.shape[1]))
    powers = PowerTables(rates, power, plan.kernel_tables(system), banded, row, np.empty(size))
    room = (np.empty((3, len(times))), np.empty(size), np.empty(found), np.empty(2), np.empty((2, 2 * HERMITE_NODES)))
    work = np.empty(len(times))
    add_work(powers, Checkpoints(times, states, modes, breaks, held_places(system)), PowerNumbers(_rule(), *room), work)
    return work


def _has_smooth_rates(problem: Problem) -> bool:
    """Return whether rates at checkpoints are those of the motion, closely enough to be of use.

    Those of algebraic variables are not known. In stiff networks errors of the tolerance's size give rates of any size.
    At coarse tolerances the powers alone give the work to a small part of what the tolerance explains.
    """
    system, relative = problem.system, getattr(problem.integrator, "rtol", None)
    stiff = problem.integrator.jacobian and system.energy_sources.networks
    coarse = relative is not None and float(relative) >= _COARSE_TOLERANCE
    return not (coarse or stiff or len(system.coordinates.algebraic))


def argument_rows(problem: Problem, segment: Segment, times: Floats, states: Floats) -> Floats:
    """Return rows of arguments of programs that have the inputs given by formulas in them, at states of a segment."""
    layout = problem.system.row
    parts = layout.split(states)
    if problem.integrator.momenta:
        parts = problem.from_states(segment, times, states)
    rows = np.empty((len(times), layout.size))
    rows[:] = problem.arguments(segment)
    rows[:, TIME], rows[:, layout.q], rows[:, layout.u], rows[:, layout.z] = times, *parts
    fill_tables(problem, segment, rows)
    return rows


def fill_tables(problem: Problem, segment: Segment, rows: Floats) -> None:
    """Write the inputs given by tables into rows at their times."""
    system = problem.system
    for name, values in segment.plan.table_values(system, rows[:, TIME]).items():
        rows[:, system.row.inputs.start + system.inputs.index(name)] = values


def gauss_moments(starts: Floats, widths: Floats, nodes: int = GAUSS_NODES) -> tuple[Floats, Floats]:
    """Return the times of Gauss's rule in intervals, one after the other, and its weights for intervals of length 1."""
    places, weights = _gauss_rule(nodes)
    return (starts[:, None] + widths[:, None] * places).ravel(), weights


@cache
def _gauss_rule(nodes: int) -> tuple[Floats, Floats]:
    """Return places and weights of Gauss's rule in the interval from 0 to 1."""
    places, weights = np.polynomial.legendre.leggauss(nodes)
    return 0.5 + 0.5 * places, weights / 2


def exact_work(motion: Motion, stretch: Stretch) -> tuple[Floats, float]:
    """Return the work from the first checkpoint of a stretch to each, on the motion between, and its uncertainty.

    Steps are repeated. The uncertainty is the difference between Gauss's rule on steps and on their halves.
    """
    once, twice = _gauss_work(motion, stretch, 1), _gauss_work(motion, stretch, 2)
    return twice, float(np.abs(twice - once).max())


def _gauss_work(motion: Motion, stretch: Stretch, parts: int) -> Floats:
    """Return the work up to each checkpoint by Gauss's rule in so many parts of each interval."""
    times, fractions = stretch.times, np.arange(parts) / parts
    program = account_of(motion.problem_of(stretch.segment), stretch.segment).power
    widths = np.diff(times)
    starts = (times[:-1, None] + widths[:, None] * fractions).ravel()
    moments, weights = gauss_moments(starts, np.repeat(widths / parts, parts))
    states, modes = motion.instants_at(moments)
    powers = motion.recorded(motion.rows(moments, states, modes), modes).found(program)["power"][:, 0]
    pieces = powers.reshape(len(widths), parts, GAUSS_NODES) @ weights
    return np.append(0.0, np.cumsum(pieces.sum(axis=1) * widths / parts))


@cache
def _rule() -> Floats:
    """Return places and weights of the rule that integrates the interpolation polynomials exactly."""
    places, weights = np.polynomial.legendre.leggauss(HERMITE_NODES)
    return np.array([0.5 + 0.5 * places, weights / 2])
