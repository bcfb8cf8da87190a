"""Flexible beams beside rigid segments and Exudyn's cables, and their costs."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.beams import BeamCost, compare_beams, measure_beams
from tables import duration, motion_table, table

TITLE = "Flexible beams"
_TEXT = """\
The spin-up of Simo and Vu-Quoc at equal error of the tip's deflection after 8 s: a beam of order exact with four
terms, 32 rigid segments with torsion springs in this package, and 8 or 16 ANCF cables of Exudyn by generalised α, whose
drive is a Python function, with Newton's method to 1e-6 or 1e-3, whichever is faster at that error. The reference is
order exact with six terms and tolerances of 1e-10. The first revolution of the flexible slider-crank
(`examples/flexible_slider_crank.py`) at equal error of the rod's middle: a beam of order 2 with three terms in each
direction, and four or eight ANCF cables, both without rotary inertia (two cables converge to an error of 2e-4 m). The
reference is order exact, with rotary inertia.

{beams}

Costs of the rates: *prepare* goes from the system to a loaded program, without the cache, in processor time. Beams of
order exact have four sections more than terms.

{beam_costs}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    costs, beams = measure_beams(short=short), compare_beams(rounds=3 if short else 7)
    return _TEXT.format(beams=motion_table(beams), beam_costs=beam_table(costs))


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
