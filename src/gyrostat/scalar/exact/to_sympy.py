"""Elements as SymPy expressions."""

from __future__ import annotations

from collections.abc import Container, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from gyrostat.scalar.exact.definitions import Definition, Kind
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.exact.order import ordered_terms
from gyrostat.scalar.exact.ring import PI, ExactRing
from gyrostat.scalar.operations import Scalar

Powers: TypeAlias = tuple[tuple[int, int], ...]
"""Symbols with their exponents."""


class SympyWriter:
    """Turns elements of one ring into SymPy; symbols, angles and auxiliary symbols are turned once.

    `symbols` gives SymPy's object for names; what is missing becomes a real `Symbol` of that name. SymPy orders the
    terms of sums itself when it prints; `Add` arguments are given in this package's order.
    """

    def __init__(self, ring: ExactRing, symbols: Mapping[str, Any] | None = None) -> None:
        import sympy

        self.ring = ring
        self.sympy: Any = sympy
        self._given = dict(symbols or {})
        self._symbols: dict[int, Any] = {}
        self._numbers: dict[Any, Any] = {}
        self._powers: dict[tuple[int, int], Any] = {}
        self._harmonics: dict[int, list[Any]] = {}

    def __call__(self, value: Scalar) -> Any:
        """Return a scalar, expanded."""
        if not isinstance(value, Element):
            return self.number(value)
        return self.sympy.Add(*(self._term(*term) for term in ordered_terms(value)))

    def textbook(self, value: Scalar, inner: Container[str]) -> Any:
        """Return (polynomial in inner symbols) × (outer monomial) × (sines and cosines), summed.

        With masses as inner symbols: (m1/3 + m2) l1² + m2 l1 l2 cos θ2 + ….
        """
        if not isinstance(value, Element):
            return self.number(value)
        names = self.ring.names
        parts: dict[tuple[int, Powers], list[tuple[Fraction, Powers]]] = {}
        for coefficient, powers, h in ordered_terms(value):
            inside = tuple((i, e) for i, e in powers.items() if names[i] in inner)
            outside = tuple((i, e) for i, e in powers.items() if names[i] not in inner)
            parts.setdefault((h, outside), []).append((coefficient, inside))
        terms = []
        for (h, outside), polynomial in parts.items():
            sign = -1 if polynomial[0][0] < 0 else 1  # −(m1/2 + m2) rather than (−m1/2 − m2)
            inner_terms = [
                self._product(self.number(sign * coefficient), self.monomial(dict(powers)))
                for coefficient, powers in polynomial
            ]
            terms.append(self._product(sign, self._sum(inner_terms), self.monomial(dict(outside)), self.harmonic(h)))
        return self._sum(terms)

    def collected(self, value: Scalar, outer: Container[str]) -> Any:
        """Return (monomial in outer symbols) × (everything else), summed: speeds outside, the rest inside."""
        if not isinstance(value, Element):
            return self.number(value)
        names = self.ring.names
        parts: dict[Powers, list[Any]] = {}
        for coefficient, powers, h in ordered_terms(value):
            outside = tuple((i, e) for i, e in powers.items() if names[i] in outer)
            inside = {i: e for i, e in powers.items() if (i, e) not in outside}
            term = self._product(self.number(coefficient), self.monomial(inside), self.harmonic(h))
            parts.setdefault(outside, []).append(term)
        return self._sum([self._product(self.monomial(dict(out)), self._sum(terms)) for out, terms in parts.items()])

    def _sum(self, terms: list[Any]) -> Any:
        return terms[0] if len(terms) == 1 else self.sympy.Add(*terms)

    def _product(self, *factors: Any) -> Any:
        """Return a product in which numbers are not multiplied into sums."""
        return self.sympy.Mul(*(factor for factor in factors if factor != 1))

    def number(self, value: Any) -> Any:
        """Return a number."""
        found = self._numbers.get(value)
        if found is None:
            fraction = as_fraction(value)
            found = self._numbers[value] = self.sympy.Rational(fraction.numerator, fraction.denominator)
        return found

    def _term(self, coefficient: Fraction, powers: Mapping[int, int], harmonic: int) -> Any:
        """Return one product, formed in one go: SymPy's products of products cost twice as much."""
        factors = [self._power(i, e) for i, e in powers.items()]
        return self.sympy.Mul(self.number(coefficient), *factors, *self._factors(harmonic))

    def _power(self, index: int, exponent: int) -> Any:
        found = self._powers.get((index, exponent))
        if found is None:
            found = self._powers[index, exponent] = self.symbol(index) ** exponent
        return found

    def monomial(self, powers: Mapping[int, int]) -> Any:
        """Return a product of powers of symbols."""
        return self.sympy.Mul(*(self._power(i, e) for i, e in powers.items()))

    def harmonic(self, index: int) -> Any:
        """Return a product of cosines and sines."""
        return self.sympy.Mul(*self._factors(index))

    def _factors(self, index: int) -> list[Any]:
        found = self._harmonics.get(index)
        if found is None:
            factors = self.ring.harmonics.factors[index]
            found = self._harmonics[index] = [self._trig(parity, combination) for _, parity, combination in factors]
        return found

    def _trig(self, parity: int, combination: tuple[tuple[int, int], ...]) -> Any:
        sympy = self.sympy
        parts = []
        for index, k in combination:
            angle = self.ring.angles[index]
            parts.append(sympy.Rational(k, angle.divisor) * self(angle.argument))
        return (sympy.sin if parity else sympy.cos)(sympy.Add(*parts))

    def symbol(self, index: int) -> Any:
        """Return a symbol, or what an auxiliary symbol stands for."""
        found = self._symbols.get(index)
        if found is None:
            generator = self.ring.generators[index]
            if generator.name in self._given:
                found = self._given[generator.name]
            elif generator.definition is not None:
                found = self._definition(generator.definition)
            elif generator.name == PI:
                found = self.sympy.pi
            else:
                found = self.sympy.Symbol(generator.name, real=True)
            self._symbols[index] = found
        return found

    def _definition(self, definition: Definition) -> Any:
        sympy = self.sympy
        arguments = [self(argument) for argument in definition.arguments]
        if definition.kind is Kind.INVERSE:
            return 1 / arguments[0]
        match definition.function:
            case "abs":
                return sympy.Abs(*arguments)
            case "min":
                return sympy.Min(*arguments)
            case "max":
                return sympy.Max(*arguments)
            case "ceil":
                return sympy.ceiling(*arguments)
            case "pow":
                return sympy.Pow(*arguments)
            case "where":
                condition, yes, no = arguments
                return sympy.Piecewise((yes, self._truth(condition)), (no, True))
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                return self._as_number(_relation(sympy, definition.function)(*arguments))
            case "and" | "or" | "not":
                combine = {"and": sympy.And, "or": sympy.Or, "not": sympy.Not}[definition.function]
                return self._as_number(combine(*(self._truth(argument) for argument in arguments)))
            case name:
                known: Any = getattr(sympy, name) if name in _FUNCTIONS else sympy.Function(name)
                return known(*arguments)

    def _as_number(self, condition: Any) -> Any:
        return self.sympy.Piecewise((1, condition), (0, True))

    def _truth(self, value: Any) -> Any:
        """Return the condition behind a truth value, which is 1 where it holds and 0 elsewhere."""
        if isinstance(value, self.sympy.Piecewise) and value.args[0].expr == 1 and value.args[-1].expr == 0:
            return value.args[0].cond
        return self.sympy.Ne(value, 0)


_FUNCTIONS = (
    *("asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sqrt", "sign", "floor"),
)


def _relation(sympy: Any, symbol: str) -> Any:
    return {"<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge, "==": sympy.Eq, "!=": sympy.Ne}[symbol]


def to_sympy(value: Scalar, symbols: Mapping[str, Any] | None = None) -> Any:
    """Return a scalar of the exact engine as a SymPy expression, expanded.

    >>> from gyrostat.scalar.exact import ExactRing, ExactScalars
    >>> ring = ExactRing(groups=[["a", "b"]], symbols=["m"])
    >>> a, b, m = (ring.symbol(name) for name in "abm")
    >>> to_sympy(2 * m * ExactScalars(ring).call("cos", (a + b,)) / 3)
    2*m*cos(a + b)/3
    """
    if isinstance(value, Element):
        return SympyWriter(value.ring, symbols)(value)
    import sympy

    fraction = as_fraction(value)
    return sympy.Rational(fraction.numerator, fraction.denominator)
