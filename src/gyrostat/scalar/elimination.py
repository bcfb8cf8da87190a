"""Elimination: factors L D Lᵀ of sparse symmetric matrices in a given order, and solutions with them.

Which entries of L there are follows from the order and those of the matrix; the formulas run on any engine. On a tape
the whole elimination is one instruction, whose native function passes over a table of the entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.scalar.algebra import divide, is_zero, multiply, subtract
from gyrostat.scalar.operations import Scalar
from gyrostat.scalar.repeated import active_tape

if TYPE_CHECKING:
    from gyrostat.scalar.tape import Tape
    from gyrostat.scalar.tape_value import TapeBlock

Entries = Mapping[tuple[int, int], Scalar]
"""Entries of a symmetric matrix on and below the diagonal, by row and column."""


@dataclass(frozen=True, eq=False)
class EliminationOrder:
    """An order of elimination, and for each unknown the later ones that are coupled with it then, in that order."""

    sequence: tuple[int, ...]
    below: Mapping[int, tuple[int, ...]]

    @staticmethod
    def of(sequence: Sequence[int], neighbours: Sequence[set[int]]) -> EliminationOrder:
        """Return the order of a matrix whose row i has entries at `neighbours[i]`."""
        rank = {place: k for k, place in enumerate(sequence)}
        filled: dict[int, set[int]] = {i: {j for j in near if rank[j] > rank[i]} for i, near in enumerate(neighbours)}
        below: dict[int, tuple[int, ...]] = {}
        for i in sequence:
            later = sorted(filled[i], key=rank.__getitem__)
            below[i] = tuple(later)
            if later:
                filled[later[0]].update(later[1:])
        return EliminationOrder(tuple(sequence), below)


@dataclass(frozen=True)
class Factor:
    """Factors L D Lᵀ: the entries of L below its unit diagonal, the pivots D, and their inverses, by unknown."""

    order: EliminationOrder
    unit: Mapping[tuple[int, int], Scalar]
    inverse: Mapping[int, Scalar]
    pivots: Mapping[int, Scalar]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return the solution for a right-hand side."""
        order, below = self.order.sequence, self.order.below
        x = list(right)
        for i in order:
            if is_zero(x[i]):
                continue
            for j in below[i]:
                x[j] = subtract(x[j], multiply(self.unit[j, i], x[i]))
        x = [multiply(self.inverse[i], value) for i, value in enumerate(x)]
        for i in reversed(order):
            for j in below[i]:
                if not is_zero(x[j]):
                    x[i] = subtract(x[i], multiply(self.unit[j, i], x[j]))
        return x


@dataclass(frozen=True)
class TapedFactor:
    """Factors that an instruction of a tape writes."""

    order: EliminationOrder
    tape: Tape
    block: TapeBlock
    pivots: Mapping[int, Scalar]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return the solution for a right-hand side."""
        return self.tape.substitution(self.order, self.block, right)


def eliminate(entries: Entries, order: EliminationOrder) -> Factor | TapedFactor:
    """Return the factors of a matrix; entries that are absent are zero."""
    tape = active_tape()
    if tape is not None:
        reached = {i for i, j in entries if i == j} | {j for later in order.below.values() for j in later}
        if len(reached) < len(order.sequence):
            raise ZeroDivisionError("an unknown has no pivot")
        block, found = tape.elimination(order, entries)
        return TapedFactor(order, tape, block, found)
    work = dict(entries)
    unit: dict[tuple[int, int], Scalar] = {}
    inverse: dict[int, Scalar] = {}
    pivots: dict[int, Scalar] = {}
    for i in order.sequence:
        later = order.below[i]
        pivots[i] = work.get((i, i), 0)
        inverse[i] = divide(1, pivots[i])
        for j in later:
            unit[j, i] = multiply(work[_key(j, i)], inverse[i])
        for a, j in enumerate(later):
            for k in later[a:]:
                change = multiply(unit[k, i], work[_key(j, i)])
                place = _key(j, k)
                work[place] = subtract(work.get(place, 0), change)
    return Factor(order, unit, inverse, pivots)


def _key(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i > j else (j, i)
