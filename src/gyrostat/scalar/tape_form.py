"""Results of recorded calls, from the form that a kind gives: tuples and records whose items are formed on demand.

Most results go whole from one repeated function to the next. Such a result is known by its form and its call; its
scalars do not become objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gyrostat.scalar.tape_value import FIRST, STRIDE, Argument, Fixed, TapeBlock, TapeValue, Written

if TYPE_CHECKING:
    from gyrostat.scalar.tape import Tape

_OWN_BLOCK = -1
"""The number of the block that a call writes, among those that it reads."""


class Call:
    """A recorded call: the block that it writes, the blocks that it reads, and its table of numbers."""

    __slots__ = ("block", "numbers", "sources", "tape")

    def __init__(self, tape: Tape, block: TapeBlock, sources: Sequence[TapeBlock], numbers: Sequence[float]) -> None:
        self.tape, self.block, self.sources, self.numbers = tape, block, sources, numbers


Maker: TypeAlias = Callable[[Call], Any]
"""Forms a value from a call."""


class PackedForm:
    """The form of a result that is formed on demand: makers of its items, and where its scalars come from.

    `sources` are the blocks that its scalars are in, by their numbers among those that the call reads, and `numbers`
    the makers of its numbers other than 0, 1 and −1, both in order of appearance. It `is_own` if all its scalars are in
    the block that the call writes, and none is a number.
    """

    __slots__ = ("is_own", "makers", "numbers", "sources")

    def __init__(self, form: tuple[Any, ...]) -> None:
        leaves = list(_leaves(form))
        self.makers = [maker(item) for item in (form[1:] if _is_record(form) else form)]
        self.sources = tuple(dict.fromkeys(_source(leaf) for leaf in leaves if _is_place(leaf)))
        self.numbers = tuple(maker(leaf) for leaf in leaves if not _is_place(leaf))
        self.is_own = self.sources == (_OWN_BLOCK,) and not self.numbers

    def blocks(self, call: Call) -> list[TapeBlock]:
        """Return the blocks that the scalars of a call's result are in."""
        return [call.block if source == _OWN_BLOCK else call.sources[source] for source in self.sources]


class PackedTuple:
    """A tuple of scalars, or of tuples of scalars, that is formed on demand."""

    __slots__ = ("_items", "call", "form")

    def __init__(self, form: PackedForm, call: Call) -> None:
        self.form, self.call = form, call
        self._items: tuple[Any, ...] | None = None

    @property
    def items(self) -> tuple[Any, ...]:
        """The items as a tuple."""
        if self._items is None:
            self._items = tuple([make(self.call) for make in self.form.makers])
        return self._items

    def __len__(self) -> int:
        return len(self.form.makers)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)


class PackedField:
    """A field of a record that is formed on demand, together with the others."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        self._name, self._names = name, names

    def __get__(self, record: Any, owner: type) -> Any:
        if record is None:
            return self
        form, call = record.packed
        record.__dict__.update(zip(self._names, [make(call) for make in form.makers], strict=True))
        return record.__dict__[self._name]


@cache
def packed_record(kind: type) -> type:
    """Return the class of a dataclass's records that are formed on demand; `packed` has the form and the call."""
    names = [field.name for field in fields(kind) if field.init]
    return type(kind.__name__, (kind,), {name: PackedField(name, names) for name in names} | {"packed": None})


def record_class(kind: type) -> type:
    """Return the dataclass of records that may be formed on demand."""
    return kind.__mro__[1] if "packed" in kind.__dict__ else kind


@cache
def scalar_fields(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a record that hold scalars, and those that are part of a pattern, such as an axis."""
    others = tuple(f.name for f in fields(kind) if f.init and f.type in ("int", "str", "bool"))
    return tuple(f.name for f in fields(kind) if f.init and f.name not in others), others


def maker(form: Any) -> Maker:
    """Return the function that forms a value from a call, for the form of the value.

    Forms are tuples and records of `Written`, `Argument`, `Fixed` and numbers; a record's class comes first.
    """
    kind = type(form)
    if kind is Written:
        offset = int(form)
        return lambda call: TapeValue(call.tape, call.block, offset)
    if kind is Argument:
        return _argument(int(form))
    if kind is tuple:
        return _record(form) if _is_record(form) else _tuple(form)
    value = form.value if kind is Fixed else form
    return lambda _: value


def _argument(leaf: int) -> Maker:
    if leaf < 0:
        return lambda call: call.numbers[-2 - leaf]
    base, offset = divmod(leaf - FIRST, STRIDE)
    return lambda call: TapeValue(call.tape, call.sources[base], offset)


def _record(form: tuple[Any, ...]) -> Maker:
    """Return the maker of a record; those of a dataclass are formed on demand."""
    kind = form[0]
    if not _is_dataclass(kind):
        makers = [maker(item) for item in form[1:]]
        return lambda call: kind(*[make(call) for make in makers])
    packed_form, packed_kind, new = PackedForm(form), packed_record(kind), object.__new__

    def make(call: Call) -> Any:
        record: Any = new(packed_kind)
        record.__dict__["packed"] = packed_form, call
        return record

    return make


def _tuple(form: tuple[Any, ...]) -> Maker:
    """Return the maker of a tuple; those of scalars, and of such tuples, are formed on demand."""
    if not form or _has_records(form):
        makers = [maker(item) for item in form]
        return lambda call: tuple([make(call) for make in makers])
    packed_form = PackedForm(form)
    return lambda call: PackedTuple(packed_form, call)


def _is_dataclass(kind: Any) -> bool:
    return is_dataclass(kind)


def _is_record(form: tuple[Any, ...]) -> bool:
    return bool(form) and isinstance(form[0], type)


def _has_records(form: tuple[Any, ...]) -> bool:
    return any(type(item) is tuple and (_is_record(item) or _has_records(item)) for item in form)


def _leaves(form: Any) -> Iterator[Any]:
    """Generate the places of a form, and its numbers other than 0, 1 and −1, in the order of patterns."""
    kind = type(form)
    if kind is tuple and _is_record(form) and _is_dataclass(form[0]):
        names = [field.name for field in fields(form[0]) if field.init]
        scalars, _ = scalar_fields(form[0])
        for name, item in zip(names, form[1:], strict=True):
            if name in scalars:
                yield from _leaves(item)
    elif kind is tuple:
        for item in form[1:] if _is_record(form) else form:
            yield from _leaves(item)
    elif kind is Written or kind is Argument or (kind in (int, float) and form not in (0, 1, -1)):
        yield form


def _is_place(leaf: Any) -> bool:
    return type(leaf) is Written or (type(leaf) is Argument and leaf >= 0)


def _source(leaf: Written | Argument) -> int:
    """Return the number of the block that a place is in."""
    return _OWN_BLOCK if type(leaf) is Written else (leaf - FIRST) // STRIDE
