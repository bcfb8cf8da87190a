"""Derivatives of a tape: its instructions once more, on tangents along several directions in SIMD lanes.

Values come first, once. For each group of directions follow the tangents of those instructions that depend on one of
them: the derivatives by the coordinates of a chain's outer links take the recursions over these links only.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gyrostat.program.port import Port
from gyrostat.program.rolled.kind import LoadedKind
from gyrostat.program.rolled.table import InstructionTable, needed
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Instruction, Tape
from gyrostat.scalar.tape_value import Place, TapeBlock

_DENSITY_LIMIT = 0.25
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

    def __init__(self, table: InstructionTable, tape: Tape) -> None:
        self._table, self._workspace, self._tape = table, table.workspace, tape
        self._library = self._workspace.library
        lanes = self.lanes = self._library.target.lanes
        unit = [float(row == lane) for row in range(lanes) for lane in range(lanes)]
        self._units = {sign: self._workspace.constants([sign * x for x in unit]) for sign in (1.0, -1.0)}
        self._zero = self._workspace.constants([0.0] * lanes)
        self._addresses: dict[tuple[TapeBlock, int | None], int] = {}
        self.are_zero = True
        """Whether nothing depends on variables, so far."""

    def pushed(self, chains: Sequence[Sequence[Differential]]) -> Pushed:
        """Return the Jacobians of chains by the same variables, one below the other, before they are outputs."""
        paths = [[_Stage.of(self._tape, one) for one in chain] for chain in chains]
        variables = chains[0][0].variables
        groups = [
            self._group(chains, paths, variables[start : start + self.lanes])
            for start in range(0, len(variables), self.lanes)
        ]
        return Pushed(sum(len(chain[-1].results) for chain in chains), len(variables), groups)

    def output(self, name: str, matrix: Pushed) -> Port:
        """Append a matrix to the table's outputs; of a sparse one the entries that may differ from zero."""
        rows, columns, groups = matrix
        entries = sum(tangent.lanes.bit_count() for group in groups for tangent in group.tangents if tangent)
        table = self._table
        if entries >= _DENSITY_LIMIT * rows * columns:
            for words, width, tangents in groups:
                table.rows.extend(words)
                table.gather_columns(rows, width, [self._zero if x is None else x.address for x in tangents])
            return Port(name, rows * columns, rows, columns)
        places: list[tuple[int, int]] = []
        for n, (words, width, tangents) in enumerate(groups):
            filled = [
                (i, lane) for lane in range(width) for i, x in enumerate(tangents) if x is not None and x.has(lane)
            ]
            table.rows.extend(words)
            table.gather([tangents[i].address + 8 * lane for i, lane in filled])  # type: ignore[union-attr]
            places += [(i, n * self.lanes + lane) for i, lane in filled]
        i, j = np.array(places, np.int32).reshape(-1, 2).T
        return Port(name, len(places), rows, columns, (i, j))

    def _group(
        self, chains: Sequence[Sequence[Differential]], paths: Sequence[Sequence[_Stage]], group: Sequence[Scalar]
    ) -> _Group:
        """Return the rows of the derivatives by a group of variables, and the tangents of all chains' results."""
        words = array("q")
        tangents: list[_Tangent | None] = []
        for number, (chain, stages) in enumerate(zip(chains, paths, strict=True)):
            sign = -1.0 if sum(one.opposite for one in chain) % 2 else 1.0
            units = self._units[sign]
            seeds = {value.block: _Tangent(units + 8 * self.lanes * n, 1 << n) for n, value in enumerate(group)}
            for stage, after in zip(stages, (*chain[1:], None), strict=True):
                found = self._push(words, stage, seeds, number if after is None else None)
                if after is not None:
                    pairs = zip(after.variables, found, strict=True)
                    seeds = {value.block: tangent for value, tangent in pairs if tangent is not None}
            tangents += found
        return _Group(words, len(group), tangents)

    def _push(
        self, rows: array[int], stage: _Stage, seeds: Mapping[TapeBlock, _Tangent], last: int | None
    ) -> list[_Tangent | None]:
        """Append the rows of one stage for given tangents of its variables, and return those of its results.

        None stands for zeros. `last` is the number of the chain where the stage is its last: tangents of the results
        of different chains have addresses of their own, all others share theirs.
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
            lanes, target = 0, self._room(block, last if block in stage.final else None)
            for n in active:
                tangent = at[sources[n]]
                words.append(tangent.address + stride * offsets[n])
                lanes |= tangent.lanes
            words.append(target)
            rows.extend(words)
            at[block] = _Tangent(target, lanes)
        table.count(used)
        self.are_zero = self.are_zero and not used
        tangents = ((at.get(place.block), stride * place.offset) for place in stage.results)
        return [None if one is None else _Tangent(one.address + offset, one.lanes) for one, offset in tangents]

    def _room(self, block: TapeBlock, chain: int | None) -> int:
        """Return the address for a block's tangents, as results of a chain or in between."""
        found = self._addresses.get((block, chain))
        if found is None:
            found = self._addresses[block, chain] = self._workspace.reserve(block.size * self.lanes)
        return found


class _Tangent(NamedTuple):
    """Where a tangent is, and the lanes that may differ from zero, as bits."""

    address: int
    lanes: int

    def has(self, lane: int) -> bool:
        """Tell whether a lane may differ from zero."""
        return bool(self.lanes >> lane & 1)


class _Group(NamedTuple):
    """Derivatives by a group of variables: rows of the table, the number of variables, tangents of all results."""

    words: array[int]
    width: int
    tangents: list[_Tangent | None]


class Pushed(NamedTuple):
    """A matrix of derivatives that is not yet an output; its groups are evaluated in the same part of a workspace."""

    rows: int
    columns: int
    groups: list[_Group]


class _Stage(NamedTuple):
    """The instructions that lead from the variables of a differential to its results, and the blocks of these."""

    instructions: list[Instruction]
    results: list[Place]
    final: frozenset[TapeBlock]

    @staticmethod
    def of(tape: Tape, differential: Differential) -> _Stage:
        """Return the instructions of a differential."""
        results = [tape.place(value) for value in differential.results]
        held = [tape.place(value) for value in differential.held]
        moving: set[TapeBlock] = {value.block for value in differential.variables}
        chosen: list[Instruction] = []
        for instruction in (tape.instructions[n] for n in needed(tape, results, held)):
            if not moving.isdisjoint(instruction.sources):
                moving.add(instruction.block)
                chosen.append(instruction)
        return _Stage(chosen, results, frozenset(place.block for place in results))
