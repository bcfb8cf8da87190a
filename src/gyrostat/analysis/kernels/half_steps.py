"""The two halves of a step of time stepping: to its middle with the speeds of its start, and on with those of its end.

Velocities of free bodies are in axes of the body and are turned with it: they stay constant in space where no load
acts.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import clear, copy, local_rates, move
from gyrostat.analysis.kernels.moreau_tables import MoreauStages, RigidTables
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.right_side import evaluate
from gyrostat.program.translation import kernel


@kernel
def carry(tables: RigidTables, equations: Equations, rates: Floats, y: Floats) -> None:
    """Add ω × v to rates of velocities in axes of a body, for components in axes that stand still."""
    for r in range(tables.carried.size):
        p, w = tables.carried[r], equations.rotations.places[r, 1]
        if p >= 0:
            rates[p] += y[w + 1] * y[p + 2] - y[w + 2] * y[p + 1]
            rates[p + 1] += y[w + 2] * y[p] - y[w] * y[p + 2]
            rates[p + 2] += y[w] * y[p + 1] - y[w + 1] * y[p]


@kernel
def reach_middle(tables: RigidTables, memory: MoreauStages, equations: Equations, step: Step) -> None:
    """Write the state at the middle of a step, by the rates at its start, and the start in axes of the middle."""
    n_q, half = tables.coordinates, memory.half
    clear(memory.extra)
    copy(memory.rates[: half.size], half)
    carry(tables, equations, half, step.start)
    local_rates(memory.extra, step.start, equations.rotations, half)
    for i in range(half.size):
        half[i] *= 0.5 * step.h
    move(step.start, half, equations.rotations, memory.middle)
    copy(memory.middle, memory.turned)
    for i in range(n_q, half.size):
        memory.turned[i] = step.start[i]
    for r in range(tables.carried.size):
        p, q = tables.carried[r], equations.rotations.places[r, 0]
        if p >= 0:
            _turn(memory.middle[p:], half[q], half[q + 1], half[q + 2])
            _turn(memory.turned[p:], half[q], half[q + 1], half[q + 2])


@kernel
def move_coordinates(tables: RigidTables, memory: MoreauStages, equations: Equations, step: Step) -> None:
    """Write the changes of coordinates in a step: half of it with the speeds at its start, half with those at its end.

    Speeds by which the displacement differs from that are added to the latter.
    """
    state = memory.middle
    for i in range(tables.coordinates, tables.coordinates + tables.speeds):
        state[i] = memory.turned[i] + memory.way[i] + memory.extra[i]
    middle = step.t + 0.5 * step.h
    evaluate(equations, middle, middle, state, memory.rates)
    clear(memory.extra)
    local_rates(memory.extra, state, equations.rotations, memory.rates)
    for i in range(tables.coordinates):
        memory.way[i] = memory.half[i] + 0.5 * step.h * memory.rates[i]


@kernel
def turn_velocities(tables: RigidTables, equations: Equations, memory: MoreauStages, start: Floats) -> None:
    """Write the changes of velocities in axes of a body, from its axes at the middle to those at the end of a step."""
    way, half, v = memory.way, memory.half, memory.extra
    for r in range(tables.carried.size):
        p, q = tables.carried[r], equations.rotations.places[r, 0]
        if p >= 0:
            for k in range(3):
                v[p + k] = memory.turned[p + k] + way[p + k]
            _turn(v[p:], -half[q], -half[q + 1], -half[q + 2])
            _turn(v[p:], way[q], way[q + 1], way[q + 2])
            for k in range(3):
                way[p + k] = v[p + k] - start[p + k]


@kernel
def _turn(v: Floats, x: float, y: float, z: float) -> None:
    """Express a vector in axes that are turned by φ = (x, y, z): it becomes exp(−φ×) v, by Rodrigues' formula."""
    square = x * x + y * y + z * z
    if square > 0.0:
        angle = math.sqrt(square)
        sine, less = math.sin(angle) / angle, (1.0 - math.cos(angle)) / square
        cx, cy, cz = y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]
        dx, dy, dz = y * cz - z * cy, z * cx - x * cz, x * cy - y * cx
        v[0] += less * dx - sine * cx
        v[1] += less * dy - sine * cy
        v[2] += less * dz - sine * cz
