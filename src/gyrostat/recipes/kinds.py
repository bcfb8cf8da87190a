"""Kinds of repeated functions, traced on CasADi's symbols."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import casadi

from gyrostat.program.graph import FORMATION_OUTPUT, read_graph
from gyrostat.program.rolled.kind import Origin, TracedKind, elementary
from gyrostat.scalar.repeated import recording
from gyrostat.scalar.tape_form import scalar_fields
from gyrostat.scalar.tape_value import FIRST, STRIDE, Argument, Fixed, Written
from gyrostat.scalar.traced import Traced
from gyrostat.scalar.tracing import in_turn
from gyrostat.spatial import ZERO

_EMPTY_COLUMN = casadi.SX(0, 1)


@in_turn
def trace_kind(origin: Origin) -> TracedKind:
    """Return a repeated function for a pattern of arguments."""
    traced = _Traced.of(origin)
    order = casadi.vertcat(_EMPTY_COLUMN, *traced.formed)
    graph = read_graph(casadi.Function(traced.name, [traced.x], [order, traced.y], ["x"], [FORMATION_OUTPUT, "y"]))
    return TracedKind(graph, traced.places, traced.bases, traced.result)


@in_turn
def trace_tangent(origin: Origin, active: tuple[int, ...], wide: bool) -> TracedKind:
    """Return the tangents of a function's results as a function of its arguments and the tangents at some bases.

    Those in SIMD lanes are `wide`.
    """
    traced = _Traced.of(origin)
    x, seeds, y, own = traced.tangents(active)
    graph = read_graph(casadi.Function(f"{traced.name}_tangent", [x, seeds], [y], ["x", "s"], ["y"]))
    wide_from = traced.bases if wide else None
    return TracedKind(graph, (*traced.places, *own), traced.bases + len(active), None, wide_from=wide_from)


class _Traced(NamedTuple):
    """A function on symbols: its arguments x with their places, its results y and their form."""

    name: str
    x: Any
    y: Any
    places: tuple[tuple[int, int], ...]
    bases: int
    result: Any
    formed: list[Any]

    @staticmethod
    def of(origin: Origin) -> _Traced:
        """Return the function of a kind."""
        if origin.along:
            inner = _Traced.of(origin._replace(along=origin.along[:-1]))
            x, seeds, y, own = inner.tangents(origin.along[-1])
            bases = inner.bases + len(origin.along[-1])
            return _Traced(f"{inner.name}_rate", casadi.vertcat(x, seeds), y, (*inner.places, *own), bases, None, [])
        if isinstance(origin.function, str):
            return _operation(origin.function)
        arguments = _Arguments()
        with recording(None):
            value = origin.function(*arguments.rebuilt(origin.pattern))
        results = _Results(arguments.leaves)
        form = results.form(value)
        bases, has_numbers = _extent(origin.pattern)
        places = [divmod(leaf - FIRST, STRIDE) if leaf >= 0 else (bases, -2 - leaf) for leaf in arguments.leaves]
        x = casadi.vertcat(_EMPTY_COLUMN, *(traced.sx for traced in arguments.leaves.values()))
        y = casadi.densify(casadi.vertcat(_EMPTY_COLUMN, *(traced.sx for traced in results.written)))
        name = origin.function.__name__.strip("_")
        return _Traced(name, x, y, tuple(places), bases + has_numbers, form, arguments.formed)

    def tangents(self, active: tuple[int, ...]) -> tuple[Any, Any, Any, tuple[tuple[int, int], ...]]:
        """Return the arguments, seeds for those at the bases `active`, the tangents along them, and the seeds' places.

        Seeds are at bases behind those of the arguments, at the same offsets.
        """
        moving = [n for n, (base, _) in enumerate(self.places) if base in active]
        seeds = casadi.SX.sym("s", len(moving))
        varied = casadi.vertcat(_EMPTY_COLUMN, *(self.x[n] for n in moving))
        found = casadi.densify(casadi.jtimes(self.y, varied, seeds))
        bases = {base: self.bases + n for n, base in enumerate(active)}
        return self.x, seeds, found, tuple((bases[base], offset) for base, offset in (self.places[n] for n in moving))


def _operation(name: str) -> _Traced:
    """Return an elementary operation on symbols."""
    known = elementary(name)
    x = casadi.SX.sym("x", known.bases)
    code = getattr(casadi, f"OP_{name.upper()}")
    y = casadi.SX.binary(code, x[0], x[1]) if known.bases == 2 else casadi.SX.unary(code, x)
    return _Traced(name, x, y, known.places, known.bases, known.result, [])


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
