"""Tapes: the instructions that formulas leave when they run once on the recording engine.

An instruction is an elementary operation, or one call of a `repeated` function: a formula of one link or one force
element, which a mechanism has many times. Such a function is traced and compiled once for each pattern of its
arguments; from then on a call of it is one instruction, whatever the mechanism, and a new model needs no compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gyrostat.scalar.operations import Scalar
from gyrostat.scalar.tape_form import Call, Maker
from gyrostat.scalar.tape_pattern import Key
from gyrostat.scalar.tape_value import CONSTANT, INPUT, Place, TapeBlock, TapeValue

if TYPE_CHECKING:
    from gyrostat.scalar.elimination import EliminationOrder, Entries


class Kind(Protocol):
    """A function for one pattern of arguments."""

    @property
    def size(self) -> int:
        """The number of doubles that it writes."""


class FunctionKind(Kind, Protocol):
    """A repeated function for one pattern of arguments."""

    @property
    def make(self) -> Maker:
        """Forms its result from a call."""


class Kinds(Protocol):
    """The source of kinds."""

    def operation(self, name: str) -> Kind:
        """Return the kind of an elementary operation."""

    def function(self, function: Callable[..., Any], key: Sequence[Any], arguments: tuple[Any, ...]) -> FunctionKind:
        """Return the kind of a repeated function for arguments with a key."""

    def elimination(self, order: EliminationOrder, keys: Sequence[tuple[int, int]]) -> EliminationKind:
        """Return the kind of an elimination, for the entries with the given rows and columns."""

    def substitution(self, order: EliminationOrder) -> Kind:
        """Return the kind of a solution with the factors of an elimination."""


class EliminationKind(Kind, Protocol):
    """An elimination."""

    @property
    def pivots(self) -> Mapping[int, int]:
        """The offset of the pivot of each unknown in what it writes."""


class Instruction(NamedTuple):
    """A call of a kind's function: the blocks that it reads, from offsets on, and the block that it writes."""

    kind: Any
    sources: tuple[TapeBlock, ...]
    offsets: tuple[int, ...]
    block: TapeBlock


_new: Any = tuple.__new__
"""Makes named tuples of a long tape in a third of the time of their own `__new__`."""


@cache
def _zeros(count: int) -> tuple[int, ...]:
    return (0,) * count


class Tape:
    """The instructions of one mechanism, in order."""

    def __init__(self, kinds: Kinds) -> None:
        self.instructions: list[Instruction] = []
        self._kinds = kinds
        self._numbers: dict[float, TapeValue] = {}
        self._entered: dict[int, Any] = {}

    def inputs(self, count: int) -> list[Scalar]:
        """Return values that each evaluation is given, each in a block of its own."""
        return [TapeValue(self, TapeBlock(INPUT, 1), 0) for _ in range(count)]

    def tabled(self, items: Any) -> Any:
        """Return nested tuples of scalars with their numbers, zeros too, as values in one block of constants."""
        numbers: list[float] = []
        block = TapeBlock(CONSTANT, 0, numbers)

        def entered(x: Any) -> Any:
            if isinstance(x, tuple):
                return tuple([entered(item) for item in x])
            if type(x) is TapeValue:
                return x
            numbers.append(float(x))
            return TapeValue(self, block, len(numbers) - 1)

        found = entered(items)
        block.size = len(numbers)
        return found

    def place(self, value: Scalar) -> Place:
        """Return the place of a value; numbers get one."""
        return value.place if type(value) is TapeValue else self._number(value).place

    def kind_of(self, name: str) -> Kind:
        """Return the kind of an elementary operation."""
        return self._kinds.operation(name)

    def operation(self, name: str, *operands: Scalar) -> TapeValue:
        """Tape an elementary operation and return its value."""
        return TapeValue(self, self.append(self._kinds.operation(name), self._values(operands), 1), 0)

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Tape a call of a repeated function and return its result."""
        key = Key(self._entered)
        key.enter(arguments)
        kind = self._kinds.function(function, key.items, arguments)
        sources, numbers = list(key.bases), list(map(float, key.numbers))
        if numbers:
            sources.append(TapeBlock(CONSTANT, len(numbers), numbers))
        block = TapeBlock(len(self.instructions), kind.size)
        if kind.size:
            self.instructions.append(_new(Instruction, (kind, tuple(sources), _zeros(len(sources)), block)))
        return kind.make(Call(self, block, sources, numbers))

    def elimination(self, order: EliminationOrder, entries: Entries) -> tuple[TapeBlock, dict[int, Scalar]]:
        """Tape an elimination, and return the block of its factors, and the pivots by unknown."""
        kind = self._kinds.elimination(order, tuple(entries))
        block = self.append(kind, self._values(entries.values()), kind.size)
        return block, {i: self._part(block, offset) for i, offset in kind.pivots.items()}

    def substitution(self, order: EliminationOrder, factor: TapeBlock, right: Sequence[Scalar]) -> list[Scalar]:
        """Tape the solution for a right-hand side with the factors of an elimination, and return it."""
        kind = self._kinds.substitution(order)
        block = self.append(kind, [TapeValue(self, factor, 0), *self._values(right)], kind.size)
        return [self._part(block, i) for i in range(len(right))]

    def append(self, kind: Any, operands: Sequence[TapeValue | Place], size: int) -> TapeBlock:
        """Append an instruction, and return the block that it writes."""
        sources, offsets = tuple([one.block for one in operands]), tuple([one.offset for one in operands])
        return self.append_reading(kind, sources, offsets, size)

    def append_reading(
        self, kind: Any, sources: tuple[TapeBlock, ...], offsets: tuple[int, ...], size: int
    ) -> TapeBlock:
        """Append an instruction that reads blocks from offsets on, and return the block that it writes."""
        block = TapeBlock(len(self.instructions), size)
        self.instructions.append(_new(Instruction, (kind, sources, offsets, block)))
        return block

    def _values(self, scalars: Iterable[Scalar]) -> list[TapeValue]:
        """Return scalars as values of the tape; numbers become constants."""
        return [x if type(x) is TapeValue else self._number(x) for x in scalars]

    def _part(self, block: TapeBlock, offset: int) -> TapeValue:
        """Return a double of a large block as a value in a block of its own."""
        return TapeValue(self, TapeBlock(block.maker, 1, within=(block, offset)), 0)

    def _number(self, value: float) -> TapeValue:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = TapeValue(self, TapeBlock(CONSTANT, 1, (float(value),)), 0)
        return found
