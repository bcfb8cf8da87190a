"""Motions of trees at equal achieved error: a double pendulum, a robot arm, a long chain and a stiff one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from models import bar_pendulum, damped, seven_joint_arm, universal_chain
from peers.gyrostat_motion import Integrate, bdf, dop853, own_solvers, rodas5p, scipy_solver
from peers.motion_packages import exudyn_trees, mujoco_trees
from peers.solver import Solver
from peers.tree import Floats, Tree, read_tree

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions

ARM_DAMPING = 0.3
"""N·m·s/rad in each joint: without it the arm's motion is chaotic, and errors after 10 s mean nothing."""
ERRORS = (1e-6, 1e-9)
CHAIN_ERROR = 1e-5
STIFF_DAMPING = 3.0
STIFF_LINKS = 30
STIFF_ERRORS = (1e-3, 1e-4)
LONG_STIFF_LINKS = (100, 250)
LONG_STIFF_ERROR = 3e-4
LONG_STIFF_TARGET = 0.7
STIFF_METHODS = ("implicitfast", "implicit")


def compare_simulations(*, rounds: int) -> list[MotionRow]:
    """Return motions by explicit methods, then the stiff ones."""
    rows: list[MotionRow] = []
    for compare in (_pendulum, _arm, _chain, _stiff_chain, _long_stiff_chains):
        rows.extend(compare(rounds))
    return rows


def _pendulum(rounds: int) -> list[MotionRow]:
    return _against_all(bar_pendulum(), np.array([0.8, -0.5]), rounds)


def _arm(rounds: int) -> list[MotionRow]:
    q = np.random.default_rng(3).uniform(-0.7, 0.7, 7)
    return _against_all(damped(seven_joint_arm(), ARM_DAMPING), q, rounds, damping=ARM_DAMPING)


def _against_all(model: gs.Model, q: Floats, rounds: int, *, damping: float = 0.0) -> list[MotionRow]:
    start, rows = _Start.of(model, q, 10.0), []
    for error in ERRORS:
        peers = [
            scipy_solver(start.system, start.duration, "DOP853", initial=start.initial, first=1e-2 * error),
            *exudyn_trees(start.tree, q, 0 * q, start.duration, damping=damping, step=2e-3, tolerance=1e-2 * error),
            *mujoco_trees(start.tree, q, 0 * q, start.duration, ("RK4",), damping=damping, first=0.05 * error**0.25),
        ]
        targets = {"SciPy": 0.1, "Exudyn": 0.1, "MuJoCo": 0.1}
        rows += compare_motions(
            start.name, start.own(dop853, 1e-2 * error), peers, targets, start.end(), error=error, rounds=rounds
        )
    return rows


def _chain(rounds: int) -> list[MotionRow]:
    model = universal_chain(100)
    start = _Start.of(model, curved(100), 1.0)
    peers = mujoco_trees(start.tree, start.q, 0 * start.q, start.duration, ("RK4",), first=6e-4)
    return compare_motions(
        start.name,
        start.own(dop853, 1e-2 * CHAIN_ERROR),
        peers,
        {"MuJoCo": 0.2},
        start.end(),
        error=CHAIN_ERROR,
        rounds=rounds,
    )


def _stiff_chain(rounds: int) -> list[MotionRow]:
    model = damped(universal_chain(STIFF_LINKS), STIFF_DAMPING)
    start, rows = _Start.of(model, curved(STIFF_LINKS), 5.0), []
    name = f"{start.name}, damping {STIFF_DAMPING:g} N·m·s/rad"
    reference = start.end(lambda tolerance: rodas5p(100 * tolerance))
    for error in STIFF_ERRORS:
        first = 2 * error
        peers = [
            *(
                scipy_solver(start.system, start.duration, method, initial=start.initial, first=0.3 * error)
                for method in ("BDF", "Radau")
            ),
            *mujoco_trees(
                start.tree, start.q, 0 * start.q, start.duration, STIFF_METHODS, damping=STIFF_DAMPING, first=first
            ),
        ]
        targets = {"SciPy": 1.0, "MuJoCo": 1.0}
        own = [*start.own(rodas5p, 0.3 * error), *start.own(bdf, 0.3 * error)]
        rows += compare_motions(name, own, peers, targets, reference, error=error, rounds=rounds)
    return rows


def _long_stiff_chains(rounds: int) -> list[MotionRow]:
    """Return motions of chains of 200 and 500 speeds, beside SciPy's BDF on the same rates."""
    rows = []
    for links in LONG_STIFF_LINKS:
        start = _Start.of(damped(universal_chain(links), STIFF_DAMPING), curved(links), 1.0)
        name = f"{start.name}, damping {STIFF_DAMPING:g} N·m·s/rad"
        reference = start.end(lambda _: rodas5p(1e-8))
        first = 0.3 * LONG_STIFF_ERROR
        peers = [scipy_solver(start.system, start.duration, "BDF", initial=start.initial, first=first)]
        targets = {"SciPy": LONG_STIFF_TARGET}
        own = start.own(rodas5p, first)
        rows += compare_motions(name, own, peers, targets, reference, error=LONG_STIFF_ERROR, rounds=min(rounds, 3))
    return rows


@dataclass(frozen=True)
class _Start:
    """A motion to compute: a model, at rest in a position, for some seconds."""

    system: gs.System
    tree: Tree
    q: Floats
    duration: float

    @classmethod
    def of(cls, model: gs.Model, q: Floats, duration: float) -> _Start:
        return cls(gs.formulate(model), read_tree(model), q, duration)

    @property
    def name(self) -> str:
        return f"{self.system.model.name}, {self.duration:g} s"

    @property
    def initial(self) -> dict[str, float]:
        return dict(zip(self.system.coordinate_names, self.q.tolist(), strict=True))

    def own(self, integrator: Integrate, first: float) -> list[Solver]:
        """Return our ways; the search of a tolerance begins at the first, as that of SciPy's does."""
        return own_solvers(self.system, self.duration, integrator, initial=self.initial, first=first)

    def end(self, integrator: Integrate = dop853) -> Floats:
        """Return the coordinates at the end, from a run with tight tolerances."""
        found = gs.simulate(
            self.system, self.duration, step=self.duration, initial=self.initial, integrator=integrator(1e-13)
        )
        return found.q[-1]


def curved(links: int) -> Floats:
    """Return angles that bend a hanging chain sideways, in both directions."""
    along = np.arange(links) / links
    q = np.empty(2 * links)
    q[0::2], q[1::2] = 0.4 * np.cos(np.pi * along), 0.3 * np.sin(2 * np.pi * along)
    return q / np.sqrt(links)
