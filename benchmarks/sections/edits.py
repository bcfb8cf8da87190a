"""New models from their text to the end of a first simulation."""

from __future__ import annotations

from comparisons.edits import compare_edits
from comparisons.growth import LINKS, measure_growth
from tables import growth_table, motion_table

TITLE = "From an edit to a result"
_TEXT = """\
A new model each time, in a process that has run others: ours is built in Python, formulated and simulated for a second;
MuJoCo begins with the text of its model, whose constants have six digits. Trees are irregular: random frames, axes and
inertias. Kinds of links are in the cache, the model is not.

{edits}

How these times grow, in processor time; the trees' rates and energies are rolled code. The highest frequency of a
hanging chain grows about as the square root of its length (77, 156, 282 rad/s for 30, 100, 300 links), and with it the
number of steps of an explicit method: what the code adds to *simulate 1 s* is seen *for each evaluation*.

{growth}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    edits = compare_edits(rounds=3 if short else 7, short=short)
    growth = measure_growth(links=LINKS[:2] if short else LINKS)
    return _TEXT.format(edits=motion_table(edits), growth=growth_table(growth))
