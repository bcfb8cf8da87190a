"""Inputs given by tables: their values and rates at a time."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats, Tables
from gyrostat.program.translation import kernel, rare_kernel


@rare_kernel
def set_table_inputs(tables: Tables, x: Floats, t: float, within: float) -> None:
    """Write the inputs given by tables into x, where pieces have kinks by the piece that a time lies within."""
    piece = _piece(tables, within if tables.kinked else t)
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
