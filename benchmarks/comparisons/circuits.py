"""Circuits at equal achieved error, against ngspice and SciPy on nodal equations; growth of costs with nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
from circuit_models import CIRCUITS, CircuitMotion, diode_ladder
from peers.gyrostat_motion import INTEGRATION, WHOLE, rodas5p
from peers.ngspice import ngspice_solver
from peers.solver import Found, Solver
from peers.tree import Floats

import gyrostat as gs
from comparisons.growth import Growth
from comparisons.matching import MotionRow, compare_motions

ERROR = 1e-5
TARGETS = {"ngspice": 0.2}
NODES = (30, 100, 300, 1000)
_TASKS = ("model", "formulate", "first simulation", "next simulation", "all")


def compare_circuits(
    *, rounds: int, circuits: Sequence[Callable[[], CircuitMotion]] = CIRCUITS, error: float = ERROR
) -> list[MotionRow]:
    """Return our times beside those of the peers; errors are those of the voltages of nodes at the end (V)."""
    rows: list[MotionRow] = []
    for make in circuits:
        circuit = make()
        system = gs.formulate(circuit.model())
        nodal = circuit.equations.solver(circuit.duration, 1e-1 * error)
        own = own_solvers(system, circuit, error)
        exact = own[0].run(1e-11).q
        _require_agreement(circuit, nodal, exact)
        spice = ngspice_solver(circuit.netlist, circuit.nodes, circuit.duration, 1e2 * error)
        peers = [nodal, *([] if isinstance(spice, str) else [spice])]
        found = compare_motions(circuit.name, own, peers, TARGETS, exact, error=error, rounds=rounds)
        rows += found
        if isinstance(spice, str):
            first = found[0]
            missing = ("ngspice", None, None, None, TARGETS["ngspice"], spice)
            rows.append(MotionRow(first.motion, first.ours, first.seconds, first.error, *missing))
    return rows


def own_solvers(system: gs.System, circuit: CircuitMotion, error: float) -> list[Solver]:
    """Return our stiff method: the whole call with the voltages of all nodes, and its integration."""

    def simulate(tolerance: float) -> Found:
        run = gs.simulate(system, circuit.duration, step=circuit.duration, integrator=rodas5p(tolerance))
        voltages = np.array([run[f"{node}.voltage"].values[-1] for node in circuit.nodes])
        return Found(voltages, run.status.seconds)

    def whole(tolerance: float) -> Found:
        return Found(simulate(tolerance).q)

    runs = {WHOLE: whole, INTEGRATION: simulate}
    return [Solver("gyrostat", f"Rodas5P, {part}", "tolerance", run, error, 1.0) for part, run in runs.items()]


def _require_agreement(circuit: CircuitMotion, nodal: Solver, exact: Floats) -> None:
    """Refuse to compare different circuits: our reference must agree with the independent equations."""
    difference = float(np.max(np.abs(nodal.run(1e-8).q - exact)))
    if difference > 0.5 * ERROR:
        raise AssertionError(f"Both sides of {circuit.name!r} differ by {difference:.1e} V.")


def measure_circuit_growth(*, nodes: Sequence[int] = NODES) -> list[Growth]:
    """Return processor times of ladders of resistors, capacitors and diodes, programs compiled anew."""
    _times(10)
    found = np.array([_times(count) for count in nodes])
    return [Growth("ladder", task, tuple(nodes), tuple(found[:, k])) for k, task in enumerate(_TASKS)]


def _times(stages: int) -> list[float]:
    clock = [process_time()]
    model = diode_ladder(stages).model()
    clock.append(process_time())
    system = gs.formulate(model)
    clock.append(process_time())
    for _ in range(2):
        gs.simulate(system, 1e-4, step=1e-4, integrator=rodas5p(1e-6))
        clock.append(process_time())
    return [*np.diff(clock).tolist(), clock[-1] - clock[0]]
