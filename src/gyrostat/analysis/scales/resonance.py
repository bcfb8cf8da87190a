"""A resonance: one frequency written in others, up to a detuning."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gyrostat.analysis.scales.combination import Combination
from gyrostat.errors import Fault, FormulaError

_NEAR = re.compile(r"≈|~=|~|==?")
_DETUNED = re.compile(r"^(?P<near>.*?)\+\s*(?P<small>\w+)(\*\*(?P<order>\d+))?\s*\*\s*(?P<detuning>[A-Za-z_]\w*)\s*$")


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
        if not frequency.isidentifier():
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

        "Omega ≈ 2*w1" is detuned by eps*sigma_Omega, "Omega = 2*w1 + eps*sigma" says so itself, "w2 = w1" is exact.
        """
        if isinstance(value, Resonance):
            return value
        sides = _NEAR.split(value)
        if len(sides) != 2:
            raise FormulaError(
                Fault(f"resonance {value!r}", "does not relate two frequencies.", "Write it as Omega ≈ 2*w1.")
            )
        name, near = sides[0].strip(), sides[1].strip()
        detuned = _DETUNED.match(near)
        if detuned and not detuned["small"].isdigit():
            order = int(detuned["order"] or 1)
            return Resonance(name, detuned["near"].strip(), detuning=detuned["detuning"], order=order)
        exact = "=" in value and "~" not in value
        return Resonance(name, near, detuning=None if exact else f"sigma_{name}")

    def __repr__(self) -> str:
        small = "eps" if self.order == 1 else f"eps**{self.order}"
        return f"{self.frequency} = {self.near}" + (f" + {small}*{self.detuning}" if self.detuning else "")
