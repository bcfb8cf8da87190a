"""A program: a compiled function with named inputs and outputs.

All inputs are one contiguous vector of doubles in the order of `inputs`, all outputs one in the order of `outputs`;
of sparse ports only the stored entries count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.errors import ProgramError
from gyrostat.program.buffer import Buffer, address, checked_array, refuse_overlap
from gyrostat.program.port import Floats, Port, slices, total_size

# A thread costs about 50 µs to start; below this many operations for each, fewer threads are used.
_OPERATIONS_PER_THREAD = 500_000


class Engine(Protocol):
    """Executes a program: native code, or CasADi's virtual machine.

    `evaluate(in, out)` takes the addresses of one state's vectors, `loop(in, out, count)` those of rows, evaluated one
    after the other; `batch(inputs, outputs, threads)` takes arrays of rows, evaluated several at a time. All may be
    called by many threads at once.
    """

    @property
    def evaluate(self) -> Callable[[int, int], Any]: ...  # noqa: D102
    @property
    def loop(self) -> Callable[[int, int, int], Any]: ...  # noqa: D102
    @property
    def address(self) -> int: ...  # noqa: D102
    @property
    def batch_address(self) -> int: ...  # noqa: D102
    @property
    def lanes(self) -> int: ...  # noqa: D102
    @property
    def native(self) -> bool: ...  # noqa: D102
    def batch(self, inputs: Floats, outputs: Floats, threads: int) -> None: ...  # noqa: D102


class Program:
    """A compiled function; made by `compile_program` or `load_or_compile`, never changed afterwards.

    `operation_counts` are the numbers of each elementary operation, `operations` is their sum.

    >>> import casadi, numpy, gyrostat.program as gp
    >>> x, k = casadi.SX.sym("x", 2), casadi.SX.sym("k")
    >>> program = gp.compile_program(casadi.Function("spring", [x, k], [-k * x], ["x", "k"], ["force"]), cache=False)
    >>> program.evaluate({"x": [1.0, 2.0], "k": 3.0})["force"]
    array([-3., -6.])
    >>> program.batch(numpy.ones((5, 3))).shape
    (5, 2)
    """

    def __init__(
        self,
        name: str,
        inputs: tuple[Port, ...],
        outputs: tuple[Port, ...],
        operation_counts: Mapping[str, int],
        engine: Engine,
    ) -> None:
        self.name, self.inputs, self.outputs = name, inputs, outputs
        self.input_size, self.output_size = total_size(inputs), total_size(outputs)
        self.operation_counts: dict[str, int] = dict(operation_counts)
        self.operations: int = sum(operation_counts.values())
        self._engine = engine
        self.evaluate_at: Callable[[int, int], Any] = engine.evaluate
        """Evaluates one state from the address of its input vector to that of its output vector, without checks."""
        self._input_slices, self._output_slices = slices(inputs), slices(outputs)

    @property
    def address(self) -> int:
        """Address of the native `void f(const double *in, double *out)`, valid while this program lives."""
        return self._engine.address

    @property
    def batch_address(self) -> int:
        """Address of the native `void f(const double *in, double *out, int64_t rows)` of many lanes.

        The first use compiles it; it is valid while this program lives.
        """
        return self._engine.batch_address

    @property
    def lanes(self) -> int:
        """How many states `batch` evaluates at once."""
        return self._engine.lanes

    @property
    def native(self) -> bool:
        """Whether the program is native code, not CasADi's virtual machine."""
        return self._engine.native

    def input_slice(self, name: str) -> slice:
        """Return the slice of an input in the input vector."""
        return self._slice(name, "input", self._input_slices)

    def output_slice(self, name: str) -> slice:
        """Return the slice of an output in the output vector."""
        return self._slice(name, "output", self._output_slices)

    def matrix(self, name: str, outputs: Floats) -> Floats:
        """Return a matrix output from output vectors, shape (…, rows, columns); entries not stored are zero."""
        port = next(port for port in self.outputs if port.name == name)
        stored = outputs[..., self.output_slice(name)]
        if port.pattern is None:
            return np.moveaxis(stored.reshape(*stored.shape[:-1], port.columns, port.rows), -1, -2)
        full = np.zeros((*stored.shape[:-1], port.rows, port.columns))
        full[..., port.pattern[0], port.pattern[1]] = stored
        return full

    def _slice(self, name: str, side: str, places: dict[str, slice]) -> slice:
        if name not in places:
            raise ProgramError(f"Program {self.name!r} has no {side} {name!r}. It has: {_listed(places)}.")
        return places[name]

    def input_buffer(self) -> Buffer:
        """Return a new input vector of zeros for `program(inputs, outputs)`."""
        return Buffer(self.input_size)

    def output_buffer(self) -> Buffer:
        """Return a new output vector of zeros for `program(inputs, outputs)`."""
        return Buffer(self.output_size)

    def __call__(self, inputs: Buffer | Floats, outputs: Buffer | Floats) -> None:
        """Evaluate one state: read the vector `inputs`, shape (input_size,), write `outputs`, shape (output_size,).

        Buffers take well under a microsecond; arrays are checked first, which takes some microseconds.
        """
        if (
            inputs.__class__ is Buffer
            and outputs.__class__ is Buffer
            and inputs.size == self.input_size
            and outputs.size == self.output_size
        ):
            self.evaluate_at(inputs.address, outputs.address)
            return
        source = checked_array(inputs, (self.input_size,), "input vector", writable=False)
        result = checked_array(outputs, (self.output_size,), "output vector", writable=True)
        refuse_overlap(source, result)
        self.evaluate_at(address(source), address(result))

    def evaluate(self, values: Mapping[str, ArrayLike]) -> dict[str, Floats]:
        """Evaluate one state by name: a value for each input, and an array for each output, sparse ones filled up.

        A column takes shape (rows,), a matrix (rows, columns), a sparse input its stored entries, shape (size,).
        """
        unknown = [name for name in values if name not in self._input_slices]
        if unknown:
            raise ProgramError(
                f"Program {self.name!r} has no input {_listed(unknown)}. It has: {_listed(self._input_slices)}."
            )
        missing = [name for name in self._input_slices if name not in values]
        if missing:
            raise ProgramError(f"Program {self.name!r} needs a value for {_listed(missing)}.")
        inputs, outputs = self.input_buffer(), self.output_buffer()
        for port in self.inputs:
            inputs.array[self._input_slices[port.name]] = _stored(port, values[port.name])
        self(inputs, outputs)
        return {port.name: port.full(outputs.array[self._output_slices[port.name]]) for port in self.outputs}

    def loop(self, inputs: ArrayLike, outputs: Floats | None = None) -> Floats:
        """Evaluate rows of inputs, shape (N, input_size), one after the other; return outputs, (N, output_size).

        Every row equals the result of a single call to the last bit.
        """
        source, result = self._rows(inputs, outputs)
        self._engine.loop(address(source), address(result), len(source))
        return result

    def batch(self, inputs: ArrayLike, outputs: Floats | None = None, *, threads: int | None = None) -> Floats:
        """Evaluate rows of inputs, shape (N, input_size), `lanes` at a time and on `threads` threads (default: all).

        Last bits may differ from a single call: the compiler may fuse other products and sums. The first use compiles.
        """
        if threads is not None and threads < 1:
            raise ProgramError(f"The number of threads is {threads}; it must be at least 1.")
        source, result = self._rows(inputs, outputs)
        if threads is None:
            useful = 1 + len(source) * self.operations // (_OPERATIONS_PER_THREAD * self.lanes)
            threads = min(os.cpu_count() or 1, useful)
        self._engine.batch(source, result, threads)
        return result

    def _rows(self, inputs: ArrayLike, outputs: Floats | None) -> tuple[Floats, Floats]:
        """Return both arrays of rows, checked; inputs are copied if they are not contiguous doubles."""
        source = np.ascontiguousarray(inputs, dtype=np.float64)
        if source.ndim != 2 or source.shape[1] != self.input_size:
            raise ProgramError(f"The inputs have shape {source.shape}; this program needs (N, {self.input_size}).")
        if outputs is None:
            return source, np.empty((len(source), self.output_size))
        result = checked_array(outputs, (len(source), self.output_size), "array of outputs", writable=True)
        refuse_overlap(source, result)
        return source, result

    def __repr__(self) -> str:
        sides = (", ".join(f"{port.name}{list(port.shape)}" for port in ports) for ports in (self.inputs, self.outputs))
        return f"Program({self.name}: {' → '.join(sides)}; {self.operations} operations)"

    def __copy__(self) -> Program:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Program:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (Program, (self.name, self.inputs, self.outputs, self.operation_counts, self._engine))


def _stored(port: Port, value: ArrayLike) -> Floats:
    """Return the entries of a port's value, column by column, shape (size,)."""
    array = np.asarray(value, dtype=np.float64)
    if array.shape in (port.shape, (port.rows, port.columns)) and port.pattern is None:
        return array.ravel(order="F")
    if array.shape == (port.size,) or (array.ndim == 0 and port.size == 1):
        return array.reshape(port.size)
    needed = port.shape if port.pattern is None else (port.size,)
    raise ProgramError(f"The value of {port.name!r} has shape {array.shape}; the program needs {needed}.")


def _listed(names: Any) -> str:
    return ", ".join(repr(name) for name in names) or "none"
