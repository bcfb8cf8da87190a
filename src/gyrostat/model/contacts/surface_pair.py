"""Two sides of a contact with all pairs of their simple shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.model.contacts.nearest import Nearest
from gyrostat.model.contacts.pairs import Pair, pair_of
from gyrostat.model.contacts.side import Side
from gyrostat.scalar.operations import without_switches

if TYPE_CHECKING:
    from gyrostat.model.forces import Motion


@dataclass(frozen=True)
class SurfacePair:
    """Two sides, with the pairs of their simple shapes by places in both lists: those of compounds are several."""

    a: Side
    b: Side
    pairs: Mapping[tuple[int, int], Pair]

    @staticmethod
    def of(a: Side, b: Side) -> SurfacePair | None:
        """Return the pairs of two sides; None where one of them has no closed form."""
        found: dict[tuple[int, int], Pair] = {}
        for i, core in enumerate(a.cores):
            for j, other in enumerate(b.cores):
                pair = None if core is None or other is None else pair_of(core, other)
                if pair is None:
                    return None
                found[i, j] = pair
        return SurfacePair(a, b, found)

    @property
    def points(self) -> int:
        """The number of points of contact."""
        return sum(pair.count(self.a.shapes[i], self.b.shapes[j]) for (i, j), pair in self.pairs.items())

    def touches(self, motion: Motion) -> list[Nearest]:
        """Return the nearest points of all pairs."""
        placed_a, placed_b = self.a.placed(motion), self.b.placed(motion)
        scalars, found = without_switches(motion.scalars), []
        for (i, j), pair in self.pairs.items():
            found += pair.touches(*placed_a[i], *placed_b[j], scalars)
        return found


def point_labels(name: str, pair: SurfacePair | None) -> tuple[str, ...]:
    """Return the names of points of contact: that of the contact, or with a number where there are several."""
    points = 1 if pair is None else pair.points
    return (name,) if points == 1 else tuple(f"{name}.p{i + 1}" for i in range(points))
