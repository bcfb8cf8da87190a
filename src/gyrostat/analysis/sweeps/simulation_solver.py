"""Simulations of points: in SIMD lanes, by repeated runs of one problem, or individually, as the case allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.runge_kutta import RungeKutta
from gyrostat.analysis.simulation.contact_points import with_margins
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.integrate import integrate
from gyrostat.analysis.simulation.mass_watch import with_mass_limits
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.simulate import output_times
from gyrostat.analysis.simulation.state_switches import may_switch
from gyrostat.analysis.simulation.status import Outcome
from gyrostat.analysis.simulation.time_switches import TimeSwitches
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.analysis.sweeps.analysis import PieceBuilder
from gyrostat.analysis.sweeps.energy_screen import EnergyScreen
from gyrostat.analysis.sweeps.layout import Layout, as_numbers, explained
from gyrostat.analysis.sweeps.measures import Measures
from gyrostat.analysis.sweeps.points import Piece, Points
from gyrostat.analysis.sweeps.requests import needs_all_times, output_of
from gyrostat.analysis.sweeps.runs import BatchedRuns, RepeatedRuns, can_batch
from gyrostat.analysis.sweeps.starts import Starts
from gyrostat.analysis.sweeps.summaries import OutputSummary, RunSummary
from gyrostat.analysis.sweeps.targets import TargetKind, Targets
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps.simulation import Simulation

_VALUE_LIMIT = 4_000_000
"""Largest number of values of rows whose outputs are evaluated together."""


class _Made(NamedTuple):
    """Runs that were made together: which, their states, (runs, times, size of y), NaN where one failed."""

    part: slice
    states: Floats
    steps: NDArray[np.int64]
    notes: dict[int, str]
    """Notes on runs by their places in the part."""


class SimulationSolver:
    """Simulates points; data common to all runs is prepared once."""

    def __init__(self, system: System, targets: Targets, simulation: Simulation, layout: Layout) -> None:
        self._system, self._targets, self._simulation, self._layout = system, targets, simulation, layout
        self._problem = Problem(
            system,
            simulation.integrator,
            with_margins(with_mass_limits(simulation.events, system), system, simulation.integrator),
        )
        self._measures = Measures(system, simulation.requests(system))
        requests = self._measures.requests
        self._functions: dict[str, Callable[[Trajectory], Any]] = {
            name: one
            for name, one in requests.items()
            if callable(one) and not isinstance(one, (str, OutputSummary, RunSummary))
        }
        self._times = output_times(simulation.duration, simulation.step, simulation.times)
        self._grid = self._times if any(map(needs_all_times, requests.values())) else self._times[[0, -1]]

    def __call__(self, points: Points) -> Piece:
        """Simulate at some points."""
        builder = PieceBuilder(points, self._layout)
        if self._simple:
            self._simulate_together(builder)
        else:
            for i in range(points.count):
                self._simulate_one(builder, i)
        return builder.piece()

    # --- one by one ---------------------------------------------------------------------------------------------

    def _simulate_one(self, builder: PieceBuilder, place: int) -> None:
        try:
            motion = self._motion(builder.points.at(place))
            if not motion.status.success:
                builder.fail(place, _failure(motion))
                return
            if notes := " ".join(filter(None, (*motion.status.notes, note_on_energy(motion)))):
                builder.note(place, notes)
            for name, values in self._measured(motion):
                builder.values[name][place] = values
            for name, values in self._of_functions(motion).items():
                builder.values[name][place] = as_numbers(name, values)
        except Exception as error:  # any error, also of the user's code, is the reason for this point's failure
            builder.fail(place, explained(error))

    def function_values(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the results of the functions of the trajectory at a point."""
        motion = self._motion(values)
        if not motion.status.success:
            raise StateError(_failure(motion)) from motion.error
        return self._of_functions(motion)

    def _motion(self, values: Mapping[str, Any]) -> Motion:
        """Return the trajectory of a point, as by `simulate`."""
        system, simulation, parts = self._system, self._simulation, self._targets.split(values)
        parameters = {**simulation.parameters, **parts.parameters}
        known = system.model.values(parameters)
        system.parameter_values(parameters)
        initial = {**simulation.initial_values(system), **parts.initial}
        start = assemble(system, initial, parameters=parameters, t=float(self._grid[0]))
        plan = InputPlan.starting({**simulation.inputs, **parts.inputs}, system, self._times, known)
        motion = integrate(self._problem, self._grid, start.parts, known, plan, budget=simulation.budget)
        if motion.status.outcome is Outcome.INTERRUPTED:
            raise KeyboardInterrupt
        if motion.error is not None and not isinstance(motion.error, Exception):
            raise motion.error  # a function of the user ends the process
        return motion

    def _measured(self, motion: Motion) -> Iterator[tuple[str, Any]]:
        """Yield the variables of one run."""
        measures = self._measures
        if measures.of_states:
            outputs = measures.values_of_states(self._system.row.joined(motion.states)[None])
        else:
            rows = motion.rows(motion.times, motion.states, motion.modes)
            outputs = measures.values_of_rows(rows[None], motion.recorded(rows, motion.modes))
        for name, values in measures.variables(motion.times, outputs, self._grid):
            yield name, values[0]
        for name, request in measures.requests.items():
            if isinstance(request, RunSummary):
                yield name, request.of(motion.occurrences, motion.status)

    def _of_functions(self, motion: Motion) -> dict[str, Any]:
        if not self._functions:
            return {}
        trajectory = Trajectory.of(motion)
        return {name: function(trajectory) for name, function in self._functions.items()}

    # --- together -----------------------------------------------------------------------------------------------

    @cached_property
    def _plan(self) -> InputPlan:
        """The inputs that are not swept."""
        swept = self._targets.names(TargetKind.INPUT)
        acting = {**self._system.model.input_laws, **self._simulation.inputs}
        given = {name: value for name, value in acting.items() if name not in swept}
        return InputPlan.of(given, self._system, self._times, dict.fromkeys(self._system.model.parameters, 0.0))

    @cached_property
    def _simple(self) -> bool:
        """Whether all runs share their programs and only states are needed of them."""
        system = self._system
        return (
            not system.constrained
            and not self._problem.events
            and not self._plan.functions
            and not system.sampled_blocks
            and not system.delays
            and isinstance(self._simulation.integrator, RungeKutta)
            and len(self._grid) > 1
            and all(output is not None for output in map(output_of, self._measures.requests.values()))
            and system.program("rates").native
            and self._shared_stops is not None
            and not may_switch(system, self._plan.formulas)
            and not system.kernel_forces
        )

    @cached_property
    def _shared_stops(self) -> Floats | None:
        """The switching times of all points; None if they depend on swept parameters, or are very many."""
        swept = self._targets.names(TargetKind.PARAMETER)
        values = dict.fromkeys(self._system.model.parameters, 0.0) | self._system.model.values(
            self._simulation.parameters
        )
        switches = TimeSwitches.of(self._system, self._plan.formulas, values)
        if not switches:
            return np.zeros(0)
        start, end = float(self._grid[0]), float(self._grid[-1])
        if not switches.names.isdisjoint(swept):
            return None
        window = switches.window(start, end)
        return window.stops if window.end == end else None

    @cached_property
    def _starts(self) -> Starts:
        simulation = self._simulation
        return Starts(
            self._system,
            self._targets,
            simulation.initial_values(self._system),
            simulation.parameters,
            self._plan,
            float(self._grid[0]),
        )

    @cached_property
    def _screen(self) -> EnergyScreen:
        stops = np.zeros(0) if self._shared_stops is None else self._shared_stops
        return EnergyScreen(self._problem, self._plan, self._targets.names(TargetKind.INPUT), self._grid, stops)

    def _run(self, row: Floats) -> Run:
        """Return a run from a row of x over all output times."""
        segment = self._screen.segment(row)
        return self._problem.run(segment, segment.start, row[self._system.row.state], self._grid[1:])[0]

    def _simulate_together(self, builder: PieceBuilder) -> None:
        if any(column.dtype.kind == "U" for column in builder.points.columns.values()):
            for i in range(builder.points.count):
                self._simulate_one(builder, i)
            return
        rows = self._starts.rows(builder)
        places = np.flatnonzero(np.isfinite(rows).all(axis=1))
        if not len(places):
            return
        for made in self._batched_runs(rows[places]):
            own, states = places[made.part], made.states
            lost: NDArray[np.bool_] = np.asarray(~np.isfinite(states).all(axis=(1, 2)))
            for i, note in made.notes.items():
                builder.note(int(own[i]), note)
            for i in self._screen.suspects(rows[own], states, made.steps):
                if not lost[i]:
                    self._recompute_motion(builder, int(own[i]))
            for place in own[lost]:
                self._simulate_one(builder, int(place))
            self._measure(builder, own[~lost], rows[own[~lost]], states[~lost])

    def _recompute_motion(self, builder: PieceBuilder, place: int) -> None:
        """Compute the motion of a point whose energy may have drifted individually, and note what there is to say."""
        try:
            note = note_on_energy(self._motion(builder.points.at(place)))
        except Exception as error:  # any error is the reason for this point's failure
            builder.fail(place, explained(error))
        else:
            if note is not None:
                builder.note(place, note)

    def _batched_runs(self, rows: Floats) -> Iterator[_Made]:
        """Yield runs from some rows, made together.

        In lanes nothing is recorded of a run but its states; where loads do work, the first run of each batch is made
        again and watched.
        """
        integrator, run = self._simulation.integrator, self._run(rows[0])
        assert isinstance(integrator, RungeKutta)
        budget, supplied = self._simulation.budget, self._screen.laws(rows).supplied
        if self._simulation.batched and not budget.given and can_batch(integrator, self._grid):
            for part, states in BatchedRuns(run, integrator, self._grid).states(rows):
                notes = self._note_on_first(rows[part]) if supplied[part.start] else {}
                yield _Made(part, states, np.zeros(len(states), np.int64), notes)
            return
        runs = RepeatedRuns(run, integrator, self._grid, budget)
        joined = self._simulation.batched and self._measures.joinable
        together = max(1, _VALUE_LIMIT // (len(self._grid) * rows.shape[1])) if joined else 1
        for first in range(0, len(rows), together):
            part = slice(first, min(first + together, len(rows)))
            count = part.stop - first
            states, steps = np.full((count, len(self._grid), run.y.size), np.nan), np.zeros(count, np.int64)
            notes = dict[int, str]()
            for i, row in enumerate(rows[part]):
                found = runs.states(row)
                if found is None:
                    continue
                states[i], steps[i] = found, run.steps
                if supplied[first + i] and (note := self._screen.note(run, row)):
                    notes[i] = note
            yield _Made(part, states, steps, notes)

    def _note_on_first(self, rows: Floats) -> dict[int, str]:
        """Return a note on the first of some runs under loads that do work, which is made again."""
        run = self._run(rows[0])
        found = RepeatedRuns(run, self._simulation.integrator, self._grid, self._simulation.budget).states(rows[0])
        note = None if found is None else self._screen.note(run, rows[0])
        return {} if note is None else {0: note}

    def _measure(self, builder: PieceBuilder, places: Any, rows: Floats, states: Floats) -> None:
        """Evaluate the variables of runs from their states; runs without finite values are simulated individually."""
        measures = self._measures
        if not len(places):
            return
        if measures.of_states:
            outputs = measures.values_of_states(states)
        elif len(places) > 1 and not measures.joinable:
            for i in range(len(places)):
                self._measure(builder, places[i : i + 1], rows[i : i + 1], states[i : i + 1])
            return
        else:
            try:
                outputs = measures.values_of_rows(self._output_rows(rows, states))
            except Exception as error:  # any error; halves are tried until it is the reason of a single point
                if len(places) == 1:
                    builder.fail(int(places[0]), explained(error))
                    return
                half = len(places) // 2
                for part in (slice(0, half), slice(half, None)):
                    self._measure(builder, places[part], rows[part], states[part])
                return
        for name, values in measures.variables(self._grid, outputs, self._grid):
            builder.values[name][places] = values

    def _output_rows(self, rows: Floats, states: Floats) -> Floats:
        """Return rows of t, q, u, z, parameters, inputs at all output times, (runs, times, width)."""
        (runs, times, _), layout = states.shape, self._system.row
        whole = np.repeat(rows[:, None, :], times, axis=1)
        whole[:, :, TIME], whole[:, :, layout.state] = self._grid, states
        if self._plan.formulas or self._plan.tables:
            flat = whole.reshape(runs * times, -1)
            flat[:, layout.inputs] = input_values(self._system, self._plan, flat)
        return whole


def _failure(motion: Motion) -> str:
    """Return the reason for which a run did not reach its end."""
    status = motion.status
    return f"{status.outcome.value}, t = {status.time:g} s: {status.message}"
