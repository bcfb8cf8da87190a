"""Systems of equations with constraints: sparse symmetric factors of [M Aᵀ; A −μ] as straight-line formulas.

Eliminated in an order of small degree with one rule: a multiplier comes only after every speed in its row, so that
its pivot is minus a sum of squares in the metric of M⁻¹, never zero while the rows are independent. Without the rule
pivots may vanish at ordinary positions.

A speed that moves no mass, such as the spin of a slender rod, has no pivot in M. Its constraint rows provide one:
M + Σ ρ aᵀ a with loads f + Σ ρ aᵀ γ has the same solution for any ρ, since a u̇ = γ.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gyrostat.equations.composite_body import Entries
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, negate, square, subtract
from gyrostat.scalar.elimination import EliminationOrder, Factor, TapedFactor, eliminate


@dataclass(frozen=True)
class SaddlePoint:
    """Factors L D Lᵀ of the matrix with rows and columns (speeds, multipliers) in a chosen order.

    `softness` is μ for each multiplier, zero where rows are independent. `pivots` are those of the multipliers. `lent`
    has ρ aᵀ, by row and speed, for rows that constrain speeds without mass.
    """

    speeds: int
    factor: Factor | TapedFactor
    pivots: tuple[Scalar, ...]
    softness: tuple[Scalar, ...]
    lent: Mapping[tuple[int, int], Scalar]

    def solve(self, loads: Sequence[Scalar], rates: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """Return a and λ with M a + Aᵀ λ = loads and A a = rates.

        With softness μ the second is A a − μ λ = rates − μ λ′, λ′ from the last of three sweeps: for rows that depend
        on each other and agree, a is right to rounding and λ the smallest.
        """
        loads = list(loads)
        for (i, j), entry in self.lent.items():
            loads[j] = add(loads[j], multiply(entry, rates[i]))
        found = self.factor.solve([*loads, *rates])
        if any(not is_zero(mu) for mu in self.softness):
            for _ in range(2):
                multipliers = found[self.speeds :]
                shifted = [
                    subtract(rate, multiply(mu, multiplier))
                    for rate, mu, multiplier in zip(rates, self.softness, multipliers, strict=True)
                ]
                found = self.factor.solve([*loads, *shifted])
        return found[: self.speeds], found[self.speeds :]


def factorise_saddle_point(
    mass: Entries,
    rows: Mapping[tuple[int, int], Scalar],
    speeds: int,
    count: int,
    *,
    softness: float = 0.0,
    floor: float = 1e-8,
    weak: Collection[int] = (),
) -> SaddlePoint:
    """Return the factors for a mass matrix (lower half) and constraint rows {(row, speed): entry}.

    `softness` is relative to a row's own size in the metric of the mass matrix's diagonal; the squares of its entries
    count as `floor` at least, so that rows of rounding errors have no effect. Speeds that are `weak` may move
    no mass at some positions; those that never do are seen from the mass matrix.
    """
    size = speeds + count
    work: dict[tuple[int, int], Scalar] = {key: value for key, value in mass.items() if not is_zero(value)}
    work |= {(speeds + i, j): value for (i, j), value in rows.items() if not is_zero(value)}
    lent = _lend(work, rows, {*weak, *(j for j in range(speeds) if (j, j) not in work)})
    mu: list[Scalar] = [0] * count
    if softness:
        for (i, j), value in rows.items():
            mu[i] = add(mu[i], divide(add(square(value), floor), work[j, j]))
        for i, own in enumerate(mu):
            mu[i] = multiply(softness, own)
            work[speeds + i, speeds + i] = negate(mu[i])
    neighbours = _neighbours(work, size)
    order, _ = _order(neighbours, speeds)
    factor = eliminate(work, EliminationOrder.of(order, neighbours))
    pivots = tuple(factor.pivots[speeds + i] for i in range(count))
    return SaddlePoint(speeds, factor, pivots, tuple(mu), lent)


def factorise_mass(
    mass: Entries, rows: Mapping[tuple[int, int], Scalar], speeds: int, *, weak: Collection[int] = ()
) -> SaddlePoint:
    """Return the factors of a mass matrix (lower half) of which `weak` speeds, or some in general, move no mass.

    Rows that constrain these lend it ρ aᵀ a. That changes no projection on the rows, as the columns of M⁻¹ Aᵀ span the
    same space.
    """
    work = {key: value for key, value in mass.items() if not is_zero(value)}
    _lend(work, rows, {*weak, *(j for j in range(speeds) if (j, j) not in work)})
    return factorise_saddle_point(work, {}, speeds, 0)


def _lend(
    work: dict[tuple[int, int], Scalar], rows: Mapping[tuple[int, int], Scalar], idle: Collection[int]
) -> dict[tuple[int, int], Scalar]:
    """Add ρ aᵀ a to the mass matrix for rows that constrain speeds without mass, in place, and return ρ aᵀ.

    As ρ serves the mass of another speed in the row, so that lengths and masses may have any size.
    """
    holding = sorted({i for (i, j), value in rows.items() if j in idle and not is_zero(value)})
    entries: dict[int, dict[int, Scalar]] = {i: {} for i in holding}
    for (i, j), value in rows.items():
        if i in entries and not is_zero(value):
            entries[i][j] = value
    massive = {i: next((work[j, j] for j in sorted(row) if j not in idle), 1) for i, row in entries.items()}
    lent: dict[tuple[int, int], Scalar] = {}
    for i, row in entries.items():
        for j, value in row.items():
            lent[i, j] = multiply(massive[i], value)
            for k, other in row.items():
                if k <= j:
                    work[j, k] = add(work.get((j, k), 0), multiply(lent[i, j], other))
    return lent


def elimination_operations(pattern: Iterable[tuple[int, int]], speeds: int, count: int) -> int:
    """Return an estimate of the operations of factors and a solution, from the sparsity pattern alone."""
    _, degrees = _order(_neighbours(pattern, speeds + count), speeds)
    return sum(d * d + 5 * d for d in degrees)


def _neighbours(work: Iterable[tuple[int, int]], size: int) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in range(size)]
    for i, j in work:
        if i != j:
            found[i].add(j)
            found[j].add(i)
    return found


def _order(neighbours: Sequence[set[int]], speeds: int) -> tuple[list[int], list[int]]:
    """Return an order of small degree in which a multiplier follows all speeds of its row, and the degrees."""
    near = [set(s) for s in neighbours]
    waiting = [sum(1 for j in near[i] if j < speeds) if i >= speeds else 0 for i in range(len(near))]
    rows_of = [[k for k in near[j] if k >= speeds] if j < speeds else [] for j in range(len(near))]
    heap = [(len(near[i]), i) for i in range(len(near)) if not waiting[i]]
    heapq.heapify(heap)
    order: list[int] = []
    degrees: list[int] = []
    done = [False] * len(near)
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(near[i]):
            continue
        done[i] = True
        order.append(i)
        degrees.append(degree)
        around = near[i]
        for j in around:
            near[j] |= around
            near[j] -= {i, j}
        for j in rows_of[i]:
            waiting[j] -= 1
        for j in {*around, *rows_of[i]}:
            if not waiting[j] and not done[j]:
                heapq.heappush(heap, (len(near[j]), j))
    return order, degrees
