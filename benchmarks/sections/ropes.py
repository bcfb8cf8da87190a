"""Ropes beside those of MuJoCo and Exudyn, and their costs by the numbers of nodes and sheaves."""

from __future__ import annotations

from collections.abc import Sequence

from comparisons.reeving import SheaveRow, compare_reeving, measure_sheaves
from comparisons.ropes import GrowthRow, compare_ropes, measure_ropes, measure_two_pulleys
from tables import duration, motion_table, table

TITLE = "Rope over a pulley"
_TEXT = """\
A rope with mass and end masses over a pulley with friction (Crous 2000, appendix D.2) by nodes, one simulated second.
The error is that of the drop of the heavy mass (m), which has a closed form. In MuJoCo the rope is a chain of capsules
on hinges; its step is the longest with which the chain does not diverge, and its error the larger. The tolerance of
`Rodas4`, 3e-3, is the loosest of four tried (1e-4, 1e-3, 3e-3, 1e-2) at which the error is still that of the segments;
with 1e-3 the ratio of 50 segments was 0.055 and missed the target.

{ropes}

{rope_growth}

A rope of {pulley_nodes} segments with bending stiffness over two pulleys with friction runs {times} times as fast as
real time (20 are aimed at).

### Hoist with a winch

A load of 500 kg on an elastic rope without mass over a sheave, which a drum takes in while the load swings, for 5 s.
The error is that of the place at the end (m) against the motion of a point under the tension in closed form. MuJoCo
cannot wind a rope: the length of its tendon is set before each step. Costs are compared at four errors; each program
has the cheapest of its methods, tolerances or steps with at most this error, of whole calls.

{reeved}

Tackles, whose rope runs over growing numbers of sheaves, by Rodas5P:

{sheaves}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    ropes = compare_ropes((50,) if short else (50, 100))
    growth = measure_ropes((20, 50) if short else (50, 100, 200, 500))
    pulleys = measure_two_pulleys(30 if short else 100)
    reeved, sheaves = compare_reeving(short=short), measure_sheaves((1, 2) if short else (1, 2, 4, 8))
    return _TEXT.format(
        ropes=motion_table(ropes),
        rope_growth=rope_table(growth),
        pulley_nodes=pulleys.nodes,
        times=f"{1 / pulleys.seconds:.0f}",
        reeved=motion_table(reeved),
        sheaves=sheave_table(sheaves),
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


def sheave_table(rows: Sequence[SheaveRow]) -> str:
    """Return the costs of ropes over growing numbers of sheaves."""
    headings = ("sheaves", "to the first step", "a simulated second", "steps", "per sheave and step")
    cells = (
        (str(row.sheaves), duration(row.ready), duration(row.seconds), str(row.steps), duration(row.per_sheave))
        for row in rows
    )
    return table(headings, cells)
