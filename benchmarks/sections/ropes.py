"""Ropes with mass beside MuJoCo's, and their costs by the number of nodes."""

from __future__ import annotations

from collections.abc import Sequence

from comparisons.ropes import GrowthRow, compare_ropes, measure_ropes
from tables import duration, motion_table, table

TITLE = "Rope over a pulley"
_TEXT = """\
A rope with mass and end masses over a pulley with friction (Crous 2000, appendix D.2) by nodes, one simulated second.
The error is that of the drop of the heavy mass (m), which has a closed form. In MuJoCo the rope is a chain of capsules
on hinges; its step is the longest with which the chain does not diverge, and its error the larger.

{ropes}

{rope_growth}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    ropes = compare_ropes((50,) if short else (50, 100))
    growth = measure_ropes((20, 50) if short else (50, 100, 200))
    return _TEXT.format(ropes=motion_table(ropes), rope_growth=rope_table(growth))


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
