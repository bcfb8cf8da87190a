"""Tables: the instructions of a tape that its outputs need, with the addresses of what they read and write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from gyrostat.program.rolled.driver import HEAD
from gyrostat.program.rolled.library import Library
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Instruction
from gyrostat.scalar.tape_value import CONSTANT, INPUT, Block, Place


class Table:
    """Rows of a tape's instructions, those that depend on parameters alone apart.

    Addresses are in bytes from the beginning of a workspace. Sines and cosines of inputs, such as the angles of hinges,
    come first, several at a time.
    """

    def __init__(self, library: Library, inputs: Sequence[Scalar], parameters: range) -> None:
        self.library, self.inputs, self.parameters = library, inputs, parameters
        self.constant_rows: list[int] = []
        self.rows: list[int] = []
        self.numbers: list[tuple[int, Sequence[float]]] = []
        self.outputs: list[int] = []
        """The addresses of the outputs, in order."""
        self.operation_counts: Counter[str] = Counter()
        self.kept: list[Any] = []
        """Kinds with tables of their own, which rows refer to."""
        self.workspace = HEAD
        self._address: dict[Block, int] = {}
        self._varies: dict[Block, bool] = {}
        for n, value in enumerate(inputs):
            self._locate(value.block)
            self._varies[value.block] = n not in parameters

    def enter(self, instructions: Sequence[Instruction]) -> None:
        """Append the rows of instructions."""
        self._append(self._without_sines(instructions))

    def with_other_outputs(self) -> Table:
        """Return a table of the same rows, without outputs."""
        other = copy(self)
        other.numbers, other.outputs, other._address = list(self.numbers), [], dict(self._address)
        return other

    def clear(self) -> None:
        """Remove all rows, where outputs are constants."""
        self.rows.clear()
        self.constant_rows.clear()
        self.operation_counts.clear()

    def address(self, place: Place) -> int:
        """Return the address of a place."""
        return self._locate(place.block) + 8 * place.offset

    def reserve(self, count: int) -> int:
        """Return the address of new doubles in the workspace."""
        address = 8 * self.workspace
        self.workspace += count
        return address

    def constants(self, numbers: Sequence[float]) -> int:
        """Return the address of constants."""
        self.numbers.append((self.workspace, numbers))
        return self.reserve(len(numbers))

    def _locate(self, block: Block) -> int:
        """Return the address of a block; a new one comes behind all others."""
        found = self._address.get(block)
        if found is None:
            if block.within is not None:
                whole, offset = block.within
                found = self._locate(whole) + 8 * offset
                self._varies[block] = self._varies[whole]
            elif block.maker == CONSTANT:
                self._varies[block] = False
                found = self.constants(block.numbers)
            else:
                found = self.reserve(block.size)
            self._address[block] = found
        return found

    def _append(self, instructions: Sequence[Instruction]) -> None:
        known, varying = self._address, self._varies
        used: Counter[Any] = Counter()
        for kind, operands, block in instructions:
            used[kind] += 1
            read, varies = [], False
            for source, offset in operands:
                found = known.get(source)
                read.append((self._locate(source) if found is None else found) + 8 * offset)
                varies = varies or varying[source]
            varying[block] = varies
            rows = self.rows if varies else self.constant_rows
            rows += [kind.address, *kind.words, *read, self._locate(block)]
        self._count(used)
        self.kept += [kind for kind in used if kind.words]

    def _count(self, used: Mapping[Any, int]) -> None:
        """Add the operations of kinds that occur so often."""
        for kind, count in used.items():
            self.operation_counts.update({name: count * n for name, n in kind.operations.items()})

    def _without_sines(self, instructions: Sequence[Instruction]) -> list[Instruction]:
        """Append rows for the sines and cosines of inputs, in SIMD lanes, and return the other instructions."""
        both = self.library.operation("sin"), self.library.operation("cos")
        found: dict[Place, list[Block | None]] = {}
        others: list[Instruction] = []
        used: Counter[Any] = Counter()
        for instruction in instructions:
            kind, operands, block = instruction
            if kind in both and operands[0].block.maker == INPUT and self._varies[operands[0].block]:
                found.setdefault(operands[0], [None, None])[both.index(kind)] = block
                self._varies[block] = True
                used[kind] += 1
            else:
                others.append(instruction)
        self._count(used)
        lanes = self.library.target.lanes
        unused = self.reserve(1)
        angles = list(found.items())
        for start in range(0, len(angles), lanes):
            group = angles[start : start + lanes]
            group += [(group[0][0], [None, None])] * (lanes - len(group))
            self.rows += [self.library.sines, *(self.address(place) for place, _ in group)]
            self.rows += [unused if block is None else self._locate(block) for _, pair in group for block in pair]
        return others


def needed(
    instructions: Sequence[Instruction], results: Iterable[Place], held: Iterable[Place] = ()
) -> list[Instruction]:
    """Return the instructions that results depend on, in order; without those that held places alone depend on."""
    wanted = bytearray(len(instructions))
    for place in results:
        if place.block.maker >= 0:
            wanted[place.block.maker] = 1
    kept = {place.block.maker for place in held}
    for n in range(len(instructions) - 1, -1, -1):
        if n in kept:
            wanted[n] = 0
        elif wanted[n]:
            for place in instructions[n].operands:
                if place.block.maker >= 0:
                    wanted[place.block.maker] = 1
    return [instruction for instruction, is_wanted in zip(instructions, wanted, strict=True) if is_wanted]
