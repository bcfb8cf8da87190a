"""Calls that people make: numeric methods at one state, equilibria and modes, sweeps of modes, outputs of long runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from models import bar_pendulum, hinge_chain, seven_joint_arm, thirty_joint_tree
from peers.tree import read_tree
from states import random_states
from timing import Candidate, measure

import gyrostat as gs
from comparisons.agreement import TOLERANCE, difference
from comparisons.row import Row

ABA = "system.forward_dynamics(q, u), one state"
ABA_TARGETS = {seven_joint_arm: 1.4, thirty_joint_tree: 0.4, partial(hinge_chain, 50): 0.3}
ABOVE_NATIVE = 5e-6
FIRST, WARM, MODES_TARGET = 1.0, 30e-3, 0.5e-3
FIRST_DERIVATIVES, FIRST_STIFF_RUN = 0.2, 2.0
OUTPUTS = 1_000_000
MEMORY = 1e9
_BURST = 3e-4
"""Seconds of a round of short calls: short enough to run undisturbed now and then on a busy machine."""
_LONG_RUN = Path(__file__).parent.parent / "long_run.py"


@dataclass(frozen=True)
class AnalysisRow:
    """A task, our time with the longest allowed, and what it is compared with, with the largest ratio allowed."""

    what: str
    seconds: float
    limit: float | None = None
    beside: str = ""
    beside_seconds: float | None = None
    target: float | None = None

    @property
    def ratio(self) -> float | None:
        """Our time divided by that of what it is compared with."""
        return None if self.beside_seconds is None else self.seconds / self.beside_seconds

    @property
    def met(self) -> bool | None:
        """Whether limit and target are met; None where there are none."""
        pairs = ((self.seconds, self.limit), (self.ratio, self.target))
        judged = [value <= limit for value, limit in pairs if value is not None and limit is not None]
        return all(judged) if judged else None


@dataclass(frozen=True)
class Overhead:
    """A numeric method at one state: the whole call, and its native code called on buffers, least times of rounds."""

    method: str
    model: str
    seconds: float
    native: float

    @property
    def met(self) -> bool:
        """Whether the call is not much longer than its native code."""
        return self.seconds - self.native <= ABOVE_NATIVE


def compare_calls(*, rounds: int) -> list[Row]:
    """Return rows of forward dynamics at one state beside `pin.aba`; none without Pinocchio."""
    try:
        from peers.pinocchio import Pinocchio
    except ImportError:
        return []
    rows = []
    for make, target in ABA_TARGETS.items():
        model = make()
        system = gs.formulate(model)
        states = random_states(system, 1)
        q, u, tau = states.q[0].copy(), states.u[0].copy(), states.tau[0].copy()
        peer = Pinocchio(read_tree(model)).call(states)
        own = {"udot": system.forward_dynamics(q, u, inputs=tau)[None, :]}
        peer.candidate.run()
        found = difference(peer.results(), own)
        if not found < TOLERANCE:
            raise AssertionError(f"Pinocchio and gyrostat differ by {found:.1e} on {model.name!r}.")
        timing = measure(
            {"own": Candidate(partial(system.forward_dynamics, q, u)), "peer": peer.candidate}, rounds=rounds
        )
        times = timing.seconds("own"), "Pinocchio, pin.aba", timing.seconds("peer")
        rows.append(Row(ABA, model.name, *times, timing.ratio("own", "peer"), found, target))
    return rows


def measure_overheads(*, rounds: int) -> list[Overhead]:
    """Return the times of numeric methods and of their native code, at one state."""
    found = []
    for make in ABA_TARGETS:
        model = make()
        system = gs.formulate(model)
        states = random_states(system, 1)
        q, u, udot = states.q[0].copy(), states.u[0].copy(), states.tau[0].copy()
        calls: dict[str, Callable[[], object]] = {
            "forward_dynamics": partial(system.forward_dynamics, q, u),
            "inverse_dynamics": partial(system.inverse_dynamics, q, u, udot),
            "mass_matrix": partial(system.mass_matrix, q),
            "energy": partial(system.energy, q, u),
            "poses": partial(system.poses, q),
            "body_motion": partial(system.body_motion, q, u),
            "momentum": partial(system.momentum, q, u),
            "reactions": partial(system.reactions, q, u, udot),
            "powers": partial(system.powers, q, u, udot),
            "force_outputs": partial(system.force_outputs, q, u),
        }
        for name, call in calls.items():
            program = system.program(name)
            source, result = program.input_buffer(), program.output_buffer()
            row = system.row.of(0.0, system.initial_state(), system.parameter_values())
            source.array[: len(row)] = row
            pair = {"call": Candidate(call), "native": Candidate(partial(program, source, result))}
            timing = measure(pair, rounds=10 * rounds, least=_BURST)
            found.append(Overhead(name, model.name, *(min(timing.rounds[part]) for part in ("call", "native"))))
    return found


def measure_analyses(*, rounds: int, short: bool) -> list[AnalysisRow]:
    """Return rows of equilibrium, linearization and modes, of a sweep of modes, and of outputs of a long run."""
    _all_modes(gs.formulate(hinge_chain(30)))  # the kinds of links are known then
    system = gs.formulate(hinge_chain(50))
    first = _seconds(partial(_all_modes, system))
    warm = median(_seconds(partial(_all_modes, system)) for _ in range(rounds))
    linear = gs.linearize(system, gs.equilibrium(system))
    A = np.asarray(linear.A.values)
    modes = median(_seconds(linear.modes) for _ in range(rounds))
    eigen = median(_seconds(partial(np.linalg.eig, A)) for _ in range(rounds))
    chain = "chain of 50 hinges"
    rows = [
        AnalysisRow(f"equilibrium, linearize and modes, {chain}, first", first, FIRST),
        AnalysisRow(f"equilibrium, linearize and modes, {chain}, warm", warm, WARM),
        AnalysisRow(f"modes, {chain}, warm", modes, None, "numpy.linalg.eig of A", eigen),
        *_first_derivatives(),
        _sweep_of_modes(1000 if short else 10_000),
    ]
    return rows + _long_run(OUTPUTS // 10 if short else OUTPUTS)


def _first_derivatives() -> list[AnalysisRow]:
    """Return the times of the first derivatives of new chains, and of their first stiff runs; kinds are known."""
    gs.formulate(hinge_chain(24)).program("forward_dynamics_derivatives")
    rows = []
    for links, limit in ((30, None), (50, FIRST_DERIVATIVES), (200, None)):
        system = gs.formulate(hinge_chain(links))
        seconds = _seconds(partial(system.forward_dynamics_derivatives, np.zeros(links), np.zeros(links)))
        rows.append(AnalysisRow(f"forward_dynamics_derivatives, chain of {links} hinges, first", seconds, limit))
    stiff = gs.Rodas5P(rtol=1e-3, atol=1e-3)
    gs.simulate(gs.formulate(hinge_chain(24)), 0.01, integrator=stiff)
    for links, limit in ((50, None), (200, FIRST_STIFF_RUN), (500, None)):
        system = gs.formulate(hinge_chain(links))
        seconds = _seconds(partial(gs.simulate, system, 0.01, integrator=stiff))
        rows.append(AnalysisRow(f"Rodas5P, chain of {links} hinges, first run", seconds, limit))
    return rows


def _all_modes(system: gs.System) -> gs.Modes:
    return gs.linearize(system, gs.equilibrium(system)).modes()


def _sweep_of_modes(count: int) -> AnalysisRow:
    """Return the time of a point of a sweep of modes, beside single calls."""
    model = bar_pendulum()
    model.add(gs.TorsionSpring("knee", "joint_bar2", stiffness=4.0, damping=0.1, angle=0.3))
    system = gs.formulate(model)
    loads = np.random.default_rng(0).uniform(-3, 3, count)
    analysis = gs.ModalAnalysis()
    gs.sweep(system, {"motor_bar1": loads[:8]}, analysis, workers=1)
    seconds = _seconds(partial(gs.sweep, system, {"motor_bar1": loads}, analysis, workers=1)) / count

    def one(load: float) -> gs.Modes:
        return gs.linearize(system, gs.equilibrium(system, inputs={"motor_bar1": load})).modes()

    alone = median(_seconds(partial(one, load)) for load in loads[:20].tolist())
    return AnalysisRow(f"sweep of modes, {count} double pendula, a point", seconds, MODES_TARGET, "single calls", alone)


def _long_run(outputs: int) -> list[AnalysisRow]:
    """Return rows of a run with many outputs, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(_LONG_RUN), str(outputs)], capture_output=True, text=True, check=True, timeout=600
    )
    found = json.loads(done.stdout)
    memory = f"peak of memory {found['peak'] / 1e9:.2f} GB ({'✓' if found['peak'] < MEMORY else '✗'} below 1 GB)"
    simulation = found["simulate"]
    return [
        AnalysisRow(f"position of a body at {outputs} outputs", found["body"], None, "simulation", simulation, 1.0),
        AnalysisRow(f"energies at {outputs} outputs; {memory}", found["energy"], None, "simulation", simulation, 4.0),
    ]


def _seconds(run: Callable[[], object]) -> float:
    began = process_time()
    run()
    return process_time() - began
