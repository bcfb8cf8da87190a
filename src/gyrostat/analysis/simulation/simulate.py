"""Simulation: from a model and initial values to a trajectory."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Never

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.assembly.assemble import first_state
from gyrostat.analysis.assembly.constraint_conditions import note_on_constraints
from gyrostat.analysis.events import Event
from gyrostat.analysis.integrators import DOP853, Integrator, Rodas5P
from gyrostat.analysis.simulation.argument_names import refuse_arguments
from gyrostat.analysis.simulation.bond_watch import require_whole_bonds
from gyrostat.analysis.simulation.budget import Budget
from gyrostat.analysis.simulation.contact_points import with_margins
from gyrostat.analysis.simulation.deep_overlaps import warn_of_deep_overlaps
from gyrostat.analysis.simulation.energy_watch import note_on_energy
from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.integrate import integrate
from gyrostat.analysis.simulation.known_state import KnownState, starting_values
from gyrostat.analysis.simulation.mass_watch import require_possible_masses, with_mass_limits
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.analysis.simulation.status import Outcome
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.analysis.simulation.unwatched_energy import unwatched_energy
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model import Model
from gyrostat.model.names import counted
from gyrostat.program.warning import GyrostatWarning
from gyrostat.progress import time_progress
from gyrostat.system import System, formulate

if TYPE_CHECKING:
    from gyrostat.analysis.assembly import rope_paths, slopes
    from gyrostat.analysis.simulation import rope_watch
else:
    rope_paths, slopes = later("gyrostat.analysis.assembly", "rope_paths", "slopes")
    (rope_watch,) = later("gyrostat.analysis.simulation", "rope_watch")

_DEFAULT_OUTPUTS = 1000
"""Default number of intervals between outputs."""

_OUTPUT_LIMIT = 50_000_000


def simulate(
    system: System | Model,
    duration: float | None = None,
    *,
    step: float | None = None,
    times: ArrayLike | None = None,
    initial: Mapping[str, object] | KnownState | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, object] | None = None,
    integrator: Integrator | None = None,
    events: Iterable[Event] = (),
    outputs: Iterable[str] = (),
    progress: Callable[[float], None] | bool | None = None,
    most_steps: int | None = None,
    most_seconds: float | None = None,
    **others: Never,
) -> Trajectory:
    """Simulate a system from its initial values; return the trajectory, also of a run that fails or is interrupted.

    Either `duration`, with outputs every `step` seconds, or rising output `times`. `initial` has values by name of
    coordinates, speeds and states, and orientations of joints by angles (`gs.euler`); the others are those of the
    model. It may also be an operating point, with its inputs and parameters, an assembly, or a trajectory, whose last
    state it is; delayed signals were constant before an operating point, and continue those of a trajectory. `inputs`
    are numbers, formulas over t and all named quantities, tables (`Table`, a pair of times and values, one value for
    each output time), or Python functions of time, or of time and a mapping with the same names; those not given follow
    the model's laws, or are zero. `outputs` are computed at once, others on request. `progress` is called with the
    fraction done, some times a second; on a terminal a line shows it, unless it is False. `most_steps` and
    `most_seconds` are a budget at which the run ends; without one, a run that would take years ends after some seconds.
    An exception of a user's function is raised, with the `trajectory` so far.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> trajectory = gs.simulate(model, duration=1, step=0.25, initial={"a1": "30*deg"})
    >>> trajectory["a1"].values.round(4)
    array([ 0.5236,  0.3089, -0.1628, -0.4983, -0.4243])
    """
    if others:
        refuse_arguments("simulate", others, inspect.signature(simulate).parameters)
    system = system if isinstance(system, System) else formulate(system)
    values, inputs, parameters, past = starting_values(initial, system, inputs, parameters)
    grid = output_times(duration, step, times)
    method = default_integrator(system) if integrator is None else _checked_integrator(integrator)
    watched = _checked_events(events, system)
    known = system.model.values(parameters)
    system.parameter_values(parameters)
    state, on_paths = _first_state(system, values, parameters, float(grid[0]))
    plan = _usable_plan(InputPlan.starting(inputs, system, grid, known), method)
    wanted = _checked_outputs(outputs, system)
    watched = with_mass_limits(watched, system, parameters) if system.varying_masses else watched
    problem = Problem(system, method, with_margins(watched, system, method, plan.formulas))
    problem.prepare(plan)
    problem.require_apart(float(grid[0]), state, known, plan)
    if system.varying_masses or system.bonds or system.laws_may_switch:
        _require_possible_start(problem, Aftermath(*state, known, plan), float(grid[0]))
    with time_progress(float(grid[0]), float(grid[-1]), progress) as report:
        motion = integrate(problem, grid, state, known, plan, report, Budget.of(most_steps, most_seconds), past)
    warn_of_failure(trajectory := _finished(motion, wanted, on_paths))
    return trajectory


def _require_possible_start(problem: Problem, start: Aftermath, t: float) -> None:
    """Refuse impossible masses, and bonds that would break at once; warn of contacts that are too deep."""
    switches = StateSwitches.of(problem.system, start.plan.formulas, momenta=problem.integrator.momenta)
    warn_of_deep_overlaps(problem.system, switches, StateParts(start.q, start.u, start.z), start.parameters, t)
    if problem.system.varying_masses:
        require_possible_masses(problem, start, t)
    if problem.system.bonds:
        require_whole_bonds(problem, start, t)


def default_integrator(system: System, *, rtol: float | None = None, atol: float | None = None) -> Integrator:
    """Return the integrator where none is chosen: DOP853, or Rodas5P where algebraic states need it."""
    method = Rodas5P if system.coordinates.algebraic else DOP853
    own = method()
    if rtol is None and atol is None:
        return own
    return method(rtol=own.rtol if rtol is None else rtol, atol=own.atol if atol is None else atol)


def _checked_integrator(given: Integrator) -> Integrator:
    if not isinstance(given, Integrator):
        raise StateError(f"The integrator is {given!r}. Use an object such as gs.DOP853() or gs.RK4(step=1e-3).")
    return given


def _on_slopes(motion: Motion) -> str | None:
    """Return a note on beams that bend more than their order is valid for, at an output or between outputs."""
    system, segments = motion.problem.system, [one for one in motion.segments if len(one.times)]
    if not (system.station_arms and segments) or motion.status.outcome is Outcome.DIVERGED:
        return None
    reached = slice(motion.reached)
    q = np.vstack((motion.states.q[reached], *(system.row.split(one.states)[0] for one in segments)))
    times = np.concatenate((motion.times[reached], *(one.times for one in segments)))
    return slopes.note_on_slopes(system, q, segments[0].parameters, times)


def _on_ropes(motion: Motion, on_paths: list[str] | None) -> tuple[str, ...]:
    """Return notes on ropes whose motion left what their formulas describe."""
    if not motion.problem.system.ropes or motion.error is not None:
        return ()
    return tuple(rope_watch.notes_on_ropes(Trajectory.of(motion), on_paths))


def _usable_plan(plan: InputPlan, method: Integrator) -> InputPlan:
    """Return the plan of inputs; Python functions are refused where the integrator cannot call them."""
    if plan.functions and method.momenta:
        raise StateError(
            f"Input {next(iter(plan.functions))!r} is a Python function, which {type(method).__name__} cannot use. "
            "Give a formula or a table, or choose another integrator."
        )
    return plan


def _first_state(
    system: System, values: Mapping[str, Any] | None, parameters: Mapping[str, Any] | None, t: float
) -> tuple[StateParts, list[str] | None]:
    """Return the state at the start, at which ropes have paths, and notes on these; None where inputs drive drums."""
    state = first_state(system, values, parameters, t)
    if not system.ropes:
        return state, []
    notes = rope_paths.require_rope_paths(system, state.q, t, parameters)
    return state, None if system.driving_inputs else notes


def _finished(motion: Motion, outputs: tuple[str, ...], on_paths: list[str] | None) -> Trajectory:
    """Return the trajectory of a motion with some outputs computed; its energy is watched.

    `on_paths` are notes on paths of ropes at the start, None where they depend on inputs. The exception of a user's
    function that ended the motion is raised.
    """
    on_energy = note_on_energy(motion) if motion.status.success else None
    found = (note_on_constraints(motion.problem.system), on_energy, _on_slopes(motion), *_on_ropes(motion, on_paths))
    notes, unwatched, system = tuple(filter(None, found)), "", motion.problem.system
    opaque = (
        system.energy_sources.unaccounted
        or system.rigid_contacts
        or (motion.segments and motion.segments[0].plan.functions)
    )
    if opaque and motion.status.success:
        unwatched = unwatched_energy(motion)
    if notes or unwatched:
        motion.status = replace(motion.status, notes=(*motion.status.notes, *notes), unwatched=unwatched)
    trajectory = Trajectory.of(motion)
    if motion.error is not None:
        error, motion.error = motion.error, None  # without a cycle of references
        raise _with_trajectory(error, trajectory)
    for name in outputs:
        trajectory[name]
    return trajectory


def output_times(duration: float | None, step: float | None, times: ArrayLike | None) -> Floats:
    """Return the times of outputs; the first is the start, the last the end."""
    if (duration is None) == (times is None):
        raise StateError("Give either a duration or the times of outputs: simulate(system, duration=10).")
    if times is not None:
        if step is not None:
            raise StateError("The times of outputs are given, so that step has no meaning. Leave one of them out.")
        return _given_times(times)
    length = _positive(duration, "duration")
    spacing = length / _DEFAULT_OUTPUTS if step is None else _positive(step, "step")
    count = length / spacing
    if count > _OUTPUT_LIMIT:
        raise StateError(
            f"A duration of {length:g} s with outputs every {spacing:g} s has {count:.3g} outputs. Use a longer step; "
            "the integrator has a step of its own: gs.RK4(step=…)."
        )
    whole = round(count)
    if whole >= 1 and abs(count - whole) <= 1e-9 * max(count, 1.0):
        grid: Floats = np.arange(whole + 1.0)
        grid *= length / whole
        grid[-1] = length
        return grid
    return np.append(np.arange(int(count) + 1) * spacing, length)


def _positive(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0.0 < number < math.inf or isinstance(value, bool):
        raise StateError(f"The {what} is {value!r}. It must be a positive number of seconds.")
    return number


def _given_times(times: ArrayLike) -> Floats:
    try:
        grid = np.array(times, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"The times {times!r:.60} cannot be read as numbers. Give a row of rising numbers.") from None
    if grid.ndim != 1 or not len(grid) or not np.isfinite(grid).all() or (np.diff(grid) <= 0).any():
        raise StateError("The times of outputs must be a row of finite numbers that rise. Sort them, each once.")
    return grid


def _checked_outputs(outputs: Iterable[str], system: System) -> tuple[str, ...]:
    """Return the names of outputs; unknown ones are refused."""
    if isinstance(outputs, str) or not isinstance(outputs, Iterable):
        raise StateError(f"The outputs are {outputs!r:.60}. Give a list of names: outputs=['a1', 'bar.tip'].")
    wanted = tuple(outputs)
    for name in wanted:
        _ = system.signal_table[name]
    return wanted


def _checked_events(events: Iterable[Event], system: System) -> tuple[Event, ...]:
    if isinstance(events, Event) or not isinstance(events, Iterable):
        raise StateError("Events are given as a list: events=[gs.Event(…)].")
    given = tuple(events)
    if not given:
        return given
    for event in given:
        if not isinstance(event, Event):
            raise StateError(f"{event!r:.60} is not an event. Use gs.Event(name, when=…).")
    names = [event.name for event in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise StateError(f"Two events are called {twice!r}. Give each a name of its own.")
    for event in given:
        for action in event.actions:
            action.check(system, event.name)
    return given


def _with_trajectory(error: BaseException, trajectory: Trajectory) -> BaseException:
    """Return an exception of a user's function with a note, and the trajectory so far as its attribute `trajectory`."""
    status = trajectory.status
    what, _, _ = status.message.partition(" failed: " if status.outcome is Outcome.INPUT_FAILED else ": ")
    what = f"an action of {what}" if status.outcome is Outcome.ACTION_FAILED else what
    error.add_note(
        f"Raised by {what} in the simulation of {trajectory.system.model.name!r} after t = {status.time:g} s. The "
        f"attribute 'trajectory' of this exception has {counted(len(trajectory.time), 'output', 'outputs')}."
    )
    with suppress(AttributeError):  # a class with __slots__
        error.trajectory = trajectory  # type: ignore[attr-defined]
    return error


def warn_of_failure(trajectory: Trajectory) -> None:
    """Warn of a run that did not reach its end, and pass on the notes of its status."""
    status = trajectory.status
    if not status.success:
        warnings.warn(
            f"The simulation of {trajectory.system.model.name!r} ended at t = {status.time:g} s: {status.message} "
            f"The trajectory has {counted(len(trajectory.time), 'output', 'outputs')}.",
            GyrostatWarning,
            stacklevel=3,
        )
    for note in status.notes:
        warnings.warn(note, GyrostatWarning, stacklevel=3)
