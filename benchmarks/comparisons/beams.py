"""Flexible beams: the spin-up at equal error against other models of a beam, and what terms and sections cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time
from typing import Any

import numpy as np
from beam_models import CRANK_SPEED, beam_four_bar, slider_crank, spin_angle, spin_up, spin_up_of_segments
from peers.motion_packages import exudyn_slider_cranks, exudyn_spins
from peers.solver import Found, Solver

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

DURATION = 8.0
ERRORS = (1e-3, 1e-4)
"""Errors of the deflection at the end (m); its peak is 0.574 m."""
SEGMENTS = 32
CABLES = (8, 16)
CRANK_CABLES = (4, 8)
TARGETS = {"Exudyn": 0.02}
CRANK_TARGETS = {"Exudyn": 0.1}
REVOLUTION = 2 * np.pi / CRANK_SPEED
CRANK_ERROR = 1e-4
"""Error of the position of the rod's middle after a revolution (m); its largest deflection is 4.5 mm."""
COARSEST = 0.1
"""The tolerance that searches begin with: of the error aimed at, 6e-5 m are the beam's own at any finer setting."""
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
    """Return the spin-up by a beam of order exact, against rigid segments and Exudyn's cables."""
    exact = _tip(gs.formulate(spin_up("exact", 6)), "beam.tip", 1e-10)
    beam = spin_up("exact", 4)
    own = [_solver("gyrostat", "order exact", beam, "beam.tip", method) for method in (gs.Rodas5P, gs.DOP853)]
    peers = [_solver("rigid segments", f"{SEGMENTS} of them", spin_up_of_segments(SEGMENTS), "tip.end", gs.DOP853)]
    for cables in CABLES:
        peers += exudyn_spins(DURATION, cables=cables, step=0.01)
    motion, rows = f"spin-up, {DURATION:g} s", list[MotionRow]()
    for error in ERRORS:
        rows += compare_motions(motion, own, peers, TARGETS, exact, error=error, rounds=rounds)
    return rows + _compare_slider_cranks(rounds)


def _compare_slider_cranks(rounds: int) -> list[MotionRow]:
    """Return the first revolution of the flexible slider-crank by a beam of order 2, against Exudyn's cables."""
    exact = _middle(gs.formulate(slider_crank(order="exact", terms=3)), 1e-9)
    system = gs.formulate(slider_crank(order=2, terms=3, rotary_inertia=False))
    own = [
        _timed("gyrostat", f"order 2, {method.__name__}", partial(_middle, system, method=method), first=COARSEST)
        for method in (gs.RKF45, gs.DOP853, gs.Rodas5P)
    ]
    peers = list[Solver]()
    for cables in CRANK_CABLES:
        peers += exudyn_slider_cranks(REVOLUTION, cables=cables, step=REVOLUTION / 400)
    motion = "flexible slider-crank, a revolution"
    return compare_motions(motion, own, peers, CRANK_TARGETS, exact, error=CRANK_ERROR, rounds=rounds)


def _middle(system: gs.System, tolerance: float, method: type[Any] = gs.DOP853) -> Any:
    """Return the position of the middle of the rod at the end."""
    found = gs.simulate(system, REVOLUTION, step=REVOLUTION, integrator=method(rtol=tolerance, atol=tolerance))
    return np.array(found["rod.mid"])[-1]


def _solver(package: str, label: str, model: gs.Model, tip: str, method: type[Any]) -> Solver:
    motion = partial(_tip, gs.formulate(model), tip, method=method)
    return _timed(package, f"{label}, {method.__name__}", motion, first=1e-4)


def _timed(package: str, label: str, motion: Callable[[float], Any], *, first: float) -> Solver:
    def run(tolerance: float) -> Found:
        began = perf_counter()
        found = motion(tolerance)
        return Found(found, perf_counter() - began)

    return Solver(package, f"{label}, whole call", "tolerance", run, first, 1.0)


def _tip(system: gs.System, tip: str, tolerance: float, method: type[Any] = gs.DOP853) -> Any:
    """Return the deflection of the tip in the rotating frame at the end."""
    found = gs.simulate(system, DURATION, step=DURATION, integrator=method(rtol=tolerance, atol=tolerance))
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
