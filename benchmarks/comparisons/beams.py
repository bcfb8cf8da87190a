"""Flexible beams: the spin-up at equal error against other models of a beam, and what terms and sections cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np
from beam_models import beam_four_bar, spin_angle, spin_up, spin_up_of_segments
from peers.motion_packages import exudyn_spins
from peers.solver import Found, Solver

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

DURATION = 8.0
ERROR = 1e-3
"""Error of the deflection at the end (m); its peak is 0.574 m."""
SEGMENTS = 32
CABLES = 8
TARGETS = {"Exudyn": 0.02}
COSTS = tuple((order, terms) for order in (2, "exact") for terms in (2, 4, 6))


@dataclass(frozen=True)
class BeamCost:
    """What the rates of a model with beams cost: operations, seconds to prepare and of one evaluation."""

    model: str
    coordinates: int
    operations: int
    preparation: float
    evaluation: float


def compare_beams(*, rounds: int) -> list[MotionRow]:
    """Return the spin-up by beams of orders 2 and exact, against rigid segments and Exudyn's cables."""
    exact = _tip(gs.formulate(spin_up("exact", 6)), "beam.tip", 1e-10)
    own = [
        solver
        for order in ("exact", 2)
        for solver in _solvers("gyrostat", f"order {order}", spin_up(order, 4), "beam.tip")
    ]
    segments = _solvers("rigid segments", f"{SEGMENTS} of them", spin_up_of_segments(SEGMENTS), "tip.end")
    peers = [*segments, *exudyn_spins(DURATION, cables=CABLES, step=0.01)]
    return compare_motions(f"spin-up, {DURATION:g} s", own, peers, TARGETS, exact, error=_bound(exact), rounds=rounds)


def _bound(exact: Any) -> float:
    """Return the error aimed at; order 2 has an error of its own of half a percent of the deflection."""
    return max(ERROR, 5e-3 * float(np.abs(exact).max()))


def _solvers(package: str, label: str, model: gs.Model, tip: str) -> list[Solver]:
    system = gs.formulate(model)

    def run(tolerance: float) -> Found:
        began = perf_counter()
        found = _tip(system, tip, tolerance)
        return Found(found, perf_counter() - began)

    return [Solver(package, f"{label}, DOP853, whole call", "tolerance", run, 1e-4, 1.0)]


def _tip(system: gs.System, tip: str, tolerance: float) -> Any:
    """Return the deflection of the tip in the rotating frame at the end."""
    integrator = gs.DOP853(rtol=tolerance, atol=tolerance)
    found = gs.simulate(system, DURATION, step=DURATION, integrator=integrator)
    x, y, _ = np.array(found[tip])[-1]
    angle = spin_angle(DURATION)
    return np.array([np.cos(angle) * y - np.sin(angle) * x])


def measure_beams(*, short: bool = False) -> list[BeamCost]:
    """Return costs by order and number of terms of one beam, and of four-bars of three beams."""
    models = [spin_up(order, terms) for order, terms in (COSTS[:1] if short else COSTS)]
    models += [beam_four_bar(order, 2) for order in ((2,) if short else (2, "exact"))]
    return [_cost(model) for model in models]


def _cost(model: gs.Model) -> BeamCost:
    system = gs.formulate(model)
    began = process_time()
    program = system.program("rates")
    prepared = process_time() - began
    state = gs.assemble(system)
    row = np.zeros((256, program.input_size))
    for name, values in (("q", state.q), ("u", state.u), ("parameters", system.parameter_values())):
        row[:, program.input_slice(name)] = values
    program.loop(row)
    times: Sequence[float] = [_once(program, row) for _ in range(7)]
    return BeamCost(model.name, system.coordinates.n_q, program.operations, prepared, float(np.median(times)))


def _once(program: Any, rows: Any) -> float:
    began = process_time()
    for _ in range(4):
        program.loop(rows)
    return (process_time() - began) / (4 * len(rows))
