"""Stages of systems with ropes in a sliding mode, where modes μ(t, y) follow the state.

Sliding functions s belong to the rest of the system, and only its rates depend on the modes, by D = ∂ẏ/∂μ. On the
sliding motion ẏ = f(t, y) the rate s_y f + s_t is zero everywhere. With c = d(s_y)/dt and e = d(s_t)/dt along it,

    s_y ∂f/∂y = −c,    s_y ∂f/∂t = −e.

The stage (m/hγ − ∂f/∂y) k = r is that with modes held and D ν added to its right side, where ν follows from
(s_y m/hγ + c) k = s_y r. Derivatives of modes by the state are not formed.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.linear_equations import solve
from gyrostat.analysis.kernels.local_coordinates import clear, copy, local_rates, move
from gyrostat.analysis.kernels.problem import Equations, Floats
from gyrostat.analysis.kernels.right_side import evaluate_row, set_modes, set_time
from gyrostat.analysis.kernels.rope_tables import RopeTables
from gyrostat.analysis.kernels.sliding import evaluate_switches, solve_shared
from gyrostat.coordinates.row import TIME
from gyrostat.program.translation import flat, kernel, rare_kernel

_DIFFERENCE = 1e-5
"""The relative change by which sliding functions are differentiated by states."""
_TIME_INCREMENT = 0.01
"""The part of a step over which they are differentiated by time, and their derivatives along the motion."""


@rare_kernel
def differentiate_sliding(equations: Equations, tables: RopeTables, h: float) -> None:
    """Store D, s_y, c and e at the time and state in x, which begin a step of length h; there may be no function."""
    switching, held, states = equations.switching, tables.memory.held, tables.rest.states
    count, rates, modes = switching.sizes[0], switching.changes, switching.modes
    held.counts[0] = count
    if count == 0:
        return
    set_modes(equations)
    evaluate_row(equations, rates[0])
    for b in range(count):
        modes[switching.sliding[b]] += 1.0
        evaluate_row(equations, rates[1])
        modes[switching.sliding[b]] -= 1.0
        for j in range(states.size):
            held.by_modes[b, j] = rates[1, states[j]] - rates[0, states[j]]
    t, y = equations.x[TIME], switching.state
    copy(equations.state, y)
    clear(switching.step)
    local_rates(switching.step, y, equations.rotations, rates[0])
    clear(flat(held.normals))
    clear(flat(held.turning))
    for j in range(states.size + 1):
        size = _TIME_INCREMENT * h if j == states.size else _DIFFERENCE * (1.0 + abs(y[states[j]]))
        for corner in range(4):
            along, across = (1.0 if corner > 1 else -1.0), (1.0 if corner % 2 == 1 else -1.0)
            _evaluate_beside(equations, tables, t, along * _TIME_INCREMENT * h, j, across * size)
            for a in range(count):
                value = across * switching.found[switching.sliding[a]] / (2.0 * size)
                held.normals[a, j] += 0.5 * value
                held.turning[a, j] += along * value / (2.0 * _TIME_INCREMENT * h)
    copy(y, equations.state)
    set_time(equations, t)


@rare_kernel
def _evaluate_beside(
    equations: Equations, tables: RopeTables, t: float, ahead: float, place: int, change: float
) -> None:
    """Evaluate the switching functions after a time along the motion, with a change of one state of the rest.

    The place behind the last state is the time.
    """
    switching, states = equations.switching, tables.rest.states
    for i in range(switching.step.size):
        switching.step[i] = ahead * switching.changes[0, i]
    if place < states.size:
        switching.step[states[place]] += change
    move(switching.state, switching.step, equations.rotations, equations.state)
    set_time(equations, t + ahead + (change if place == states.size else 0.0))
    evaluate_switches(equations)


@rare_kernel
def follow_in_time(tables: RopeTables, by_time: Floats) -> None:
    """Add to ∂ẏ/∂t with modes held the part of modes that follow the time."""
    held, states = tables.memory.held, tables.rest.states
    count = held.counts[0]
    for a in range(count):
        held.right[a] = -held.turning[a, states.size]
        for j in range(states.size):
            held.right[a] -= held.normals[a, j] * by_time[states[j]]
        for b in range(count):
            held.left[b, a] = _product(held.normals[a], held.by_modes[b], states.size)
    solve_shared(held.left, count, held.right)
    for b in range(count):
        for j in range(states.size):
            by_time[states[j]] += held.by_modes[b, j] * held.right[b]


@rare_kernel
def factorise_sliding(tables: RopeTables) -> None:
    """Store the solutions of the rest's stage for the loads of modes, and the equations of these loads."""
    held, memory, rest = tables.memory.held, tables.memory, tables.rest
    count = held.counts[0]
    for b in range(count):
        copy(held.by_modes[b], held.responses[b])
        solve(memory.matrix, memory.pivots, held.responses[b])
    for a in range(count):
        for j in range(rest.states.size):
            held.rows[a, j] = held.normals[a, j] * rest.masses[j] / memory.step[0] + held.turning[a, j]
        for b in range(count):
            held.matrix[b, a] = _product(held.rows[a], held.responses[b], rest.states.size)


@rare_kernel
def hold_sliding(tables: RopeTables, right: Floats) -> None:
    """Add to the solution of the rest's stage, which is in `memory.right`, the loads that hold sliding functions.

    `right` is the right side of the whole stage.
    """
    held, memory, states = tables.memory.held, tables.memory, tables.rest.states
    count = held.counts[0]
    for a in range(count):
        value = -_product(held.rows[a], memory.right, states.size)
        for j in range(states.size):
            value += held.normals[a, j] * right[states[j]]
        held.right[a] = value
    copy(flat(held.matrix), flat(held.left))
    solve_shared(held.left, count, held.right)
    for b in range(count):
        for j in range(states.size):
            memory.right[j] += held.right[b] * held.responses[b, j]


@kernel
def _product(a: Floats, b: Floats, size: int) -> float:
    """Return the sum of the products of the first so many entries."""
    total = 0.0
    for j in range(size):
        total += a[j] * b[j]
    return total
