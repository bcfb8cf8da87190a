"""The memory of an evaluation of a tape: the addresses of its blocks, and the rows of its instructions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from struct import Struct
from typing import Any, Final

from gyrostat.program.rolled.driver import HEAD
from gyrostat.program.rolled.library import Library
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Tape
from gyrostat.scalar.tape_value import CONSTANT, INPUT, Place, TapeBlock

BY_PARAMETERS: Final = 0
BY_STATE: Final = 1
OF_SINE: Final = 2
OF_COSINE: Final = 3
"""Dependence of an instruction: on parameters alone, the state, or, as a sine or cosine, a single input."""


class Workspace:
    """Addresses in bytes from the beginning of a workspace; all programs of a tape have the same.

    `parameters` are the places of parameters among the inputs of a tape.
    """

    def __init__(self, library: Library, tape: Tape, inputs: Sequence[Scalar], parameters: range) -> None:
        self.library, self.inputs, self.parameters = library, inputs, parameters
        self.template = array("d", bytes(8 * HEAD))
        """The contents of a new workspace."""
        self._tape = tape
        self._rows: list[bytes] = []
        self._depends = bytearray()
        self._address: dict[TapeBlock, int] = {}
        self._angular = {library.operation("sin"): OF_SINE, library.operation("cos"): OF_COSINE}
        self._given = {value.block: n in parameters for n, value in enumerate(inputs)}
        for value in inputs:
            self._locate(value.block)

    def copy(self) -> Workspace:
        """Return a workspace that grows apart from this one."""
        other = copy(self)
        other.template, other._rows, other._depends = self.template[:], list(self._rows), self._depends[:]
        other._address = dict(self._address)
        return other

    def address(self, place: Place) -> int:
        """Return the address of a place."""
        return self._locate(place.block) + 8 * place.offset

    def reserve(self, count: int) -> int:
        """Return the address of new doubles."""
        address = 8 * len(self.template)
        self.template.frombytes(bytes(8 * count))
        return address

    def constants(self, numbers: Sequence[float]) -> int:
        """Return the address of constants."""
        address = 8 * len(self.template)
        self.template.extend(numbers)
        return address

    def addresses(self, sources: Sequence[TapeBlock], offsets: Sequence[int]) -> list[int]:
        """Return the addresses of doubles in blocks."""
        return [self._locate(source) + 8 * offset for source, offset in zip(sources, offsets, strict=True)]

    def rows(self, numbers: Sequence[int]) -> dict[int, list[bytes]]:
        """Return the rows of instructions by their numbers on the tape, sorted by what they depend on.

        Those of sines and cosines `OF_SINE` and `OF_COSINE` are two words: the addresses of what they read and write.
        """
        known, depends, more = self._rows, self._depends, len(self._tape.instructions) - len(self._rows)
        known.extend([b""] * more)
        depends.extend(bytes(more))
        found: dict[int, list[bytes]] = {BY_PARAMETERS: [], BY_STATE: [], OF_SINE: [], OF_COSINE: []}
        for n in numbers:
            row = known[n] or self._enter(n)
            found[depends[n]].append(row)
        return found

    def kinds(self, numbers: Sequence[int]) -> list[Any]:
        """Return the kinds of instructions."""
        instructions = self._tape.instructions
        return [instructions[n].kind for n in numbers]

    def _enter(self, number: int) -> bytes:
        kind, sources, offsets, block = self._tape.instructions[number]
        known, depends = self._address, self._depends
        words, varies = [kind.address, *kind.words], False
        for source, offset in zip(sources, offsets, strict=True):
            at = known.get(source)
            words.append((self._locate(source) if at is None else at) + 8 * offset)
            if not varies:
                maker = source.maker
                varies = depends[maker] != BY_PARAMETERS if maker >= 0 else maker == INPUT and not self._given[source]
        at = known.get(block)
        words.append(known.setdefault(block, self.reserve(block.size)) if at is None else at)
        if varies and kind in self._angular and sources[0].maker == INPUT:
            depends[number] = self._angular[kind]
            words = words[1:]
        else:
            depends[number] = BY_STATE if varies else BY_PARAMETERS
        row = self._rows[number] = _packer(len(words))(*words)
        return row

    def _locate(self, block: TapeBlock) -> int:
        """Return the address of a block; a new one comes behind all others."""
        found = self._address.get(block)
        if found is None:
            if block.within is not None:
                whole, offset = block.within
                found = self._locate(whole) + 8 * offset
            elif block.maker == CONSTANT:
                found = self.constants(block.numbers)
            else:
                found = self.reserve(block.size)
            self._address[block] = found
        return found


@cache
def _packer(count: int) -> Callable[..., bytes]:
    """Return the function that makes so many words a row."""
    return Struct(f"{count}q").pack
