"""Derivatives of a tape: its instructions once more, on tangents along several directions in SIMD lanes.

Values come first, once. For each group of directions follow the tangents of those instructions that depend on one of
them: the derivatives by the coordinates of a chain's outer links take the recursions over these links only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gyrostat.program.rolled.table import Table, needed
from gyrostat.scalar import Scalar
from gyrostat.scalar.tape import Block, Instruction, Place, Tape


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
        self._table, self._tape = table, tape
        lanes = self.lanes = table.library.target.lanes
        unit = [float(row == lane) for row in range(lanes) for lane in range(lanes)]
        self._units = {sign: table.constants([sign * x for x in unit]) for sign in (1.0, -1.0)}
        self._zero = table.constants([0.0] * lanes)
        self._addresses: dict[Block, int] = {}

    def jacobian(self, chain: Sequence[Differential]) -> list[int]:
        """Return the addresses of the Jacobian of a chain's last results by its first variables, column by column."""
        first, last = chain[0], chain[-1]
        stages = [_Stage.of(self._tape, one) for one in chain]
        sign = -1.0 if sum(one.opposite for one in chain) % 2 else 1.0
        found: list[int] = []
        for start in range(0, len(first.variables), self.lanes):
            group = first.variables[start : start + self.lanes]
            at = {value.block: self._units[sign] + 8 * self.lanes * n for n, value in enumerate(group)}
            for stage, after in zip(stages, (*chain[1:], None), strict=True):
                tangents = self._pushed(stage, at)
                if after is not None:
                    pairs = zip(after.variables, tangents, strict=True)
                    at = {value.block: place for value, place in pairs if place is not None}
            for lane in range(len(group)):
                found += [(self._zero if place is None else place) + 8 * lane for place in tangents]
        assert len(found) == len(first.variables) * len(last.results)
        return found

    def _pushed(self, stage: _Stage, at: dict[Block, int]) -> list[int | None]:
        """Append the rows of one stage for directions at given addresses, and return where its results' tangents are.

        None stands for zeros. Other tangents than those of results share their addresses with other groups.
        """
        table, stride = self._table, 8 * self.lanes
        for kind, operands, block in stage.instructions:
            active = tuple([n for n, place in enumerate(operands) if place.block in at])
            if not active:
                continue
            tangent = table.library.tangent(kind, active)
            table.rows += [tangent.address, *[table.address(place) for place in operands]]
            moving = [operands[n] for n in active]
            table.rows += [at[place.block] + stride * place.offset for place in moving]
            at[block] = self._room(block, own=block in stage.final)
            table.rows.append(at[block])
            table.operation_counts.update(tangent.operations)
        return [at[place.block] + stride * place.offset if place.block in at else None for place in stage.results]

    def _room(self, block: Block, *, own: bool) -> int:
        """Return the address for a block's tangents."""
        if own:
            return self._table.reserve(block.size * self.lanes)
        found = self._addresses.get(block)
        if found is None:
            found = self._addresses[block] = self._table.reserve(block.size * self.lanes)
        return found


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
        for instruction in needed(tape.instructions, results, held):
            if any(place.block in moving for place in instruction.operands):
                moving.add(instruction.block)
                chosen.append(instruction)
        return _Stage(chosen, results, frozenset(place.block for place in results))
