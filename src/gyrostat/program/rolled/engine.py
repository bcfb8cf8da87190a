"""Rolled code as an engine: a tape whose instructions are rows of a table of addresses."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.program.buffer import address
from gyrostat.program.port import Floats
from gyrostat.program.rolled.driver import POOL, WORDS
from gyrostat.program.rolled.library import Entry, Library
from gyrostat.program.rolled.table import InstructionTable

_EVALUATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_LOOP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class RolledEngine:
    """Evaluates a table of instructions, one state after the other."""

    lanes = 1
    native = True

    def __init__(self, library: Library, table: InstructionTable) -> None:
        self._rows = len(table.workspace.inputs), table.outputs
        self._context = _context(table)
        entry = library.entry()
        context = self._context[0].ctypes.data
        ctypes.c_void_p.from_address(entry.context).value = context
        self.address, self.batch_address = entry.evaluate, entry.loop
        self.evaluate: Callable[[int, int], Any] = _EVALUATE(entry.evaluate)
        self.loop: Callable[[int, int, int], Any] = _LOOP(entry.loop)
        weakref.finalize(self, _give_back, library, entry, self._context)

    def batch(self, inputs: Floats, outputs: Floats, threads: int) -> None:
        """Evaluate the rows of `inputs` into those of `outputs`, divided among threads."""
        share = -(-len(inputs) // threads)

        def work(start: int) -> None:
            length = min(share, len(inputs) - start)
            row_in, row_out = (8 * size for size in self._rows)
            self.loop(address(inputs) + row_in * start, address(outputs) + row_out * start, length)

        workers = [threading.Thread(target=work, args=(start,)) for start in range(share, len(inputs), share or 1)]
        for worker in workers:
            worker.start()
        if len(inputs):
            work(0)
        for worker in workers:
            worker.join()


def _give_back(library: Library, entry: Entry, context: tuple[NDArray[Any], ...]) -> None:
    """Give back what a program had; its arrays live until then."""
    library.give_back(entry, context[0].ctypes.data)


def _context(table: InstructionTable) -> tuple[NDArray[Any], ...]:
    """Return the words that the driver reads, and the arrays that they point to."""
    workspace = table.workspace
    template = np.array(workspace.template)
    rows = np.concatenate((table.constant_rows, table.rows), dtype=np.int64)
    first = rows.ctypes.data
    known = {
        "template": template.ctypes.data,
        "bytes": template.nbytes,
        "inputs": len(workspace.inputs),
        "parameters": workspace.parameters.start,
        "parameter_count": len(workspace.parameters),
        "constant": first,
        "main": first + 8 * len(table.constant_rows),
        "end": first + rows.nbytes,
        "outputs": table.outputs,
    }
    words = np.zeros(len(WORDS) + POOL, np.int64)
    words[: len(WORDS)] = [known[name] for name in WORDS]
    return words, template, rows, *(kind.table for kind in table.kept)
