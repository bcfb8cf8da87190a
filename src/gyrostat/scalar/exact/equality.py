"""Equality: by comparison of normal forms, and by evaluation at random points where auxiliary symbols leave doubt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.sampling import vanishes_at_random_points
from gyrostat.scalar.operations import Scalar


class Certainty(Enum):
    """How an equality was decided."""

    NORMAL_FORM = "by comparison of normal forms"
    RANDOM_EVALUATION = "by exact evaluation at random points"
    NUMERIC_EVALUATION = "by evaluation at random points to 60 digits"


@dataclass(frozen=True)
class Decision:
    """Whether two scalars are equal, and how that was decided; true or false as a condition."""

    equal: bool
    how: Certainty

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        return f"{'equal' if self.equal else 'different'}, {self.how.value}"


def equals(a: Scalar, b: Scalar) -> Decision:
    """Decide whether two scalars are equal.

    Without auxiliary symbols the normal form is unique, and the answer certain. With them a difference that does not
    reduce to zero is evaluated: a value other than zero proves that they differ, zeros at all points make equality as
    good as certain.

    >>> from gyrostat.scalar.exact import ExactRing
    >>> ring = ExactRing(symbols=["x"])
    >>> x = ring.symbol("x")
    >>> print(equals((x + 1) ** 2, x**2 + 2 * x + 1))
    equal, by comparison of normal forms
    >>> print(equals(1 / ((x + 1) * (x + 2)), 1 / (x + 1) - 1 / (x + 2)))
    equal, by exact evaluation at random points
    """
    difference = a - b
    if not isinstance(difference, Element):
        return Decision(difference == 0, Certainty.NORMAL_FORM)
    if not _doubtful(difference):
        return Decision(False, Certainty.NORMAL_FORM)
    zero, exact = vanishes_at_random_points(difference)
    return Decision(zero, Certainty.RANDOM_EVALUATION if exact else Certainty.NUMERIC_EVALUATION)


def _doubtful(element: Element) -> bool:
    """Tell whether a non-zero normal form may still be zero: auxiliary symbols, or angles that depend on others."""
    ring = element.ring
    if element.marks or any(ring.generators[i].definition is not None for i in element.used()):
        return True
    angles = [ring.angles[i] for i in element.used_angles()]
    return any(
        angle.divisor > 1 or angle.argument.symbol_name() in (None, "pi") or angle.argument.marks for angle in angles
    )
