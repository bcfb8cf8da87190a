"""Exact complex rational functions of named parameters: (p + i q)/d with integer polynomials (python-flint).

A quotient is kept in lowest terms with a positive leading coefficient of the denominator, so that equal values have
equal representations and zero is found without tolerances.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import flint
import sympy
from flint.utils.flint_exceptions import DomainError

from gyrostat.once import cached_property


class QuotientField:
    """All quotients of polynomials in some parameters.

    >>> field = QuotientField(["alpha", "w0"])
    >>> 3 * field.symbol("alpha") / (8 * field.symbol("w0"))
    3*alpha/(8*w0)
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.context = flint.fmpz_mpoly_ctx.get(self.names or ("_",), flint.Ordering.lex)
        self._variables = dict(zip(self.names, self.context.gens(), strict=False))
        nothing, unit = self.context.constant(0), self.context.constant(1)
        self.nothing, self.unit = nothing, unit
        self.zero = Quotient(self, nothing, nothing, unit)
        self.one = Quotient(self, unit, nothing, unit)
        self.imaginary = Quotient(self, nothing, unit, unit)

    def number(self, value: int | Fraction) -> Quotient:
        """Return a number."""
        whole = Fraction(value)
        above, below = self.context.constant(whole.numerator), self.context.constant(whole.denominator)
        return Quotient(self, above, self.nothing, below)

    def symbol(self, name: str) -> Quotient:
        """Return a parameter."""
        return Quotient(self, self._variables[name], self.nothing, self.unit)

    def polynomial(self, terms: Mapping[tuple[int, ...], int]) -> Any:
        """Return a polynomial from integer coefficients by exponents, in the order of names."""
        return self.context.from_dict(dict(terms)) if self.names else self.context.constant(terms.get((), 0))

    def moved(self, value: Quotient) -> Quotient:
        """Return a quotient of another field whose parameters are all in this one."""
        if value.field is self or value.field.context is self.context:
            return value
        return Quotient(self, *(_moved(self, value.field, part) for part in (value.real, value.imag, value.below)))

    @cached_property
    def symbols(self) -> tuple[Any, ...]:
        """SymPy's symbols of the parameters."""
        return tuple(sympy.Symbol(name, real=True) for name in self.names)


def _moved(field: QuotientField, old: QuotientField, polynomial: Any) -> Any:
    """Write a polynomial in the parameters of another field."""
    if not old.names:
        return field.context.constant(int(polynomial.leading_coefficient()) if polynomial else 0)
    place = [field.names.index(name) if name in field.names else None for name in old.names]
    terms: dict[tuple[int, ...], Any] = {}
    for exponents, coefficient in polynomial.to_dict().items():
        powers = [0] * max(len(field.names), 1)
        for at, exponent in zip(place, exponents, strict=True):
            if exponent:
                if at is None:
                    raise KeyError(old.names[list(exponents).index(exponent)])
                powers[at] = int(exponent)
        terms[tuple(powers)] = coefficient
    return field.context.from_dict(terms)


class Quotient:
    """(real + i imag)/below, in lowest terms; immutable."""

    __slots__ = ("below", "field", "imag", "real")

    def __init__(self, field: QuotientField, real: Any, imag: Any, below: Any) -> None:
        self.field = field
        self.real = real
        self.imag = imag
        self.below = below

    def __bool__(self) -> bool:
        return bool(self.real) or bool(self.imag)

    def __add__(self, other: Quotient | int | Fraction) -> Quotient:
        if not isinstance(other, Quotient):
            other = self.field.number(other)
        if self.below == other.below:
            return _lowest(self.field, self.real + other.real, self.imag + other.imag, self.below)
        common = self.below.gcd(other.below)
        if common.is_one():
            mine, theirs = other.below, self.below
        else:
            mine, theirs = other.below / common, self.below / common
        real = self.real * mine + other.real * theirs
        imag = self.imag * mine + other.imag * theirs
        rest = _common(real, imag, common)  # common factors divide the greatest common divisor of the denominators
        if rest.is_one():
            return Quotient(self.field, real, imag, self.below * mine) if real or imag else self.field.zero
        return Quotient(self.field, real / rest, imag / rest, self.below / rest * mine)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(self.field, -self.real, -self.imag, self.below)

    def __sub__(self, other: Quotient | int | Fraction) -> Quotient:
        return self + (-other)

    def __rsub__(self, other: int | Fraction) -> Quotient:
        return -self + other

    def __mul__(self, other: Quotient | int | Fraction) -> Quotient:
        if type(other) is int:
            return _lowest(self.field, self.real * other, self.imag * other, self.below)
        if not isinstance(other, Quotient):
            other = self.field.number(other)
        if (self.real and self.imag) and (other.real and other.imag):
            real = self.real * other.real - self.imag * other.imag
            imag = self.real * other.imag + self.imag * other.real
            return _lowest(self.field, real, imag, self.below * other.below)
        return _crossed(self, other)

    __rmul__ = __mul__

    def reciprocal(self) -> Quotient:
        """Return 1/value."""
        if not self:
            raise ZeroDivisionError
        if not self.imag:
            return _lowest(self.field, self.below, self.field.nothing, self.real)
        size = self.real * self.real + self.imag * self.imag
        return _lowest(self.field, self.below * self.real, -(self.below * self.imag), size)

    def __truediv__(self, other: Quotient | int | Fraction) -> Quotient:
        if not isinstance(other, Quotient):
            other = self.field.number(other)
        return self * other.reciprocal()

    def __rtruediv__(self, other: int | Fraction) -> Quotient:
        return self.field.number(other) * self.reciprocal()

    def __pow__(self, exponent: int) -> Quotient:
        if exponent < 0:
            return self.reciprocal() ** -exponent
        result = self.field.one
        for _ in range(exponent):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, Fraction)):
            other = self.field.number(other)
        if not isinstance(other, Quotient):
            return NotImplemented
        return bool(self.real == other.real and self.imag == other.imag and self.below == other.below)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return str(self.to_sympy())

    def conjugate(self) -> Quotient:
        """Return the conjugate; parameters are real."""
        return Quotient(self.field, self.real, -self.imag, self.below)

    def real_part(self) -> Quotient:
        """Return the real part."""
        return _lowest(self.field, self.real, self.field.nothing, self.below)

    def imaginary_part(self) -> Quotient:
        """Return the imaginary part, a real quotient."""
        return _lowest(self.field, self.imag, self.field.nothing, self.below)

    def rational(self) -> Fraction | None:
        """Return the rational number if this is one, else None."""
        if self.imag or not (self.real.is_constant() and self.below.is_constant()):
            return None
        above = int(self.real.leading_coefficient()) if self.real else 0
        return Fraction(above, int(self.below.leading_coefficient()))

    def used(self) -> frozenset[str]:
        """Return the names of the parameters that occur."""
        if not self.field.names:
            return frozenset()
        degrees = [part.degrees() for part in (self.real, self.imag, self.below) if part]
        return frozenset(name for i, name in enumerate(self.field.names) if any(d[i] > 0 for d in degrees))

    def square_root(self) -> Quotient | None:
        """Return the real square root with positive leading coefficient, or None."""
        if self.imag or (self.real and int(self.real.leading_coefficient()) < 0):
            return None
        try:
            return Quotient(self.field, self.real.sqrt(), self.field.nothing, self.below.sqrt())
        except (ValueError, DomainError):
            return None

    def value(self, values: Mapping[str, float]) -> complex:
        """Return the value at numbers for all parameters that occur."""
        powers = [values.get(name, float("nan")) for name in self.field.names]
        below = _number(self.below, powers)
        return complex(_number(self.real, powers) / below, _number(self.imag, powers) / below)

    def to_sympy(self) -> Any:
        """Return SymPy's expression, factors kept."""
        above = _sum(self.field, self.real) + sympy.I * _sum(self.field, self.imag)
        if self.imag and self.real:
            return above / _sum(self.field, self.below)
        factored = _product(self.field, self.imag if self.imag else self.real)
        return factored * (sympy.I if self.imag else 1) / _product(self.field, self.below)


def _common(real: Any, imag: Any, below: Any) -> Any:
    """Return the greatest common divisor of a numerator's parts and a denominator."""
    if below.is_one():
        return below
    found = below.gcd(real) if real else below
    return found.gcd(imag) if imag and not found.is_one() else found


def _crossed(a: Quotient, b: Quotient) -> Quotient:
    """Return a product with one factor real or imaginary: each numerator is reduced by the other's denominator."""
    if not a or not b:
        return a.field.zero
    one, other = _common(a.real, a.imag, b.below), _common(b.real, b.imag, a.below)
    a_real, a_imag, b_below = (a.real, a.imag, b.below) if one.is_one() else (a.real / one, a.imag / one, b.below / one)
    b_real, b_imag, a_below = (
        (b.real, b.imag, a.below) if other.is_one() else (b.real / other, b.imag / other, a.below / other)
    )
    if not a_imag:
        real, imag = a_real * b_real, a_real * b_imag
    elif not a_real:
        real, imag = -(a_imag * b_imag), a_imag * b_real
    elif not b_imag:
        real, imag = a_real * b_real, a_imag * b_real
    else:
        real, imag = -(a_imag * b_imag), a_real * b_imag
    return Quotient(a.field, real, imag, a_below * b_below)


def _lowest(field: QuotientField, real: Any, imag: Any, below: Any) -> Quotient:
    """Return a quotient in lowest terms."""
    if not real and not imag:
        return field.zero
    if not below.is_one():
        common = below.gcd(real) if real else below
        if imag and not common.is_one():
            common = common.gcd(imag)
        if int(below.leading_coefficient()) < 0:
            common = -common if int(common.leading_coefficient()) > 0 else common
        if not common.is_one():
            real, imag, below = real / common, imag / common, below / common
    return Quotient(field, real, imag, below)


def _number(polynomial: Any, values: list[float]) -> float:
    total = 0.0
    for exponents, coefficient in polynomial.to_dict().items():
        product = float(int(coefficient))
        for value, exponent in zip(values, exponents, strict=False):
            if exponent:
                product *= value ** int(exponent)
        total += product
    return total


def _sum(field: QuotientField, polynomial: Any) -> Any:
    """Return a polynomial as a sum of SymPy products."""
    terms = []
    for exponents, coefficient in polynomial.to_dict().items():
        powers = [s ** int(e) for s, e in zip(field.symbols, exponents, strict=False) if e]
        terms.append(sympy.Mul(sympy.Integer(int(coefficient)), *powers))
    return sympy.Add(*terms)


def _product(field: QuotientField, polynomial: Any) -> Any:
    """Return a polynomial as a product of powers of its factors."""
    if polynomial.is_constant():
        return sympy.Integer(int(polynomial.leading_coefficient()) if polynomial else 0)
    coefficient, factors = polynomial.factor()
    return sympy.Mul(sympy.Integer(int(coefficient)), *(_sum(field, factor) ** int(power) for factor, power in factors))
