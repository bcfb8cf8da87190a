"""Linear forms of speeds, such as absolute rates: coefficients are written in them where that is shorter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.element import Element, Monomial, as_element, sum_of
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.substitution import Substitution
from gyrostat.scalar.operations import Scalar


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
        self._places = sorted(self._indices)
        self._patterns: dict[Any, list[tuple[Monomial, Any]]] = {}
        self._to_forms = Substitution(ring, self._inverse())

    def __call__(self, value: Scalar) -> Scalar:
        """Return the scalar with every part written in the forms unless that is longer.

        A part is what belongs to one harmonic and one monomial of the other symbols.
        """
        if not isinstance(value, Element) or not self._to_forms.changes(value):
            return value
        if not self._speeds_stand_alone(value):
            return sum_of(self.ring, [self._shorter(part) for part in self._parts(value)])
        value.lifted()
        terms = {h: self._in_forms(c) for h, c in value.terms.items()}
        return Element(self.ring, terms, value.below, value.marks)

    def _speeds_stand_alone(self, value: Element) -> bool:
        """Tell whether speeds occur in the numerator only, outside sines, cosines and auxiliary symbols."""
        changes = self._to_forms.changes
        ring = self.ring
        return (
            not any(i in self._indices for i, _ in value.below)
            and all(ring.generators[i].definition is None for i in value.used())
            and not any(changes(ring.angles[angle].argument) for angle in value.used_angles())
        )

    def _in_forms(self, c: Any) -> Any:
        """Return a polynomial with each of its parts in the forms unless that is longer; parts share no monomials."""
        groups: dict[tuple[int, ...], list[tuple[tuple[int, ...], Any]]] = {}
        for exponents, coefficient in c.to_dict().items():
            powers = [int(exponents[i]) for i in self._places]
            outer = list(map(int, exponents))
            for i in self._places:
                outer[i] = 0
            groups.setdefault(tuple(outer), []).append((tuple(powers), coefficient))
        whole: dict[tuple[int, ...], Any] = {}
        for outer_powers, part in groups.items():
            lead = part[0][1]
            for added, coefficient in self._pattern(tuple((powers, k / lead) for powers, k in part)):
                exponents = list(outer_powers)
                for i, e in added:
                    exponents[i] += e
                whole[tuple(exponents)] = coefficient * lead
        return self.ring.context.from_dict(whole)

    def _pattern(self, part: tuple[tuple[tuple[int, ...], Any], ...]) -> list[tuple[Monomial, Any]]:
        """Return a polynomial of speeds alone in the forms unless that is longer; each is worked out once."""
        found = self._patterns.get(part)
        if found is None:
            ring = self.ring
            size = ring.context.nvars()
            mapping: dict[tuple[int, ...], Any] = {}
            for powers, k in part:
                exponents = [0] * size
                for i, e in zip(self._places, powers, strict=True):
                    exponents[i] = e
                mapping[tuple(exponents)] = k
            written = as_element(ring, self._shorter(Element(ring, {UNIT: ring.context.from_dict(mapping)}, (), 0)))
            found = self._patterns[part] = [
                (tuple((i, int(e)) for i, e in enumerate(exponents) if e), k)
                for exponents, k in written.terms[UNIT].to_dict().items()
            ]
        return found

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

    def _inverse(self) -> dict[str, Scalar]:
        """Return speeds in terms of the forms and, for those that no form has been solved for, of themselves."""
        rows: list[tuple[dict[str, Fraction], dict[str, Fraction]]] = []  # form = Σ speeds, and Σ names of forms
        solved: list[str] = []
        for name, form in self.forms.items():
            left = {speed: Fraction(k) for speed, k in form.items() if k}
            right = {name: Fraction(1)}
            for speed, (row, named) in zip(solved, rows, strict=True):
                _subtract(left, row, right, named, left.get(speed, Fraction(0)))
            if not left:
                raise GyrostatError(f"The linear form {name!r} is a combination of the forms before it. Leave it out.")
            pivot = list(left)[-1]
            scale = left[pivot]
            left = {speed: k / scale for speed, k in left.items()}
            right = {key: k / scale for key, k in right.items()}
            for row, named in rows:
                _subtract(row, left, named, right, row.get(pivot, Fraction(0)))
            rows.append((left, right))
            solved.append(pivot)
        symbol = self.ring.symbol
        result: dict[str, Scalar] = {}
        for speed, (row, named) in zip(solved, rows, strict=True):
            value: Scalar = 0
            for name, k in named.items():
                value = symbol(name) * k + value
            for other, k in row.items():
                if other != speed:
                    value = value - symbol(other) * k
            result[speed] = value
        return result


def _subtract(
    a: dict[str, Fraction], b: dict[str, Fraction], a2: dict[str, Fraction], b2: dict[str, Fraction], factor: Fraction
) -> None:
    """Take a multiple of one row from another, in place; zeros are removed."""
    for mine, theirs in ((a, b), (a2, b2)):
        for key, k in list(theirs.items()):
            left = mine.get(key, Fraction(0)) - factor * k
            if left:
                mine[key] = left
            else:
                mine.pop(key, None)
