"""Elements as plain text."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from gyrostat.scalar.exact.definitions import Definition, GeneratorKind
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.harmonics import Factor
from gyrostat.scalar.exact.order import ordered_terms

if TYPE_CHECKING:
    from gyrostat.scalar.exact.ring import ExactRing


def to_text(element: Element) -> str:
    """Return an element in expanded form."""
    text = ""
    for coefficient, powers, harmonic in ordered_terms(element):
        term = _term(element.ring, abs(coefficient), powers, element.ring.harmonics.factors[harmonic])
        if text:
            text += f" {'-' if coefficient < 0 else '+'} {term}"
        else:
            text = f"-{term}" if coefficient < 0 else term
    return text or "0"


def _term(ring: ExactRing, size: Fraction, powers: dict[int, int], factors: tuple[Factor, ...]) -> str:
    above: list[str] = []
    below: list[str] = []
    if size.numerator != 1:
        above.append(str(size.numerator))
    if size.denominator != 1:
        below.append(str(size.denominator))
    for index, power in powers.items():
        generator = ring.generators[index]
        definition = generator.definition
        if definition is not None and definition.kind is GeneratorKind.INVERSE:
            below.append(_power(f"({definition.arguments[0]})", power))
        else:
            name = generator.name if definition is None else definition_text(definition)
            (above if power > 0 else below).append(_power(name, abs(power)))
    above.extend(_factor(ring, factor) for factor in factors)
    text = "*".join(above) or "1"
    if not below:
        return text
    return f"{text}/{below[0]}" if len(below) == 1 and "**" not in below[0] else f"{text}/({'*'.join(below)})"


def definition_text(definition: Definition) -> str:
    """Return the definition of an auxiliary symbol as text."""
    return str(definition)


def _power(text: str, power: int) -> str:
    return text if power == 1 else f"{text}**{power}"


def _factor(ring: ExactRing, factor: Factor) -> str:
    _, parity, combination = factor
    text = ""
    for index, k in combination:
        angle = ring.angles[index]
        value = Fraction(k, angle.divisor)
        size = abs(value)
        inside = str(angle.argument)
        if inside == "1":
            part = str(size)
        else:
            part = inside if size.numerator == 1 else f"{size.numerator}*{inside}"
            part = part if size.denominator == 1 else f"{part}/{size.denominator}"
        text += (f" {'-' if value < 0 else '+'} " if text else "-" if value < 0 else "") + part
    return f"{'sin' if parity else 'cos'}({text})"
