"""Runs of integrators by hand, without the simulation around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gyrostat as gs
from gyrostat.analysis.integrators import Integrator
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.problem import Tables
from gyrostat.analysis.kernels.progress import PAUSED
from gyrostat.analysis.kernels.run_record import Watch
from gyrostat.model.formula import Formula

NO_TABLES = Tables(np.zeros(1), np.zeros((1, 4, 0)), np.zeros(0, np.int64), False)


@dataclass
class Finished:
    """A run that stopped, and why."""

    reason: int
    run: Run
    stepper: Any
    states: np.ndarray
    """Coordinates and speeds at the output times that were reached."""


def rotations_of(system: gs.System) -> np.ndarray:
    """Return where Euler parameters and their angular velocities begin in the state."""
    q, u = system.coordinate_names, system.speed_names
    pairs = [(i, len(q) + u.index(name[:-2] + "w1")) for i, name in enumerate(q) if name.endswith(".e0")]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def input_vector(system: gs.System, t: float, y: np.ndarray) -> np.ndarray:
    return np.concatenate(([t], y, system.parameter_values(), np.zeros(len(system.inputs))))


def to_momenta(system: gs.System, y: np.ndarray, t: float = 0.0) -> np.ndarray:
    momenta = system.program("momenta").loop(input_vector(system, t, y)[None])[0]
    return np.concatenate((y[: system.coordinates.n_q], momenta))


def to_speeds(system: gs.System, times: np.ndarray, states: np.ndarray) -> np.ndarray:
    if not len(times):
        return states
    rows = np.stack([input_vector(system, t, y) for t, y in zip(times, states, strict=True)])
    return np.hstack((states[:, : system.coordinates.n_q], system.program("speeds_of_momenta").loop(rows)))


def make_run(
    system: gs.System,
    integrator: Integrator,
    y0: Sequence[float],
    end: float,
    grid: Sequence[float] = (),
    *,
    start: float = 0.0,
    events: Mapping[str, str] | None = None,
    active: bool = False,
    breaks: Sequence[float] = (),
    tables: Tables = NO_TABLES,
) -> Run:
    """Return a run from coordinates and speeds."""
    y = np.array(y0, dtype=float)
    formulas = {name: Formula.of(text) for name, text in (events or {}).items()}
    if integrator.momenta:
        y = to_momenta(system, y, start)
        found = system.canonical_signals(formulas) if formulas else None
    else:
        found = system.signals(formulas).values_and_rates if formulas else None
    rates = system.program("canonical_rates" if integrator.momenta else "rates")
    watch = Watch(np.zeros(len(formulas), np.int8), np.zeros(len(formulas), np.int8), np.full(len(formulas), active))
    run = Run(
        lambda: rates, system.coordinates.n_q, found,
        lambda: system.program("rates_jacobian"), lambda: system.program("rates_in_time"),
        lambda: system.program("rates_by_inputs"), lambda: system.program("constraint_directions"), 0, tables,
        rotations_of(system), np.array(breaks, dtype=float), watch, input_vector(system, start, y), y,
        np.array(grid, dtype=float),
    )  # fmt: skip
    run.start(start, end)
    return run


def drive(run: Run, stepper: Callable[[int], int], chunk: int = 1 << 40) -> int:
    """Move a run on until it stops by itself; return why."""
    while True:
        reason = stepper(chunk)
        if reason != PAUSED:
            return reason
        run.enlarge_records()


def finish(
    system: gs.System, integrator: Integrator, *arguments: Any, chunk: int = 1 << 40, **options: Any
) -> Finished:
    """Make a run and drive it to its end; arguments are those of `make_run`."""
    run = make_run(system, integrator, *arguments, **options)
    stepper = integrator.stepper(run)
    reason = drive(run, stepper, chunk)
    count = int(run.counts[3])
    states = run.log.states[:count]
    if integrator.momenta:
        states = to_speeds(system, run.log.grid[:count], states)
    return Finished(reason, run, stepper, states)


def double_pendulum() -> gs.System:
    model = gs.Model("double pendulum", gravity=(0, -9.81, 0))
    for name in ("bar1", "bar2"):
        model.add(gs.Body(name, gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}))
    model.add(gs.Revolute("a1", "ground", "bar1.top", axis="z"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top", axis="z"))
    return gs.formulate(model)


PENDULUM_START = (0.8, -0.5, 0.0, 0.0)
SWINGING_START = (0.8, -0.5, 0.7, -0.4)
PENDULUM_TIMES = (1.0, 2.0, 3.0, 5.0)


def free_top() -> gs.System:
    """A free asymmetric body."""
    model = gs.Model("top", gravity=(0, 0, 0))
    model.add(gs.Body("body", mass=1.0, inertia=(1.0, 2.0, 3.0)))
    model.add(gs.Spherical("s", "ground", "body"))
    return gs.formulate(model)


TOP_START = (1.0, 0.0, 0.0, 0.0, 0.4, 1.5, -0.3)


def stiff_chain(links: int = 5, damping: float = 3.0) -> gs.System:
    """A hanging chain with strong damping in its joints."""
    model = gs.Model("chain", gravity=(0, -9.81, 0))
    before = "ground"
    for i in range(links):
        model.add(gs.Body(f"b{i}", gs.rod(0.1, 0.1, along="y"), points={"top": (0, 0.05, 0), "tip": (0, -0.05, 0)}))
        model.add(gs.Revolute(f"j{i}", before, f"b{i}.top", axis="z"))
        model.add(gs.TorsionSpring(f"d{i}", f"j{i}", stiffness=0.0, damping=damping))
        before = f"b{i}.tip"
    return gs.formulate(model)


def four_bar() -> gs.System:
    """A closed loop: crank, coupler and rocker."""
    model = gs.Model("four-bar", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 1.5)):
        ends = {"start": (-length / 2, 0, 0), "end": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.rod(1, length, along="x"), points=ends))
    model.add(gs.Revolute("j1", "ground", "crank.start", axis="z"))
    model.add(gs.Revolute("j2", "crank.end", "coupler.start", axis="z"))
    model.add(gs.Revolute("j3", "coupler.end", "rocker.start", axis="z"))
    model.add(gs.Revolute("j4", ("ground", (2.0, 0, 0)), "rocker.end", axis="z"))
    return gs.formulate(model)
