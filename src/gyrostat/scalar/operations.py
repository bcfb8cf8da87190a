"""The elementary operations that formulas may use: one list for model files and for every engine."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, TypeAlias

Scalar: TypeAlias = Any
"""A value of some engine: supports + - * / and negation, also with Python's int and float."""

ARITY: dict[str, int | None] = {
    "sin": 1,
    "cos": 1,
    "tan": 1,
    "asin": 1,
    "acos": 1,
    "atan": 1,
    "atan2": 2,
    "sinh": 1,
    "cosh": 1,
    "tanh": 1,
    "asinh": 1,
    "acosh": 1,
    "atanh": 1,
    "exp": 1,
    "log": 1,
    "sqrt": 1,
    "abs": 1,
    "sign": 1,
    "floor": 1,
    "ceil": 1,
    "hypot": 2,
    "min": None,
    "max": None,
    "where": 3,
}
"""Functions by name with their number of arguments; None means two or more."""

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
"""Python's comparisons by their sign; on arrays they act entry by entry."""


class Scalars(Protocol):
    """An engine: the elementary functions on its scalars.

    Truth values (of comparisons) are scalars too, 1 for true and 0 for false, and are used by `where` only.
    """

    def constant(self, value: int | float) -> Scalar:
        """Return a literal number as a scalar."""

    def pi(self) -> Scalar:
        """Return π."""

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base to the power exponent; an integer exponent may come as Python's int."""

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply a function of `ARITY`."""

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value of left < right and the like; operator is one of < <= > >= == !=."""

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values; operator is one of and, or, not."""


def law(scalars: Scalars, owner: str) -> AbstractContextManager[None]:
    """Context manager within which the law of a force element or input is formed; engines may record its conditions."""
    enter: Callable[[str], AbstractContextManager[None]] | None = getattr(scalars, "law", None)
    return nullcontext() if enter is None else enter(owner)


class Observable(Protocol):
    """A formula as engines observe it."""

    @property
    def names(self) -> frozenset[str]:
        """The names in it."""


def observed(scalars: Scalars, formula: Observable, lookup: Callable[[str], Scalar]) -> Callable[[str], Scalar]:
    """Return `lookup`; engines that observe formulas are first shown the values of all names in this one."""
    observe: Callable[[Observable, dict[str, Scalar]], None] | None = getattr(scalars, "observe", None)
    if observe is None or not formula.names:
        return lookup
    values = {name: lookup(name) for name in sorted(formula.names)}
    observe(formula, values)
    return values.__getitem__


def without_switches(scalars: Scalars) -> Scalars:
    """Return the engine for conditions that are no switches of a law, such as guards of kinematics."""
    found: Scalars = getattr(scalars, "unlocked", scalars)
    return found
