"""Kinds of repeated functions, traced on CasADi's symbols."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import casadi

from gyrostat.program.graph import FORMED, read_graph
from gyrostat.program.rolled.kind import TracedKind
from gyrostat.scalar.repeated import recording
from gyrostat.scalar.tape import FIRST, STRIDE, Argument, Fixed, Written, scalar_fields
from gyrostat.scalar.traced import Traced
from gyrostat.scalar.tracing import in_turn
from gyrostat.spatial import ZERO


@in_turn
def trace_kind(function: Callable[..., Any], pattern: Any) -> TracedKind:
    """Return a repeated function for a pattern of arguments."""
    arguments = _Arguments()
    with recording(None):
        value = function(*arguments.rebuilt(pattern))
    results = _Results(arguments.leaves)
    form = results.form(value)
    bases, has_numbers = _extent(pattern)
    places = [divmod(leaf - FIRST, STRIDE) if leaf >= 0 else (bases, -2 - leaf) for leaf in arguments.leaves]
    empty = casadi.SX(0, 1)
    x = casadi.vertcat(empty, *(traced.sx for traced in arguments.leaves.values()))
    y = casadi.densify(casadi.vertcat(empty, *(traced.sx for traced in results.written)))
    order = casadi.vertcat(empty, *arguments.formed)
    graph = read_graph(casadi.Function(function.__name__.strip("_"), [x], [order, y], ["x"], [FORMED, "y"]))
    return TracedKind(graph, tuple(places), bases + has_numbers, form)


class _Arguments:
    """The arguments that a pattern describes, with a symbol for each of its leaves."""

    def __init__(self) -> None:
        self.leaves: dict[int, Traced] = {}
        self.formed: list[Any] = []

    def rebuilt(self, pattern: Any) -> Any:
        """Return the argument of a pattern."""
        if type(pattern) is int:
            return pattern if -1 <= pattern <= 1 else self._symbol(pattern)
        if type(pattern) is Fixed:
            return pattern.value
        if pattern == (0, 0, 0):
            return ZERO
        if not pattern or not isinstance(pattern[0], type):
            return tuple(self.rebuilt(item) for item in pattern)
        kind, values = pattern[0], [self.rebuilt(item) for item in pattern[1:]]
        if not is_dataclass(kind):
            return kind(*values)
        scalars, others = scalar_fields(kind)
        return kind(**dict(zip((*scalars, *others), values, strict=True)))

    def _symbol(self, leaf: int) -> Traced:
        if leaf not in self.leaves:
            self.leaves[leaf] = Traced(casadi.SX.sym(f"x{len(self.leaves)}"), self.formed)
        return self.leaves[leaf]


class _Results:
    """The form of a result, and the values in it that a function has to write."""

    def __init__(self, leaves: dict[int, Traced]) -> None:
        self.written: list[Traced] = []
        self._known: dict[int, Written | Argument] = {id(traced): Argument(leaf) for leaf, traced in leaves.items()}

    def form(self, x: Any) -> Any:
        """Return the form of a part of the result."""
        kind = type(x)
        if kind is Traced:
            if id(x) not in self._known:
                self._known[id(x)] = Written(len(self.written))
                self.written.append(x)
            return self._known[id(x)]
        if kind is int or kind is float:
            return x
        if kind is tuple and x == (0, 0, 0):
            return Fixed(ZERO)
        if kind is tuple:
            return tuple(self.form(item) for item in x)
        if isinstance(x, tuple):
            return (kind, *(self.form(item) for item in x))
        if is_dataclass(x):
            return (kind, *(self.form(getattr(x, field.name)) for field in fields(kind) if field.init))
        return Fixed(x)


def _extent(pattern: Any) -> tuple[int, bool]:
    """Return the number of blocks that a pattern refers to, and whether it has numbers in a table."""
    if type(pattern) is int:
        return (1 + (pattern - FIRST) // STRIDE if pattern >= FIRST else 0), pattern < -1
    if type(pattern) is not tuple:
        return 0, False
    parts = [_extent(item) for item in pattern]
    return max((bases for bases, _ in parts), default=0), any(numbers for _, numbers in parts)
