"""The report: measurements as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from comparisons.cached_start import TARGET as START_TARGET
from comparisons.cached_start import Start
from comparisons.chains import COMPILE_TARGET, Chain, exponent
from comparisons.equations import Budget, Derived
from comparisons.row import Row

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
        *("model", "ours", "KanesMethod", "times faster", "target", "met", "times faster, repeated"),
        *("operations", "KanesMethod's", "after trigsimp", "difference"),
    )
    return table(headings, (_equation_row(row) for row in rows))


def _equation_row(row: Derived) -> tuple[str, ...]:
    target = "" if row.target is None else f"≥ {row.target:g}"
    met = mark(None if row.target is None else min(row.ratio, row.ratio_repeated) >= row.target)
    times = duration(row.seconds), duration(row.peer_seconds), f"{row.ratio:.1f}", target, met
    simplified = "" if row.simplified_operations is None else str(row.simplified_operations)
    sizes = str(row.operations), str(row.peer_operations), simplified
    return (row.model, *times, f"{row.ratio_repeated:.1f}", *sizes, f"{row.difference:.0e}")


def budget_table(rows: Iterable[Budget]) -> str:
    """Return the derivations that have a limit of time."""
    lines = (
        (row.what, duration(row.seconds), f"≤ {duration(row.target)}", mark(row.seconds <= row.target)) for row in rows
    )
    return table(("derivation", "time", "target", "met"), lines)
