"""Derivatives of a tape: its instructions once more, on tangents along several directions in SIMD lanes.

Values come first, once. For each group of directions follow the tangents of those instructions that depend on one of
them: the derivatives by the coordinates of a chain's outer links take the recursions over these links only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gyrostat.program.port import Port
from gyrostat.program.rolled.kind import LoadedKind
from gyrostat.program.rolled.table import Table, needed
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Instruction, Tape
from gyrostat.scalar.tape_value import Block, Place

_SPARSE = 0.25
"""The part of the entries of a matrix beyond which it counts as full."""


class Differential(NamedTuple):
    """Results to be differentiated by variables, each in a block of its own; `held` are values that count as constant.

    In a chain of differentials the variables of each but the first stand for the results of the one before, with the
    opposite sign where `opposite` is set.
    """

    variables: Sequence[Scalar]
    results: Sequence[Scalar]
    held: Sequence[Scalar] = ()
    opposite: bool = False


class Tangents:
    """Appends the rows of derivatives to a table."""

    def __init__(self, table: Table, tape: Tape) -> None:
        self._table, self._workspace, self._tape = table, table.workspace, tape
        self._library = self._workspace.library
        lanes = self.lanes = self._library.target.lanes
        unit = [float(row == lane) for row in range(lanes) for lane in range(lanes)]
        self._units = {sign: self._workspace.constants([sign * x for x in unit]) for sign in (1.0, -1.0)}
        self._zero = self._workspace.constants([0.0] * lanes)
        self._addresses: dict[Block, int] = {}
        self.are_zero = True
        """Whether nothing depends on variables, so far."""

    def output(self, name: str, chains: Sequence[Sequence[Differential]]) -> Port:
        """Add a matrix to the table's outputs: the Jacobians of chains by the same variables, one below the other.

        Of a sparse matrix the output has the entries that may differ from zero.
        """
        blocks = [self._jacobian(chain) for chain in chains]
        columns = [[place for block in blocks for place in block[j]] for j in range(len(blocks[0]))]
        rows = sum(len(chain[-1].results) for chain in chains)
        size = rows * len(columns)
        entries = [(i, j) for j, column in enumerate(columns) for i, place in enumerate(column) if place is not None]
        if len(entries) < _SPARSE * size:
            self._table.outputs += [place for column in columns for place in column if place is not None]
            i, j = np.array(entries, np.int32).reshape(-1, 2).T
            return Port(name, len(entries), rows, len(columns), (i, j))
        self._table.outputs += [self._zero if place is None else place for column in columns for place in column]
        return Port(name, size, rows, len(columns))

    def _jacobian(self, chain: Sequence[Differential]) -> list[list[int | None]]:
        """Return the addresses of the Jacobian of a chain's last results by its first variables, by column.

        None stands for zero.
        """
        first = chain[0]
        stages = [_Stage.of(self._tape, one) for one in chain]
        sign = -1.0 if sum(one.opposite for one in chain) % 2 else 1.0
        columns: list[list[int | None]] = []
        for start in range(0, len(first.variables), self.lanes):
            group = first.variables[start : start + self.lanes]
            seeds = {
                value.block: _Tangent(self._units[sign] + 8 * self.lanes * n, 1 << n) for n, value in enumerate(group)
            }
            for stage, after in zip(stages, (*chain[1:], None), strict=True):
                found = self._pushed(stage, seeds, last=after is None)
                if after is not None:
                    pairs = zip(after.variables, found, strict=True)
                    seeds = {value.block: tangent for value, tangent in pairs if tangent is not None}
            for lane in range(len(group)):
                columns.append([None if x is None or not x.lanes >> lane & 1 else x.address + 8 * lane for x in found])
        return columns

    def _pushed(self, stage: _Stage, seeds: Mapping[Block, _Tangent], *, last: bool) -> list[_Tangent | None]:
        """Append the rows of one stage for given tangents of its variables, and return those of its results.

        None stands for zeros. Other tangents than those of the last stage's results share their addresses with other
        groups of directions.
        """
        table, addresses, stride = self._table, self._workspace.addresses, 8 * self.lanes
        used: Counter[LoadedKind] = Counter()
        at = dict(seeds)
        for kind, sources, offsets, block in stage.instructions:
            active = tuple([n for n, source in enumerate(sources) if source in at])
            if not active:
                continue
            kind = self._library.tangent(kind, active)
            used[kind] += 1
            words = [kind.address, *addresses(sources, offsets)]
            lanes, target = 0, self._room(block, own=last and block in stage.final)
            for n in active:
                tangent = at[sources[n]]
                words.append(tangent.address + stride * offsets[n])
                lanes |= tangent.lanes
            words.append(target)
            table.rows.extend(words)
            at[block] = _Tangent(target, lanes)
        table.count(used)
        self.are_zero = self.are_zero and not used
        tangents = ((at.get(place.block), stride * place.offset) for place in stage.results)
        return [None if one is None else _Tangent(one.address + offset, one.lanes) for one, offset in tangents]

    def _room(self, block: Block, *, own: bool) -> int:
        """Return the address for a block's tangents."""
        if own:
            return self._workspace.reserve(block.size * self.lanes)
        found = self._addresses.get(block)
        if found is None:
            found = self._addresses[block] = self._workspace.reserve(block.size * self.lanes)
        return found


class _Tangent(NamedTuple):
    """Where a tangent is, and the lanes that may differ from zero, as bits."""

    address: int
    lanes: int


class _Stage(NamedTuple):
    """The instructions that lead from the variables of a differential to its results, and the blocks of these."""

    instructions: list[Instruction]
    results: list[Place]
    final: frozenset[Block]

    @staticmethod
    def of(tape: Tape, differential: Differential) -> _Stage:
        """Return the instructions of a differential."""
        results = [tape.place(value) for value in differential.results]
        held = [tape.place(value) for value in differential.held]
        moving: set[Block] = {value.block for value in differential.variables}
        chosen: list[Instruction] = []
        for instruction in (tape.instructions[n] for n in needed(tape, results, held)):
            if not moving.isdisjoint(instruction.sources):
                moving.add(instruction.block)
                chosen.append(instruction)
        return _Stage(chosen, results, frozenset(place.block for place in results))
