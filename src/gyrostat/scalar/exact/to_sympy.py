"""Elements as SymPy expressions."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from gyrostat.scalar.exact.definitions import PI, Definition, GeneratorKind
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.harmonics import Combination, Factor
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.exact.order import rational_terms
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.sympy_arguments import Keyed, rational, sympy_arguments
from gyrostat.scalar.operations import Scalar

Powers: TypeAlias = tuple[tuple[int, int], ...]
"""Symbols with their exponents."""


class SympyWriter:
    """Turns elements of one ring into SymPy; symbols, angles and auxiliary symbols are turned once.

    `symbols` gives SymPy's object for names, `sums` the names that a name is the sum of; what is missing becomes a real
    `Symbol` of that name.
    """

    def __init__(
        self, ring: ExactRing, symbols: Mapping[str, Any] | None = None, sums: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        import sympy

        self.ring = ring
        self.sympy: Any = sympy
        self._given = {} if symbols is None else symbols
        self._sums = {} if sums is None else sums
        self._symbols: dict[int, Any] = {}
        self._powers: dict[tuple[int, int], Any] = {}
        self._harmonics: dict[int, list[Any]] = {}
        self._arguments = sympy_arguments()
        self._keyed_symbols: dict[int, Keyed] = {}
        self._bare: set[int] = set()
        """Symbols, and sums of symbols, without assumptions."""
        self._keyed_powers: dict[tuple[int, int], Keyed] = {}
        self._keyed_trig: dict[Factor, Keyed] = {}
        self._keyed_harmonics: dict[int, list[Keyed]] = {}
        self._owners: dict[Any, Any] = {}
        """Meaning of each of SymPy's factors, by key; SymPy combines factors with the same key."""

    def __call__(self, value: Scalar) -> Any:
        """Return a scalar, expanded."""
        if not isinstance(value, Element):
            return self.number(value)
        return self._arguments.sum(self._term(*term) for term in rational_terms(value))[1]

    def textbook(self, value: Scalar, inner: Container[str]) -> Any:
        """Return (polynomial in inner symbols) × (outer monomial) × (sines and cosines), summed.

        With masses as inner symbols: (m1/3 + m2) l1² + m2 l1 l2 cos θ2 + ….
        """
        if not isinstance(value, Element):
            return self.number(value)
        generators = self.ring.generators
        parts: dict[tuple[int, Powers], list[tuple[Any, Powers]]] = {}
        for coefficient, powers, h in rational_terms(value):
            inside = tuple([power for power in powers if generators[power[0]].name in inner])
            outside = tuple([power for power in powers if power not in inside]) if inside else powers
            parts.setdefault((h, outside), []).append((coefficient, inside))
        return self._arguments.sum([self._part(*part, polynomial) for part, polynomial in parts.items()])[1]

    def _part(self, h: int, outside: Powers, polynomial: list[tuple[Any, Powers]]) -> Keyed:
        """Return (polynomial) × (monomial) × (sines and cosines)."""
        product = self._arguments.product
        around = [*self._keyed_monomial(outside), *self._keyed_factors(h)]
        if len(polynomial) == 1:
            coefficient, powers = polynomial[0]
            return product(self._rational(coefficient), [*self._keyed_monomial(powers), *around])
        turned = polynomial[0][0].p < 0  # −(m1/2 + m2) rather than (−m1/2 − m2)
        inside = self._arguments.sum(
            [product(self._rational(-k if turned else k), self._keyed_monomial(powers)) for k, powers in polynomial]
        )
        return product(rational(-1 if turned else 1, 1), [inside, *around])

    def collected(self, value: Scalar, outer: Container[str]) -> Any:
        """Return (monomial in outer symbols) × (everything else), summed: speeds outside, the rest inside."""
        if not isinstance(value, Element):
            return self.number(value)
        outside_of = [name in outer for name in self.ring.names]
        parts: dict[Powers, list[tuple[Any, Powers, int]]] = {}
        for coefficient, powers, h in rational_terms(value):
            outside = tuple([power for power in powers if outside_of[power[0]]])
            inside = tuple([power for power in powers if not outside_of[power[0]]])
            parts.setdefault(outside, []).append((coefficient, inside, h))
        return self._arguments.sum(self._collected(*part) for part in parts.items())[1]

    def _collected(self, outside: Powers, terms: list[tuple[Any, Powers, int]]) -> Keyed:
        """Return (monomial) × (sum of terms)."""
        if len(terms) == 1:
            coefficient, inside, h = terms[0]
            return self._term(coefficient, outside + inside, h)
        whole = self._arguments.sum(self._term(*term) for term in terms)
        return self._arguments.product(self.number(1), [whole, *self._keyed_monomial(outside)])

    def number(self, value: Any) -> Any:
        """Return a number."""
        fraction = as_fraction(value)
        return rational(fraction.numerator, fraction.denominator)

    def _rational(self, value: Any) -> Any:
        """Return a coefficient, one of flint's rational numbers."""
        return rational(int(value.p), int(value.q))

    def _term(self, coefficient: Any, powers: Powers, harmonic: int) -> Keyed:
        """Return one product."""
        factors = [*self._keyed_monomial(powers), *self._keyed_factors(harmonic)]
        return self._arguments.product(self._rational(coefficient), factors)

    def _keyed_monomial(self, powers: Powers) -> list[Keyed]:
        known = self._keyed_powers
        return [known.get(power) or self._keyed_power(*power) for power in powers]

    def _keyed_power(self, index: int, exponent: int) -> Keyed:
        found = self._keyed_powers.get((index, exponent))
        if found is None:
            base = self._keyed_symbol(index)
            if exponent == 1:
                found = base
            elif base[0] is not None and index in self._bare:
                found = self._arguments.power(base, rational(exponent, 1))
            else:
                power = self._power(index, exponent)
                found = (None, power) if base[0] is None else self._arguments.keyed(power)
            self._keyed_powers[index, exponent] = found
        return found

    def _keyed_symbol(self, index: int) -> Keyed:
        """Return a symbol; its key is left out where SymPy must inspect it, or where it represents another as well."""
        found = self._keyed_symbols.get(index)
        if found is None:
            symbol = self.symbol(index)
            if symbol.is_Add:
                parts = [self._arguments.symbol(part) for part in symbol.args]
                found, bare = self._arguments.sum([keyed for keyed, _ in parts]), all(bare for _, bare in parts)
            else:
                found, bare = self._arguments.symbol(symbol)
            if found[0] is not None:
                if self._owners.setdefault(found[0], index) != index:
                    found = (None, symbol)
                elif bare:
                    self._bare.add(index)
            self._keyed_symbols[index] = found
        return found

    def _keyed_factors(self, harmonic: int) -> list[Keyed]:
        found = self._keyed_harmonics.get(harmonic)
        if found is None:
            factors = self.ring.harmonics.factors[harmonic]
            found = self._keyed_harmonics[harmonic] = [self._keyed_factor(factor) for factor in factors]
        return found

    def _keyed_factor(self, own: Factor) -> Keyed:
        found = self._keyed_trig.get(own)
        if found is None:
            _, parity, combination = own
            found = self._trig_of_symbols(parity, combination)
            if found is None:
                factor = self._trig(parity, combination)
                plain = factor.func in (self.sympy.sin, self.sympy.cos)
                found = self._arguments.keyed(factor) if plain else (None, factor)
            if found[0] is not None and self._owners.setdefault(found[0], own) != own:
                found = (None, found[1])
            self._keyed_trig[own] = found
        return found

    def _trig_of_symbols(self, parity: int, combination: Combination) -> Keyed | None:
        """Return cos or sin of a sum of symbols with positive coefficients; None for other arguments."""
        parts: dict[int, Keyed] = {}
        for index, k in combination:
            angle = self.ring.angles[index]
            name = angle.argument.symbol_name()
            if k < 0 or name is None:
                return None
            symbol = self.ring.generator(name).index
            keyed = self._keyed_symbol(symbol)
            if symbol in parts or symbol not in self._bare or keyed[1].is_Add:
                return None
            number = rational(k, 1) if angle.divisor == 1 else self.number(Fraction(k, angle.divisor))
            parts[symbol] = self._arguments.product(number, [keyed])
        return self._arguments.cosine_or_sine(parity, self._arguments.sum(parts.values()))

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
        """Return a symbol, or the definition of an auxiliary symbol."""
        found = self._symbols.get(index)
        if found is None:
            generator = self.ring.generators[index]
            name = generator.name
            if name in self._given:
                found = self._given[name]
            elif name in self._sums:
                parts = [self._keyed_symbol(self.ring.generator(part).index) for part in self._sums[name]]
                found = self._arguments.sum(parts)[1]
            elif generator.definition is not None:
                found = self._definition(generator.definition)
            elif name == PI:
                found = self.sympy.pi
            else:
                found = self.sympy.Symbol(name, real=True)
            self._symbols[index] = found
        return found

    def _definition(self, definition: Definition) -> Any:
        sympy = self.sympy
        arguments = [self(argument) for argument in definition.arguments]
        if definition.kind is GeneratorKind.INVERSE:
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
