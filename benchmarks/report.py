"""The report: measurements as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import linear_regression

from comparisons.beams import BeamCost
from comparisons.cached_start import TARGET as START_TARGET
from comparisons.cached_start import Start
from comparisons.calls import ABOVE_NATIVE, AnalysisRow, Overhead
from comparisons.chains import COMPILE_TARGET, Chain, exponent
from comparisons.cold_simulation import STAGES, ColdRun
from comparisons.contacts import PairRow
from comparisons.coordinates import ChoiceRow, TrussRow
from comparisons.equations import Budget, Derived
from comparisons.four_bars import FourBars
from comparisons.growth import LIMIT as GROWTH_LIMIT
from comparisons.growth import Growth
from comparisons.matching import MotionRow
from comparisons.ropes import GrowthRow
from comparisons.row import Row
from comparisons.scales import TARGET as SCALES_TARGET
from comparisons.scales import ScalesRow
from comparisons.sweeps import MEMORY_TARGET, MemoryRow, SweepRow
from comparisons.switching import SwitchRow
from comparisons.watching import TARGET as WATCHING
from comparisons.watching import WatchRow

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def duration(seconds: float) -> str:
    """Return a time with three significant digits.

    >>> duration(2.34567e-6)
    '2.35 µs'
    """
    scale, unit = next(((scale, unit) for scale, unit in _UNITS if seconds >= scale), _UNITS[-1])
    value = seconds / scale
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f} {unit}"


def mark(met: bool | None) -> str:
    """Return whether a target is met, as a sign."""
    return "" if met is None else "✓" if met else "✗"


def ratio_table(rows: Iterable[Row]) -> str:
    """Return the table of ratios: our time divided by the peer's."""
    headings = ("quantity", "model", "ours", "peer", "theirs", "ratio", "target", "met", "difference")
    return table(headings, (_ratio_row(row) for row in rows))


def _ratio_row(row: Row) -> tuple[str, ...]:
    ratio = f"{row.ratio:.3f}" if row.ratio < 1 else f"{row.ratio:.2f}"
    target = "" if row.target is None else f"≤ {row.target:g}"
    times = duration(row.seconds), row.peer, duration(row.peer_seconds)
    return (row.quantity, row.model, *times, ratio, target, mark(row.met), f"{row.difference:.0e}")


def overhead_table(rows: Iterable[Overhead]) -> str:
    """Return numeric methods at one state, beside their native code."""
    headings = ("method", "model", "call", "native", "above", "target", "met")
    return table(
        headings,
        (
            (
                f"`{row.method}`",
                row.model,
                *map(duration, (row.seconds, row.native, row.seconds - row.native)),
                f"≤ {duration(ABOVE_NATIVE)}",
                mark(row.met),
            )
            for row in rows
        ),
    )


def analysis_table(rows: Iterable[AnalysisRow]) -> str:
    """Return analyses with their limits, and what they are compared with."""
    headings = ("task", "ours", "limit", "beside", "theirs", "ratio", "target", "met")
    return table(headings, (_analysis_row(row) for row in rows))


def _analysis_row(row: AnalysisRow) -> tuple[str, ...]:
    limit = "" if row.limit is None else f"≤ {duration(row.limit)}"
    theirs = "" if row.beside_seconds is None else duration(row.beside_seconds)
    ratio = "" if row.ratio is None else f"{row.ratio:.3f}"
    target = "" if row.target is None else f"≤ {row.target:g}"
    return row.what, duration(row.seconds), limit, row.beside, theirs, ratio, target, mark(row.met)


def growth_table(rows: Sequence[Growth], family: str = "links") -> str:
    """Return times for growing numbers of links or nodes, with the exponents of growth."""
    headings = (family, "task", *(str(count) for count in rows[0].links), "exponent", "target", "met")
    return table(
        headings,
        (
            (
                row.family,
                row.task,
                *map(duration, row.seconds),
                f"{row.exponent:.2f}",
                f"≤ {GROWTH_LIMIT:g}",
                mark(row.met),
            )
            for row in rows
        ),
    )


def rope_table(rows: Sequence[GrowthRow]) -> str:
    """Return the costs of ropes of growing numbers of nodes."""
    headings = ("nodes", "to the first step", "a simulated second", "steps", "per node and step")
    return table(
        headings,
        (
            (str(row.nodes), duration(row.ready), duration(row.seconds), str(row.steps), duration(row.per_node))
            for row in rows
        ),
    )


def chain_table(chains: Sequence[Chain]) -> str:
    """Return the costs of growing chains, and how they grow."""
    headings = (
        *("links", "operations", "formulate, per link", "graph, per link", "compile, per operation", "target"),
        *("met", "compile unoptimised, per operation", "evaluate, per link"),
    )
    rows = [
        (
            str(chain.links),
            str(chain.operations),
            duration(chain.formulate / chain.links),
            duration(chain.graph / chain.links),
            duration(chain.compile_2 / chain.operations),
            f"≤ {duration(COMPILE_TARGET)}",
            mark(chain.compile_2 / chain.operations <= COMPILE_TARGET),
            duration(chain.compile_0 / chain.operations),
            duration(chain.evaluation / chain.links),
        )
        for chain in chains
    ]
    costs: tuple[Callable[[Chain], float], ...] = (
        lambda chain: chain.formulate,
        lambda chain: chain.graph,
        lambda chain: chain.compile_2,
        lambda chain: chain.compile_0,
        lambda chain: chain.evaluation,
    )
    formulate, graph, optimised, fast, evaluate = (f"links^{exponent(list(chains), cost):.2f}" for cost in costs)
    operations = f"links^{exponent(list(chains), lambda chain: chain.operations):.2f}"
    rows.append(("growth", operations, formulate, graph, optimised, "", "", fast, evaluate))
    return table(headings, rows)


def start_table(starts: Iterable[Start]) -> str:
    """Return the stages of a cached start."""
    headings = (
        *("model", "import gyrostat", "build the model", "formulate", "load the program", "target", "met"),
        "load again in the same process",
    )
    return table(headings, (_start_row(start) for start in starts))


def _start_row(start: Start) -> tuple[str, ...]:
    stages = start.stages
    before = (duration(stages[name]) for name in ("import", "model", "formulate", "load"))
    judged = f"≤ {duration(START_TARGET)}", mark(stages["load"] <= START_TARGET)
    return (start.model, *before, *judged, duration(stages["load_again"]))


def equation_table(rows: Iterable[Derived]) -> str:
    """Return the derivations of exact equations beside SymPy's; ratios are SymPy's time divided by ours."""
    headings = (
        *("model", "ours", "KanesMethod", "times faster", "target", "met", "SymPy's cache filled", "both filled"),
        *("operations", "KanesMethod's", "after trigsimp", "difference"),
    )
    return table(headings, (_equation_row(row) for row in rows))


def _equation_row(row: Derived) -> tuple[str, ...]:
    target = "" if row.target is None else f"≥ {row.target:g}"
    met = mark(None if row.target is None else min(row.ratio, row.ratio_repeated) >= row.target)
    times = duration(row.seconds), duration(row.peer_seconds), f"{row.ratio:.1f}", target, met
    simplified = "" if row.simplified_operations is None else str(row.simplified_operations)
    sizes = str(row.operations), str(row.peer_operations), simplified
    filled = f"{row.ratio_beside_filled:.1f}", f"{row.ratio_repeated:.1f}"
    return (row.model, *times, *filled, *sizes, f"{row.difference:.0e}")


def scales_table(rows: Iterable[ScalesRow]) -> str:
    """Return multiple scales beside oscilate; ratios are its time divided by ours."""
    headings = ("oscillators", "order", "ours", "oscilate", "times faster", "target", "met", "difference")
    return table(headings, (_scales_row(row) for row in rows))


def _scales_row(row: ScalesRow) -> tuple[str, ...]:
    target, met = f"≥ {SCALES_TARGET:g}", mark(row.met)
    if row.peer_seconds is None or row.times_faster is None or row.difference is None:
        return (row.problem, str(row.order), duration(row.seconds), "fails", "", "a result", met, "")
    times = duration(row.seconds), duration(row.peer_seconds), f"{row.times_faster:.0f}"
    return (row.problem, str(row.order), *times, target, met, f"{row.difference:.0e}")


def budget_table(rows: Iterable[Budget]) -> str:
    """Return the derivations that have a limit of time."""
    lines = (
        (row.what, duration(row.seconds), f"≤ {duration(row.target)}", mark(row.seconds <= row.target)) for row in rows
    )
    return table(("derivation", "time", "target", "met"), lines)


def switch_table(rows: Iterable[SwitchRow]) -> str:
    """Return the evaluations at equal error with steps that end at switches, and with steps that pass them."""
    lines = (
        (
            row.model,
            row.integrator,
            str(row.evaluations),
            str(row.unwatched),
            f"{row.ratio:.2f}",
            f"≤ {row.target:g}",
            mark(row.ratio <= row.target),
        )
        for row in rows
    )
    return table(("model", "integrator", "ending at switches", "passing them", "ratio", "target", "met"), lines)


def pair_table(rows: Iterable[PairRow]) -> str:
    """Return the cost of contacts of many pairs against their number."""
    lines = (
        (
            str(row.shapes),
            str(row.touching),
            duration(row.ready),
            duration(row.first),
            duration(row.seconds),
            duration(row.per_pair),
        )
        for row in rows
    )
    return table(("shapes", "pairs that touch", "ready", "first evaluation", "evaluation", "per pair"), lines)


def watch_table(rows: Iterable[WatchRow]) -> str:
    """Return what watching costs on smooth motions."""
    lines = (
        (
            row.motion,
            str(row.steps),
            str(row.evaluations),
            str(row.unwatched_evaluations),
            duration(row.seconds),
            duration(row.unwatched_seconds),
            f"{row.ratio:.3f}",
            f"≤ {WATCHING:g}",
            mark(row.ratio <= WATCHING),
        )
        for row in rows
    )
    headings = ("motion", "steps", "evaluations", "without", "time", "without watching", "ratio", "target", "met")
    return table(headings, lines)


def motion_table(rows: Iterable[MotionRow]) -> str:
    """Return motions at equal achieved error: our time divided by the peer's."""
    headings = ("motion", "ours", "time", "error", "peer", "its time", "its error", "ratio", "target", "met")
    return table(headings, (_motion_row(row) for row in rows))


def _motion_row(row: MotionRow) -> tuple[str, ...]:
    own = row.motion, row.ours, duration(row.seconds), f"{row.error:.0e}"
    target = "" if row.target is None else f"< {row.target:g}" if row.target == 1.0 else f"≤ {row.target:g}"
    if row.peer_seconds is None or row.peer_error is None or row.ratio is None:
        return (*own, row.peer, "", row.failure, "", target, "")
    ratio = f"{row.ratio:.3f}" if row.ratio < 1 else f"{row.ratio:.2f}"
    return (*own, row.peer, duration(row.peer_seconds), f"{row.peer_error:.0e}", ratio, target, mark(row.met))


def beam_table(rows: Iterable[BeamCost]) -> str:
    """Return what the rates of models with beams cost."""
    headings = ("model", "coordinates", "operations", "prepare", "evaluate")
    return table(
        headings,
        (
            (row.model, str(row.coordinates), str(row.operations), duration(row.preparation), duration(row.evaluation))
            for row in rows
        ),
    )


def four_bar_table(rows: Sequence[FourBars]) -> str:
    """Return the costs of rows of four-bars, and how they grow."""
    headings = (
        *("four-bars", "operations", "prepare", "evaluate", "evaluate, each", "integrate a second", "the same, each"),
        *("whole call, a second", "steps in 10 s", "error"),
    )
    lines = [
        (
            str(row.count),
            str(row.operations),
            duration(row.preparation),
            duration(row.evaluation),
            duration(row.evaluation / row.count),
            duration(row.integration),
            duration(row.integration / row.count),
            duration(row.simulated_second),
            str(row.steps),
            f"{row.error:.0e}",
        )
        for row in rows
    ]
    costs = (
        [getattr(row, name) for row in rows] for name in ("operations", "preparation", "evaluation", "integration")
    )
    counts = [row.count for row in rows]
    operations, prepare, evaluate, integrate = (f"N^{power(counts, cost):.2f}" for cost in costs)
    whole = f"N^{power(counts, [row.simulated_second for row in rows]):.2f}"
    lines.append(("growth from 10", operations, prepare, evaluate, "", integrate, "", whole, "", ""))
    return table(headings, lines)


def choice_table(rows: Sequence[ChoiceRow]) -> str:
    """Return the choices of coordinates on some mechanisms; ratios are to joint coordinates."""
    headings = (
        *("mechanism", "coordinates", "speeds", "constraints", "operations", "ratio", "evaluate", "ratio"),
        *("a simulated second", "ratio", "error"),
    )
    joint = {row.model: row.operations for row in rows if row.choice == "joint"}
    return table(headings, (_choice_row(row, row.operations / joint[row.model]) for row in rows))


def _choice_row(row: ChoiceRow, operations: float) -> tuple[str, ...]:
    sizes = str(row.speeds), str(row.rows), str(row.operations), f"{operations:.2f}"
    evaluation = duration(row.evaluation), f"{row.evaluation_ratio:.2f}"
    if row.simulated_second is None or row.error is None:
        return (row.model, row.choice, *sizes, *evaluation, "error not reached", "", "")
    ratio = "" if row.second_ratio is None else f"{row.second_ratio:.2f}"
    return (row.model, row.choice, *sizes, *evaluation, duration(row.simulated_second), ratio, f"{row.error:.0e}")


def truss_table(rows: Sequence[TrussRow]) -> str:
    """Return the costs of growing trusses in each choice of coordinates, and how they grow."""
    headings = (
        *("squares", "coordinates", "speeds", "constraints", "prepare", "operations", "operations, each"),
        *("evaluate", "evaluate, each"),
    )
    lines = [
        (
            str(row.cells),
            row.choice,
            str(row.speeds),
            str(row.rows),
            duration(row.preparation),
            str(row.operations),
            f"{row.operations / row.cells:.0f}",
            duration(row.evaluation),
            duration(row.evaluation / row.cells),
        )
        for row in rows
    ]
    for choice in dict.fromkeys(row.choice for row in rows):
        own = [row for row in rows if row.choice == choice and row.cells > 1]
        counts = [10 * row.cells for row in own]  # all of them count
        growths = (
            f"N^{power(counts, [getattr(row, cost) for row in own]):.2f}"
            for cost in ("preparation", "operations", "evaluation")
        )
        prepare, operations, evaluate = growths
        lines.append(("growth from 4", choice, "", "", prepare, operations, "", evaluate, ""))
    return table(headings, lines)


def power(counts: Sequence[int], costs: Sequence[float]) -> float:
    """Return p in cost ∝ countᵖ over counts from ten on, by least squares on logarithms.

    >>> round(power([1, 10, 100], [5.0, 20.0, 200.0]), 3)
    1.0
    """
    pairs = [(math.log(count), math.log(cost)) for count, cost in zip(counts, costs, strict=True) if count >= 10]
    if len(pairs) < 2:
        return float("nan")
    return linear_regression(*zip(*pairs, strict=True)).slope


def cold_table(runs: Iterable[ColdRun]) -> str:
    """Return the stages from a cold process to a finished simulation."""
    headings = ("caches", "in all", "target", "met", *STAGES.values())
    lines = (
        (
            run.caches,
            duration(run.seconds),
            "" if run.target is None else f"≤ {duration(run.target)}",
            mark(None if run.target is None else run.seconds <= run.target),
            *(duration(max(run.stages[name], 0.0)) for name in STAGES),
        )
        for run in runs
    )
    return table(headings, lines)


def sweep_table(rows: Iterable[SweepRow]) -> str:
    """Return sweeps beside other ways: simulations in a second."""
    headings = ("sweep", "in a second", "beside", "in a second", "times faster", "target", "met")
    return table(headings, (_sweep_row(row) for row in rows))


def _sweep_row(row: SweepRow) -> tuple[str, ...]:
    own = row.what, f"{row.rate:.0f}", row.beside
    target = "" if row.target is None else f"≥ {row.target:g}"
    if row.beside_rate is None or row.times is None:
        return (*own, row.failure, "", target, "")
    return (*own, f"{row.beside_rate:.3g}", f"{row.times:.2f}", target, mark(row.met))


def memory_table(rows: Sequence[MemoryRow]) -> str:
    """Return the peak memory of sweeps into stores."""
    few = rows[0].megabytes
    lines = [
        (str(row.points), f"{row.megabytes:.0f} MB", duration(row.seconds), "", "")
        if row is rows[0]
        else (
            str(row.points),
            f"{row.megabytes:.0f} MB",
            duration(row.seconds),
            f"≤ {MEMORY_TARGET:.0f} MB more",
            mark(row.megabytes - few <= MEMORY_TARGET),
        )
        for row in rows
    ]
    return table(("points", "peak memory", "time", "target", "met"), lines)
