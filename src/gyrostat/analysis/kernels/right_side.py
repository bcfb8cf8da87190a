"""Evaluation of native programs at a time and state."""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import Equations, Floats, Tables
from gyrostat.coordinates.row import FIRST, TIME
from gyrostat.program.translation import call, kernel, rare_kernel


@kernel
def set_row(x: Floats, t: float, y: Floats) -> None:
    """Write time and state into a row x."""
    x[TIME] = t
    copy(y, x[FIRST:])


@kernel
def set_state(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Write time, state and the inputs that belong to them into x; `within` is a time inside the present step."""
    copy(y, equations.state)
    set_inputs(equations, t, within)


@kernel
def set_time(equations: Equations, t: float) -> None:
    """Write the time into x."""
    equations.x[TIME] = t


@kernel
def set_inputs(equations: Equations, t: float, within: float) -> None:
    """Write the time, and the inputs that belong to it and to the state in x."""
    x, tables = equations.x, equations.tables
    set_time(equations, t)
    if tables.places.size > 0:
        set_table_inputs(tables, x, t, within)
    if equations.native.inputs != 0:
        call(equations.native.inputs, x.ctypes.data)


@kernel
def evaluate(equations: Equations, t: float, within: float, y: Floats, rates: Floats) -> None:
    """Write ẏ at a time and state into rates."""
    set_state(equations, t, within, y)
    call(equations.native.rates, equations.x.ctypes.data, rates.ctypes.data)


@kernel
def evaluate_here(equations: Equations, t: float, within: float, rates: Floats) -> None:
    """Write ẏ at a time and the state that is in x into rates."""
    set_inputs(equations, t, within)
    call(equations.native.rates, equations.x.ctypes.data, rates.ctypes.data)


@kernel
def evaluate_events(equations: Equations, t: float, within: float, y: Floats, found: Floats) -> None:
    """Write the values of all event functions, and then their rates, into found."""
    set_state(equations, t, within, y)
    call(equations.native.events, equations.x.ctypes.data, found.ctypes.data)


@rare_kernel
def set_table_inputs(tables: Tables, x: Floats, t: float, within: float) -> None:
    """Write the inputs given by tables into x, where pieces have kinks by the piece that a time lies within."""
    piece = _piece(tables, within if tables.kinked else t)
    s, coefficients = max(t - tables.times[piece], 0.0), tables.coefficients[piece]
    last = coefficients.size // tables.places.size - 1
    for i in range(tables.places.size):
        value = coefficients[last, i]
        for k in range(last):
            value = value * s + coefficients[last - 1 - k, i]
        x[tables.places[i]] = value


@rare_kernel
def table_rates(tables: Tables, t: float, within: float, first: int, rates: Floats) -> None:
    """Write the rates of inputs given by tables, by the piece that a time lies within; x has inputs from `first`."""
    at = within if tables.kinked else t
    piece = _piece(tables, at)
    s, coefficients = t - tables.times[piece], tables.coefficients[piece]
    last = coefficients.size // tables.places.size - 1
    for i in range(tables.places.size):
        slope = last * coefficients[last, i]
        for k in range(last - 1):
            slope = slope * s + (last - 1 - k) * coefficients[last - 1 - k, i]
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
