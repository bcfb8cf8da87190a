"""Sweeps: many double pendula, against loops of peers at equal achieved error; lanes, cores, memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from models import bar_pendulum
from peers.gyrostat_motion import native_function
from peers.solver import Found, Solver
from peers.tree import Floats, read_tree
from scipy.integrate import solve_ivp

import gyrostat as gs
from comparisons.matching import Matched, match

DURATION = 10.0
ERROR = 1e-6
"""The largest difference of a coordinate at the end, over all motions that are compared."""
PENDULA = 10_000
BATCHED = 100_000
STEP = 0.01
MANY = 1_000_000
CORES_TARGET, LANES_TARGET = 1.8, 4.0
MEMORY_TARGET = 50.0
"""MB that ten times as many points may take more."""
_COMPARED = 48
"""Motions by which settings are matched, and peers are timed."""
_MEMORY = Path(__file__).parent.parent / "sweep_memory.py"


@dataclass(frozen=True)
class SweepRow:
    """What was swept, our simulations in a second, what they are compared with, and how many times faster they are."""

    what: str
    rate: float
    beside: str
    beside_rate: float | None
    times: float | None
    target: float | None = None
    failure: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met."""
        return None if self.target is None or self.times is None else self.times >= self.target


@dataclass(frozen=True)
class MemoryRow:
    """Peak memory of sweeps into stores, few points and many."""

    points: int
    megabytes: float
    seconds: float


def compare_sweeps(*, rounds: int, short: bool = False) -> list[SweepRow]:
    """Return the rows of speed."""
    system = gs.formulate(bar_pendulum())
    pendula, batched = (1_000, 10_000) if short else (PENDULA, BATCHED)
    return [*_against_peers(system, pendula, rounds), _lanes(system, batched, rounds)]


def measure_memory(*, short: bool = False) -> list[MemoryRow]:
    """Return the peak memory of a sweep, and of one with ten times as many points."""
    most = 100_000 if short else MANY
    rows = []
    for points in (most // 10, most):
        done = subprocess.run(
            [sys.executable, str(_MEMORY), str(points)], capture_output=True, text=True, check=True,
            cwd=_MEMORY.parent,
        )  # fmt: skip
        found = json.loads(done.stdout)
        rows.append(MemoryRow(found["points"], found["megabytes"], found["seconds"]))
    return rows


# --- against peers ----------------------------------------------------------------------------------------------------


def _against_peers(system: gs.System, pendula: int, rounds: int) -> list[SweepRow]:
    starts = np.random.default_rng(5).uniform(-0.8, 0.8, (_COMPARED, 2))
    reference = _own(system, starts, _dop853).run(1e-13).q
    own = {make: match(_own(system, starts, make), reference, ERROR) for make in (_dop853, _rk4)}
    peers = {solver.package: match(solver, reference, ERROR) for solver in _peers(system, starts)}
    many = np.random.default_rng(6).uniform(-0.8, 0.8, (pendula, 2))
    runs: dict[str, tuple[Callable[[], object], int]] = {}
    for make, found in own.items():
        assert isinstance(found, Matched), f"gyrostat does not reach an error of {ERROR:g}: {found}"
        for cores in (1, 2):
            solver = _own(system, many, make, cores)
            runs[solver.method] = partial(solver.run, found.setting), pendula
    runs |= {name: (found.run, _COMPARED) for name, found in peers.items() if isinstance(found, Matched)}
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (run, count) in runs.items():
            times[name].append(_seconds(run) / count)
    rows = []
    for make in own:
        one, two = (_own(system, many[:1], make, cores).method for cores in (1, 2))
        for name, found in peers.items():
            rows.append(_row(pendula, times, one, name, found))
        if make is _dop853:
            rows.append(_row(pendula, times, two, one, None, CORES_TARGET))
    return rows


def _row(
    pendula: int, times: dict[str, list[float]], own: str, name: str, peer: Matched | str | None, target: float = 1.0
) -> SweepRow:
    what = f"{pendula} double pendula, {DURATION:g} s, error {ERROR:g}: {own}"
    rate = 1.0 / median(times[own])
    if isinstance(peer, str):
        return SweepRow(what, rate, name, None, None, None, peer)
    faster = median(theirs / ours for theirs, ours in zip(times[name], times[own], strict=True))
    label = name
    if peer is not None:
        label = f"{peer.solver.name}, {peer.solver.setting} {peer.setting:.1e}, {_COMPARED} of them"
    return SweepRow(what, rate, label, 1.0 / median(times[name]), faster, target)


def _dop853(tolerance: float) -> gs.Integrator:
    return gs.DOP853(rtol=tolerance, atol=tolerance)


def _rk4(step: float) -> gs.Integrator:
    return gs.RK4(step=DURATION / max(1, round(DURATION / step)))


def _own(system: gs.System, starts: Floats, make: Callable[[float], gs.Integrator], cores: int = 1) -> Solver:
    names = system.coordinate_names
    over = [dict(zip(names, start.tolist(), strict=True)) for start in starts]
    outputs = {f"end {name}": gs.Last(name) for name in names}

    def run(setting: float) -> Found:
        analysis = gs.Simulation(DURATION, integrator=make(setting), outputs=outputs)
        found = gs.sweep(system, over, analysis, workers=cores, progress=False)
        return Found(np.column_stack([found[name].values for name in outputs]).ravel())

    words = f"{'DOP853' if make is _dop853 else 'RK4 in lanes'}, {('one core', 'two cores')[cores - 1]}"
    if make is _dop853:
        return Solver("gyrostat", words, "tolerance", run, 1e-2 * ERROR, 1.0)
    return Solver("gyrostat", words, "step", run, 5e-3, 4.0)


def _peers(system: gs.System, starts: Floats) -> list[Solver]:
    rates = native_function(system, "rates", np.zeros(4))

    def run(tolerance: float) -> Found:
        ends = []
        for start in starts:
            begin = np.concatenate((start, np.zeros(2)))
            motion = solve_ivp(rates, (0.0, DURATION), begin, method="DOP853", rtol=tolerance, atol=tolerance)
            ends.append(motion.y[:2, -1])
        return Found(np.concatenate(ends))

    found = [Solver("SciPy", "loop of DOP853 on gyrostat's rates", "tolerance", run, 1e-2 * ERROR, 1.0)]
    try:
        from peers.mujoco_rollout import mujoco_rollout
    except (ImportError, OSError):
        return found
    return [*found, mujoco_rollout(read_tree(bar_pendulum()), starts, DURATION, first=2e-3)]


# --- lanes ------------------------------------------------------------------------------------------------------------


def _lanes(system: gs.System, count: int, rounds: int) -> SweepRow:
    """Compare fixed steps in lanes with the same steps one by one, of which a twentieth is made."""
    few = count // 20
    rng = np.random.default_rng(7)
    ends: list[float] = []
    times: dict[bool, list[float]] = {True: [], False: []}
    over = rng.uniform(-0.8, 0.8, (count, 2))
    for _ in range(rounds):
        for batched, number in ((True, count), (False, few)):
            points = [dict(zip(system.coordinate_names, start, strict=True)) for start in over[:number].tolist()]
            analysis = gs.Simulation(
                DURATION, integrator=gs.RK4(step=STEP), outputs=[gs.Last(system.coordinate_names[0])], batched=batched
            )
            seconds, found = _timed(lambda a=analysis, p=points: gs.sweep(system, p, a, workers=1, progress=False))
            times[batched].append(seconds / number)
            ends.append(float(found[found.names[0]].values[0]))
    assert np.ptp(ends) < 1e-9, "runs in lanes and single runs differ"
    faster = median(one / many for one, many in zip(times[False], times[True], strict=True))
    what = f"{count} double pendula, {DURATION:g} s, {DURATION / STEP:g} steps of RK4 in lanes, one core"
    return SweepRow(what, 1 / median(times[True]), "unbatched", 1 / median(times[False]), faster, LANES_TARGET)


def _seconds(run: Callable[[], object]) -> float:
    began = perf_counter()
    run()
    return perf_counter() - began


def _timed(run: Callable[[], gs.Sweep]) -> tuple[float, gs.Sweep]:
    """Return the processor's time, which a busy machine changes less."""
    began = process_time()
    found = run()
    return process_time() - began, found
