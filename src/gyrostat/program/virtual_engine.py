"""CasADi's virtual machine as an engine: 25 to 35 times slower than native code, for machines without LLVM."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

from gyrostat.errors import ProgramError
from gyrostat.program.buffer import address
from gyrostat.program.port import Floats


class VirtualEngine:
    """Evaluates a CasADi Function on shared buffers, one state at a time."""

    lanes = 1
    native = False

    def __init__(self, function: Any) -> None:
        self._function = function
        self._inputs = [np.zeros(function.nnz_in(i)) for i in range(function.n_in())]
        self._outputs = [np.zeros(function.nnz_out(i)) for i in range(function.n_out())]
        self._buffer, self._run = function.buffer()
        for number, array in enumerate(self._inputs):
            if array.size:
                self._buffer.set_arg(number, memoryview(array.data))
        for number, array in enumerate(self._outputs):
            if array.size:
                self._buffer.set_res(number, memoryview(array.data))
        self._lock = threading.Lock()

    @property
    def address(self) -> int:
        """Raises ProgramError: the virtual machine has no native function."""
        raise ProgramError(
            f"Program {self._function.name()!r} runs on CasADi's virtual machine and has no native address. "
            "Install llvmlite (pip install llvmlite) and compile it again."
        )

    @property
    def batch_address(self) -> int:
        """Raises ProgramError: the virtual machine has no native function."""
        return self.address

    def evaluate(self, inputs: int, outputs: int) -> None:
        """Evaluate one state, from address to address."""
        with self._lock:
            for array in self._inputs:
                ctypes.memmove(array.ctypes.data, inputs, array.nbytes)
                inputs += array.nbytes
            self._run()
            for array in self._outputs:
                ctypes.memmove(outputs, array.ctypes.data, array.nbytes)
                outputs += array.nbytes

    def loop(self, inputs: int, outputs: int, count: int) -> None:
        """Evaluate `count` states one after the other."""
        row_in = sum(array.nbytes for array in self._inputs)
        row_out = sum(array.nbytes for array in self._outputs)
        for row in range(count):
            self.evaluate(inputs + row * row_in, outputs + row * row_out)

    def batch(self, inputs: Floats, outputs: Floats, threads: int) -> None:
        """Evaluate the rows of `inputs`; the virtual machine has no SIMD lanes and gains nothing from threads."""
        self.loop(address(inputs), address(outputs), len(inputs))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self._function.serialize(),))


def _restore(text: str) -> VirtualEngine:
    import casadi

    return VirtualEngine(casadi.Function.deserialize(text))
