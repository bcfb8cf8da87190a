"""The choices of coordinates on some mechanisms, at equal achieved error, and how their costs grow with a truss."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
from loop_models import START_RATE, four_bars, truss
from models import bar_pendulum, seven_joint_arm
from peers.gyrostat_motion import dop853
from peers.solver import Found, Solver
from peers.tree import Floats
from timing import Candidate, measure

import gyrostat as gs
from comparisons.matching import Matched, match

CHOICES = ("joint", "branch", "absolute")
SIDES = (1, 2, 4, 6, 8)
_LARGEST_IN_JOINTS = 6
"""The side of the largest truss in joint coordinates: the next one takes minutes to compile."""
ERROR = 1e-7
"""Of the positions of all bodies at the end, in units of the mechanism's size."""
_REFERENCE = 1e-13
_EXAMPLES = Path(__file__).parents[2] / "examples"
_STATES = 50
_LEAST = 2e-2
"""Seconds of integration in every round."""


@dataclass(frozen=True)
class Mechanism:
    """A mechanism in motion: its model, the values it starts from, and for how long it moves."""

    make: Callable[[], gs.Model]
    initial: Mapping[str, object]
    duration: float


@dataclass(frozen=True)
class ChoiceRow:
    """A choice of coordinates: sizes, cost of one evaluation, and of a simulated second at equal error.

    Ratios are to joint coordinates; what belongs to the motion is None where the error aimed at is not reached.
    """

    model: str
    choice: str
    speeds: int
    rows: int
    operations: int
    evaluation: float
    evaluation_ratio: float
    simulated_second: float | None
    """By the status of the simulation."""
    second_ratio: float | None
    error: float | None


@dataclass(frozen=True)
class TrussRow:
    """A truss in a choice of coordinates: sizes, operations, and the time of one evaluation."""

    cells: int
    choice: str
    speeds: int
    rows: int
    operations: int
    evaluation: float
    preparation: float
    """Seconds of the processor from the model to a loaded program."""


def _example(name: str) -> Callable[[], gs.Model]:
    return lambda: gs.Model.load(_EXAMPLES / f"{name}.yaml")


MECHANISMS = {
    "double pendulum": Mechanism(bar_pendulum, {"joint_bar1": 1.5, "joint_bar2": 0.5}, 1.0),
    "seven-joint arm": Mechanism(seven_joint_arm, {}, 1.0),
    "Andrews' squeezer": Mechanism(_example("andrews_squeezer"), {}, 0.03),
    "10 four-bars": Mechanism(lambda: four_bars(10), {"c0.rate": START_RATE}, 1.0),
    "spatial slider-crank": Mechanism(_example("spatial_slider_crank"), {}, 1.0),
}


def compare_coordinates(*, rounds: int, names: Sequence[str] = tuple(MECHANISMS)) -> list[ChoiceRow]:
    """Return the costs of each choice on each mechanism; evaluations of one mechanism are timed alternately."""
    return [row for name in names for row in _compare(name, MECHANISMS[name], rounds)]


def measure_trusses(*, sides: Sequence[int] = SIDES, rounds: int) -> list[TrussRow]:
    """Return the costs of square trusses in each choice of coordinates; the largest not in joint coordinates."""
    return [row for side in sides for row in _measure_truss(side, rounds)]


def _compare(name: str, mechanism: Mechanism, rounds: int) -> list[ChoiceRow]:
    model = mechanism.make()
    systems = {choice: gs.formulate(model, choice) for choice in CHOICES}
    loops = {choice: _loop(system, _on_the_way(system, mechanism)) for choice, system in systems.items()}
    evaluating = measure(loops, rounds=rounds, clock=process_time)
    reference = _end(systems["joint"], mechanism, _REFERENCE).q
    matched = {choice: _matched(system, mechanism, reference) for choice, system in systems.items()}
    runs = {choice: _timed(found) for choice, found in matched.items() if found is not None}
    moving = measure(runs, rounds=rounds, least=_LEAST)
    rows = []
    for choice, system in systems.items():
        sizes = system.coordinates.n_u, len(system.constraints), system.program("rates").operations
        evaluation = evaluating.seconds(choice), evaluating.ratio(choice, "joint")
        motion: tuple[float | None, float | None, float | None] = (None, None, None)
        if (found := matched[choice]) is not None:
            ratio = moving.ratio(choice, "joint") if "joint" in runs else None
            motion = moving.seconds(choice) / mechanism.duration, ratio, found.error
        rows.append(ChoiceRow(name, choice, *sizes, *evaluation, *motion))
    return rows


def _matched(system: gs.System, mechanism: Mechanism, reference: Floats) -> Matched | None:
    """Return the coarsest tolerance that is fine enough."""
    solver = Solver("gyrostat", "DOP853", "tolerance", lambda setting: _end(system, mechanism, setting), 1e-8, 1.0)
    found = match(solver, reference, ERROR)
    return found if isinstance(found, Matched) else None


def _timed(matched: Matched) -> Candidate:
    return Candidate(lambda: matched.solver.run(matched.setting).seconds, own_clock=True)


def _run(system: gs.System, mechanism: Mechanism, tolerance: float) -> gs.Trajectory:
    length = mechanism.duration
    return gs.simulate(system, length, step=length, initial=mechanism.initial, integrator=dop853(tolerance))


def _end(system: gs.System, mechanism: Mechanism, tolerance: float) -> Found:
    """Return the positions of all bodies at the end, in units of the mechanism's size."""
    run = _run(system, mechanism, tolerance)
    if not run.status.success:
        raise ArithmeticError(run.status.message)
    positions = system.poses(run.q[-1], t=float(run.time[-1])).positions
    return Found(positions.ravel() / system.model_size, run.status.seconds)


def _on_the_way(system: gs.System, mechanism: Mechanism) -> Floats:
    """Return states of the motion."""
    length = mechanism.duration
    run = gs.simulate(system, length, step=length / _STATES, initial=mechanism.initial)
    return np.hstack((run.q, run.u))


def _loop(system: gs.System, states: Floats) -> Candidate:
    """Return the native loop of the rates over states."""
    program = system.program("rates")
    rows = np.zeros((len(states), program.input_size))
    rows[:, program.input_slice("parameters")] = system.parameter_values()
    rows[:, 1 : 1 + states.shape[1]] = states
    found = np.zeros((len(rows), program.output_size))
    return Candidate(lambda: program.loop(rows, found), len(rows))


def _measure_truss(side: int, rounds: int) -> list[TrussRow]:
    model = truss(side)
    systems, preparations, loops = {}, {}, {}
    for choice in CHOICES if side <= _LARGEST_IN_JOINTS else CHOICES[1:]:
        began = process_time()
        system = gs.formulate(model, choice)
        system.program("rates")
        preparations[choice] = process_time() - began
        start = gs.assemble(system)
        states = np.tile(np.concatenate((start.q, start.u)), (max(4, 200 // side**2), 1))
        systems[choice], loops[choice] = system, _loop(system, states)
    timing = measure(loops, rounds=rounds, clock=process_time)
    return [
        TrussRow(
            side**2,
            choice,
            system.coordinates.n_u,
            len(system.constraints),
            system.program("rates").operations,
            timing.seconds(choice),
            preparations[choice],
        )
        for choice, system in systems.items()
    ]
