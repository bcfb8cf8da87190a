"""Regrouped form: every distinct polynomial in the parameters gets a name, P1, P2, …"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.order import ordered_terms
from gyrostat.scalar.exact.to_sympy import SympyWriter
from gyrostat.scalar.operations import Scalar

Polynomial: TypeAlias = tuple[tuple[tuple[tuple[int, int], ...], Fraction], ...]
"""(powers of parameters, coefficient) in order, the first coefficient being one."""


@dataclass(frozen=True)
class Regrouped:
    """Expressions in named constants, and the definitions of the constants, as SymPy."""

    expressions: tuple[Any, ...]
    constants: dict[Any, Any]


def regrouped(
    values: Iterable[Scalar],
    parameters: Container[str],
    outer: Container[str],
    writer: SympyWriter,
    *,
    prefix: str = "P",
    taken: Sequence[str] = (),
) -> Regrouped:
    """Return values with each distinct polynomial in the parameters named, equal ones up to a rational factor once.

    Monomials in `outer` symbols (speeds) are factored out. Numbers and single parameters are not named; names in
    `taken` are not used.

    >>> from gyrostat.scalar.exact import ExactRing, ExactScalars
    >>> ring = ExactRing(groups=[["a"]], symbols=["m", "l", "u"])
    >>> m, l, a, u = (ring.symbol(name) for name in ("m", "l", "a", "u"))
    >>> x = (m * l**2 + 2 * l) * ExactScalars(ring).call("cos", (a,)) * u
    >>> found = regrouped([x, 3 * x], {"m", "l"}, {"u"}, SympyWriter(ring))
    >>> found.expressions, found.constants
    ((P1*u*cos(a), 3*P1*u*cos(a)), {P1: l**2*m + 2*l})
    """
    table = _Constants(writer, prefix, set(taken) | set(writer.ring.names))
    written = tuple(_written(value, parameters, outer, writer, table) for value in values)
    return Regrouped(written, table.meaning)


class _Constants:
    """Names by polynomial."""

    def __init__(self, writer: SympyWriter, prefix: str, taken: set[str]) -> None:
        self.writer = writer
        self.prefix = prefix
        self.taken = taken
        self.meaning: dict[Any, Any] = {}
        self._names: dict[Polynomial, Any] = {}
        self._count = 0

    def name(self, polynomial: Polynomial) -> Any:
        """Return the symbol of a polynomial, or itself where it is a number or a single parameter."""
        found = self._names.get(polynomial)
        if found is None:
            found = self._names[polynomial] = self._new(polynomial)
        return found

    def _new(self, polynomial: Polynomial) -> Any:
        writer = self.writer
        terms = [writer.number(c) * writer.monomial(dict(powers)) for powers, c in polynomial]
        if len(polynomial) == 1 and (not polynomial[0][0] or polynomial[0][0][0][1] == len(polynomial[0][0]) == 1):
            return terms[0]
        self._count += 1
        while f"{self.prefix}{self._count}" in self.taken:
            self._count += 1
        symbol = writer.sympy.Symbol(f"{self.prefix}{self._count}")
        self.meaning[symbol] = writer.sympy.Add(*terms)
        return symbol


def _written(
    value: Scalar, parameters: Container[str], outer: Container[str], writer: SympyWriter, table: _Constants
) -> Any:
    if not isinstance(value, Element):
        return writer.number(value)
    names = writer.ring.names
    groups: dict[Any, dict[Any, list[tuple[Any, Fraction]]]] = {}  # outer monomial → rest and harmonic → polynomial
    for coefficient, powers, h in ordered_terms(value):
        outside = tuple((i, e) for i, e in powers.items() if names[i] in outer)
        inside = tuple((i, e) for i, e in powers.items() if names[i] in parameters)
        rest = tuple(item for item in powers.items() if item not in outside and item not in inside)
        groups.setdefault(outside, {}).setdefault((rest, h), []).append((inside, coefficient))
    add, mul = writer.sympy.Add, writer.sympy.Mul
    total = []
    for outside, by_harmonic in groups.items():
        terms = []
        for (rest, h), polynomial in by_harmonic.items():
            lead = polynomial[0][1]
            constant = table.name(tuple((powers, c / lead) for powers, c in polynomial))
            terms.append(mul(writer.number(lead), constant, writer.monomial(dict(rest)), writer.harmonic(h)))
        total.append(mul(writer.monomial(dict(outside)), add(*terms)))
    return add(*total)
