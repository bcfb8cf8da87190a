"""Grains in a bucket of triangles beside YADE."""

from __future__ import annotations

from comparisons.grains import TARGET, compare_grains
from tables import duration, mark, table

TITLE = "Grains"
_TEXT = """\
Spheres of 0.15 m with a stiffness of 1 MN/m and a coefficient of friction of 0.5 in a bucket of 160 triangles
(`benchmarks/grain_models.py`), after 0.7 s in which they fall together. The cost is processor time on one thread, whole
calls of `gs.simulate` with a bucket that hangs on a spring, by grains and granular steps; YADE moves the grains alone,
between facets that stand still, with `Law2_ScGeom_FrictPhys_CundallStrack`. The target is a ratio of {target}.

{table}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    rows = compare_grains((1000,) if short else (1000, 5000, 20000), steps=200 if short else 400, rounds=3)
    lines = (
        (
            str(row.grains),
            f"{row.contacts:.1f}",
            duration(row.own),
            "YADE is not installed" if row.peer is None else duration(row.peer),
            "" if row.peer is None else f"{row.peer_contacts:.1f}",
            "" if row.ratio is None else f"{row.ratio:.3f} {mark(row.ratio <= TARGET)}",
        )
        for row in rows
    )
    headings = ("grains", "contacts per grain", "gyrostat", "YADE", "its contacts", "ratio")
    return _TEXT.format(target=TARGET, table=table(headings, lines))
