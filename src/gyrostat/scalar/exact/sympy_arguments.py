"""SymPy's sums and products from arguments that need no simplification: in SymPy's own order, without its search.

`Mul` and `Add` look for powers to combine and numbers to collect, and sort what is left by comparing expressions pair
by pair. Terms of a normal form have nothing to combine, and each of their few factors gets its sort key once.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, TypeAlias

Keyed: TypeAlias = tuple[tuple[Any, ...] | None, Any]
"""An expression behind its sort key: empty for a number, None where SymPy must look at it."""

_by_key = itemgetter(0)


class SympyArguments:
    """Forms products and sums that are equal to those of `Mul` and `Add`, argument by argument."""

    def __init__(self, sympy: Any) -> None:
        from sympy.core.basic import ordering_of_classes

        self._Mul, self._Add, self._Basic = sympy.Mul, sympy.Add, sympy.Basic
        self._place = {name: i for i, name in enumerate(ordering_of_classes)}
        self._classes: dict[type, tuple[int, str]] = {}
        self._mul, self._add = self._class(sympy.Mul), self._class(sympy.Add)
        self._numbers: dict[Any, tuple[Any, ...]] = {}

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
        one = number == 1
        if any(key is None for key, _ in factors) or (not one and len(factors) == 1 and factors[0][1].is_Add):
            return None, self._Mul(number, *(expression for _, expression in factors))
        if one and len(factors) == 1:
            return factors[0]
        if len(factors) > 1:
            factors = sorted(factors, key=_by_key)
        keys = [key for key, _ in factors]
        expressions = [expression for _, expression in factors]
        if not one:
            number_key = self._numbers.get(number)
            if number_key is None:
                number_key = self._numbers[number] = self._key(number)
            keys.insert(0, number_key)
            expressions.insert(0, number)
        return (self._mul, len(keys), *keys), self._Mul._from_args(tuple(expressions), True)

    def sum(self, terms: Iterable[Keyed]) -> Keyed:
        """Return the sum of terms of which no two differ by a number only."""
        terms = list(terms)
        if len(terms) == 1:
            return terms[0]
        if not terms or any(key is None or expression.is_Add for key, expression in terms):
            return None, self._Add(*(expression for _, expression in terms))
        terms.sort(key=_by_key)  # the key of a number is empty and comes first, as in SymPy
        keys = [key or self._key(expression) for key, expression in terms]
        return (self._add, len(keys), *keys), self._Add._from_args(tuple(e for _, e in terms), True)
