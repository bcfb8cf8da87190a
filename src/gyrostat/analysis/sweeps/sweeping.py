"""A sweep: one analysis at many points of parameters, initial values and inputs."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from gyrostat.analysis.sweeps.analysis import FunctionAnalysis, SweepAnalysis
from gyrostat.analysis.sweeps.blocks import Blocks, Book, Tasks
from gyrostat.analysis.sweeps.designs import Design
from gyrostat.analysis.sweeps.execution import Execution
from gyrostat.analysis.sweeps.folder_store import FolderStore, is_store
from gyrostat.analysis.sweeps.job import Job, foreign_modules, packed
from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import Points, PointStatus
from gyrostat.analysis.sweeps.progress import Listener, ProgressTeller
from gyrostat.analysis.sweeps.record import SweepRecord
from gyrostat.analysis.sweeps.result import Sweep
from gyrostat.analysis.sweeps.store import MemoryStore, Store
from gyrostat.analysis.sweeps.targets import Targets
from gyrostat.errors import ResultFileError, StateError
from gyrostat.model import Model
from gyrostat.model.names import counted
from gyrostat.program.warning import GyrostatWarning
from gyrostat.system import System, system_of

_BLOCKS = 32
"""Least number of blocks of a small sweep, so that an interruption loses little."""
_SMALLEST_BLOCK = 16
"""Least number of points of a block in memory, to fill the SIMD lanes."""
_BLOCK_POINTS = 4096
_BLOCK_NUMBERS = 1_000_000
_PROBES = 8
"""Number of points that are tried to determine the variables of a function."""


def sweep(
    system: System | Model,
    over: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    analysis: SweepAnalysis | Callable[..., Any],
    *,
    points: Design | None = None,
    store: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: int | None = None,
    scheduler: Any = None,
    progress: Listener | bool | None = None,
) -> Sweep:
    """Analyse many points of parameters, initial values and inputs; return one labelled dataset.

    `over` has values by name, whose combinations are the points, and distributions such as `gs.uniform(0.8, 1.2)`,
    sampled by the design `points`; or it is a list of points, each with values by name. `analysis` is a
    `gs.Simulation`, another record of an analysis, or a function of system, parameters, initial and inputs.

    Results are kept in memory, or in a `store`, a folder whose name ends in .zarr: it is written block by block, and
    `resume` continues an interrupted sweep from it. Ctrl-C raises KeyboardInterrupt, whose attribute `sweep` has the
    points that are kept. Points run in this process and, for long sweeps, in `workers`
    others; with a `scheduler`, an address or a Dask client, on a cluster. A point that fails is recorded with its
    reason. `progress` is called with a `SweepProgress` at intervals; on a terminal a line shows it.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"g": 9.81, "l": 1.0})
    >>> bar = model.add(gs.Body("bar", gs.rod(2, "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> found = gs.sweep(model, {"l": [0.5, 1.0], "a1": [0.1, 0.2, 0.3]}, gs.Simulation(1, outputs=["last(a1)"]))
    >>> found["last(a1)"].sel(l=1.0).values.round(4)
    array([-0.077 , -0.155 , -0.2348])
    """
    chosen, execution = _read_analysis(analysis), Execution.of(workers, scheduler)
    plan = Plan.of(over, points)
    execution.prepare()
    system = system_of(system)
    targets = Targets.of(system, plan)
    place = None if store is None else Path(store)
    if place is not None and is_store(place) and not resume:
        raise ResultFileError(
            f"{place} exists already. Continue it with resume=True (--resume), or choose another store."
        )
    layout = chosen.layout(system, targets, _probes(plan))
    layout.require_unique_names(plan.taken)
    record = SweepRecord.of(system, plan, targets, chosen, layout)
    kept = _opened(place, record)
    try:
        found = _swept(system, record, kept, chosen, targets, execution, progress)
    finally:
        kept.close()
    if found.notes:
        warnings.warn(
            f"{counted(len(found.notes), 'point', 'points')} of the sweep of {found.title!r} "
            f"{'has a note' if len(found.notes) == 1 else 'have notes'} (sweep.notes): {found.notes[0]}",
            GyrostatWarning,
            stacklevel=2,
        )
    return found


def load_sweep(path: str | os.PathLike[str]) -> Sweep:
    """Return the sweep of a store, complete or not; values are read from disk lazily.

    All files are compared with their digests; a damaged store is an error.
    """
    store = FolderStore.open(Path(path), writing=False)
    record = SweepRecord.read(store.path)
    return Sweep(record.title, record.plan, record.layout, dict(record.labels), store)


def _swept(
    system: System,
    record: SweepRecord,
    store: Store,
    analysis: SweepAnalysis,
    targets: Targets,
    execution: Execution,
    progress: Listener | bool | None,
) -> Sweep:
    """Run the blocks that the store does not have."""
    plan, layout, blocks = record.plan, record.layout, store.blocks
    there = store.done()
    reused = sum(stop - start for start, stop in map(blocks.range, there))
    wanted = (block for block in blocks if block not in there)
    tasks = Tasks(plan, blocks, wanted, plan.size - reused, execution.parts)
    teller, book = ProgressTeller(progress, plan.size, reused), Book(blocks)
    began = time.perf_counter()
    interruption: KeyboardInterrupt | None = None

    @cache
    def data() -> bytes:
        return packed(Job.of(system, analysis, targets, layout))

    solve = analysis.solver(system, targets, layout)
    try:
        foreign = analysis.runs_foreign_code() or bool(foreign_modules(system))
        with closing(execution.run(tasks, solve, layout, data, plan.size - reused, foreign=foreign)) as pieces:
            for piece in pieces:
                tasks.learn(piece)
                whole = book.add(piece)
                if whole is not None:
                    store.write(*whole)
                teller.add(piece.stop - piece.start, piece.failed)
    except KeyboardInterrupt as error:
        interruption = error
    finally:
        teller.finish()
    if interruption is None and book.written + len(there) < len(blocks):
        raise StateError(
            f"The sweep of {record.title!r} ended with {book.written + len(there)} of {len(blocks)} blocks of points. "
            "Continue with resume=True, and report this."
        )
    spent = time.perf_counter() - began
    found = Sweep(record.title, plan, layout, dict(record.labels), store, reused, spent)
    if interruption is not None:
        raise _with_sweep(interruption, found)
    return found


def _with_sweep(error: KeyboardInterrupt, found: Sweep) -> KeyboardInterrupt:
    """Return an interruption with a note on the points that are kept, and these as its attribute `sweep`."""
    kept = found.plan.size - found.count(PointStatus.NOT_RUN)
    stored = isinstance(found.store, FolderStore)
    error.add_note(
        f"The sweep of {found.title!r} was interrupted; {kept} of {counted(found.plan.size, 'point', 'points')} are "
        "kept. " + ("Continue with resume=True." if stored else "With store=… it could be resumed.")
    )
    error.sweep = found  # type: ignore[attr-defined]
    return error


def _read_analysis(given: object) -> SweepAnalysis:
    if isinstance(given, SweepAnalysis):
        return given
    if callable(given) and not isinstance(given, type):
        return FunctionAnalysis(given)
    raise StateError(
        f"The analysis is {given!r:.60}. Use gs.Simulation(duration=10, outputs=[…]), another record of an analysis, "
        "or a function of system and parameters."
    )


def _probes(plan: Plan) -> Iterator[Points]:
    yield plan.points(0, min(plan.size, _PROBES))


def _opened(path: Path | None, record: SweepRecord) -> Store:
    """Return the store of a sweep: in memory, a new folder, or an existing one."""
    plan, layout = record.plan, record.layout
    least = 1 if path is not None else _SMALLEST_BLOCK
    most = min(_BLOCK_POINTS, max(least, plan.size // _BLOCKS), max(1, _BLOCK_NUMBERS // max(1, layout.size)))
    blocks = Blocks.of(plan.shape, most)
    if path is None:
        return MemoryStore(blocks, layout)
    if is_store(path):
        record.require_same(path)
        return FolderStore.open(path, writing=True)
    return FolderStore.create(path, record.header(), plan, layout, blocks, record.labels)
