"""The Jacobian of the rates by state and time, in the local coordinates of a step that begins at the state."""

from __future__ import annotations

from gyrostat.analysis.kernels.input_tables import table_rates
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite
from gyrostat.analysis.kernels.methods import Jacobian
from gyrostat.analysis.kernels.problem import Equations, Floats
from gyrostat.analysis.kernels.right_side import evaluate, set_state, set_time
from gyrostat.program.translation import call, flat, kernel, rare_kernel

_DIFFERENCE = 1e-7
"""The relative change by which inputs that are functions in Python, and sliding motions, are differentiated."""


@rare_kernel
def evaluate_jacobian(jacobian: Jacobian, equations: Equations, t: float, h: float, y: Floats) -> None:
    """Write ∂ẏ/∂y, column by column, and ∂ẏ/∂t at a state that begins a step of length h.

    In a sliding mode, and while rigid contacts are closed, they are difference quotients, since modes and loads change
    with the state.
    """
    matrix, by_time, x, rotations = jacobian.matrix, jacobian.by_time, equations.x, equations.rotations
    set_state(equations, t, t + 0.5 * h, y)
    if equations.switching.sizes[0] > 0:
        _differentiate(jacobian, equations, t, h, y, equations.switching.state, equations.switching.changes)
    elif moves_along(equations):
        _differentiate(jacobian, equations, t, h, y, equations.contacts.state, equations.contacts.changes)
    else:
        rates_by_state(jacobian, x)
    if not moves_along(equations):
        clear(by_time)
        rates_by_time(jacobian, x)
        if jacobian.inputs_function != 0:
            _add_inputs(jacobian, equations, t, h, y)
    if equations.pairs.kernels.vary(equations):
        _add_pairs(jacobian, equations, t, h, y)
    if rotations.exponential:
        for r in range(rotations.places.shape[0]):
            turn_block(matrix, by_time, rotations.places[r, 0], rotations.places[r, 1], y, y.size)


@kernel
def rates_by_state(jacobian: Jacobian, x: Floats) -> None:
    """Write ∂ẏ/∂y at a row x by the programs of a Jacobian."""
    if jacobian.columns_function != 0:
        _evaluate_columns(jacobian, x)
    elif jacobian.entries.size > 0:
        call(jacobian.entries_function, x.ctypes.data, jacobian.entries.ctypes.data)
        _spread_entries(jacobian)
    elif jacobian.matrix.size > 0:
        call(jacobian.entries_function, x.ctypes.data, jacobian.matrix.ctypes.data)


@kernel
def rates_by_time(jacobian: Jacobian, x: Floats) -> None:
    """Write ∂ẏ/∂t at a row x, where it may differ from zero, into zeros."""
    rows, column = jacobian.time_rows, jacobian.column
    if jacobian.time_function == 0:
        return
    if rows.size == 0:
        call(jacobian.time_function, x.ctypes.data, jacobian.by_time.ctypes.data)
        return
    call(jacobian.time_function, x.ctypes.data, column.ctypes.data)
    for i in range(rows.size):
        jacobian.by_time[rows[i]] = column[i]


@kernel
def moves_along(equations: Equations) -> bool:
    """Return whether modes or loads of contacts follow the state, so that derivatives are taken by differences."""
    contacts = equations.contacts
    return bool(equations.switching.sizes[0] > 0 or (contacts.modes.size > 0 and contacts.closed[0] > 0))


@kernel
def _evaluate_columns(jacobian: Jacobian, x: Floats) -> None:
    """Write ∂ẏ/∂y by derivatives along unit vectors, or along sums of those whose columns have no row in common."""
    rows, products = jacobian.rows, jacobian.products
    for j in range(rows.shape[0]):
        copy(x, rows[j])
    if jacobian.group_of.size == 0:
        call(jacobian.columns_function, rows.ctypes.data, jacobian.matrix.ctypes.data, rows.shape[0])
        return
    call(jacobian.columns_function, rows.ctypes.data, products.ctypes.data, rows.shape[0])
    for i in range(jacobian.entries.size):
        jacobian.entries[i] = products[jacobian.group_of[jacobian.columns_of[i]], jacobian.rows_of[i]]
    _spread_entries(jacobian)


@kernel
def _spread_entries(jacobian: Jacobian) -> None:
    """Write the stored entries into the matrix."""
    clear(flat(jacobian.matrix))
    for i in range(jacobian.entries.size):
        jacobian.matrix[jacobian.columns_of[i], jacobian.rows_of[i]] = jacobian.entries[i]


@rare_kernel
def _differentiate(
    jacobian: Jacobian, equations: Equations, t: float, h: float, y: Floats, state: Floats, changes: Floats
) -> None:
    """Write ∂ẏ/∂y and ∂ẏ/∂t by differences, with room for a state and for two sets of rates."""
    n, within = y.size, t + 0.5 * h
    evaluate(equations, t, within, y, changes[0])
    for j in range(n + 1):
        change = _DIFFERENCE * h
        copy(y, state)
        if j < n:
            change = _DIFFERENCE * (1.0 + abs(y[j]))
            state[j] += change
            evaluate(equations, t, within, state, changes[1])
        else:
            evaluate(equations, t + change, within, state, changes[1])
        for i in range(n):
            quotient = (changes[1, i] - changes[0, i]) / change
            if j < n:
                jacobian.matrix[j, i] = quotient
            else:
                jacobian.by_time[i] = quotient


@rare_kernel
def _add_inputs(jacobian: Jacobian, equations: Equations, t: float, h: float, y: Floats) -> None:
    """Add the part of inputs: of tables with time, of functions in Python with time and state, by differences."""
    x, tables, state, first = equations.x, equations.tables, equations.state, jacobian.first_input
    inputs, seeds = jacobian.inputs, jacobian.vector[x.size :]
    for i in range(inputs.size):
        inputs[i] = x[first + i]
    clear(seeds)
    if equations.native.inputs != 0:
        change = _DIFFERENCE * h
        set_time(equations, t + change)
        call(equations.native.inputs, x.ctypes.data)
        _difference(jacobian, x, change, seeds)
        set_time(equations, t)
    if tables.places.size > 0:
        table_rates(tables, t, t + 0.5 * h, first, seeds)
    _add_along_inputs(jacobian, x, jacobian.by_time)
    if equations.native.inputs == 0:
        return
    for j in range(y.size):
        change = _DIFFERENCE * (1.0 + abs(y[j]))
        state[j] = y[j] + change
        call(equations.native.inputs, x.ctypes.data)
        state[j] = y[j]
        clear(seeds)
        if _difference(jacobian, x, change, seeds):
            _add_along_inputs(jacobian, x, jacobian.matrix[j])


@rare_kernel
def _add_pairs(jacobian: Jacobian, equations: Equations, t: float, h: float, y: Floats) -> None:
    """Add the part of the loads of pairs by the chain rule; with time, which drivers alone cause, by differences."""
    x, first, inputs, seeds = equations.x, jacobian.first_input, jacobian.inputs, jacobian.vector[equations.x.size :]
    for j in range(y.size):
        if equations.pairs.kernels.slope(equations, j, seeds):
            _add_along_inputs(jacobian, x, jacobian.matrix[j])
    for i in range(inputs.size):
        inputs[i] = x[first + i]
    change = _DIFFERENCE * h
    set_time(equations, t + change)
    equations.pairs.kernels.apply(equations)
    clear(seeds)
    if _difference(jacobian, x, change, seeds):
        _add_along_inputs(jacobian, x, jacobian.by_time)
    set_time(equations, t)


@kernel
def _difference(jacobian: Jacobian, x: Floats, change: float, seeds: Floats) -> bool:
    """Write difference quotients of inputs, put them back to what they were, and return whether any has changed."""
    first, inputs = jacobian.first_input, jacobian.inputs
    changed = False
    for i in range(inputs.size):
        if x[first + i] != inputs[i]:
            seeds[i] = (x[first + i] - inputs[i]) / change
            x[first + i] = inputs[i]
            changed = True
    return changed


@kernel
def _add_along_inputs(jacobian: Jacobian, x: Floats, total: Floats) -> None:
    """Add the derivative of the rates along the direction of inputs in `vector`."""
    copy(x, jacobian.vector)
    call(jacobian.inputs_function, jacobian.vector.ctypes.data, jacobian.column.ctypes.data)
    for i in range(total.size):
        total[i] += jacobian.column[i]


@kernel
def turn_columns(matrix: Floats, first: int, p: int, y: Floats, size: int) -> None:
    """Change derivatives by Euler parameters, of which the first is `first`, to those by a rotation vector φ."""
    e0, e1, e2, e3 = 0.5 * y[p], 0.5 * y[p + 1], 0.5 * y[p + 2], 0.5 * y[p + 3]
    for i in range(size):
        d0, d1, d2, d3 = matrix[first, i], matrix[first + 1, i], matrix[first + 2, i], matrix[first + 3, i]
        matrix[first, i] = -e1 * d0 + e0 * d1 + e3 * d2 - e2 * d3
        matrix[first + 1, i] = -e2 * d0 - e3 * d1 + e0 * d2 + e1 * d3
        matrix[first + 2, i] = -e3 * d0 + e2 * d1 - e1 * d2 + e0 * d3
        matrix[first + 3, i] = 0.0


@kernel
def turn_block(matrix: Floats, by_time: Floats, p: int, w: int, y: Floats, size: int) -> None:
    """Change variables from Euler parameters to a rotation vector φ: e = e₀ ∘ exp(φ/2) at φ = 0."""
    turn_columns(matrix, p, p, y, size)
    for k in range(4):
        by_time[p + k] = 0.0
        for j in range(size):
            matrix[j, p + k] = 0.0
    # φ̇ = ω + ½ φ×ω + …
    w1, w2, w3 = 0.5 * y[w], 0.5 * y[w + 1], 0.5 * y[w + 2]
    matrix[p + 1, p], matrix[p + 2, p] = w3, -w2
    matrix[p, p + 1], matrix[p + 2, p + 1] = -w3, w1
    matrix[p, p + 2], matrix[p + 1, p + 2] = w2, -w1
    for k in range(3):
        matrix[w + k, p + k] = 1.0


@kernel
def jacobian_is_finite(jacobian: Jacobian, equations: Equations) -> bool:
    """Return whether all derivatives are finite numbers."""
    stored = jacobian.entries.size > 0 and not moves_along(equations)
    return is_finite(jacobian.entries if stored else flat(jacobian.matrix)) and is_finite(jacobian.by_time)
