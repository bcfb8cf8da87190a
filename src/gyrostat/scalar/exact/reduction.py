"""Reduction rules of auxiliary symbols: r² → p for roots, inverse·p → 1 where the division is exact."""

from __future__ import annotations

from typing import Any

from gyrostat.scalar.exact.division import exact_quotient
from gyrostat.scalar.exact.element import Element, Terms, folded, settled
from gyrostat.scalar.operations import Scalar


def reduced(element: Element) -> Scalar:
    """Return the element with all rules applied."""
    ring = element.ring
    present = _present(element)
    if not present:
        return folded(Element(ring, element.terms, element.below, 0))
    if (count := element.n_terms()) > ring.most_terms:
        raise ring.refuse_terms(count)
    marks = sum(1 << i for i in present)
    element = Element(ring, element.terms, element.below, marks)
    for i in present:
        if i in ring.squares and degree_in(element, i) >= 2:
            return _with_squares(element, i)
    for i in present:
        if i in ring.divisors:
            found = _with_inverse(element, i)
            if found is not None:
                return found
    return element


def _present(element: Element) -> list[int]:
    """Return the symbols with rules that do occur."""
    marks = element.marks
    candidates = [i for i in range(marks.bit_length()) if marks >> i & 1]
    return [i for i in candidates if degree_in(element, i) > 0]


def degree_in(element: Element, index: int) -> int:
    """Return the highest power of a symbol that occurs."""
    return max((int(c.degrees()[index]) for c in element.terms.values()), default=0)


def powers_of(element: Element, index: int) -> dict[int, Element]:
    """Return the element's coefficients of the powers of one symbol; the symbol does not occur below."""
    ring = element.ring
    context = ring.context
    element.lifted()
    parts: dict[int, dict[int, dict[tuple[int, ...], Any]]] = {}
    for h, c in element.terms.items():
        for exponents, coefficient in c.to_dict().items():
            power = int(exponents[index])
            rest = (*exponents[:index], 0, *exponents[index + 1 :]) if power else exponents
            parts.setdefault(power, {}).setdefault(h, {})[rest] = coefficient
    found: dict[int, Element] = {}
    for power, by_harmonic in parts.items():
        terms: Terms = {h: context.from_dict(mapping) for h, mapping in by_harmonic.items()}
        found[power] = Element(ring, terms, element.below, element.marks & ~(1 << index))
    return found


def _with_squares(element: Element, index: int) -> Scalar:
    """Replace r², r⁴, … by the radicand's powers."""
    ring = element.ring
    square = ring.squares[index]
    variable = ring.variable(ring.generators[index])
    by_square: dict[int, Scalar] = {}
    for power, part in powers_of(element, index).items():
        kept = settled(ring, part.terms, part.below, part.marks)
        if power % 2:
            kept = kept * variable
        by_square[power // 2] = by_square.get(power // 2, 0) + kept
    total: Scalar = 0
    factor: Scalar = 1
    for count in range(max(by_square) + 1):
        if count in by_square:
            total = total + by_square[count] * factor
        factor = factor * square
    return total


def _with_inverse(element: Element, index: int) -> Scalar | None:
    """Replace inverse·p by 1 from the highest power down, where that is possible; None where it is not."""
    ring = element.ring
    divisor = ring.divisors[index]
    parts: dict[int, Scalar] = dict(powers_of(element, index).items())
    changed = False
    for power in range(max(parts), 0, -1):
        part = parts.get(power, 0)
        if not isinstance(part, Element):
            continue
        quotient = exact_quotient(part, divisor)
        if quotient is not None:
            changed = True
            del parts[power]
            parts[power - 1] = parts.get(power - 1, 0) + quotient
    if not changed:
        return None
    variable = ring.variable(ring.generators[index])
    total: Scalar = 0
    for power, part in parts.items():
        if isinstance(part, Element):
            part = settled(ring, part.terms, part.below, part.marks)
        total = total + (part if power == 0 else part * variable**power)
    return total
