"""Variables of the expansion, amplitudes and phasors, and monomials in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final, TypeAlias

from gyrostat.analysis.scales.frequencies import Combination
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.once import cached_property

Monomial: TypeAlias = int
Polynomial: TypeAlias = dict[Monomial, Any]
"""Coefficients, of either field, by monomial; without zeros."""

_BITS: Final = 8
_HALF: Final = 1 << (_BITS - 1)
LARGEST_EXPONENT: Final = _HALF - 1
"""The largest exponent."""


def unit(place: int) -> Monomial:
    """Return the monomial of one variable."""
    return 1 << (_BITS * place)


def packed(exponents: Sequence[int]) -> Monomial:
    """Return a monomial from exponents."""
    return sum(exponent << (_BITS * place) for place, exponent in enumerate(exponents))


def unpacked(monomial: Monomial, count: int) -> tuple[int, ...]:
    """Return the exponents of a monomial.

    >>> unpacked(packed([2, 0, -3, 1]), 4)
    (2, 0, -3, 1)
    """
    exponents = []
    for _ in range(count):
        exponent = ((monomial + _HALF) & (2 * _HALF - 1)) - _HALF
        exponents.append(exponent)
        monomial = (monomial - exponent) >> _BITS
    return tuple(exponents)


def add_to(total: Polynomial, other: Polynomial) -> None:
    """Add a polynomial to another in place."""
    for monomial, coefficient in other.items():
        found = total.get(monomial)
        if found is None:
            total[monomial] = coefficient
        else:
            found = found + coefficient
            if found:
                total[monomial] = found
            else:
                del total[monomial]


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return a product."""
    if len(a) > len(b):
        a, b = b, a
    total: Polynomial = {}
    for m, c in a.items():
        for k, d in b.items():
            key = m + k
            found = total.get(key)
            total[key] = c * d if found is None else found + c * d
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def scaled(polynomial: Polynomial, factor: Any, shift: Monomial = 0) -> Polynomial:
    """Return a polynomial times a coefficient and a monomial."""
    return {monomial + shift: x for monomial, coefficient in polynomial.items() if (x := coefficient * factor)}


@dataclass(frozen=True)
class Phasor:
    """exp(i Ω t/divisor), or exp(i φ/divisor) where `constant`."""

    name: str
    constant: bool
    divisor: int

    @property
    def angle(self) -> Combination:
        """The frequency or the phase of the phasor."""
        return Combination(((self.name, Fraction(1, self.divisor)),))


@dataclass(frozen=True)
class Variables:
    """Places of variables in monomials: z_1 … z_n, their conjugates, phasors, symbols.

    z_k = A_k exp(i ω_k t) for an oscillator; for a coordinate without stiffness z_k is its mean speed, which is its own
    conjugate. `symbols` are real parameters that floating-point coefficients do not contain.
    """

    free: tuple[bool, ...]
    phasors: tuple[Phasor, ...]
    symbols: tuple[str, ...]

    @staticmethod
    def of(problem: Oscillators, symbols: tuple[str, ...]) -> Variables:
        """Return the variables of a problem."""
        free = tuple(oscillator.is_free for oscillator in problem.oscillators)
        divisors: dict[tuple[str, bool], int] = {}
        for term in problem.terms:
            if term.harmonic:
                for parts, constant in ((term.harmonic.frequency.parts, False), (term.harmonic.phase.parts, True)):
                    for name, factor in parts:
                        divisors[name, constant] = lcm(divisors.get((name, constant), 1), factor.denominator)
        phasors = tuple(Phasor(name, constant, divisor) for (name, constant), divisor in divisors.items())
        return Variables(free, phasors, symbols)

    @property
    def n(self) -> int:
        """Number of oscillators."""
        return len(self.free)

    @cached_property
    def count(self) -> int:
        """Number of places."""
        return 2 * self.n + len(self.phasors) + len(self.symbols)

    @cached_property
    def _exponents(self) -> dict[Monomial, tuple[int, ...]]:
        return {}

    def exponents(self, monomial: Monomial) -> tuple[int, ...]:
        """Return the exponents of a monomial."""
        found = self._exponents.get(monomial)
        if found is None:
            found = self._exponents[monomial] = unpacked(monomial, self.count)
        return found

    def phasor(self, turns: dict[tuple[str, bool], Fraction]) -> Monomial:
        """Return the product of phasors with given frequencies and phases."""
        exponents = [0] * self.count
        for place, phasor in enumerate(self.phasors):
            turn = turns.get((phasor.name, phasor.constant), Fraction(0)) * phasor.divisor
            exponents[2 * self.n + place] = int(turn)
        return packed(exponents)

    def conjugate(self, polynomial: Polynomial) -> Polynomial:
        """Return the conjugate of a polynomial."""
        return {self._conjugate(m): coefficient.conjugate() for m, coefficient in polynomial.items()}

    def _conjugate(self, monomial: Monomial) -> Monomial:
        n, m = self.n, len(self.phasors)
        own = self.exponents(monomial)
        direct = [own[k] if free else own[n + k] for k, free in enumerate(self.free)]
        other = [0 if free else own[k] for k, free in enumerate(self.free)]
        turned = [-r for r in own[2 * n : 2 * n + m]]
        return packed([*direct, *other, *turned, *own[2 * n + m :]])
