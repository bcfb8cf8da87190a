"""Kinds of values in kernels, and symbolic values during translation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from gyrostat.program.translation.kernel import KernelError, is_kernel

FLOAT, INTEGER, BOOLEAN = "double", "i64", "i1"
"""Kinds of numbers, as LLVM types."""

Number: TypeAlias = str

_TUPLE_WORD_LIMIT = 12
"""The largest number of words of a tuple that is passed word by word."""

_ELEMENTS = {
    ("f", 8): ("double", FLOAT),
    ("i", 8): ("i64", INTEGER),
    ("i", 1): ("i8", INTEGER),
    ("b", 1): ("i8", BOOLEAN),
}
"""LLVM types of elements in memory and of their values, by NumPy's kind and item size."""


@dataclass(frozen=True)
class ArrayKind:
    """A contiguous array with `rank` axes."""

    element: str
    """LLVM's type of an element in memory."""
    number: Number
    rank: int


@dataclass(frozen=True)
class TupleKind:
    """A tuple of values, with names where it has them."""

    parts: tuple[Kind, ...]
    names: tuple[str, ...] = ()
    tabled: bool = False
    """Whether the words of the tuple lie in a table that does not change, whose address kernels take instead."""


@dataclass(frozen=True)
class KernelKind:
    """A kernel as a value: it is known when its caller is translated, and takes no operand."""

    function: Callable[..., Any]


Kind: TypeAlias = Number | ArrayKind | TupleKind | KernelKind


@dataclass(frozen=True)
class Value:
    """A value: the operand of a number; address and lengths of an array; the values in a tuple."""

    kind: Kind
    operand: str = ""
    shape: tuple[str, ...] = ()
    parts: tuple[Value, ...] = ()
    table: str = ""
    """The address of a table of the words of a tuple, if there is one."""

    @property
    def operands(self) -> list[tuple[str, str]]:
        """The operands of the value's parts, with their types."""
        if isinstance(self.kind, TupleKind):
            return [operand for part in self.parts for operand in part.operands]
        if isinstance(self.kind, KernelKind):
            return []
        if isinstance(self.kind, ArrayKind):
            return [("ptr", self.operand), *((INTEGER, length) for length in self.shape)]
        return [(self.kind, self.operand)]

    @property
    def is_literal(self) -> bool:
        """Whether it is an integer constant."""
        return self.kind == INTEGER and not self.operand.startswith("%")


def types_of(kind: Kind) -> list[str]:
    """Return the types of the operands of a value."""
    if isinstance(kind, TupleKind):
        return [part for each in kind.parts for part in types_of(each)]
    if isinstance(kind, KernelKind):
        return []
    return ["ptr", *[INTEGER] * kind.rank] if isinstance(kind, ArrayKind) else [kind]


def is_tabled(kind: Kind) -> bool:
    """Return whether kernels take a value as the address of a table of its words."""
    return isinstance(kind, TupleKind) and kind.tabled


def untabled(kind: Kind) -> Kind:
    """Return the kind of values whose words are operands, in tuples within as well."""
    return TupleKind(tuple(untabled(part) for part in kind.parts), kind.names) if isinstance(kind, TupleKind) else kind


def value_in_table(kind: Kind, word: Callable[[int], str], address: Callable[[int], str], first: int = 0) -> Value:
    """Return a value whose words lie in a table from a place on, by the names of words and of addresses."""
    if not isinstance(kind, TupleKind):
        return value_of(kind, [word(first + k) for k in range(len(types_of(kind)))])
    parts, place = [], first
    for part in kind.parts:
        parts.append(value_in_table(part, word, address, place))
        place += len(types_of(part))
    return Value(kind, parts=tuple(parts), table=address(first))


def value_of(kind: Kind, operands: Sequence[str]) -> Value:
    """Return the value of a kind from its operands."""
    found, left = _taken(kind, list(operands))
    assert not left, "all operands are taken"
    return found


def _taken(kind: Kind, operands: list[str]) -> tuple[Value, list[str]]:
    if isinstance(kind, TupleKind):
        parts = []
        for each in kind.parts:
            part, operands = _taken(each, operands)
            parts.append(part)
        return Value(kind, parts=tuple(parts)), operands
    if isinstance(kind, ArrayKind):
        return Value(kind, operands[0], tuple(operands[1 : 1 + kind.rank])), operands[1 + kind.rank :]
    if isinstance(kind, KernelKind):
        return Value(kind), operands
    return Value(kind, operands[0]), operands[1:]


def kind_of(example: Any) -> Kind:
    """Return the kind of an argument."""
    if isinstance(example, tuple):
        kind = TupleKind(tuple(kind_of(part) for part in example), getattr(example, "_fields", ()))
        return replace(kind, tabled=len(types_of(kind)) > _TUPLE_WORD_LIMIT)
    if isinstance(example, np.ndarray):
        found = _ELEMENTS.get((example.dtype.kind, example.dtype.itemsize))
        if found is None:
            raise KernelError(
                f"An array of {example.dtype} cannot be an argument of a kernel. Use float64, int64, int8 or bool."
            )
        return ArrayKind(*found, example.ndim)
    if is_kernel(example):
        return KernelKind(example)
    if isinstance(example, bool | np.bool_):
        return BOOLEAN
    return FLOAT if isinstance(example, float) else INTEGER


def literal(number: bool | int | float) -> Value:
    """Return a constant."""
    if isinstance(number, bool):
        return Value(BOOLEAN, str(number).lower())
    if isinstance(number, int):
        return Value(INTEGER, str(number))
    return Value(FLOAT, f"0x{np.float64(number).view(np.uint64):016X}")


def common(a: Kind, b: Kind) -> Kind | None:
    """Return the common kind of values of two kinds, None without one."""
    if a == b:
        return a
    numbers = (BOOLEAN, INTEGER, FLOAT)
    if a in numbers and b in numbers:
        return numbers[max(numbers.index(str(a)), numbers.index(str(b)))]
    if isinstance(a, TupleKind) and isinstance(b, TupleKind) and len(a.parts) == len(b.parts):
        parts = [common(x, y) for x, y in zip(a.parts, b.parts, strict=True)]
        return None if None in parts else TupleKind(tuple(part for part in parts if part is not None), a.names)
    return None
