"""Evaluation of native programs at a state."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats, Native, Tables
from gyrostat.program.translation import call, kernel, rare_kernel


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
        call(native.inputs, x.ctypes.data)


@kernel
def evaluate(native: Native, tables: Tables, x: Floats, t: float, within: float, y: Floats, rates: Floats) -> None:
    """Write ẏ at a time and state into rates."""
    set_state(native, tables, x, t, within, y)
    call(native.rates, x.ctypes.data, rates.ctypes.data)


@kernel
def evaluate_here(native: Native, tables: Tables, x: Floats, t: float, within: float, rates: Floats) -> None:
    """Write ẏ at a time and the state that is in x into rates."""
    x[0] = t
    set_inputs(native, tables, x, t, within)
    call(native.rates, x.ctypes.data, rates.ctypes.data)


@kernel
def evaluate_events(
    native: Native, tables: Tables, x: Floats, t: float, within: float, y: Floats, found: Floats
) -> None:
    """Write the values of all event functions, and then their rates, into found."""
    set_state(native, tables, x, t, within, y)
    call(native.events, x.ctypes.data, found.ctypes.data)


@rare_kernel
def _interpolate(tables: Tables, x: Floats, t: float, within: float) -> None:
    """Write the inputs given by tables into x, by the piece that a time lies within."""
    piece = _piece(tables, within)
    s, coefficients = max(t - tables.times[piece], 0.0), tables.coefficients[piece]
    for i in range(tables.places.size):
        c0, c1 = coefficients[0, i], coefficients[1, i]
        x[tables.places[i]] = c0 + s * (c1 + s * (coefficients[2, i] + s * coefficients[3, i]))


@rare_kernel
def table_rates(tables: Tables, t: float, within: float, first: int, rates: Floats) -> None:
    """Write the rates of inputs given by tables, by the piece that a time lies within; x has inputs from `first`."""
    at = within if tables.kinked else t
    piece = _piece(tables, at)
    s, coefficients = t - tables.times[piece], tables.coefficients[piece]
    for i in range(tables.places.size):
        slope = coefficients[1, i] + s * (2.0 * coefficients[2, i] + 3.0 * s * coefficients[3, i])
        rates[tables.places[i] - first] = slope if s >= 0.0 else 0.0


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
