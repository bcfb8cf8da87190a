"""Operation counts of expressions in expanded form."""

from __future__ import annotations

from collections.abc import Iterable

from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.order import ordered_terms
from gyrostat.scalar.operations import Scalar


def operations(values: Iterable[Scalar]) -> int:
    """Return the additions, multiplications, powers and function calls of scalars in expanded form.

    >>> from gyrostat.scalar.exact import ExactRing
    >>> ring = ExactRing(symbols=["m", "l"])
    >>> operations([ring.symbol("m") * ring.symbol("l") ** 2 / 3 + 1])
    4
    """
    total = 0
    for value in values:
        if not isinstance(value, Element):
            continue
        factors = value.ring.harmonics.factors
        terms = ordered_terms(value)
        total += len(terms) - 1
        for coefficient, powers, h in terms:
            count = len(powers) + len(factors[h]) + (abs(coefficient) != 1)
            total += max(count - 1, 0) + sum(abs(e) != 1 for e in powers.values())
            for _, _, combination in factors[h]:
                total += len(combination) + sum(abs(k) != 1 for _, k in combination)
    return total
