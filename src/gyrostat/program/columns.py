"""A Jacobian column by column: directional derivatives along unit directions, several in SIMD lanes at once."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import ProgramError
from gyrostat.once import cached_property
from gyrostat.program.buffer import address
from gyrostat.program.port import Floats, Port
from gyrostat.program.program import Program


def jacobian_by_columns(
    along: Program, name: str, seeds: Sequence[str], *, structure: Callable[[], Program] | None = None
) -> Program:
    """Return a program of the dense Jacobian, output "jacobian", from one of its products with a direction.

    `along` has the direction as its last inputs, called `seeds`, and one output. The result has all other inputs.
    `structure` gives a program whose only output has a pattern: where the Jacobian may have entries.

    >>> import casadi, gyrostat.program as gp
    >>> x = casadi.SX.sym("x", 2)
    >>> function = casadi.Function("f", [x], [casadi.vertcat(x[0] * x[1], x[1])], ["x"], ["y"])
    >>> along = gp.compile_program(gp.directional(function, "y", "x"), cache=False)
    >>> program = gp.jacobian_by_columns(along, "jacobian", ["seed_x"])
    >>> program.evaluate({"x": [3.0, 5.0]})["jacobian"]
    array([[5., 3.],
           [0., 1.]])
    """
    columns, rows = _directions(along, seeds), along.output_size
    output = Port("jacobian", rows * columns, rows, columns)
    counts = {operation: count * columns for operation, count in along.operation_counts.items()}
    return Program(name, along.inputs[: -len(seeds)], (output,), counts, ColumnsEngine(along, columns, structure))


def values_and_jacobian_by_columns(
    values: Program, along: Program, name: str, seeds: Sequence[str], parts: Sequence[Port]
) -> Program:
    """Return a program of values and their dense Jacobian, whose columns are divided into the outputs `parts`.

    `along` is as in `jacobian_by_columns`, and `values` has its inputs without the direction.
    """
    columns = _directions(along, seeds)
    counts = dict(values.operation_counts)
    for operation, count in along.operation_counts.items():
        counts[operation] = counts.get(operation, 0) + count * columns
    return Program(name, values.inputs, (*values.outputs, *parts), counts, ColumnsEngine(along, columns, None, values))


def _directions(along: Program, seeds: Sequence[str]) -> int:
    """Return the number of unit directions of a program of directional derivatives, after checks of its ports."""
    directions = along.inputs[-len(seeds) :]
    if tuple(port.name for port in directions) != tuple(seeds) or len(along.outputs) != 1:
        raise ProgramError(f"Program {along.name!r} does not end in the inputs {', '.join(seeds)}, or has two outputs.")
    return sum(port.size for port in directions)


def directional_program(jacobian: Program) -> Program | None:
    """Return the program of directional derivatives behind a Jacobian by columns; None for other programs."""
    engine = jacobian._engine
    return engine.along if isinstance(engine, ColumnsEngine) else None


class ColumnGroups(NamedTuple):
    """Columns of a sparse Jacobian in groups whose columns have no row in common: one direction serves a group.

    Curtis, Powell and Reid, On the estimation of sparse Jacobian matrices, 1974.
    """

    rows: NDArray[np.int64]
    """The row of each entry."""
    columns: NDArray[np.int64]
    """The column of each entry, rising."""
    group_of: NDArray[np.int64]
    """The group of each column."""

    @property
    def seeds(self) -> Floats:
        """The directions, shape (groups, columns): sums of unit vectors."""
        count = int(self.group_of.max(initial=-1)) + 1
        return np.equal.outer(np.arange(count), self.group_of).astype(float)

    @staticmethod
    def of(rows: NDArray[np.int64], columns: NDArray[np.int64], size: int) -> ColumnGroups:
        """Return groups of the columns of a square pattern: each column joins the first group that it fits in.

        >>> entries = np.array([0, 1, 2, 3, 0, 1, 2, 3]), np.array([0, 1, 2, 3, 3, 3, 3, 3])
        >>> ColumnGroups.of(*entries, 4).group_of
        array([0, 0, 0, 1])
        """
        order = np.argsort(columns, kind="stable")
        rows, columns = rows[order].astype(np.int64), columns[order].astype(np.int64)
        taken = np.zeros((0, size), dtype=bool)
        group_of = np.zeros(size, dtype=np.int64)
        for column, own in enumerate(np.split(rows, np.searchsorted(columns, np.arange(1, size)))):
            free = np.flatnonzero(~taken[:, own].any(axis=1))
            if not len(free):
                taken, free = np.vstack((taken, np.zeros(size, dtype=bool))), np.array([len(taken)])
            group_of[column] = free[0]
            taken[free[0], own] = True
        return ColumnGroups(rows, columns, group_of)


def column_groups(jacobian: Program) -> ColumnGroups | None:
    """Return the groups of columns of a Jacobian by columns whose structure is sparse; None for other programs."""
    engine = jacobian._engine
    return engine.groups if isinstance(engine, ColumnsEngine) else None


class ColumnsEngine:
    """Runs a program of directional derivatives on all unit directions; any number of threads may do so at once."""

    lanes = 1

    def __init__(
        self,
        along: Program,
        columns: int,
        structure: Callable[[], Program] | None = None,
        values: Program | None = None,
    ) -> None:
        self.along, self._structure = along, structure
        """The program of directional derivatives, and what gives the pattern of the Jacobian."""
        self._values = values
        self._first = 0 if values is None else values.output_size
        self._rows = np.zeros((columns, along.input_size))
        self._known = along.input_size - columns
        self._rows[:, self._known :] = np.eye(columns)

    @cached_property
    def groups(self) -> ColumnGroups | None:
        """The columns in groups, where the Jacobian is sparse."""
        if self._structure is None:
            return None
        (port,) = self._structure().outputs
        if port.pattern is None or not len(port.pattern[0]):
            return None
        rows, columns = (axis.astype(np.int64) for axis in port.pattern)
        return ColumnGroups.of(rows, columns, port.columns)

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
