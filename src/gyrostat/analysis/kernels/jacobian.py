"""How the rates change with state and time, in the coordinates of a step that begins at the state."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import clear, copy
from gyrostat.analysis.kernels.methods import RateSlopes
from gyrostat.analysis.kernels.problem import Floats, Native, Rotations, Tables
from gyrostat.analysis.kernels.right_side import set_state, table_rates
from gyrostat.program.translation import call, flat, kernel, rare_kernel

_DIFFERENCE = 1e-7
"""The relative change by which inputs that are functions in Python are differentiated."""


@rare_kernel
def find_slopes(
    slopes: RateSlopes,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    x: Floats,
    t: float,
    h: float,
    y: Floats,
) -> None:
    """Write ∂ẏ/∂y, column by column, and ∂ẏ/∂t at a state that begins a step of length h."""
    matrix, in_time = slopes.matrix, slopes.in_time
    set_state(native, tables, x, t, t + 0.5 * h, y)
    if slopes.along != 0:
        for j in range(slopes.rows.shape[0]):
            copy(x, slopes.rows[j])
        call(slopes.along, slopes.rows.ctypes.data, matrix.ctypes.data, slopes.rows.shape[0])
    elif slopes.entries.size > 0:
        call(slopes.jacobian, x.ctypes.data, slopes.entries.ctypes.data)
        clear(flat(matrix))
        for i in range(slopes.entries.size):
            matrix[slopes.columns_of[i], slopes.rows_of[i]] = slopes.entries[i]
    else:
        call(slopes.jacobian, x.ctypes.data, matrix.ctypes.data)
    clear(in_time)
    if slopes.time != 0:
        call(slopes.time, x.ctypes.data, in_time.ctypes.data)
    if slopes.inputs != 0:
        _add_inputs(slopes, native, tables, x, t, h, y)
    if rotations.exponential:
        for r in range(rotations.places.shape[0]):
            _turn(matrix, in_time, rotations.places[r, 0], rotations.places[r, 1], y)


@rare_kernel
def _add_inputs(slopes: RateSlopes, native: Native, tables: Tables, x: Floats, t: float, h: float, y: Floats) -> None:
    """Add what inputs change: those of tables with time, functions in Python with time and state, by differences."""
    first, count = slopes.first_input, slopes.given.size
    given, seeds = slopes.given, slopes.vector[x.size :]
    for i in range(count):
        given[i] = x[first + i]
    clear(seeds)
    if native.inputs != 0:
        change = _DIFFERENCE * h
        x[0] = t + change
        call(native.inputs, x.ctypes.data)
        _difference(x, first, given, change, seeds)
        x[0] = t
    if tables.places.size > 0:
        table_rates(tables, t, t + 0.5 * h, first, seeds)
    _add_slope(slopes, x, slopes.in_time)
    if native.inputs == 0:
        return
    for j in range(y.size):
        change = _DIFFERENCE * (1.0 + abs(y[j]))
        x[1 + j] = y[j] + change
        call(native.inputs, x.ctypes.data)
        x[1 + j] = y[j]
        clear(seeds)
        if _difference(x, first, given, change, seeds):
            _add_slope(slopes, x, slopes.matrix[j])


@kernel
def _difference(x: Floats, first: int, given: Floats, change: float, seeds: Floats) -> bool:
    """Write difference quotients of inputs, put them back to what they were, and return whether any has changed."""
    changed = False
    for i in range(given.size):
        if x[first + i] != given[i]:
            seeds[i] = (x[first + i] - given[i]) / change
            x[first + i] = given[i]
            changed = True
    return changed


@kernel
def _add_slope(slopes: RateSlopes, x: Floats, total: Floats) -> None:
    """Add the slope of the rates along the direction of inputs in `vector`."""
    copy(x, slopes.vector)
    call(slopes.inputs, slopes.vector.ctypes.data, slopes.slope.ctypes.data)
    for i in range(total.size):
        total[i] += slopes.slope[i]


@kernel
def _turn(matrix: Floats, in_time: Floats, p: int, w: int, y: Floats) -> None:
    """Take a rotation vector φ in place of Euler parameters, as `local_coordinates` does: e = e₀ ∘ exp(φ/2) at φ = 0."""
    e0, e1, e2, e3 = 0.5 * y[p], 0.5 * y[p + 1], 0.5 * y[p + 2], 0.5 * y[p + 3]
    for i in range(y.size):
        d0, d1, d2, d3 = matrix[p, i], matrix[p + 1, i], matrix[p + 2, i], matrix[p + 3, i]
        matrix[p, i] = -e1 * d0 + e0 * d1 + e3 * d2 - e2 * d3
        matrix[p + 1, i] = -e2 * d0 - e3 * d1 + e0 * d2 + e1 * d3
        matrix[p + 2, i] = -e3 * d0 + e2 * d1 - e1 * d2 + e0 * d3
        matrix[p + 3, i] = 0.0
    for k in range(4):
        in_time[p + k] = 0.0
        for j in range(y.size):
            matrix[j, p + k] = 0.0
    # φ̇ = ω + ½ φ×ω + …
    w1, w2, w3 = 0.5 * y[w], 0.5 * y[w + 1], 0.5 * y[w + 2]
    matrix[p + 1, p], matrix[p + 2, p] = w3, -w2
    matrix[p, p + 1], matrix[p + 2, p + 1] = -w3, w1
    matrix[p, p + 2], matrix[p + 1, p + 2] = w2, -w1
    for k in range(3):
        matrix[w + k, p + k] = 1.0


@kernel
def are_finite(slopes: RateSlopes) -> bool:
    """Return whether all slopes are finite numbers."""
    total = 0.0
    values = flat(slopes.matrix)
    for i in range(values.size):
        total += 0.0 * values[i]
    for i in range(slopes.in_time.size):
        total += 0.0 * slopes.in_time[i]
    return math.isfinite(total)
