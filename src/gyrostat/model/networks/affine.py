"""Affine forms: sums of unknowns times scalars of any engine, and a constant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply

_NO_TERMS: Mapping[int, Scalar] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Affine:
    """A constant plus the sum of coefficients times unknowns, which have numbers.

    >>> Affine(2, {0: 3}).plus(Affine(1, {0: 1, 1: 5}), 2).terms
    {0: 5, 1: 10}
    """

    constant: Scalar = 0
    terms: Mapping[int, Scalar] = field(default_factory=lambda: _NO_TERMS)

    def plus(self, other: Affine, factor: Scalar) -> Affine:
        """Return this form plus a factor times another."""
        terms = dict(self.terms)
        for unknown, coefficient in other.terms.items():
            terms[unknown] = add(terms.get(unknown, 0), multiply(factor, coefficient))
        return Affine(add(self.constant, multiply(factor, other.constant)), terms)
