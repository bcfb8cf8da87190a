"""Base of records whose dimensions have limits, such as a positive length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from gyrostat.model.formula import Formula
from gyrostat.model.place import Place
from gyrostat.model.record import Record

Known: TypeAlias = Callable[[Formula], float | None]
"""Function that returns the value of a formula, or None if it is not known."""


@dataclass(frozen=True)
class Dimensioned(Record):
    """A record that declares which of its fields must be positive, and which must not be negative.

    Literal numbers are checked on construction, formulas once the parameter values are known, both by
    `check_limits`. The names in `positive` and `not_negative` are those of fields that hold a quantity or a vector of
    them; of each pair in `ordered` the first may not exceed the second.
    """

    positive: ClassVar[tuple[str, ...]] = ()
    not_negative: ClassVar[tuple[str, ...]] = ()
    ordered: ClassVar[tuple[tuple[str, str], ...]] = ()

    def validate(self, place: Place) -> None:
        """Check the literal numbers."""
        self.check_limits(lambda formula: formula.number, place)

    def check_limits(self, known: Known, place: Place) -> None:
        """Report known dimensions that violate their limits."""
        for name in (*self.positive, *self.not_negative):
            held = getattr(self, name)
            if held is None:
                continue
            for i, formula in enumerate((held,) if isinstance(held, Formula) else held):
                number = known(formula)
                if number is not None and (number < 0 or (number == 0 and name in self.positive)):
                    inside = place.inside(name) if formula is held else place.inside(name).inside(i)
                    fact, remedy = _WORDS[name in self.positive]
                    inside.report(f"{shown(formula, number)} {fact}", remedy)
        for smaller, larger in self.ordered:
            low, high = known(getattr(self, smaller)), known(getattr(self, larger))
            if low is not None and high is not None and low > high:
                fact = f"{shown(getattr(self, smaller), low)} exceeds {larger}, {shown(getattr(self, larger), high)}."
                place.inside(smaller).report(fact, f"Make {larger} the larger one, or exchange the two.")


_WORDS = {
    True: ("is not positive.", "Give a value above zero."),
    False: ("is negative.", "Give a value of zero or more."),
}


def shown(formula: Formula, number: float) -> str:
    """Return a number, or a formula with its value, for messages."""
    return str(formula) if formula.number is not None else f"{formula!s:.60} = {number:.6g}"
