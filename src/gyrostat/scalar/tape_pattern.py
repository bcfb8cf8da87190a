"""Patterns of arguments, by which calls of a repeated function have the same kind.

A pattern tells which scalars are zero or one, which are equal, and from which results others come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from gyrostat.scalar.repeated import is_recurring
from gyrostat.scalar.tape_form import Call, PackedForm, PackedTuple, record_class, scalar_fields
from gyrostat.scalar.tape_value import FIRST, STRIDE, Fixed, TapeBlock, TapeValue

_TUPLE_MARK: Final = -(1 << 40)
"""_TUPLE_MARK − n stands before the n items of a tuple in a key."""

_VECTORS: Final = {known: (1 << 40) + n for n, known in enumerate(product((0, 1, -1), repeat=3))}
"""The items of a key that stand for vectors of zeros and ones: most vectors of axes and offsets."""


def pattern_of(arguments: Any) -> Any:
    """Return the pattern of arguments: nested tuples of leaves, and of classes and leaves for records."""
    return _Pattern().of(arguments)


def key_of(arguments: Iterable[Any]) -> tuple[Any, ...]:
    """Return the key of arguments: equal for equal patterns, in a fraction of the time of a pattern."""
    key = Key({})
    key.enter(arguments)
    return tuple(key.items)


class _Leaves:
    """The leaves of arguments, with the blocks that they refer to and their numbers, in order.

    Values that are the same object, or at the same place, have the same leaf: functions make use of symmetry by it.
    """

    __slots__ = ("_known", "bases", "numbers")

    def __init__(self) -> None:
        self.bases: dict[TapeBlock, int] = {}
        self.numbers: list[int | float] = []
        self._known: dict[int, int] = {}

    def number(self, x: int | float) -> int:
        """Return the leaf of a number."""
        known, key = self._known, id(x)
        leaf = known.get(key)
        if leaf is None:
            numbers = self.numbers
            leaf = known[key] = -2 - len(numbers)
            numbers.append(x)
        return leaf


class _Entered(NamedTuple):
    """A record as keys have it: what its own key is known by, its blocks, its numbers, and their leaves by identity."""

    record: Any
    token: object
    bases: dict[TapeBlock, int]
    numbers: list[int | float]
    known: dict[int, int]


class Key(_Leaves):
    """The leaves of arguments in a row, from which their pattern follows.

    It takes a fraction of the time of a pattern: packed results count as one item, and so do `recurring` records, which
    are read once. `entered` has those, by their identity.
    """

    __slots__ = ("_entered", "items")

    def __init__(self, entered: dict[int, _Entered]) -> None:
        self.bases: dict[TapeBlock, int] = {}
        self.numbers: list[int | float] = []
        self._known: dict[int, int] = {}
        self.items: list[Any] = []
        self._entered = entered

    def enter(self, arguments: Iterable[Any]) -> None:
        """Append the leaves of several arguments; the most frequent types come first."""
        items, bases, known, numbers = self.items, self.bases, self._known, self.numbers
        for x in arguments:
            kind = type(x)
            if kind is tuple:
                item = _VECTORS.get(x) if len(x) == 3 and type(x[0]) is type(x[1]) is type(x[2]) is int else None
                if item is None:
                    items.append(_TUPLE_MARK - len(x))
                    self.enter(x)
                else:
                    items.append(item)
            elif kind is TapeValue:
                items.append(FIRST + STRIDE * bases.setdefault(x.block, len(bases)) + x.offset)
            elif kind is PackedTuple:
                self._enter_packed(x.form, x.call)
            elif kind is float and x != 0 and x != 1 and x != -1:  # as `number` does, without a call
                leaf = known.get(id(x))
                if leaf is None:
                    leaf = known[id(x)] = -2 - len(numbers)
                    numbers.append(x)
                items.append(leaf)
            elif kind is int or kind is float:
                items.append(int(x) if x == 0 or x == 1 or x == -1 else self.number(x))
            elif x is None:
                items.append(x)
            else:
                self._enter_instance(kind, x)

    def _enter_packed(self, form: PackedForm, call: Call) -> None:
        items, bases = self.items, self.bases
        items.append(form)
        if form.is_own:
            items.append(bases.setdefault(call.block, len(bases)))
            return
        for block in form.blocks(call):
            items.append(bases.setdefault(block, len(bases)))
        for make in form.numbers:
            items.append(self.number(make(call)))

    def _enter_instance(self, kind: type, x: Any) -> None:
        names = _names(kind)
        if names is None:
            self.items.append(_other(self, x))
        elif names.recurring:
            self._enter_recurring(kind, x)
        elif names.can_be_packed and x.packed is not None:
            self._enter_packed(*x.packed)
        else:
            self.items.append(names.kind)
            self.enter(x if names.scalars is None else [getattr(x, name) for name in names.scalars])
            self.items.extend([getattr(x, name) for name in names.others])

    def _enter_recurring(self, kind: type, x: Any) -> None:
        """Append a record: its token, followed by its blocks and numbers where those of another one come before."""
        found = self._entered.get(id(x))
        if found is None:
            own = Key(self._entered)
            own.enter(x)
            found = _Entered(x, _token(kind, tuple(own.items)), own.bases, own.numbers, own._known)
            self._entered[id(x)] = found
        items, bases = self.items, self.bases
        items.append(found.token)
        if bases:
            items.append(None)
            for block in found.bases:
                items.append(bases.setdefault(block, len(bases)))
        else:
            bases.update(found.bases)
        if self._known:
            items.append(None)
            items.extend([self.number(number) for number in found.numbers])
        else:
            self._known.update(found.known)
            self.numbers.extend(found.numbers)


@lru_cache(maxsize=10_000)
def _token(kind: type, items: tuple[Any, ...]) -> object:
    """Return what stands for the key of a record in the keys of arguments: the same for equal keys."""
    return object()


class _Names(NamedTuple):
    """A class of records: the fields that hold scalars (None of a tuple, which holds nothing else), and the others.

    It may be one of records that are arguments of several calls.
    """

    kind: type
    scalars: tuple[str, ...] | None
    others: tuple[str, ...]
    can_be_packed: bool
    recurring: bool


@cache
def _names(kind: type) -> _Names | None:
    """Return the fields of a class of records; None of other classes."""
    if issubclass(kind, tuple):
        return _Names(kind, None, (), can_be_packed=False, recurring=is_recurring(kind))
    if not is_dataclass(kind):
        return None
    record = record_class(kind)
    return _Names(record, *scalar_fields(record), can_be_packed=record is not kind, recurring=False)


class _Pattern(_Leaves):
    """A pattern in the making."""

    __slots__ = ()

    def of(self, x: Any) -> Any:
        """Return the pattern of an argument."""
        kind = type(x)
        if kind is TapeValue:
            return FIRST + STRIDE * self.bases.setdefault(x.block, len(self.bases)) + x.offset
        if kind is tuple or kind is PackedTuple:
            return tuple([self.of(item) for item in x])
        if kind is int or kind is float:
            return int(x) if x == 0 or x == 1 or x == -1 else self.number(x)
        if isinstance(x, tuple):
            return (kind, *[self.of(item) for item in x])
        if is_dataclass(x):
            record = record_class(kind)
            scalars, others = scalar_fields(record)
            return (
                record,
                *[self.of(getattr(x, name)) for name in scalars],
                *[Fixed(getattr(x, name)) for name in others],
            )
        return _other(self, x)


def _other(leaves: _Leaves, x: Any) -> Any:
    """Return the leaf of an argument that is no common scalar and no record."""
    if x is None or isinstance(x, str | bool):
        return Fixed(x)
    if isinstance(x, int | float):
        return leaves.number(x)
    raise TypeError(
        f"A repeated function has an argument of type {type(x).__name__}. Give scalars, or records of them."
    )
