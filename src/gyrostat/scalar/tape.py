"""Tapes: the instructions that formulas leave when they run once on the recording engine.

An instruction is an elementary operation, or one call of a `repeated` function: a formula of one link or one force
element, which a mechanism has many times. Such a function is traced and compiled once for each pattern of its
arguments; from then on a call of it is one instruction, whatever the mechanism, and a new model needs no compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from gyrostat.scalar.operations import Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.elimination import EliminationOrder, Entries

INPUT: Final = -1
CONSTANT: Final = -2
"""Makers of blocks that no instruction writes."""

FIRST: Final = 2
STRIDE: Final = 4096
"""Leaves of patterns: 0, 1 and −1 are those numbers, known while a function is traced; FIRST + STRIDE·base + offset
is a place in a block, by the order in which blocks appear; −2 − n is number n in the table of the call."""


class Block:
    """Consecutive doubles in the workspace: an input, the numbers of a call, or the results of an instruction.

    A block `within` another one is a part of it: as arguments, parts of large blocks have patterns of their own.
    """

    __slots__ = ("maker", "numbers", "size", "within")

    def __init__(
        self, maker: int, size: int, numbers: Sequence[float] = (), within: tuple[Block, int] | None = None
    ) -> None:
        self.maker, self.size, self.numbers, self.within = maker, size, numbers, within


class Place(NamedTuple):
    """A double in a block."""

    block: Block
    offset: int


class TapeValue:
    """A value of the recording engine: where an evaluation will have it."""

    __slots__ = ("block", "offset", "tape")

    def __init__(self, tape: Tape, block: Block, offset: int) -> None:
        self.tape, self.block, self.offset = tape, block, offset

    @property
    def place(self) -> Place:
        """The place in the workspace."""
        return Place(self.block, self.offset)

    def __add__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("add", self, other)

    def __radd__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("add", other, self)

    def __sub__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("sub", self, other)

    def __rsub__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("sub", other, self)

    def __mul__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("mul", self, other)

    def __rmul__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("mul", other, self)

    def __truediv__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("div", self, other)

    def __rtruediv__(self, other: Scalar) -> TapeValue:
        return self.tape.operation("inv", self) if other == 1 else self.tape.operation("div", other, self)

    def __neg__(self) -> TapeValue:
        return self.tape.operation("neg", self)


class Fixed(NamedTuple):
    """An argument, or a part of a result, that is no scalar."""

    value: Any


class Written(int):
    """A double of the block that a call writes, in the form of its result."""


class Argument(int):
    """A leaf of the arguments' pattern that a function returns unchanged, in the form of its result."""


class Kind(Protocol):
    """A function for one pattern of arguments."""

    @property
    def size(self) -> int:
        """The number of doubles that it writes."""

    @property
    def result(self) -> Any:
        """The form of its result: tuples and records of `Written`, `Argument`, `Fixed` and numbers."""


class Kinds(Protocol):
    """The source of kinds."""

    def operation(self, name: str) -> Kind:
        """Return the kind of an elementary operation."""

    def function(self, function: Callable[..., Any], pattern: Any) -> Kind:
        """Return the kind of a repeated function for a pattern of arguments."""

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
    """A call of a kind's function: the places that it reads from, and the block that it writes."""

    kind: Any
    operands: tuple[Place, ...]
    block: Block


class Tape:
    """The instructions of one mechanism, in order."""

    def __init__(self, kinds: Kinds) -> None:
        self.instructions: list[Instruction] = []
        self._kinds = kinds
        self._numbers: dict[float, TapeValue] = {}

    def inputs(self, count: int) -> list[Scalar]:
        """Return values that each evaluation is given, each in a block of its own."""
        return [TapeValue(self, Block(INPUT, 1), 0) for _ in range(count)]

    def tabled(self, items: Any) -> Any:
        """Return nested tuples of scalars with their numbers, zeros too, as values in one block of constants."""
        numbers: list[float] = []
        block = Block(CONSTANT, 0, numbers)

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

    def operation(self, name: str, *operands: Scalar) -> TapeValue:
        """Tape an elementary operation and return its value."""
        places = [self.place(operand) for operand in operands]
        return TapeValue(self, self.append(self._kinds.operation(name), places, 1), 0)

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Tape a call of a repeated function and return its result."""
        scan = _Scan()
        pattern = tuple([scan.pattern(argument) for argument in arguments])
        kind = self._kinds.function(function, pattern)
        sources = list(scan.bases)
        if scan.numbers:
            sources.append(Block(CONSTANT, len(scan.numbers), scan.numbers))
        block = Block(len(self.instructions), kind.size)
        if kind.size:
            operands = tuple([Place(source, 0) for source in sources])
            self.instructions.append(Instruction(kind, operands, block))
        return _Result(self, block, sources, scan.numbers).value(kind.result)

    def elimination(self, order: EliminationOrder, entries: Entries) -> tuple[Block, dict[int, Scalar]]:
        """Tape an elimination, and return the block of its factors, and the pivots by unknown."""
        kind = self._kinds.elimination(order, tuple(entries))
        block = self.append(kind, [self.place(value) for value in entries.values()], kind.size)
        return block, {i: self._part(block, offset) for i, offset in kind.pivots.items()}

    def substitution(self, order: EliminationOrder, factor: Block, right: Sequence[Scalar]) -> list[Scalar]:
        """Tape the solution for a right-hand side with the factors of an elimination, and return it."""
        kind = self._kinds.substitution(order)
        block = self.append(kind, [Place(factor, 0), *[self.place(value) for value in right]], kind.size)
        return [self._part(block, i) for i in range(len(right))]

    def append(self, kind: Any, operands: Sequence[Place], size: int) -> Block:
        """Append an instruction, and return the block that it writes."""
        block = Block(len(self.instructions), size)
        self.instructions.append(Instruction(kind, tuple(operands), block))
        return block

    def _part(self, block: Block, offset: int) -> TapeValue:
        """Return a double of a large block as a value in a block of its own."""
        return TapeValue(self, Block(block.maker, 1, within=(block, offset)), 0)

    def _number(self, value: float) -> TapeValue:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = TapeValue(self, Block(CONSTANT, 1, (float(value),)), 0)
        return found


def pattern_of(arguments: Any) -> Any:
    """Return the pattern of arguments, by which calls of a repeated function have the same kind."""
    return _Scan().pattern(arguments)


class _Scan:
    """The pattern of a call's arguments, with the blocks that it refers to, in order, and its table of numbers.

    Values that are the same object, or at the same place, have the same leaf: functions make use of symmetry by it.
    """

    def __init__(self) -> None:
        self.bases: dict[Block, int] = {}
        self.numbers: list[float] = []
        self._known: dict[int, int] = {}

    def pattern(self, x: Any) -> Any:
        """Return the pattern of an argument; the most frequent types come first."""
        kind = type(x)
        if kind is TapeValue:
            return FIRST + STRIDE * self.bases.setdefault(x.block, len(self.bases)) + x.offset
        if kind is tuple:
            return tuple([self.pattern(item) for item in x])
        if kind is int or kind is float:
            return int(x) if x == 0 or x == 1 or x == -1 else self._number(x)
        if isinstance(x, tuple):
            return (kind, *[self.pattern(item) for item in x])
        if is_dataclass(x):
            scalars, others = scalar_fields(kind)
            return (
                kind,
                *[self.pattern(getattr(x, name)) for name in scalars],
                *[Fixed(getattr(x, name)) for name in others],
            )
        if x is None or isinstance(x, str | bool):
            return Fixed(x)
        if isinstance(x, int | float):
            return self._number(x)
        raise TypeError(
            f"A repeated function has an argument of type {kind.__name__}. Give scalars, or records of them."
        )

    def _number(self, x: int | float) -> int:
        leaf = self._known.get(id(x))
        if leaf is None:
            leaf = self._known[id(x)] = -2 - len(self.numbers)
            self.numbers.append(float(x))
        return leaf


class _Result:
    """The result of one call, from the form that its kind gives."""

    def __init__(self, tape: Tape, block: Block, sources: list[Block], numbers: list[float]) -> None:
        self._tape, self._block, self._sources, self._numbers = tape, block, sources, numbers

    def value(self, form: Any) -> Any:
        """Return what a form stands for."""
        kind = type(form)
        if kind is Written:
            return TapeValue(self._tape, self._block, int(form))
        if kind is tuple:
            if form and isinstance(form[0], type):
                return form[0](*[self.value(item) for item in form[1:]])
            return tuple([self.value(item) for item in form])
        if kind is Argument:
            if form < 0:
                return self._numbers[-2 - form]
            base, offset = divmod(form - FIRST, STRIDE)
            return TapeValue(self._tape, self._sources[base], offset)
        return form.value if kind is Fixed else form


_FIELDS: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {}


def scalar_fields(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a record that hold scalars, and those that are part of a pattern, such as an axis."""
    found = _FIELDS.get(kind)
    if found is None:
        others = tuple(f.name for f in fields(kind) if f.init and f.type in ("int", "str", "bool"))
        scalars = tuple(f.name for f in fields(kind) if f.init and f.name not in others)
        found = _FIELDS[kind] = scalars, others
    return found
