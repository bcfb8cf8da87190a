"""Evaluations with steps that end at switches of the state."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.switching import SwitchRow, compare_switching
from tables import mark, table

TITLE = "Conditions of the state"
_TEXT = """\
Evaluations of the rates at which the error of a position at the end is 1e-5, root mean square over five starts, with
steps that end where a condition of the state switches, and with steps that pass over it, as other codes do: a ball on a
floor of Hertz's law with dry friction; a driven oscillator between damped stops; two wheels with backlash; a control of
variable structure; and a pendulum without conditions, which must not change. Counts do not depend on the machine. The
conditions themselves are evaluated besides, about twice in each step.

{switches}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    return _TEXT.format(switches=switch_table(compare_switching()))


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
