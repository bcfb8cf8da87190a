"""Constraints on long chains: the articulated-body recursion with multipliers as loads, and their small matrix.

With the rows of A swept inward, R = A L⁻¹ (see `articulated_factor`), the matrix of the multipliers (Delassus) is
R D⁻¹ Rᵀ; one sweep outward gives accelerations. All but the factor of that matrix grows in proportion to the length
of the chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyrostat.equations.articulated_factor import ArticulatedFactor
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero, multiply, negate, subtract, total
from gyrostat.scalar.elimination import EliminationOrder, Factor, TapedFactor, eliminate


@dataclass(frozen=True)
class Delassus:
    """Rows on a chain, swept inward, with factors L D Lᵀ of their matrix; the interface is that of `SaddlePoint`."""

    chain: ArticulatedFactor
    swept: tuple[tuple[Scalar, ...], ...]
    """R by row and place in u."""
    factor: Factor | TapedFactor
    pivots: tuple[Scalar, ...]
    softness: tuple[Scalar, ...]

    def solve(self, loads: Sequence[Scalar], rates: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """Return a and λ with M a + Aᵀ λ = loads and A a = rates; softness as in `SaddlePoint.solve`."""
        left = self.chain.inward(loads)
        weighted = [multiply(d, x) for d, x in zip(self.chain.inverse, left, strict=True)]
        right = [subtract(_product(row, weighted), rate) for row, rate in zip(self.swept, rates, strict=True)]
        found = self.factor.solve(right)
        if any(not is_zero(mu) for mu in self.softness):
            for _ in range(2):
                shift = [multiply(mu, multiplier) for mu, multiplier in zip(self.softness, found, strict=True)]
                found = self.factor.solve([add(r, s) for r, s in zip(right, shift, strict=True)])
        for row, multiplier in zip(self.swept, found, strict=True):
            left = [subtract(x, multiply(r, multiplier)) for x, r in zip(left, row, strict=True)]
        return self.chain.outward(left), found


def _product(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    return total([multiply(x, y) for x, y in zip(a, b, strict=True) if not (is_zero(x) or is_zero(y))])


def factorise_delassus(
    motion: TreeMotion, rows: Mapping[tuple[int, int], Scalar], count: int, *, softness: float = 0.0, floor: float
) -> Delassus:
    """Return the factors for constraint rows {(row, speed): entry} on the tree of a motion.

    `softness` is relative to the diagonal of the matrix of the multipliers, where the squares of a row's entries count
    as `floor` at least.
    """
    chain = ArticulatedFactor.of(motion)
    speeds = motion.tree.coordinates.n_u
    swept = [tuple(chain.inward([rows.get((i, j), 0) for j in range(speeds)])) for i in range(count)]
    weighted = [[multiply(d, x) for d, x in zip(chain.inverse, row, strict=True)] for row in swept]
    matrix = {(i, j): _product(swept[i], weighted[j]) for i in range(count) for j in range(i + 1)}
    mu: list[Scalar] = [0] * count
    if softness:
        for i in range(count):
            least = total([chain.inverse[j] for j in range(speeds) if not is_zero(rows.get((i, j), 0))])
            mu[i] = multiply(softness, add(matrix[i, i], multiply(floor, least)))
            matrix[i, i] = add(matrix[i, i], mu[i])
    near = [{j for j in range(count) if not is_zero(matrix[max(i, j), min(i, j)])} - {i} for i in range(count)]
    factor = eliminate(matrix, EliminationOrder.of(range(count), near))
    pivots = tuple(negate(factor.pivots[k]) for k in range(count))
    return Delassus(chain, tuple(swept), factor, pivots, tuple(mu))
