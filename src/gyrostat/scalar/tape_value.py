"""Values of the recording engine, and the places in a workspace where an evaluation will have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gyrostat.scalar.operations import Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.tape import Tape

INPUT: Final = -1
CONSTANT: Final = -2
"""Makers of blocks that no instruction writes."""

FIRST: Final = 2
STRIDE: Final = 4096
"""Leaves of patterns: 0, 1 and −1 are those numbers, known while a function is traced; FIRST + STRIDE·base + offset
is a place in a block, by the order in which blocks appear; −2 − n is number n in the table of the call."""


class TapeBlock:
    """Consecutive doubles in the workspace: an input, the numbers of a call, or the results of an instruction.

    A block `within` another one is a part of it: as arguments, parts of large blocks have patterns of their own.
    """

    __slots__ = ("maker", "numbers", "size", "within")

    def __init__(
        self, maker: int, size: int, numbers: Sequence[float] = (), within: tuple[TapeBlock, int] | None = None
    ) -> None:
        self.maker, self.size, self.numbers, self.within = maker, size, numbers, within


class Place(NamedTuple):
    """A double in a block."""

    block: TapeBlock
    offset: int


class TapeValue:
    """A value of the recording engine: where an evaluation will have it."""

    __slots__ = ("block", "offset", "tape")

    def __init__(self, tape: Tape, block: TapeBlock, offset: int) -> None:
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
