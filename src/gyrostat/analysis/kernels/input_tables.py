"""Inputs given by tables: their values and rates at a time."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats, Tables
from gyrostat.program.translation import kernel, rare_kernel


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
