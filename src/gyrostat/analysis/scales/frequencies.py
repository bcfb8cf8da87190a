"""Frequencies: integer combinations of them, and resonances among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gyrostat.errors import Fault, FormulaError
from gyrostat.model.formula import Formula
from gyrostat.model.names import path_fault
from gyrostat.scalar.exact import Element, ExactRing, ExactScalars
from gyrostat.scalar.exact.element import monomials
from gyrostat.scalar.exact.harmonics import UNIT as NO_ANGLE

_NEARNESS_SIGN = re.compile(r"≈|~=|~|==?")
_DETUNED_FREQUENCY = re.compile(
    r"^(?P<near>.*?)\+\s*(?P<small>\w+)(\*\*(?P<order>\d+))?\s*\*\s*(?P<detuning>[A-Za-z_][\w.]*)\s*$"
)

UNIT: Final = "1"
"""The name of the number one among base frequencies."""


@dataclass(frozen=True)
class Combination:
    """Σ coefficient × name with rational coefficients, in order of names, without zeros.

    >>> Combination.of("2*w1 - w2/3"), Combination.of(1.5), Combination.of({"w1": 2})
    (2*w1 - w2/3, 3/2, 2*w1)
    """

    parts: tuple[tuple[str, Fraction], ...] = ()

    @staticmethod
    def of(value: object) -> Combination:
        """Read a combination from a number, text, SymPy expression or mapping."""
        if isinstance(value, Combination):
            return value
        if isinstance(value, Mapping):
            return Combination.sum((str(name), Fraction(factor)) for name, factor in value.items())
        formula = Formula.of(value)
        ring = ExactRing(symbols=sorted(formula.names))
        return Combination.of_scalar(formula.evaluate(ExactScalars(ring), ring.symbol), str(formula))

    @staticmethod
    def of_scalar(value: Any, text: str) -> Combination:
        """Read a combination from a scalar of the exact engine; `text` names it in errors."""
        if not isinstance(value, Element):
            return Combination.sum([(UNIT, Fraction(value))])
        parts: list[tuple[str, Fraction]] = []
        for harmonic, polynomial in value.lifted().terms.items():
            for powers, coefficient in monomials(polynomial):
                if value.below or harmonic != NO_ANGLE or sum(e for _, e in powers) > 1:
                    raise FormulaError(
                        Fault(
                            f"{text!r}",
                            "is not a rational combination of frequencies.",
                            "Write it as 2*w1, w1 + w2 or Omega/3.",
                        )
                    )
                name = value.ring.generators[powers[0][0]].name if powers else UNIT
                parts.append((name, Fraction(int(coefficient.p), int(coefficient.q))))
        return Combination.sum(parts)

    @staticmethod
    def sum(parts: Iterable[tuple[str, Fraction]]) -> Combination:
        """Return the sum of parts, equal names collected."""
        total: dict[str, Fraction] = {}
        for name, factor in parts:
            total[name] = total.get(name, Fraction(0)) + factor
        return Combination(tuple(sorted((name, factor) for name, factor in total.items() if factor)))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __add__(self, other: Combination) -> Combination:
        return Combination.sum((*self.parts, *other.parts))

    def __mul__(self, factor: int | Fraction) -> Combination:
        return Combination.sum((name, own * factor) for name, own in self.parts)

    __rmul__ = __mul__

    def __neg__(self) -> Combination:
        return self * -1

    def __sub__(self, other: Combination) -> Combination:
        return self + -other

    def __getitem__(self, name: str) -> Fraction:
        return dict(self.parts).get(name, Fraction(0))

    @property
    def names(self) -> tuple[str, ...]:
        """The names that occur, the number one excepted."""
        return tuple(name for name, _ in self.parts if name != UNIT)

    def written_in(self, meanings: Mapping[str, Combination]) -> Combination:
        """Return the combination with names replaced by their definitions."""
        total = Combination()
        for name, factor in self.parts:
            total = total + meanings.get(name, Combination(((name, Fraction(1)),))) * factor
        return total

    def value(self, values: Mapping[str, float]) -> float | None:
        """Return the number, or None where a name has no value."""
        if any(name not in values for name in self.names):
            return None
        return float(sum(float(factor) * (1.0 if name == UNIT else values[name]) for name, factor in self.parts))

    def __str__(self) -> str:
        text = ""
        for name, factor in self.parts:
            size = abs(factor)
            if name == UNIT:
                part = str(size)
            else:
                part = name if size.numerator == 1 else f"{size.numerator}*{name}"
                part = part if size.denominator == 1 else f"{part}/{size.denominator}"
            text += (f" {'-' if factor < 0 else '+'} " if text else "-" if factor < 0 else "") + part
        return text or "0"

    __repr__ = __str__


@dataclass(frozen=True, init=False)
class Resonance:
    """`frequency` = `near` + ε^order `detuning`.

    `frequency` is the name of a forcing or natural frequency, `near` a rational combination of others. Without a
    detuning the relation holds exactly.

    >>> Resonance("Omega", "2*w1", detuning="sigma"), Resonance.of("w2 ≈ 2*w1"), Resonance.of("w2 = w1")
    (Omega = 2*w1 + eps*sigma, w2 = 2*w1 + eps*sigma_w2, w2 = w1)
    >>> Resonance.of("Omega = w1 + w2/2 + eps**2*sigma")
    Omega = w1 + w2/2 + eps**2*sigma
    """

    frequency: str
    near: Combination
    detuning: str | None
    order: int

    def __init__(self, frequency: str, near: object, *, detuning: str | None = None, order: int = 1) -> None:
        if path_fault(frequency):
            raise FormulaError(
                Fault(f"resonance of {frequency!r}", "needs the name of one frequency.", "Write Omega ≈ 2*w1.")
            )
        if order < 1:
            raise FormulaError(Fault(f"resonance of {frequency!r}", f"has order {order}.", "Orders count from one."))
        object.__setattr__(self, "frequency", frequency)
        object.__setattr__(self, "near", Combination.of(near))
        object.__setattr__(self, "detuning", detuning)
        object.__setattr__(self, "order", order)

    @staticmethod
    def of(value: Resonance | str) -> Resonance:
        """Read a resonance from text.

        "Omega ≈ 2*w1" is detuned by eps*sigma_Omega, "Omega = 2*w1 + eps*sigma" by eps*sigma; "w2 = w1" is exact.
        """
        if isinstance(value, Resonance):
            return value
        sides = _NEARNESS_SIGN.split(value)
        if len(sides) != 2:
            raise FormulaError(
                Fault(f"resonance {value!r}", "does not relate two frequencies.", "Write it as Omega ≈ 2*w1.")
            )
        name, near = sides[0].strip(), sides[1].strip()
        detuned = _DETUNED_FREQUENCY.match(near)
        if detuned and not detuned["small"].isdigit():
            order = int(detuned["order"] or 1)
            return Resonance(name, detuned["near"].strip(), detuning=detuned["detuning"], order=order)
        exact = "=" in value and "~" not in value
        return Resonance(name, near, detuning=None if exact else f"sigma_{name.replace('.', '_')}")

    def __repr__(self) -> str:
        small = "eps" if self.order == 1 else f"eps**{self.order}"
        return f"{self.frequency} = {self.near}" + (f" + {small}*{self.detuning}" if self.detuning else "")
