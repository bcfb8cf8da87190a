"""Functions that are computed, not written out: of numbers on floats, on the exact engine by their name alone."""

from __future__ import annotations

from collections.abc import Callable

from gyrostat.scalar.algebra import known_value
from gyrostat.scalar.floats import FloatScalars
from gyrostat.scalar.operations import Scalar, Scalars


def named_function(
    name: str, form: Callable[[tuple[Scalar, ...], Scalars], Scalar], arguments: tuple[Scalar, ...], scalars: Scalars
) -> Scalar:
    """Return form(arguments, scalars), such as the root of an equation by a number of Newton steps.

    Arguments that are all known give a number. Engines of readable equations keep the function as a symbol of its name.
    """
    known = [known_value(argument) for argument in arguments]
    numbers = tuple(one for one in known if one is not None)
    if len(numbers) == len(arguments):
        return scalars.constant(form(numbers, FloatScalars()))
    unknown: Callable[[str, tuple[Scalar, ...]], Scalar] | None = getattr(scalars, "function", None)
    return form(arguments, scalars) if unknown is None else unknown(name, arguments)
