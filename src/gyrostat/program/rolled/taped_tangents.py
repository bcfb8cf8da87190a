"""Tangents as instructions of a tape, so that formulas can go on with derivatives: rows of Jacobians, and rates.

Variables on which no result depends together share a direction, so that the sparse Jacobian of many constraints takes
few directions, in SIMD lanes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gyrostat.program.rolled.library import Library
from gyrostat.program.rolled.table import needed
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Instruction, Tape
from gyrostat.scalar.tape_value import CONSTANT, Place, TapeBlock, TapeValue


class TapedTangents:
    """Appends tangents to a tape."""

    def __init__(self, tape: Tape, library: Library) -> None:
        self._tape, self._library = tape, library

    def along(self, results: Sequence[Scalar], variables: Sequence[Scalar], rates: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of results from those of variables, each of which is in a block of its own."""
        seeds = {
            variable.block: self._tape.place(rate)
            for variable, rate in zip(variables, rates, strict=True)
            if not (isinstance(rate, int) and rate == 0)
        }
        at = self._pushed(self._between(seeds, results), seeds, 1)
        found = [at.get(self._tape.place(x).block) for x in results]
        return [
            0 if tangent is None else self._value(tangent, self._tape.place(x).offset)
            for x, tangent in zip(results, found, strict=True)
        ]

    def jacobian(self, results: Sequence[Scalar], variables: Sequence[Scalar]) -> dict[tuple[int, int], Scalar]:
        """Return the derivatives of results by variables, by their numbers; those that are absent are zero."""
        lanes = self._library.target.lanes
        places = [self._tape.place(x) for x in results]
        numbers = {variable.block: j for j, variable in enumerate(variables)}
        instructions = self._between(numbers, results)
        reached = _reached(instructions, numbers)
        on = [reached[place.block][place.offset] if place.block in reached else 0 for place in places]
        directions = _directions(on, len(variables))
        units = TapeBlock(CONSTANT, lanes * lanes, [float(i == k) for i in range(lanes) for k in range(lanes)])
        entries: dict[tuple[int, int], Scalar] = {}
        for first in range(0, 1 + max(directions, default=-1), lanes):
            lane_of = {j: d - first for j, d in enumerate(directions) if 0 <= d - first < lanes}
            seeds = {variables[j].block: Place(units, lanes * lane) for j, lane in lane_of.items()}
            at = self._pushed(instructions, seeds, lanes)
            for i, place in enumerate(places):
                tangent = at.get(place.block)
                if tangent is not None:
                    for j, lane in lane_of.items():
                        if on[i] >> j & 1:
                            entries[i, j] = self._value(tangent, lanes * place.offset + lane)
        return entries

    def _between(self, variables: Mapping[TapeBlock, object], results: Sequence[Scalar]) -> list[Instruction]:
        """Return the instructions that lead from variables to results."""
        moving, chosen, tape = set(variables), [], self._tape
        for instruction in (tape.instructions[n] for n in needed(tape, [tape.place(x) for x in results])):
            if not moving.isdisjoint(instruction.sources):
                moving.add(instruction.block)
                chosen.append(instruction)
        return chosen

    def _pushed(
        self, instructions: Sequence[Instruction], seeds: Mapping[TapeBlock, Place], width: int
    ) -> dict[TapeBlock, Place]:
        """Append the tangents of instructions for given tangents of variables, and return all by block."""
        at = dict(seeds)
        for kind, sources, offsets, block in instructions:
            active = tuple([n for n, source in enumerate(sources) if source in at])
            if not active:
                continue
            tangent = self._library.tangent(kind, active, wide=width > 1)
            read = [(at[sources[n]], width * offsets[n]) for n in active]
            blocks = (*sources, *[place.block for place, _ in read])
            places = (*offsets, *[place.offset + offset for place, offset in read])
            at[block] = Place(self._tape.append_reading(tangent, blocks, places, width * block.size), 0)
        return at

    def _value(self, place: Place, offset: int) -> TapeValue:
        return TapeValue(self._tape, place.block, place.offset + offset)


def _reached(instructions: Sequence[Instruction], variables: Mapping[TapeBlock, int]) -> dict[TapeBlock, list[int]]:
    """Return the variables that the doubles of each block depend on, as bits."""
    found = {block: [1 << j] for block, j in variables.items()}
    for kind, sources, offsets, block in instructions:
        read = [(found.get(source), offset) for source, offset in zip(sources, offsets, strict=True)]
        doubles = found[block] = []
        for on in kind.depends.by_result:
            bits = 0
            for base, offset in on:
                source, start = read[base]
                if source is not None:
                    bits |= source[start + offset]
            doubles.append(bits)
    return found


def _directions(rows: Sequence[int], count: int) -> list[int]:
    """Return a direction for each variable, so that no row depends on two of the same; −1 for those without rows."""
    beside = [0] * count
    for bits in set(rows):
        for j in _bits(bits):
            beside[j] |= bits
    found = [-1] * count
    for j in range(count):
        if beside[j]:
            taken = {found[k] for k in _bits(beside[j])}
            found[j] = next(d for d in range(count) if d not in taken)
    return found


def _bits(number: int) -> list[int]:
    """Return the places of the ones of a number."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found
