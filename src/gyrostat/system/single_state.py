"""Programs at single states given as arrays: calls of a few microseconds, without broadcasting and names."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyrostat.coordinates.arguments import Floats, Values
from gyrostat.coordinates.row import TIME
from gyrostat.program import Port, Program
from gyrostat.program.buffer import address
from gyrostat.system.arguments import Arguments

if TYPE_CHECKING:
    from gyrostat.system.system import System

_ARRAY, _DOUBLE = np.ndarray, np.dtype(np.float64)
_Pooled: TypeAlias = tuple[Floats, int, Floats, Floats, Floats]
"""A vector of a row and its outputs, its address, and its parts: coordinates, speeds and outputs."""
_product = np.vdot  # unlike `dot`, it does not warn where squares of finite numbers overflow


class SingleState:
    """One program of a system at one state, with the model's own parameters.

    A call works in a vector of the row and behind it the outputs. It takes the vector out of a pool, so that calls of
    many threads do not meet. The sum of the vector's squares is finite only if all its entries are, so that one product
    checks arguments and results. Code is written out where functions and loops would take a tenth of the call.
    """

    __slots__ = (
        *("_blank", "_columns", "_evaluate_at", "_free", "_initial_u", "_inputs", "_matrices", "_output_at"),
        *("_only", "_outputs", "_program", "_q", "_shape_q", "_shape_u", "_u", "_udot", "_z"),
    )

    def __init__(self, system: System, program: Program) -> None:
        row, end = system.row, program.input_size + program.output_size
        self._program = program  # the native function lives as long as its program
        self._evaluate_at, self._output_at = program.evaluate_at, 8 * program.input_size
        # the model's own values; the last entry stays zero and stands for entries that are not stored
        self._blank = np.zeros(end + 1)
        self._blank[: row.size] = row.of(0.0, system.initial_state(), system.parameter_values())
        self._free: list[_Pooled] = []
        self._q, self._u, self._z, self._inputs = row.q, row.u, row.z, row.inputs
        self._udot = slice(row.size, row.size + row.n_u)
        self._shape_q, self._shape_u, self._initial_u = (row.n_q,), (row.n_u,), self._blank[row.u]
        self._outputs = slice(program.input_size, end + 1)
        columns = (port.name for port in program.outputs if _is_column(port))
        self._columns = tuple((name, program.output_slice(name)) for name in columns)
        self._matrices = tuple(_Matrix.of(program, port) for port in program.outputs if not _is_column(port))
        self._only = program.outputs[0].name if len(program.outputs) == len(self._columns) == 1 else None
        if self._only is not None:
            self._outputs = slice(program.input_size, end)

    def __call__(self, at: Arguments) -> dict[str, Floats] | None:
        """Return the outputs by name; None for arguments of another kind, and where a value is not finite."""
        q, u, z, t, inputs, parameters, udot = at
        if t.__class__ is not float or parameters:
            return None
        if not (q.__class__ is _ARRAY and q.dtype is _DOUBLE and q.shape == self._shape_q):
            return None
        if u is None:
            u = self._initial_u
        elif not (u.__class__ is _ARRAY and u.dtype is _DOUBLE and u.shape == self._shape_u):
            return None
        try:
            pooled = self._free.pop()
        except IndexError:
            pooled = self._new_vector()
        vector, start, own_q, own_u, own_outputs = pooled
        vector[TIME] = t
        own_q[...] = q
        own_u[...] = u
        if udot is not None:
            if not (udot.__class__ is _ARRAY and udot.dtype is _DOUBLE and udot.shape == self._shape_u):
                return None
            vector[self._udot] = udot
        usual = z is None and inputs is None
        if not usual and not (_written(vector, self._z, z) and _written(vector, self._inputs, inputs)):
            return None
        self._evaluate_at(start, start + self._output_at)
        if not _product(vector, vector) < inf:
            return None
        outputs = own_outputs.copy()
        if usual:  # z and inputs would stay in the vector
            self._free.append(pooled)
        if self._only is not None:
            return {self._only: outputs}
        found = {}
        for name, place in self._columns:
            found[name] = outputs[place]
        for name, stored, shape in self._matrices:
            found[name] = (outputs[stored] if isinstance(stored, slice) else outputs.take(stored)).reshape(shape).T
        return found

    def _new_vector(self) -> _Pooled:
        vector = self._blank.copy()
        return vector, address(vector), vector[self._q], vector[self._u], vector[self._outputs]


def _written(vector: Floats, place: slice, values: Values | None) -> bool:
    """Write values, if any, and tell whether they are an array of the right type and size."""
    if values is None:
        return True
    if not (isinstance(values, np.ndarray) and values.dtype is _DOUBLE and values.shape == vector[place].shape):
        return False
    vector[place] = values
    return True


class SingleStates(dict[str, SingleState]):
    """The programs that have been evaluated with the model's own parameters, for single states; not pickled."""

    def __reduce__(self) -> tuple[type[SingleStates], tuple[()]]:
        return SingleStates, ()


class _Matrix(NamedTuple):
    """An output that is a matrix or sparse: the places of all its entries, column by column, and its shape reversed."""

    name: str
    places: slice | NDArray[np.intp]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, program: Program, port: Port) -> _Matrix:
        places = program.output_slice(port.name)
        shape = output_shape(port)[::-1]
        if port.pattern is None:
            return cls(port.name, places, shape)
        rows, columns = port.pattern
        every = np.full((port.columns, port.rows), program.output_size)
        every[columns, rows] = np.arange(places.start, places.stop)
        return cls(port.name, every.ravel(), shape)


def output_shape(port: Port) -> tuple[int, ...]:
    """Return the shape of an output: energies, loads and the like are columns, only matrices keep a second axis."""
    matrix = port.name == "mass_matrix" or port.name.startswith("udot_")
    return (port.rows, port.columns) if matrix else (port.rows,)


def _is_column(port: Port) -> bool:
    return port.pattern is None and len(output_shape(port)) == 1
