"""A Jacobian column by column: directional derivatives along unit directions, several in SIMD lanes at once."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from gyrostat.errors import ProgramError
from gyrostat.program.buffer import address
from gyrostat.program.port import Floats, Port
from gyrostat.program.program import Program


def jacobian_by_columns(
    along: Program, name: str, seeds: Sequence[str], *, values: Program | None = None, parts: Sequence[Port] = ()
) -> Program:
    """Return a program of the dense Jacobian, output "jacobian", from one of its products with a direction.

    `along` has the direction as its last inputs, called `seeds`, and one output. The result has all other inputs. With
    `values`, a program of the same inputs, its outputs come first. With `parts` the columns are divided into so many
    outputs.

    >>> import casadi, gyrostat.program as gp
    >>> x = casadi.SX.sym("x", 2)
    >>> function = casadi.Function("f", [x], [casadi.vertcat(x[0] * x[1], x[1])], ["x"], ["y"])
    >>> along = gp.compile_program(gp.directional(function, "y", "x"), cache=False)
    >>> program = gp.jacobian_by_columns(along, "jacobian", ["seed_x"])
    >>> program.evaluate({"x": [3.0, 5.0]})["jacobian"]
    array([[5., 3.],
           [0., 1.]])
    """
    kept, directions = along.inputs[: -len(seeds)], along.inputs[-len(seeds) :]
    if tuple(port.name for port in directions) != tuple(seeds) or len(along.outputs) != 1:
        raise ProgramError(f"Program {along.name!r} does not end in the inputs {', '.join(seeds)}, or has two outputs.")
    columns, rows = sum(port.size for port in directions), along.output_size
    outputs = tuple(parts) or (Port("jacobian", rows * columns, rows, columns),)
    counts = {operation: count * columns for operation, count in along.operation_counts.items()}
    if values is not None:
        outputs = (*values.outputs, *outputs)
        counts = {one: counts.get(one, 0) + count for one, count in {**counts, **values.operation_counts}.items()}
    return Program(name, kept, outputs, counts, ColumnsEngine(along, columns, values))


def directional_program(jacobian: Program) -> Program | None:
    """Return the program of directional derivatives behind a Jacobian by columns; None for other programs."""
    engine = jacobian._engine
    return engine.along if isinstance(engine, ColumnsEngine) else None


class ColumnsEngine:
    """Runs a program of directional derivatives on all unit directions; any number of threads may do so at once."""

    lanes = 1

    def __init__(self, along: Program, columns: int, values: Program | None = None) -> None:
        self.along = along
        """The program of directional derivatives."""
        self._values = values
        self._first = 0 if values is None else values.output_size
        self._rows = np.zeros((columns, along.input_size))
        self._known = along.input_size - columns
        self._rows[:, self._known :] = np.eye(columns)

    @property
    def native(self) -> bool:
        """Whether the directional derivatives are native code."""
        return self.along.native

    @property
    def address(self) -> int:
        """Raises ProgramError: the columns have no single native function."""
        raise ProgramError(
            f"The Jacobian of {self.along.name!r} is evaluated column by column and has no native address. "
            "Call the program, or use the address of the program of directional derivatives."
        )

    @property
    def batch_address(self) -> int:
        """Raises ProgramError: the columns have no single native function."""
        return self.address

    def evaluate(self, inputs: int, outputs: int) -> None:
        """Evaluate one state, from address to address."""
        self.loop(inputs, outputs, 1)

    def loop(self, inputs: int, outputs: int, count: int) -> None:
        """Evaluate `count` states one after the other."""
        columns, rows = len(self._rows), self.along.output_size
        size = self._first + columns * rows
        states = _array_at(inputs, count * self._known).reshape(count, self._known)
        results = _array_at(outputs, count * size).reshape(count, size)
        for place, (state, result) in enumerate(zip(states, results, strict=True)):
            if self._values is not None:
                self._values.evaluate_at(inputs + 8 * self._known * place, outputs + 8 * size * place)
            self._fill(state, result[self._first :].reshape(columns, rows))

    def batch(self, inputs: Floats, outputs: Floats, threads: int) -> None:
        """Evaluate the rows of `inputs`; the SIMD lanes serve the columns of each row."""
        self.loop(address(inputs), address(outputs), len(inputs))

    def _fill(self, state: Floats, result: Floats) -> None:
        """Write the columns of the Jacobian at a state into the rows of `result`."""
        rows = self._rows.copy()
        rows[:, : self._known] = state
        self.along.batch(rows, result)


def _array_at(place: int, size: int) -> Floats:
    return np.ctypeslib.as_array((ctypes.c_double * size).from_address(place))
