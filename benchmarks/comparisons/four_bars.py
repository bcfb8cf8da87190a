"""Four-bars in a row, falling from upright: how cost grows with their number, and peers at equal achieved error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time

import numpy as np
from loop_models import GRAVITY, START_RATE, crank_angle, four_bars
from peers.gyrostat_motion import dop853, own_solvers
from peers.motion_packages import exudyn_loops, mujoco_loops
from peers.solver import Found, Solver
from peers.tree import Floats
from timing import Candidate, measure

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

COUNTS = (1, 10, 40, 100, 400)
COMPARED = (1, 10, 40)
DURATION = 10.0
ERROR = 1e-3
TARGET = 0.2


@dataclass(frozen=True)
class FourBars:
    """A row: the time from the model to programs that are loaded, of one evaluation, and of a simulated second."""

    count: int
    operations: int
    preparation: float
    evaluation: float
    integration: float
    """For a second of motion, by the status of the simulation."""
    simulated_second: float
    """The same of the whole call, which also finds consistent initial values."""
    steps: int
    error: float
    """Of the crank's angle at the end."""


def measure_four_bars(*, counts: Sequence[int] = COUNTS, rounds: int) -> list[FourBars]:
    """Return the costs of rows of four-bars, smallest first."""
    return [_measure(count, rounds) for count in counts]


def compare_four_bars(*, rounds: int, counts: Sequence[int] = COMPARED) -> list[MotionRow]:
    """Return our times beside those of the peers; what counts are the angles of all cranks."""
    rows: list[MotionRow] = []
    for count in counts:
        system = gs.formulate(four_bars(count))
        cranks = [system.coordinate_names.index(f"c{i}") for i in range(count + 1)]
        own = [_of(solver, cranks) for solver in own_solvers(system, DURATION, dop853, initial=_START, first=1e-7)]
        peers = [
            *mujoco_loops(count, GRAVITY, START_RATE, DURATION, first=2e-3),
            *exudyn_loops(count, GRAVITY, START_RATE, DURATION, first=3e-3),
        ]
        targets = dict.fromkeys(("MuJoCo", "Exudyn"), TARGET)
        reference = np.full(count + 1, crank_angle(count, DURATION))
        name = f"{system.model.name}, {DURATION:g} s"
        rows += compare_motions(name, own, peers, targets, reference, error=ERROR, rounds=rounds)
    return rows


_START = {"c0.rate": START_RATE}


def _of(solver: Solver, columns: list[int]) -> Solver:
    """Return a solver that gives some of the coordinates only."""

    def run(setting: float) -> Found:
        found = solver.run(setting)
        return Found(found.q[columns], found.seconds)

    return Solver(solver.package, solver.method, solver.setting, run, solver.first, solver.order)


def _measure(count: int, rounds: int) -> FourBars:
    began = process_time()
    system = gs.formulate(four_bars(count))
    gs.simulate(system, 1e-3, step=1e-3, initial=_START)
    preparation = process_time() - began
    program = system.program("rates")
    states = _states(system, count)
    rows = np.zeros((len(states), program.input_size))
    rows[:, 1 : 1 + states.shape[1]] = states
    found = np.zeros((len(rows), program.output_size))
    loop = Candidate(lambda: program.loop(rows, found), len(rows))
    evaluation = measure({"loop": loop}, rounds=rounds, clock=process_time).seconds("loop")
    whole, inside = [], []
    for _ in range(3):
        began = perf_counter()
        run = gs.simulate(system, DURATION, step=DURATION, initial=_START, integrator=dop853(1e-8))
        whole.append((perf_counter() - began) / DURATION)
        inside.append(run.status.seconds / DURATION)
    error = abs(float(run.q[-1, system.coordinate_names.index("c0")]) - crank_angle(count, DURATION))
    per_second = median(inside), median(whole)
    return FourBars(count, program.operations, preparation, evaluation, *per_second, run.status.steps, error)


def _states(system: gs.System, count: int) -> Floats:
    """Return states on the way, more of them where there are few four-bars."""
    run = gs.simulate(system, 0.5, step=0.5 / max(1, 200 // count), initial=_START)
    return np.hstack((run.q, run.u))
