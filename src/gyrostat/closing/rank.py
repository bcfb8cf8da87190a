"""The rank of the constraints of a system, and the redundant ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.closing.closing import DEPENDENCE_TOLERANCE, Closer
from gyrostat.coordinates.arguments import Floats

if TYPE_CHECKING:
    from gyrostat.system.system import System

_REST = "the rest of the mechanism"


@dataclass(frozen=True)
class Dependence:
    """The number of redundant constraints of a joint or constraint component, and the owners that imply them."""

    owner: str
    count: int
    total: int
    implied_by: tuple[str, ...]

    def __str__(self) -> str:
        rows = f"{self.count} of {self.total} constraints are" if self.total > 1 else "its constraint is"
        return f"{self.owner!r}: {rows} already implied by {', '.join(self.implied_by)}"


@dataclass(frozen=True)
class Rank:
    """The rank of the constraints: generic, and at one position, where it may be lower."""

    rows: int
    general: int
    here: int
    dependences: tuple[Dependence, ...]

    def explained(self, loops: Mapping[str, Sequence[str]]) -> Rank:
        """Return the same; dependences without named causes are attributed to the other joints of the loop."""
        found = tuple(
            replace(one, implied_by=tuple(loops.get(one.owner, ())) or (_REST,)) if not one.implied_by else one
            for one in self.dependences
        )
        return replace(self, dependences=found)

    @property
    def redundant(self) -> bool:
        """Whether some constraints are redundant at every position."""
        return self.general < self.rows

    @property
    def singular(self) -> bool:
        """Whether the rank at this position is lower than nearby."""
        return self.here < self.general


def initial_rank(system: System) -> Rank:
    """Return the rank at the model's initial position, its loops closed, and near it."""
    closer = Closer(system, parameters=system.reference_parameters)
    system.parameter_values(closer.parameters)  # raises an error if a value is missing
    position, _ = closer.closed(closer.regular(system.initial_values(closer.parameters)[0]))
    return rank_at(closer, position)


def rank_at(closer: Closer, q: Floats) -> Rank:
    """Return the rank at a closed position and near it, redundant constraints explained by the loops."""
    system = closer.system
    found = rank_of(closer.without_aims, q, lambda: [row.owner for row in system.constraints])
    return found.explained(system.coordinates.loops)


def rank_of(closer: Closer, q: Floats, owners: Callable[[], Sequence[str]]) -> Rank:
    """Return the rank of the constraints at a closed position and near it."""
    still = np.zeros(closer.system.coordinates.n_u)
    matrix = closer.at(q, still).matrix * closer.scales
    if closer.independent_rows(q) == len(matrix):
        return Rank(len(matrix), len(matrix), len(matrix), ())
    named = owners()
    here, dependences = _independent(matrix, named)
    general = here
    rng = np.random.default_rng(0)
    for _ in range(3):
        if general == len(matrix):
            break
        direction = rng.normal(size=len(still))
        along = direction - np.linalg.pinv(matrix, rcond=1e-8) @ (matrix @ direction)
        size = float(np.abs(along).max(initial=0.0))
        if size == 0.0:
            break
        near, left = closer.closed(closer.moved(q, 0.05 * along / size * closer.scales))
        if np.abs(left).max(initial=0.0) <= 1e-9 * closer.system.model_size:
            there, others = _independent(closer.at(near, still).matrix * closer.scales, named)
            if there > general:
                general, dependences = there, others
    return Rank(len(matrix), general, here, dependences)


def _independent(matrix: Floats, owners: Sequence[str]) -> tuple[int, tuple[Dependence, ...]]:
    """Return the number of independent rows, and the rows that depend on earlier ones, by owner."""
    independent: list[int] = []
    dependent: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for i, row in enumerate(matrix):
        size = float(np.linalg.norm(row))
        weights = np.linalg.lstsq(matrix[independent].T, row, rcond=None)[0] if independent else np.zeros(0)
        left = row - weights @ matrix[independent] if independent else row
        if size > DEPENDENCE_TOLERANCE and float(np.linalg.norm(left)) > DEPENDENCE_TOLERANCE * size:
            independent.append(i)
            continue
        counts[owners[i]] = counts.get(owners[i], 0) + 1
        used = {owners[k] for k, weight in zip(independent, weights, strict=True) if abs(weight) > 1e-6}
        dependent.setdefault(owners[i], set()).update(used - {owners[i]})
    totals = {owner: list(owners).count(owner) for owner in counts}
    found = (
        Dependence(owner, count, totals[owner], tuple(sorted(dependent[owner]))) for owner, count in counts.items()
    )
    return len(independent), tuple(found)
