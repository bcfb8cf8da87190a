"""From a changed model to the result of a second's motion, against MuJoCo from the text of its model.

Each run begins with the description: ours builds the model in Python, MuJoCo reads XML. Kinds of links are in the
cache, the model itself is not: it is a new one each time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from models import hinge_chain, hinge_tree
from peers.gyrostat_motion import dop853
from peers.motion_packages import mujoco_edits
from peers.solver import Found, Solver
from peers.tree import Floats, read_tree

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

LINKS = {"chain": (10, 30, 100, 300), "tree": (30, 100, 300, 1000)}
ERROR = 1e-3
"""MuJoCo writes six digits of its constants in the text."""
_MODELS: dict[str, Callable[[int], gs.Model]] = {"chain": hinge_chain, "tree": hinge_tree}


def compare_edits(*, rounds: int, short: bool) -> list[MotionRow]:
    """Return a row for each mechanism."""
    rows: list[MotionRow] = []
    for kind, counts in LINKS.items():
        for links in counts[:2] if short else counts:
            rows += _compare(_MODELS[kind], links, rounds)
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
