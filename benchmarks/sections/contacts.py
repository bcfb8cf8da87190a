"""Spheres that bounce, roll, rest and fall, and the kernel of many pairs."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.contacts import SIDES, PairRow, compare_contacts, compare_pairs
from tables import duration, motion_table, table

TITLE = "Contacts"
_TEXT = """\
Spheres of 1 kg with a restitution of 0.5 and a coefficient of friction of 0.3 (`benchmarks/sphere_models.py`) at equal
error, in three decades: a ball that bounces twice, dropped from five heights, one that slides and comes to roll, and a
stack of ten against the exact end with rigid contacts; for spheres that fall into a box, the mean height against a fine
run. Packages have laws of their own: gyrostat Hunt and Crossley's (penalty), rigid contacts in steps (`Moreau`), and
exact ones (`RigidContact`); MuJoCo and Exudyn springs and dampers with the restitution, Drake Hunt and Crossley's law,
all with contacts that become rigid as steps become short. Of the methods of a peer the fastest counts. Times are those
of the integration, for five motions of the bounce.

{contacts}

The kernel of all pairs alone: plates of spheres on each other. *Ready* goes from the model to tables of the kernel,
with the functions of the pairs; *first evaluation* includes the list of neighbours.

{pairs}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    motions = compare_contacts(rounds=3 if short else 11, short=short)
    pairs = compare_pairs(SIDES[:3] if short else SIDES)
    return _TEXT.format(contacts=motion_table(motions), pairs=pair_table(pairs))


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
