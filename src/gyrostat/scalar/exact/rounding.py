"""Constants in numbers: roots, sines and other functions of numbers as decimals of double precision."""

from __future__ import annotations

from gyrostat.scalar.exact.definitions import PI
from gyrostat.scalar.exact.element import Element, settled, sum_of
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.numbers import plain_number
from gyrostat.scalar.exact.substitution import substitute
from gyrostat.scalar.operations import Scalar


def in_numbers(value: Scalar) -> Scalar:
    """Return a scalar whose constant functions are decimals; symbols and functions of symbols stay.

    >>> from gyrostat.scalar.exact import ExactRing, ExactScalars
    >>> ring = ExactRing(symbols=["x"])
    >>> scalars = ExactScalars(ring)
    >>> in_numbers(ring.symbol("x") * scalars.call("sqrt", (2,)) + scalars.call("cos", (1,)))
    14142135623730951*x/10000000000000000 + 2701511529340699/5000000000000000
    """
    if not isinstance(value, Element):
        return value
    ring, value = value.ring, value.lifted()
    factors = ring.harmonics.factors
    parts: list[Scalar] = []
    for h, c in value.terms.items():
        weight: Scalar = 1
        kept = []
        for factor in factors[h]:
            number = _number(ring.trig(factor[1], factor[0], dict(factor[2])))
            if number is None:
                kept.append(factor)
            else:
                weight = weight * plain_number(number)
        rest = ring.harmonics.intern(tuple(kept)) if kept else UNIT
        parts.append(settled(ring, {rest: c}, value.below, value.marks) * weight)
    total = sum_of(ring, parts)
    if not isinstance(total, Element):
        return total
    known = {
        generator.name: plain_number(number)
        for generator in (ring.generators[index] for index in total.used())
        if (generator.definition is not None or generator.name == PI)
        and (number := _number(ring.variable(generator))) is not None
    }
    return substitute(total, known) if known else total


def _number(value: Element) -> float | None:
    """Return the value of a constant; None if it has symbols, or is too large for a float."""
    try:
        return value.known_value()
    except OverflowError:
        return None
