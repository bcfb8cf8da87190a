"""Harmonics: products over groups of cos or sin of an integer combination of the group's angles.

A harmonic is identified by a small integer; 0 is the constant one. Products inside a group become sums as they are
formed, and every product of two harmonics is computed once.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import flint

Combination: TypeAlias = tuple[tuple[int, int], ...]
"""(angle, coefficient) in order of angles, without zeros; the first coefficient is positive."""
Factor: TypeAlias = tuple[int, int, Combination]
"""Group, parity (0 for cos, 1 for sin) and combination of angles."""

COSINE: Final = 0
SINE: Final = 1
UNIT: Final = 0
"""The harmonic that is one everywhere."""

Product: TypeAlias = tuple[Any, tuple[tuple[int, int], ...]]
"""A common rational weight (None for one), and harmonics with signs."""


class Harmonics:
    """The table of all harmonics that have occurred, and of their products."""

    def __init__(self) -> None:
        self.factors: list[tuple[Factor, ...]] = [()]
        self.products: dict[tuple[int, int], Product] = {}
        self.periods: dict[int, int] = {}
        """For angles that are π/q: 2q, the multiple that makes a full turn."""
        self._index: dict[tuple[Factor, ...], int] = {(): UNIT}
        self._ranks: dict[int, tuple[Any, ...]] = {}
        self._pairs: dict[tuple[Factor, Factor], list[tuple[int, tuple[Factor, ...]]]] = {}

    def intern(self, factors: tuple[Factor, ...]) -> int:
        """Return the integer of a harmonic; its factors are in order of groups."""
        found = self._index.get(factors)
        if found is None:
            found = self._index[factors] = len(self.factors)
            self.factors.append(factors)
        return found

    def rank(self, harmonic: int) -> tuple[Any, ...]:
        """Return the sort key of a harmonic in output: few factors, early angles, low multiples first."""
        found = self._ranks.get(harmonic)
        if found is None:
            whole = self.factors[harmonic]
            size = sum(abs(k) for _, _, combination in whole for _, k in combination)
            angles = [(group, [(a, -k) for a, k in combination], parity) for group, parity, combination in whole]
            found = self._ranks[harmonic] = (len(whole), angles, size)
        return found

    def canonical(self, group: int, parity: int, combination: Combination) -> tuple[int, tuple[Factor, ...]]:
        """Return cos or sin of any combination as a sign (0 where it vanishes) and no or one factor."""
        sign = 1
        if len(combination) == 1 and combination[0][0] in self.periods:
            sign, parity, combination = self._folded(parity, *combination[0])
        if not combination:
            return (sign, ()) if parity == COSINE else (0, ())
        if combination[0][1] < 0:
            combination = tuple((angle, -k) for angle, k in combination)
            sign = sign if parity == COSINE else -sign
        return sign, ((group, parity, combination),)

    def _folded(self, parity: int, angle: int, k: int) -> tuple[int, int, Combination]:
        """Bring a multiple of π/q into the first quadrant."""
        turn = self.periods[angle]
        k %= turn
        sign = 1
        if 2 * k > turn:  # beyond π: cos x = cos(2π − x), sin x = −sin(2π − x)
            k = turn - k
            sign = sign if parity == COSINE else -sign
        if 4 * k > turn:  # beyond π/2: cos x = −cos(π − x), sin x = sin(π − x)
            k = turn // 2 - k
            sign = -sign if parity == COSINE else sign
        if 4 * k == turn:
            return (0, COSINE, ()) if parity == COSINE else (sign, COSINE, ())
        return sign, parity, ((angle, k),) if k else ()

    def product(self, first: int, second: int) -> Product:
        """Return the product of two harmonics as a sum."""
        key = (first, second) if first <= second else (second, first)
        found = self.products.get(key)
        if found is None:
            found = self._form(*key)
        self.products[first, second] = self.products[second, first] = found
        return found

    def _form(self, first: int, second: int) -> Product:
        if first == UNIT:
            return None, ((second, 1),)
        left, right = self.factors[first], self.factors[second]
        if len(left) == len(right) == 1 and left[0][0] == right[0][0]:
            sums_of_two = self._pair(left[0][0], left[0], right[0])
            return _HALF, tuple((self.intern(factors), sign) for sign, factors in sums_of_two)
        mine = {factor[0]: factor for factor in self.factors[first]}
        theirs = {factor[0]: factor for factor in self.factors[second]}
        sums: list[tuple[int, tuple[Factor, ...]]] = [(1, ())]
        halves = 0
        for group in sorted({*mine, *theirs}):
            a, b = mine.get(group), theirs.get(group)
            if a is None or b is None:
                single = a or b
                assert single is not None
                sums = [(sign, (*factors, single)) for sign, factors in sums]
                continue
            halves += 1
            pair = self._pairs.get((a, b))
            if pair is None:
                pair = self._pairs[a, b] = self._pair(group, a, b)
            sums = [(sign * s, factors + more) for sign, factors in sums for s, more in pair]
        weight = flint.fmpq(1, 2**halves) if halves else None
        return weight, tuple((self.intern(factors), sign) for sign, factors in sums)

    def _pair(self, group: int, a: Factor, b: Factor) -> list[tuple[int, tuple[Factor, ...]]]:
        """Return twice the product of two factors of one group as a sum."""
        _, p, k = a
        _, q, m = b
        total, difference = sum_and_difference(k, m)
        if p == q:  # cos cos: cos(k − m) + cos(k + m); sin sin: cos(k − m) − cos(k + m)
            parts = [(1, COSINE, difference), (1 if p == COSINE else -1, COSINE, total)]
        else:  # sin cos: sin(k + m) + sin(k − m); cos sin: sin(k + m) − sin(k − m)
            parts = [(1, SINE, total), (1 if p == SINE else -1, SINE, difference)]
        found = []
        for sign, parity, combination in parts:
            own, factors = self.canonical(group, parity, combination)
            if own:
                found.append((sign * own, factors))
        return found


_HALF = flint.fmpq(1, 2)


def sum_and_difference(k: Combination, m: Combination) -> tuple[Combination, Combination]:
    """Return k + m and k − m."""
    left, right = dict(k), dict(m)
    total, difference = [], []
    for angle in sorted(left | right):
        mine, other = left.get(angle, 0), right.get(angle, 0)
        if mine + other:
            total.append((angle, mine + other))
        if mine - other:
            difference.append((angle, mine - other))
    return tuple(total), tuple(difference)
