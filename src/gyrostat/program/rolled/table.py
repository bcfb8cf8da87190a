"""Tables: the rows of those instructions of a tape that the outputs of a program need."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from struct import unpack
from typing import Any

from gyrostat.program.rolled.gathering import column_row, gather_row
from gyrostat.program.rolled.workspace import BY_PARAMETERS, BY_STATE, OF_COSINE, OF_SINE, Workspace
from gyrostat.scalar.tape import Tape
from gyrostat.scalar.tape_value import Place


class InstructionTable:
    """Rows of a tape's instructions, those that depend on parameters alone apart.

    Sines and cosines of inputs, such as the angles of hinges, come first, several at a time.
    """

    def __init__(self, workspace: Workspace, numbers: Sequence[int]) -> None:
        self.workspace = workspace
        self.outputs = 0
        """The number of outputs that rows write, so far."""
        self.operation_counts: Counter[str] = Counter()
        used = Counter(workspace.kinds(numbers))
        self.count(used)
        self.kept: list[Any] = [kind for kind in used if kind.words]
        """Kinds with tables of their own, which rows refer to."""
        rows = workspace.rows(numbers)
        self.constant_rows = array("q", b"".join(rows[BY_PARAMETERS]))
        self.rows = array("q", self._sines(rows[OF_SINE], rows[OF_COSINE]))
        self.rows.frombytes(b"".join(rows[BY_STATE]))

    def gather(self, addresses: Sequence[int]) -> None:
        """Append outputs at some addresses."""
        if addresses:
            self.rows.extend(gather_row(self.workspace.library.gather, self.outputs, addresses))
            self.outputs += len(addresses)

    def gather_columns(self, rows: int, width: int, addresses: Sequence[int]) -> None:
        """Append so many columns of a matrix as outputs, from the lanes at the address of each row."""
        self.rows.extend(column_row(self.workspace.library.columns, self.outputs, rows, width, addresses))
        self.outputs += width * rows

    def clear(self) -> None:
        """Remove all rows, before outputs that are constants."""
        self.rows, self.constant_rows = array("q"), array("q")
        self.operation_counts.clear()

    def count(self, used: Mapping[Any, int]) -> None:
        """Add the operations of kinds that occur so often."""
        for kind, count in used.items():
            self.operation_counts.update({name: count * n for name, n in kind.operations.items()})

    def _sines(self, sines: Sequence[bytes], cosines: Sequence[bytes]) -> list[int]:
        """Return the words of rows for sines and cosines of inputs, in SIMD lanes, from the addresses of each."""
        workspace, library = self.workspace, self.workspace.library
        of_sine, of_cosine = (dict(unpack("2q", row) for row in rows) for rows in (sines, cosines))
        angles = list(of_sine | of_cosine)
        unused = workspace.reserve(1) if angles else 0
        lanes, words = library.target.lanes, list[int]()
        for start in range(0, len(angles), lanes):
            group = angles[start : start + lanes]
            words += [library.sines, *group, *[group[0]] * (lanes - len(group))]
            for angle in group:
                words += [of_sine.get(angle, unused), of_cosine.get(angle, unused)]
            words += [unused] * (2 * (lanes - len(group)))
        return words


def needed(tape: Tape, results: Iterable[Place], held: Iterable[Place] = ()) -> list[int]:
    """Return the numbers of the instructions that results depend on, in order.

    Those that held places alone depend on are left out.
    """
    instructions = tape.instructions
    wanted = bytearray(len(instructions) + 2)  # the makers of inputs and constants, −1 and −2, are the last two
    for place in results:
        wanted[place.block.maker] = 1
    kept = {place.block.maker for place in held}
    for n in range(len(instructions) - 1, -1, -1):
        if wanted[n]:
            if n in kept:
                wanted[n] = 0
                continue
            for source in instructions[n].sources:
                wanted[source.maker] = 1
    return [n for n in range(len(instructions)) if wanted[n]]
