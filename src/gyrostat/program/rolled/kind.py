"""Kinds: native functions of repeated formulas, each for one pattern of arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from gyrostat.once import cached_property
from gyrostat.program.graph import Graph
from gyrostat.program.operation import BINARY_OPERATIONS, CODES
from gyrostat.program.port import Port
from gyrostat.scalar.tape_form import Maker, maker
from gyrostat.scalar.tape_value import Argument, Fixed, Written


@dataclass(frozen=True, eq=False)
class TracedKind:
    """A function as a graph: each entry of its input vector is at an offset from one of several bases.

    `result` is the form of what the function returns: see `scalar.tape_form.maker`. Bases from number `wide_from` on
    have tangents, each for several directions in SIMD lanes; a function that reads any writes tangents.
    """

    graph: Graph
    places: tuple[tuple[int, int], ...]
    bases: int
    result: Any
    wide_from: int | None = None

    @property
    def size(self) -> int:
        """The number of doubles that it writes."""
        return len(self.graph.results)


class Origin(NamedTuple):
    """Source of a kind: a repeated function and the pattern of its arguments, or an elementary operation.

    Of rates along one direction, `along` has the bases that move; of rates of rates, those of each differentiation.
    """

    function: Callable[..., Any] | str
    pattern: Any = None
    along: tuple[tuple[int, ...], ...] = ()

    def __str__(self) -> str:
        rates = "".join(f" along {bases}" for bases in self.along)
        if isinstance(self.function, str):
            return f"{self.function}{rates}"
        return f"{self.function.__module__}.{self.function.__qualname__} {self.pattern!r}{rates}"


@dataclass(frozen=True)
class Dependence:
    """The places, each a base and an offset, that the results of a function depend on, as plain data.

    Each number in `on` has a bit for each place.
    """

    places: Sequence[Sequence[int]]
    on: Sequence[str]

    @staticmethod
    def of(kind: TracedKind) -> Dependence:
        """Return the dependence of a function on its arguments."""
        graph = kind.graph
        bits = [1 << n for n in range(graph.input_size)]
        for x, y in zip(graph.left.tolist(), graph.right.tolist(), strict=True):
            bits.append((bits[x] if x >= 0 else 0) | (bits[y] if y >= 0 else 0))
        return Dependence(kind.places, [f"{bits[n]:x}" if n >= 0 else "0" for n in graph.results.tolist()])

    @cached_property
    def by_result(self) -> list[list[tuple[int, int]]]:
        """The places that each result depends on."""
        return [[(b, o) for n, (b, o) in enumerate(self.places) if int(text, 16) >> n & 1] for text in self.on]


@dataclass(frozen=True, eq=False)
class LoadedKind:
    """A function in memory, at `address`; it writes `size` doubles, or tangents."""

    origin: Origin | None
    """None of tangents in SIMD lanes, which are not differentiated again."""
    address: int
    size: int
    operations: Mapping[str, int]
    """How often each elementary operation occurs in it."""
    result: Any
    depends: Dependence
    """Dependence of each of the doubles that it writes."""
    words: tuple[int, ...] = ()
    """The words of a row between the function's address and those of the operands."""

    @cached_property
    def make(self) -> Maker:
        """Forms its result from a call on a tape."""
        return maker(self.result)


def elementary(name: str) -> TracedKind:
    """Return an elementary operation as a function of operands at bases of their own."""
    count = 2 if name in BINARY_OPERATIONS else 1
    graph = Graph(
        name,
        (Port("x", count, count, 1),),
        (Port("y", 1, 1, 1),),
        np.array([CODES[name]], np.uint8),
        np.array([0], np.int32),
        np.array([count - 1], np.int32),
        np.zeros(0),
        np.array([count], np.int32),
    )
    return TracedKind(graph, tuple((n, 0) for n in range(count)), count, Written(0))


def result_to_plain(form: Any) -> Any:
    """Return the form of a result as plain data for JSON."""
    if isinstance(form, Written):
        return {"written": int(form)}
    if isinstance(form, Argument):
        return {"argument": int(form)}
    if isinstance(form, Fixed):
        return {"fixed": form.value}
    if isinstance(form, tuple):
        if form and isinstance(form[0], type):
            return {"record": f"{form[0].__module__}:{form[0].__qualname__}", "of": _plain(form[1:])}
        return _plain(form)
    return form


def _plain(items: tuple[Any, ...]) -> list[Any]:
    return [result_to_plain(item) for item in items]


def result_from_plain(plain: Any) -> Any:
    """Return the form of a result from plain data."""
    if isinstance(plain, list):
        return tuple(result_from_plain(item) for item in plain)
    if not isinstance(plain, dict):
        return plain
    if "written" in plain:
        return Written(plain["written"])
    if "argument" in plain:
        return Argument(plain["argument"])
    if "fixed" in plain:
        value = plain["fixed"]
        return Fixed(tuple(value) if isinstance(value, list) else value)
    module, name = plain["record"].split(":")
    return (getattr(import_module(module), name), *result_from_plain(plain["of"]))
