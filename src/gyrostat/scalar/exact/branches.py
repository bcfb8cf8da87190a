"""Functions with corners and jumps: which smooth branch holds around a point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.definitions import Definition
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.functions import comparison_of_numbers
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.operations import COMPARISONS, Scalar

Sign: TypeAlias = Callable[[Scalar], int | None]
"""Returns the sign of a constant, −1, 0 or 1; None where it is unknown."""

BRANCHED_FUNCTIONS = frozenset(
    ("abs", "sign", "floor", "ceil", "min", "max", "where", "and", "or", "not", *COMPARISONS)
)
"""Functions that are smooth on either side of a corner or jump, but not on it."""


def sign_of_number(value: Scalar) -> int | None:
    """Return the sign of a number, or of an element whose only symbols are constants; None for others."""
    number = value.known_value() if isinstance(value, Element) else as_fraction(value)
    return None if number is None else (number > 0) - (number < 0)


def branch(definition: Definition, arguments: Sequence[list[Scalar]], sign: Sign) -> list[Scalar] | None:
    """Return the series of a function on the branch that holds around the centre; None where that is not known.

    Arguments are series, whose first entries are the values at the centre. A centre on a corner or jump is an error.
    """
    function = definition.function
    first = arguments[0]
    nothing: list[Scalar] = [0] * (len(first) - 1)
    match function:
        case "abs" | "sign":
            side = sign(first[0])
            if side == 0 and any(isinstance(part, Element) or part != 0 for part in first[1:]):
                raise _corner(definition)
            return None if side is None else [side * part for part in first] if function == "abs" else [side, *nothing]
        case "min" | "max":
            return _extreme(definition, arguments, sign)
        case "where":
            return None if isinstance(first[0], Element) else arguments[1] if first[0] else arguments[2]
        case "and" | "or" | "not":
            truths = [argument[0] for argument in arguments]
            if any(isinstance(truth, Element) for truth in truths):
                return None
            known = not truths[0] if function == "not" else any(truths) if function == "or" else all(truths)
            return [int(known), *nothing]
        case "floor" | "ceil":
            raise _corner(definition)
    left, right = arguments
    side = sign(left[0] - right[0])
    if side == 0:
        raise _corner(definition)
    return None if side is None else [comparison_of_numbers(function, as_fraction(side)), *nothing]


def _extreme(definition: Definition, arguments: Sequence[list[Scalar]], sign: Sign) -> list[Scalar] | None:
    """Return the series of the smallest or largest argument."""
    best, wanted = arguments[0], 1 if definition.function == "max" else -1
    for argument in arguments[1:]:
        side = sign(argument[0] - best[0])
        if side is None:
            return None
        if side == 0:
            raise _corner(definition)
        best = argument if side == wanted else best
    return best


def _corner(definition: Definition) -> GyrostatError:
    return GyrostatError(f"{definition} is not smooth there: it has a corner or a jump.")
