"""Contacts of many pairs: bounces, sliding, a stack and spheres in a box beside MuJoCo, and the cost of a pair.

Laws of contact differ between packages. Bounces, sliding and the stack have exact ends with rigid contacts, which all
sides approach; of spheres in a box the height of the mass centre is compared with a fine run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import numpy as np
from peers.solver import Found, Solver
from sphere_models import Spheres, bounce, box, plates, rigid_model, slide, stack

import gyrostat as gs
from comparisons.matching import MotionRow, compare_motions
from gyrostat.analysis.kernels.library import load_pairs
from gyrostat.analysis.simulation.pairs import PairSet

TARGET = 0.2
SIDES = (3, 10, 32, 100)
"""Spheres along each side of a plate; ten pairs of plates have ten times its square of pairs."""
_ERRORS = {"bounce": (2e-2, 2e-3, 2e-4), "slide to roll": (2e-3, 2e-4, 2e-5), "stack of ten": (1e-2, 1e-3, 1e-4)}
"""Errors at which motions with a known end are compared (m)."""
_HEIGHT = 5e-3
"""Difference of the mean height of spheres in a box (m)."""
PEERS = {"MuJoCo": "mujoco_spheres", "Exudyn": "exudyn_spheres", "Drake": "drake_spheres"}
"""Peers, with the functions of their modules that return solvers."""
_EXACT = (gs.DOP853, gs.RKF45)
"""Adaptive methods that take rigid contacts."""
_PEER_STEP = 2e-3
"""First step of peers: of two steps tried, 2e-3 and 5e-3, MuJoCo's spheres in a box fly apart with the longer."""
_LOOSE = 1e-3
"""Tolerance of the sweeps of `Moreau`: it changes the mean height of the spheres by about 2e-4 m in steps of 2 ms."""


@dataclass(frozen=True)
class PairRow:
    """The kernel of all pairs of spheres on plates, of which neighbours touch."""

    shapes: int
    touching: int
    ready: float
    """Seconds from the model to tables that the kernel takes, programs of the pairs among them."""
    first: float
    """Seconds of the first evaluation, with the list of neighbours."""
    seconds: float
    """Seconds of one evaluation of all loads."""

    @property
    def per_pair(self) -> float:
        """Seconds for each pair that touches."""
        return self.seconds / max(self.touching, 1)


def compare_pairs(sides: tuple[int, ...] = SIDES) -> list[PairRow]:
    """Return the cost of the kernel for several numbers of pairs."""
    rows = []
    for side in sides:
        began = time.process_time()
        system = gs.formulate(plates(side))
        pairs = PairSet.of(system, {})
        assert pairs is not None
        load = load_pairs.bind(pairs.tables(system.row.state_size).tables)
        ready = time.process_time() - began
        row = system.row.of(0.0, system.initial_state(), [])
        began = time.process_time()
        load(row)
        first = time.process_time() - began
        repeats = max(3, 3000 // side**2)
        began = time.process_time()
        for _ in range(repeats):
            load(row)
        seconds = (time.process_time() - began) / repeats
        touching = int(row[system.row.inputs.start + system.inputs.index("grains.sum.touching")])
        rows.append(PairRow(len(pairs.shapes), touching, ready, first, seconds))
    return rows


def compare_contacts(*, rounds: int, short: bool) -> list[MotionRow]:
    """Return motions with contacts at equal error, beside the peers that are installed."""
    rows: list[MotionRow] = []
    for spheres, end in (bounce(), slide(), stack()):
        soft, rigid = gs.formulate(spheres.model()), gs.formulate(rigid_model(spheres))
        own = [_solver(soft, spheres, *one, mean=False) for one in _methods(spheres)]
        own += [
            _solver(rigid, spheres, f"{kind.__name__}, RigidContact", kind, 1e-3, 1.0, mean=False) for kind in _EXACT
        ]
        missed: dict[str, float] = {}
        for error in _ERRORS[spheres.name][: 1 if short else None]:
            found = _rows(spheres, own, end, error, rounds, missed, mean=False)
            missed |= {package: error for package in PEERS if _fails(found, package) and package not in missed}
            rows += found
    spheres = box(100 if short else 1000)
    system = gs.formulate(spheres.model())
    own = [_solver(system, spheres, *one, mean=True) for one in _methods(spheres)]
    end = own[0].run(1e-4).q
    return rows + _rows(spheres, own, end, _HEIGHT, min(rounds, 3), {}, mean=True)


def _fails(rows: list[MotionRow], package: str) -> bool:
    """Return whether a peer does not reach the error of these rows."""
    return any(row.peer_seconds is None and row.peer.startswith(package) for row in rows)


def _rows(
    spheres: Spheres,
    own: list[Solver],
    end: np.ndarray,
    error: float,
    rounds: int,
    missed: dict[str, float],
    *,
    mean: bool,
) -> list[MotionRow]:
    """Return a row for each of our methods and each peer; `missed` are errors that a peer did not reach before."""
    peers, targets = [], {}
    for package, function in PEERS.items():
        targets[package] = TARGET
        if package in missed:
            peers.append(Solver(package, "as above", "step", partial(_refuse, missed[package]), _PEER_STEP, 1.0))
            continue
        try:
            module = import_module(f"peers.{package.lower()}_contacts")
            peers += getattr(module, function)(spheres, first=_PEER_STEP, mean=mean)
        except ImportError:
            peers.append(Solver(package, "missing", "step", _missing, _PEER_STEP, 1.0))
    motion = f"{spheres.name}, to {error:g} m"
    return compare_motions(motion, own, peers, targets, end, error=error, rounds=rounds)


def _refuse(error: float, _: float) -> Found:
    raise RuntimeError(f"it did not reach {error:g} m")


def _missing(_: float) -> Found:
    raise RuntimeError("it is not installed")


def _methods(spheres: Spheres) -> list[tuple[str, Callable[..., gs.Integrator], float, float]]:
    """Return name, integrator, first step or tolerance, and order; soft contacts sink by more than the stack allows."""
    rigid = ("Moreau, rigid contacts", gs.Moreau, 1e-2, 1.5)
    soft = ("RK4, penalty", gs.RK4, 5e-4, 2.5)
    if spheres.name in ("stack of ten", "slide to roll"):
        return [rigid]
    if spheres.width is not None:
        loose = f"Moreau, rigid contacts, tolerance {_LOOSE:g}"
        return [
            ("RK4, penalty", gs.RK4, 1e-3, 2.5),
            ("Moreau, rigid contacts", gs.Moreau, 1e-2, 1.0),
            (loose, partial(gs.Moreau, tolerance=_LOOSE), 1e-2, 1.0),
        ]
    return [("RKF45, penalty", gs.RKF45, 1e-3, 1.0), soft, rigid]


def _solver(
    system: gs.System,
    spheres: Spheres,
    name: str,
    kind: Callable[..., gs.Integrator],
    first: float,
    order: float,
    *,
    mean: bool,
) -> Solver:
    count = len(spheres.centres)
    heights = [system.coordinate_names.index(f"b{i}_motion.z") for i in range(count)]

    adaptive = kind in _EXACT

    def run(setting: float) -> Found:
        if adaptive:
            method = kind(setting, 1e-2 * setting)
        else:
            method = kind(step=spheres.duration / max(1, round(spheres.duration / setting)))
        ends, seconds = [], 0.0
        for lift in spheres.lifts:
            start = {f"b{i}_motion.v1": spheres.speed for i in range(count)}
            start |= {f"b{i}_motion.z": z + lift for i, z in enumerate(spheres.centres[:, 2].tolist())}
            found = gs.simulate(
                system, spheres.duration, step=spheres.duration, initial=start, integrator=method, progress=False
            )
            if not found.status.success:
                raise RuntimeError(str(found.status))
            q = found.states.q[-1]
            ends.append(np.array([q[heights].mean()]) if mean else q[heights[-1] - 2 : heights[-1] + 1])
            seconds += found.status.seconds
        return Found(np.concatenate(ends), seconds)

    return Solver("gyrostat", name, "tolerance" if adaptive else "step", run, first, order)


if __name__ == "__main__":
    for row in compare_pairs():
        print(f"{row.shapes:7} {row.touching:7} {row.ready:8.2f} s {row.first:8.2f} s {row.per_pair:.2e} s/pair")
    for motion in compare_contacts(rounds=3, short=True):
        print(motion)
