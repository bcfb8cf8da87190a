"""Linear forms of speeds, such as absolute rates: coefficients are written in them where that is shorter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from operator import add, sub
from types import MappingProxyType
from typing import Any, TypeAlias

from gyrostat.errors import GyrostatError
from gyrostat.once import cached_property
from gyrostat.scalar.exact.element import Element, Monomial, as_element, monomials, sum_of
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.substitution import Substitution
from gyrostat.scalar.operations import Scalar

Row: TypeAlias = dict[str, int | Fraction]
"""A sum of symbols: coefficients by name."""


class LinearForms:
    """Sums of speeds by new names: {"w2": {"u1": 1, "u2": 1}}; the forms are independent of each other.

    >>> ring = ExactRing(symbols=["m", "u1", "u2"])
    >>> m, u1, u2 = (ring.symbol(name) for name in ("m", "u1", "u2"))
    >>> forms = LinearForms(ring, {"w2": {"u1": 1, "u2": 1}})
    >>> forms(m * (u1 + u2) ** 2 + u1 * u2)
    m*w2**2 + u1*u2
    """

    def __init__(self, ring: ExactRing, forms: Mapping[str, Mapping[str, int]]) -> None:
        self.ring = ring
        self.forms = {name: dict(form) for name, form in forms.items()}
        self.speeds = list(dict.fromkeys(speed for form in forms.values() for speed in form))
        self._indices = {ring.generator(speed).index for speed in self.speeds}
        self._inverse = self._solved()
        self._sums = all(speed.n_terms() > 1 for speed in self._inverse.values())
        self._changes: dict[Any, Any] = {}
        self._angles: dict[int, bool] = {}
        self._context = ring.context

    @cached_property
    def _to_forms(self) -> Substitution:
        return Substitution(self.ring, self._inverse)

    def __call__(self, value: Scalar) -> Scalar:
        """Return the scalar with every part written in the forms unless that is longer.

        A part is what belongs to one harmonic and one monomial of the other symbols.
        """
        if not isinstance(value, Element):
            return value
        value.lifted()
        generators = self.ring.generators
        defined = self.ring.has_auxiliaries and any(generators[i].definition for i in value.used())
        if (
            defined
            or any(i in self._indices for i, _ in value.below)
            or any(map(self._turns_with_speeds, value.used_angles()))
        ):
            return self._by_parts(value)
        return Element(self.ring, {h: self._in_forms(c) for h, c in value.terms.items()}, value.below, value.marks)

    def _turns_with_speeds(self, angle: int) -> bool:
        """Tell whether there are speeds inside a cosine or sine."""
        found = self._angles.get(angle)
        if found is None:
            argument = self.ring.angles[angle].argument
            plain = argument.name is not None and self.ring.generator(argument.name).definition is None
            found = argument.name in self._inverse if plain else self._to_forms.changes(argument)
            self._angles[angle] = found
        return found

    def _by_parts(self, value: Element) -> Scalar:
        """Return the scalar in the forms, with speeds also in denominators, sines and auxiliary symbols."""
        if not self._to_forms.changes(value):
            return value
        return sum_of(self.ring, [self._shorter(part) for part in self._parts(value)])

    def _in_forms(self, c: Any) -> Any:
        """Return a polynomial with each of its parts in the forms unless that is longer; parts share no monomials.

        A part of one term stays where speeds are sums of two or more forms: their products have more terms.
        """
        if len(c) == 1 and self._sums:
            return c
        groups: dict[Monomial, list[tuple[Monomial, Any]]] = {}
        indices = self._indices
        for powers, coefficient in monomials(c):
            outer = tuple([power for power in powers if power[0] not in indices])
            inner = tuple([power for power in powers if power[0] in indices])
            groups.setdefault(outer, []).append((inner, coefficient))
        for outer, part in groups.items():
            if len(part) > 1 or not self._sums:
                lead = part[0][1]
                change = self._change(tuple((inner, k / lead) for inner, k in part))
                if change is not None:
                    c = c + self._product(outer) * change * lead
        return c

    def _change(self, part: tuple[tuple[Monomial, Any], ...]) -> Any:
        """Return the change of a polynomial of speeds when written in the forms, None where that is longer."""
        if self._context is not self.ring.context:
            self._changes, self._context = {}, self.ring.context
        key = tuple((inner, int(k.p), int(k.q)) for inner, k in part)
        if key not in self._changes:
            speeds = self._polynomials
            after = reduce(add, [self._product(inner, speeds) * k for inner, k in part])
            shorter = len(after) <= len(part)
            self._changes[key] = (
                reduce(sub, [self._product(inner) * k for inner, k in part], after) if shorter else None
            )
        return self._changes[key]

    def _product(self, powers: Monomial, values: Mapping[int, Any] = MappingProxyType({})) -> Any:
        """Return a product of powers of symbols as a polynomial, some of them replaced by polynomials."""
        result = self.ring.one
        for i, e in powers:
            factor = values.get(i) or self.ring.gen(i)
            power = factor if e == 1 else factor**e
            result = power if result is self.ring.one else result * power
        return result

    @property
    def _polynomials(self) -> dict[int, Any]:
        """Speeds as polynomials of the forms, by index."""
        speeds = self._inverse.items()
        return {self.ring.generator(name).index: speed.lifted().terms[UNIT] for name, speed in speeds}

    def _shorter(self, part: Element) -> Scalar:
        written = self._to_forms(part)
        shorter = not isinstance(written, Element) or written.n_terms() <= part.n_terms()
        return written if shorter else part

    def _parts(self, value: Element) -> list[Element]:
        """Return the element by harmonic and monomial of symbols other than speeds."""
        value.lifted()
        context = self.ring.context
        found = []
        for h, c in value.terms.items():
            groups: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
            for exponents, coefficient in c.to_dict().items():
                outer = tuple(0 if i in self._indices else int(e) for i, e in enumerate(exponents))
                groups.setdefault(outer, {})[exponents] = coefficient
            found += [Element(self.ring, {h: context.from_dict(g)}, value.below, value.marks) for g in groups.values()]
        return found

    def _solved(self) -> dict[str, Element]:
        """Return speeds in terms of the forms and, for those that no form has been solved for, of themselves."""
        rows: list[tuple[Row, Row]] = []  # form = Σ speeds, and Σ names of forms
        solved: list[str] = []
        for name, form in self.forms.items():
            left: Row = {speed: k for speed, k in form.items() if k}
            right: Row = {name: 1}
            for speed, (row, named) in zip(solved, rows, strict=True):
                _subtract(left, row, right, named, left.get(speed, 0))
            if not left:
                raise GyrostatError(f"The linear form {name!r} is a combination of the forms before it. Leave it out.")
            pivot = list(left)[-1]
            scale = left[pivot]
            if scale != 1:
                left = {speed: Fraction(k) / scale for speed, k in left.items()}
                right = {key: Fraction(k) / scale for key, k in right.items()}
            for row, named in rows:
                _subtract(row, left, named, right, row.get(pivot, 0))
            rows.append((left, right))
            solved.append(pivot)
        symbol = self.ring.symbol
        result: dict[str, Element] = {}
        for speed, (row, named) in zip(solved, rows, strict=True):
            value: Scalar = 0
            for name, k in named.items():
                value = symbol(name) * k + value
            for other, k in row.items():
                if other != speed:
                    value = value - symbol(other) * k
            result[speed] = as_element(self.ring, value)
        return result


def _subtract(a: Row, b: Row, a2: Row, b2: Row, factor: int | Fraction) -> None:
    """Take a multiple of one row from another, in place; zeros are removed."""
    if not factor:
        return
    for mine, theirs in ((a, b), (a2, b2)):
        for key, k in list(theirs.items()):
            left = mine.get(key, 0) - factor * k
            if left:
                mine[key] = left
            else:
                mine.pop(key, None)
