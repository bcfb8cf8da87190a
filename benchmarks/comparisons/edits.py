"""From a changed model to the result of a second's motion, against MuJoCo and Exudyn from the description of theirs.

Each run begins with the description: ours and Exudyn's build the model in Python, MuJoCo reads XML. Kinds of links are
in the cache, the model itself is not: it is a new one each time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from loop_models import GRAVITY, START_RATE, crank_angle, four_bars, truss, truss_start
from models import hinge_chain, hinge_tree
from peers.gyrostat_motion import dop853
from peers.motion_packages import exudyn_truss_edits, mujoco_edits, mujoco_loop_edits
from peers.solver import Found, Solver
from peers.tree import Floats, read_tree

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

LINKS = {"chain": (10, 30, 100, 300), "tree": (30, 100, 300, 1000)}
FOUR_BARS = 20
TRUSSES = (8, 16)
"""Squares beside and above each other."""
LOOP_ERROR = 5e-4
ERROR = 1e-3
"""MuJoCo writes six digits of its constants in the text."""
_MODELS: dict[str, Callable[[int], gs.Model]] = {"chain": hinge_chain, "tree": hinge_tree}


def compare_edits(*, rounds: int, short: bool) -> list[MotionRow]:
    """Return a row for each mechanism."""
    rows: list[MotionRow] = []
    for kind, counts in LINKS.items():
        for links in counts[:2] if short else counts:
            rows += _compare(_MODELS[kind], links, rounds)
    rows += _compare_four_bars(rounds)
    for side in TRUSSES[:1] if short else TRUSSES:
        rows += _compare_truss(side, rounds)
    return rows


def _compare(build: Callable[[int], gs.Model], links: int, rounds: int) -> list[MotionRow]:
    model = build(links)
    system = gs.formulate(model)
    q = 0.3 * np.cos(np.arange(links))
    initial = dict(zip(system.coordinate_names, q.tolist(), strict=True))

    def run(tolerance: float) -> Found:
        system = gs.formulate(build(links))
        found = gs.simulate(system, 1.0, step=1.0, initial=initial, integrator=dop853(tolerance))
        return Found(found.q[-1])

    reference: Floats = gs.simulate(system, 1.0, step=1.0, initial=initial, integrator=dop853(1e-11)).q[-1]
    own = [Solver("gyrostat", "DOP853, from the model", "tolerance", run, 1e-6, 1.0)]
    peers = mujoco_edits(read_tree(model), q, 0 * q, 1.0, first=1e-3)
    return compare_motions(f"{model.name}, 1 s", own, peers, {"MuJoCo": 1.0}, reference, error=ERROR, rounds=rounds)


def _compare_four_bars(rounds: int) -> list[MotionRow]:
    """Return a row for four-bars; what counts are the angles of all cranks."""
    start = {"c0.rate": START_RATE}

    def run(tolerance: float) -> Found:
        system = gs.formulate(four_bars(FOUR_BARS))
        found = gs.simulate(system, 1.0, step=1.0, initial=start, integrator=dop853(tolerance))
        return Found(found.q[-1, [system.coordinate_names.index(f"c{i}") for i in range(FOUR_BARS + 1)]])

    own = [Solver("gyrostat", "DOP853, from the model", "tolerance", run, 1e-6, 1.0)]
    peers = mujoco_loop_edits(FOUR_BARS, GRAVITY, START_RATE, 1.0, first=2e-3)
    reference = np.full(FOUR_BARS + 1, crank_angle(FOUR_BARS, 1.0))
    name = f"{FOUR_BARS} four-bars, 1 s"
    return compare_motions(name, own, peers, {"MuJoCo": 1.0}, reference, error=LOOP_ERROR, rounds=rounds)


def _compare_truss(side: int, rounds: int) -> list[MotionRow]:
    """Return a row for a truss in absolute coordinates; what counts are the angles of the posts at one side."""
    start = truss_start(side, START_RATE)
    angles = [f"post{j}_0.angle" for j in range(side)]

    def run(tolerance: float) -> Found:
        system = gs.formulate(truss(side), coordinates="absolute")
        found = gs.simulate(system, 1.0, step=1.0, initial=start, integrator=dop853(tolerance))
        return Found(found.q[-1, [system.coordinate_names.index(angle) for angle in angles]])

    own = [Solver("gyrostat", "DOP853, from the model", "tolerance", run, 1e-6, 1.0)]
    peers = exudyn_truss_edits(side, GRAVITY, start, 1.0, first=1e-2)
    reference = run(1e-10).q
    name = f"truss of {side} × {side} squares, absolute, 1 s"
    return compare_motions(name, own, peers, {"Exudyn": 5.0}, reference, error=LOOP_ERROR, rounds=rounds)
