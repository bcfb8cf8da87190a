"""Steps of grains: velocity Verlet, with walls that move on at constant velocity between two exchanges.

Forces that depend on velocities take those in the middle of the step.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.grain_pairs import load_grain_pairs
from gyrostat.analysis.kernels.grain_search import form_lists, lists_are_valid
from gyrostat.analysis.kernels.grain_tables import (
    COUNT,
    DONE,
    ELASTIC,
    STEPS,
    SUM_FORCE,
    GrainMotion,
    GrainTables,
)
from gyrostat.analysis.kernels.grain_walls import load_grain_walls, move_walls
from gyrostat.program.translation import kernel, rare_kernel


@rare_kernel
def advance_grains(tables: GrainTables, steps: int, dt: float) -> int:
    """Make steps, beginning with those that an earlier call left; return DONE, or which list has no room.

    A step that found no room goes on in the next call.
    """
    grains, lists, walls = tables.grains, tables.lists, tables.walls
    while lists.numbers[STEPS] < 2 * steps:
        if lists.numbers[STEPS] % 2 == 0:
            _kick(grains, 0.5 * dt)
            _add_impulses(tables, 0.5 * dt)
            for i in range(grains.radii.size):
                for k in range(3):
                    grains.x[i, k] += dt * grains.v[i, k]
            move_walls(walls, dt)
            lists.numbers[STEPS] += 1
        if not lists_are_valid(tables):
            outcome = form_lists(tables)
            if outcome != DONE:
                return outcome
        _load(tables, dt)
        _kick(grains, 0.5 * dt)
        _add_impulses(tables, 0.5 * dt)
        lists.numbers[STEPS] += 1
    lists.numbers[STEPS] = 0
    return DONE


@rare_kernel
def load_grains(tables: GrainTables) -> int:
    """Evaluate all contacts where grains and walls are, in no time; return DONE, or which list has no room."""
    if not lists_are_valid(tables):
        outcome = form_lists(tables)
        if outcome != DONE:
            return outcome
    _load(tables, 0.0)
    return DONE


@kernel
def _load(tables: GrainTables, dt: float) -> None:
    """Evaluate all contacts after a step of time."""
    force, loads, sums = tables.grains.force, tables.walls.loads, tables.sums
    sums[COUNT], sums[SUM_FORCE], sums[ELASTIC] = 0.0, 0.0, 0.0
    for i in range(force.shape[0]):
        for k in range(6):
            force[i, k] = 0.0
    for b in range(loads.shape[0]):
        for k in range(6):
            loads[b, k] = 0.0
    load_grain_pairs(tables, dt)
    load_grain_walls(tables, dt)


@kernel
def _kick(grains: GrainMotion, dt: float) -> None:
    """Change velocities by the present forces."""
    for i in range(grains.radii.size):
        mass, inertia = dt / grains.masses[i], dt / grains.inertias[i]
        for k in range(3):
            grains.v[i, k] += mass * grains.force[i, k] + dt * grains.gravity[k]
            grains.w[i, k] += inertia * grains.force[i, 3 + k]


@kernel
def _add_impulses(tables: GrainTables, dt: float) -> None:
    """Add the impulses of the present forces on walls."""
    loads, impulses = tables.walls.loads, tables.walls.impulses
    for b in range(loads.shape[0]):
        for k in range(6):
            impulses[b, k] += dt * loads[b, k]
