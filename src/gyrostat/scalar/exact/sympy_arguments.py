"""SymPy's sums, products, powers, sines and cosines from arguments that need no simplification, without its search.

`Mul` and `Add` look for powers to combine and numbers to collect, and sort what is left by comparing expressions pair
by pair; `Pow`, `sin` and `cos` query assumptions that might simplify them. Terms of a normal form have nothing to
combine, and each of their few factors gets its sort key once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

Keyed: TypeAlias = tuple[tuple[Any, ...] | None, Any]
"""An expression behind its sort key: empty for a number, None where SymPy must inspect it."""

_by_key = itemgetter(0)


@cache
def sympy_arguments() -> SympyArguments:
    """Return the instance that all writers share; it holds only SymPy's classes and numbers."""
    return SympyArguments()


class SympyArguments:
    """Forms products and sums that are equal to those of `Mul` and `Add`, argument by argument."""

    def __init__(self) -> None:
        import sympy

        self._Mul, self._Add, self._Pow, self._Basic = sympy.Mul, sympy.Add, sympy.Pow, sympy.Basic
        self._trig = (sympy.cos, sympy.sin)
        self._Symbol = sympy.Symbol
        self._place = _places()
        self._classes: dict[type, tuple[int, str]] = {}
        self._mul, self._add, self._pow = self._class(sympy.Mul), self._class(sympy.Add), self._class(sympy.Pow)
        self._symbol = self._class(sympy.Symbol)
        self._one = sympy.S.One
        self._numbers: dict[int, tuple[tuple[Any, ...], Any]] = {}
        """Numbers behind their keys, by identity; each number is created once."""

    def keyed(self, expression: Any) -> Keyed:
        """Return an expression behind the key that sorts as `Basic.compare` does."""
        return self._key(expression), expression

    def _key(self, expression: Any) -> tuple[Any, ...]:
        content = expression._hashable_content()
        Basic = self._Basic
        return (
            self._class(type(expression)),
            len(content),
            *(self._key(part) if isinstance(part, Basic) else part for part in content),
        )

    def _class(self, cls: type) -> tuple[int, str]:
        """Return the place of a class: those that SymPy lists first, others by name."""
        found = self._classes.get(cls)
        if found is None:
            name = cls.__name__
            found = self._classes[cls] = (self._place.get(name, len(self._place) + 1), name)
        return found

    def product(self, number: Any, factors: list[Keyed]) -> Keyed:
        """Return a number times factors with bases that differ; a number and a sum alone multiply out, as in SymPy."""
        if not factors:
            return (), number
        one = number is self._one
        if len(factors) == 1:
            if one:
                return factors[0]
            simple = factors[0][0] is not None and not factors[0][1].is_Add
        else:
            simple = None not in [key for key, _ in factors]
        if not simple:
            return None, self._Mul(number, *(expression for _, expression in factors))
        factors = sorted(factors, key=_by_key)
        if not one:
            factors.insert(0, (self._number_key(number), number))
        keys, expressions = zip(*factors, strict=True)
        return (self._mul, len(keys), *keys), self._made(self._Mul, expressions)

    def _made(self, cls: Any, arguments: tuple[Any, ...]) -> Any:
        """Return a commutative sum or product of arguments in order, as SymPy's `_from_args` makes it."""
        found = self._Basic.__new__(cls, *arguments)
        found.is_commutative = True
        return found

    def _number_key(self, number: Any) -> tuple[Any, ...]:
        found = self._numbers.get(id(number))
        if found is None:
            found = self._numbers[id(number)] = (self._key(number), number)
        return found[0]

    def symbol(self, symbol: Any) -> tuple[Keyed, bool]:
        """Return a symbol behind its key, and whether nothing is assumed of it, or only that it is real.

        Without a key is what is none of SymPy's symbols, or does not commute.
        """
        if type(symbol) is not self._Symbol or not symbol.is_commutative:
            return (None, symbol), False
        content = symbol._hashable_content()
        return ((self._symbol, len(content), *content), symbol), content[1:] in _plain_assumptions()

    def power(self, base: Keyed, exponent: Any) -> Keyed:
        """Return a bare symbol, or a sum of such, to a whole power other than zero and one."""
        power = self._Basic.__new__(self._Pow, base[1], exponent)
        power.is_commutative = True
        return (self._pow, 2, base[0], self._number_key(exponent)), power

    def cosine_or_sine(self, parity: int, argument: Keyed) -> Keyed:
        """Return cos (parity 0) or sin (parity 1) of a sum of bare symbols with positive coefficients."""
        function = self._trig[parity]
        found = self._Basic.__new__(function, argument[1])
        found.nargs = _one_argument()
        return (self._class(function), 1, argument[0]), found

    def sum(self, terms: Iterable[Keyed]) -> Keyed:
        """Return the sum of terms of which no two differ by a number only."""
        terms = list(terms)
        if len(terms) == 1:
            return terms[0]
        if not terms or [1 for key, expression in terms if key is None or expression.is_Add]:
            return None, self._Add(*(expression for _, expression in terms))
        terms.sort(key=_by_key)  # the key of a number is empty and comes first, as in SymPy
        keys, expressions = zip(*terms, strict=True)
        if not keys[0]:
            keys = (self._number_key(expressions[0]), *keys[1:])
        return (self._add, len(keys), *keys), self._made(self._Add, expressions)


def immutable_matrix(rows: int, columns: int, entries: list[Any]) -> Any:
    """Return SymPy's immutable matrix of entries row by row, which are expressions already."""
    ImmutableMatrix, Basic, Tuple, DomainMatrix, SDM, EXRAW, zero = _for_matrices()
    if all(entry.is_Number for entry in entries):
        return ImmutableMatrix(rows, columns, entries)
    table: dict[int, dict[int, Any]] = {}
    for place, entry in enumerate(entries):
        if entry is not zero:
            table.setdefault(place // columns, {})[place % columns] = entry
    found = Basic.__new__(ImmutableMatrix, rational(rows, 1), rational(columns, 1), Tuple(*entries, sympify=False))
    found._rows, found._cols = rows, columns
    found._rep = DomainMatrix.from_rep(SDM(table, (rows, columns), EXRAW))
    return found


@cache
def _for_matrices() -> tuple[Any, ...]:
    """Return SymPy's classes for matrices, its domain of raw expressions, and zero."""
    from sympy import Basic, ImmutableMatrix, S, Tuple
    from sympy.polys.domains import EXRAW
    from sympy.polys.matrices import DomainMatrix
    from sympy.polys.matrices.sdm import SDM

    return ImmutableMatrix, Basic, Tuple, DomainMatrix, SDM, EXRAW, S.Zero


@lru_cache(maxsize=4096)
def plain_symbol(name: str) -> Any:
    """Return SymPy's symbol of a name, without assumptions."""
    from sympy import Symbol

    return Symbol(name)


@cache
def rational(numerator: int, denominator: int) -> Any:
    """Return one of SymPy's rational numbers."""
    from sympy import Integer, Rational

    return Integer(numerator) if denominator == 1 else Rational(numerator, denominator)


@cache
def _places() -> dict[str, int]:
    """Return the places of the classes that SymPy sorts first, by name."""
    from sympy.core.basic import ordering_of_classes

    return {name: i for i, name in enumerate(ordering_of_classes)}


@cache
def _plain_assumptions() -> tuple[tuple[Any, ...], ...]:
    """Return the assumption parts of SymPy's sort keys, for plain and for real symbols."""
    from sympy import Symbol

    return Symbol("x")._hashable_content()[1:], Symbol("x", real=True)._hashable_content()[1:]


@cache
def _one_argument() -> Any:
    """Return the attribute `nargs` of SymPy's functions of one argument."""
    from sympy import FiniteSet

    return FiniteSet(1)
