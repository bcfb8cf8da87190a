"""Tables of the report as Markdown, with numbers that a person can compare."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import linear_regression

from comparisons.calls import AnalysisRow
from comparisons.growth import LIMIT as GROWTH_LIMIT
from comparisons.growth import Growth
from comparisons.matching import MotionRow
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


def power(counts: Sequence[int], costs: Sequence[float]) -> float:
    """Return p in cost ∝ countᵖ over counts from ten on, by least squares on logarithms.

    >>> round(power([1, 10, 100], [5.0, 20.0, 200.0]), 3)
    1.0
    """
    pairs = [(math.log(count), math.log(cost)) for count, cost in zip(counts, costs, strict=True) if count >= 10]
    if len(pairs) < 2:
        return float("nan")
    return linear_regression(*zip(*pairs, strict=True)).slope
