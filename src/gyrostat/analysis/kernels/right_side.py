"""Evaluation of native programs at a state."""

from __future__ import annotations

from gyrostat.analysis.kernels.compiled import kernel
from gyrostat.analysis.kernels.native_call import call_with_one, call_with_two
from gyrostat.analysis.kernels.problem import Floats, Native, Tables


@kernel
def set_state(native: Native, tables: Tables, x: Floats, t: float, within: float, y: Floats) -> None:
    """Write time, state and the inputs that belong to them into x; `within` is a time inside the present step."""
    x[0] = t
    for i in range(y.size):
        x[1 + i] = y[i]
    set_inputs(native, tables, x, t, within)


@kernel
def set_inputs(native: Native, tables: Tables, x: Floats, t: float, within: float) -> None:
    """Write the inputs that belong to the time and state in x."""
    if tables.places.size > 0:
        _interpolate(tables, x, t, within if tables.kinked else t)
    if native.inputs != 0:
        call_with_one(native.inputs, (x.ctypes.data,))


@kernel
def evaluate(native: Native, tables: Tables, x: Floats, t: float, within: float, y: Floats, rates: Floats) -> None:
    """Write ẏ at a time and state into rates."""
    set_state(native, tables, x, t, within, y)
    call_with_two(native.rates, (x.ctypes.data, rates.ctypes.data))


@kernel
def evaluate_here(native: Native, tables: Tables, x: Floats, t: float, within: float, rates: Floats) -> None:
    """Write ẏ at a time and the state that is in x into rates."""
    x[0] = t
    set_inputs(native, tables, x, t, within)
    call_with_two(native.rates, (x.ctypes.data, rates.ctypes.data))


@kernel
def evaluate_events(
    native: Native, tables: Tables, x: Floats, t: float, within: float, y: Floats, found: Floats
) -> None:
    """Write the values of all event functions, and then their rates, into found."""
    set_state(native, tables, x, t, within, y)
    call_with_two(native.events, (x.ctypes.data, found.ctypes.data))


@kernel
def _interpolate(tables: Tables, x: Floats, t: float, within: float) -> None:
    """Write the inputs given by tables into x, by the piece that a time lies within."""
    piece = _piece(tables, within)
    s = max(t - tables.times[piece], 0.0)
    for i in range(tables.places.size):
        c = tables.coefficients[piece, :, i]
        x[tables.places[i]] = c[0] + s * (c[1] + s * (c[2] + s * c[3]))


@kernel
def table_rates(tables: Tables, t: float, within: float, first: int, rates: Floats) -> None:
    """Write the rates of inputs given by tables, by the piece that a time lies within; x has inputs from `first`."""
    at = within if tables.kinked else t
    piece = _piece(tables, at)
    s = t - tables.times[piece]
    for i in range(tables.places.size):
        c = tables.coefficients[piece, :, i]
        rates[tables.places[i] - first] = c[1] + s * (2.0 * c[2] + 3.0 * s * c[3]) if s >= 0.0 else 0.0


@kernel
def _piece(tables: Tables, within: float) -> int:
    """Return the number of the piece that a time lies within."""
    low, high = 0, tables.times.size - 1
    while low < high:
        middle = (low + high + 1) // 2
        if tables.times[middle] <= within:
            low = middle
        else:
            high = middle - 1
    return low
