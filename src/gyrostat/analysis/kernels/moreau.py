"""Time stepping with rigid contacts (Moreau; Anitescu and Potra 1997): the kernels that the driver takes.

Speeds at the end of a step follow from all loads at its start, taken at the middle of the change of speeds, and from
the impulses of contacts; coordinates move with the speeds at the end. Impulses are such that no gap closes beyond zero
by the end of the step, to first order. Velocities of free bodies are in axes of the body and are turned with it: they
stay constant in space where no load acts.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from gyrostat.analysis.kernels.impulse_sweep import solve_impulses
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, local_rates, move, normalise
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.moreau_tables import (
    ARM_A,
    AXES,
    FRICTION,
    GAP,
    SIDE_A,
    SIDE_B,
    TARGET,
    TWIST,
    MoreauNumbers,
    MoreauStages,
    RigidTables,
)
from gyrostat.analysis.kernels.pair_forces import set_frames
from gyrostat.analysis.kernels.pair_tables import DEPTH, IDS, TOTAL_FORCE, TOUCHING, PairTables
from gyrostat.analysis.kernels.problem import Equations, Floats, Places, Progress, Step
from gyrostat.analysis.kernels.progress import DONE, EVALUATIONS, NON_FINITE, STEPS, TOO_MANY, UNSOLVED, UNSOLVED_BY
from gyrostat.analysis.kernels.projection import project
from gyrostat.analysis.kernels.right_side import evaluate
from gyrostat.analysis.kernels.rigid_search import list_contacts, remember_contacts
from gyrostat.analysis.kernels.run_record import Log
from gyrostat.program.translation import call, flat, kernel, rare_kernel

Moreau: TypeAlias = Method[MoreauNumbers, MoreauStages]

_SHARE = 0.2
"""The part of an overlap that one step removes."""
_SLIGHT = 1e-6
"""Overlaps up to this, in terms of the largest bounding radius, are left."""


@kernel
def begin(method: Moreau, equations: Equations, progress: Progress, stop: float, fresh: bool, broken: bool) -> int:
    """Let the first step begin without impulses of an earlier one, which may be of another run in the same memory."""
    if progress.counts[STEPS] == 0:
        method.memory.impulses.last_count[0] = 0
    return DONE


@kernel
def attempt(method: Moreau, equations: Equations, step: Step, progress: Progress) -> int:
    """Find the impulses of a step, and the state at its end."""
    tables, memory, h = equations.pairs.tables, method.memory, step.h
    if not find_impulses(method.numbers, memory, equations, step):
        return TOO_MANY
    _add_loads(tables, memory, equations.x, 1.0 / h)
    evaluate(equations, step.t, step.t + 0.5 * h, memory.middle, memory.rates)
    _carry(tables, equations, memory.rates, memory.middle)
    for i in range(tables.coordinates, step.start.size):
        memory.way[i] = h * memory.rates[i]
    progress.counts[EVALUATIONS] += 4
    remember_contacts(memory)
    clear(memory.extra)
    if _overlaps(tables.pairs, memory):
        _correct(method.numbers, memory, equations, step)
        progress.counts[EVALUATIONS] += 2
    if memory.left[0] > 0.0:
        progress.counts[UNSOLVED] += 1
        progress.clock[UNSOLVED_BY] = max(progress.clock[UNSOLVED_BY], memory.left[0])
    _move_coordinates(tables, memory, equations, step)
    _turn_velocities(tables, equations, memory, step.start)
    move(step.start, memory.way, equations.rotations, step.new)
    normalise(equations.rotations, step.new)
    obeys = project(equations, step.reached, step.t + 0.5 * h, step.new)
    return DONE if obeys and is_finite(step.new) else NON_FINITE


@kernel
def interpolate(method: Moreau, equations: Equations, step: Step, progress: Progress) -> None:
    """Write the polynomial of a step: a straight line."""
    copy(method.memory.way, step.polynomial[0])


@kernel
def sketch(method: Moreau, step: Step) -> bool:
    """Return that there is none but the straight line."""
    return False


@kernel
def work(method: Moreau, equations: Equations, step: Step, fraction: float, whole: bool) -> float:
    """Return zero: the work is computed from the checkpoints."""
    return 0.0


@kernel
def follow(method: Moreau, equations: Equations, step: Step, progress: Progress) -> int:
    """Return DONE: the motion of a step is a straight line."""
    return DONE


@kernel
def settle(method: Moreau, equations: Equations, log: Log, progress: Progress, step: Step, first: int) -> None:
    """Do nothing: the motion of a step is a straight line."""


@kernel
def accept(method: Moreau, equations: Equations, step: Step, progress: Progress, whole: bool) -> None:
    """Keep nothing."""


@rare_kernel
def find_impulses(numbers: MoreauNumbers, memory: MoreauStages, equations: Equations, step: Step) -> bool:
    """Find the impulses of all contacts in a step; loads in x are zero then, and `middle` is known.

    Return False without room for all contacts.
    """
    tables, h, middle = equations.pairs.tables, step.h, step.t + 0.5 * step.h
    pairs, n_q, n_u = tables.pairs, tables.coordinates, tables.speeds
    _clear_loads(pairs, equations.x)
    evaluate(equations, step.t, middle, step.start, memory.rates)
    copy(step.start, memory.middle)
    _carry(tables, equations, memory.rates, step.start)
    for i in range(n_q, n_q + n_u):
        memory.middle[i] += 0.5 * h * memory.rates[i]
    set_frames(pairs, equations.x)
    _take_twists(pairs, memory.old)
    evaluate(equations, step.t, middle, memory.middle, memory.rates)
    _carry(tables, equations, memory.rates, memory.middle)
    for i in range(n_q, n_q + n_u):
        memory.way[i] = h * memory.rates[i]
        equations.state[i] = step.start[i] + memory.way[i]
    call(pairs.motion, equations.x.ctypes.data, pairs.moved.ctypes.data)
    _take_twists(pairs, memory.twists)
    _couple(tables, memory, equations, step.t, middle)
    if not list_contacts(tables, memory, equations.x, h):
        return False
    memory.left[0] = solve_impulses(numbers, memory, tables.lone)
    return True


@rare_kernel
def rigid_loads(numbers: MoreauNumbers, memory: MoreauStages, equations: Equations, step: Step) -> int:
    """Write the loads of contacts, means over a step from a state, into x; return 0 without room for them."""
    memory.impulses.last_count[0] = 0
    found = find_impulses(numbers, memory, equations, step)
    if found:
        _add_loads(equations.pairs.tables, memory, equations.x, 1.0 / step.h)
    return 1 if found else 0


@kernel
def _clear_loads(pairs: PairTables, x: Floats) -> None:
    for g in range(pairs.groups.written.shape[0]):
        for k in range(pairs.groups.written[g, 0], pairs.groups.written[g, 1]):
            x[k] = 0.0


@kernel
def _carry(tables: RigidTables, equations: Equations, rates: Floats, y: Floats) -> None:
    """Add ω × v to rates of velocities in axes of a body, for components in axes that stand still."""
    for r in range(tables.carried.size):
        p, w = tables.carried[r], equations.rotations.places[r, 1]
        if p >= 0:
            rates[p] += y[w + 1] * y[p + 2] - y[w + 2] * y[p + 1]
            rates[p + 1] += y[w + 2] * y[p] - y[w] * y[p + 2]
            rates[p + 2] += y[w] * y[p + 1] - y[w + 1] * y[p]


@kernel
def _take_twists(pairs: PairTables, twists: Floats) -> None:
    """Take the motions of all bodies from the results of the program of motion."""
    count, moved = pairs.body_count, pairs.moved
    for b in range(count):
        for k in range(3):
            twists[b, k] = moved[12 * count + 3 * b + k]
            twists[b, 3 + k] = moved[15 * count + 3 * b + k]


@kernel
def _couple(tables: RigidTables, memory: MoreauStages, equations: Equations, t: float, within: float) -> None:
    """Write the motions of coupled bodies by units of load on each: rates are linear in loads, motions in speeds."""
    if memory.coupled.shape[0] > 0:
        _form_coupled(tables, memory, equations, t, within)


@rare_kernel
def _form_coupled(tables: RigidTables, memory: MoreauStages, equations: Equations, t: float, within: float) -> None:
    """Write the motions of coupled bodies; at zero speeds they move as drivers cause."""
    pairs, x, n_q, n_u = tables.pairs, equations.x, tables.coordinates, tables.speeds
    lone, rates = tables.lone, memory.rates
    for i in range(n_q, n_q + n_u):
        equations.state[i] = 0.0
        memory.extra[i] = rates[i]
    call(pairs.motion, x.ctypes.data, pairs.moved.ctypes.data)
    _take_twists(pairs, memory.driven)
    for body in range(lone.size):
        if lone[body] >= 0 and tables.loads[body] >= 0:
            for k in range(TWIST):
                x[tables.loads[body] + k] = 1.0
                evaluate(equations, t, within, memory.middle, rates)
                x[tables.loads[body] + k] = 0.0
                _carry(tables, equations, rates, memory.middle)
                for i in range(n_q, n_q + n_u):
                    equations.state[i] = rates[i] - memory.extra[i]
                call(pairs.motion, x.ctypes.data, pairs.moved.ctypes.data)
                _store(pairs, memory, lone, 6 * lone[body] + k)


@kernel
def _store(pairs: PairTables, memory: MoreauStages, lone: Places, row: int) -> None:
    """Store motions of coupled bodies, without those that drivers cause, in a row."""
    count, moved, driven = pairs.body_count, pairs.moved, memory.driven
    for b in range(count):
        if lone[b] >= 0:
            for k in range(3):
                memory.coupled[row, 6 * lone[b] + k] = moved[12 * count + 3 * b + k] - driven[b, k]
                memory.coupled[row, 6 * lone[b] + 3 + k] = moved[15 * count + 3 * b + k] - driven[b, 3 + k]


@kernel
def _add_loads(tables: RigidTables, memory: MoreauStages, x: Floats, factor: float) -> None:
    """Add the impulses of contacts times a factor to the loads in x, and to the summaries of their groups."""
    found, shapes = memory.impulses, tables.pairs.shapes
    for c in range(found.number[0]):
        group = shapes.groups[_first_shape(tables.pairs, found.keys[c])]
        summary = tables.pairs.groups.summaries[group]
        x[summary + DEPTH] = max(x[summary + DEPTH], -found.numbers[c, GAP])
        if found.impulses[c, 0] > 0.0:
            x[summary + TOUCHING] += 1.0
            x[summary + TOTAL_FORCE] += factor * found.impulses[c, 0]
        _load(tables, memory, x, c, SIDE_A, factor)
        _load(tables, memory, x, c, SIDE_B, -factor)


@kernel
def _first_shape(pairs: PairTables, key: float) -> int:
    """Return the first shape of the pair that a point belongs to."""
    return int((key - 1.0) / float(IDS)) // pairs.shapes.radii.size


@kernel
def _load(tables: RigidTables, memory: MoreauStages, x: Floats, c: int, side: int, factor: float) -> None:
    """Add the impulse of a contact times a factor to the load on one of its bodies."""
    found = memory.impulses
    body = found.sides[c, side]
    if body < 0 or tables.loads[body] < 0:
        return
    at, arm, axes = tables.loads[body], found.numbers[c, ARM_A + 3 * side :], found.numbers[c, AXES:]
    fx, fy, fz = 0.0, 0.0, 0.0
    for k in range(3):
        size = factor * found.impulses[c, k]
        fx += size * axes[3 * k]
        fy += size * axes[3 * k + 1]
        fz += size * axes[3 * k + 2]
    x[at] += fx
    x[at + 1] += fy
    x[at + 2] += fz
    x[at + 3] += arm[1] * fz - arm[2] * fy
    x[at + 4] += arm[2] * fx - arm[0] * fz
    x[at + 5] += arm[0] * fy - arm[1] * fx


@kernel
def _move_coordinates(tables: RigidTables, memory: MoreauStages, equations: Equations, step: Step) -> None:
    """Write the changes of coordinates in a step, by the speeds at its end and those that remove overlaps."""
    n_q, n_u, state = tables.coordinates, tables.speeds, memory.middle
    copy(step.start, state)
    for i in range(n_q, n_q + n_u):
        state[i] += memory.way[i] + memory.extra[i]
    evaluate(equations, step.t, step.t + 0.5 * step.h, state, memory.rates)
    clear(memory.extra)
    local_rates(memory.extra, state, equations.rotations, memory.rates)
    for i in range(n_q):
        memory.way[i] = step.h * memory.rates[i]


@kernel
def _overlaps(pairs: PairTables, memory: MoreauStages) -> bool:
    """Return whether shapes overlap more than slightly."""
    found, size, deepest = memory.impulses, 0.0, 0.0
    for i in range(pairs.shapes.finite):
        size = max(size, pairs.shapes.radii[i])
    for c in range(found.number[0]):
        deepest = max(deepest, -found.numbers[c, GAP])
    return deepest > _SLIGHT * size


@rare_kernel
def _correct(numbers: MoreauNumbers, memory: MoreauStages, equations: Equations, step: Step) -> None:
    """Write the changes of coordinates with a part of each overlap removed, by impulses that leave the speeds alone."""
    tables, found, h = equations.pairs.tables, memory.impulses, step.h
    n_q, n_u, middle = tables.coordinates, tables.speeds, step.t + 0.5 * step.h
    for c in range(found.number[0]):
        gap = found.numbers[c, GAP]
        found.numbers[c, TARGET] = -gap / h if gap > 0.0 else -_SHARE * gap / h
        found.numbers[c, FRICTION] = 0.0
        for k in range(3):
            found.impulses[c, k] = 0.0
    clear(flat(memory.twists))
    memory.left[0] = max(memory.left[0], solve_impulses(numbers, memory, tables.lone))
    _clear_loads(tables.pairs, equations.x)
    evaluate(equations, step.t, middle, memory.middle, memory.rates)
    for i in range(n_q, n_q + n_u):
        memory.extra[i] = -h * memory.rates[i]
    _add_loads(tables, memory, equations.x, 1.0 / h)
    evaluate(equations, step.t, middle, memory.middle, memory.rates)
    for i in range(n_q, n_q + n_u):
        memory.extra[i] += h * memory.rates[i]


@kernel
def _turn_velocities(tables: RigidTables, equations: Equations, memory: MoreauStages, start: Floats) -> None:
    """Express velocities in axes of a body at the end of a step: v becomes exp(−φ×) v, by Rodrigues' formula."""
    way = memory.way
    for r in range(tables.carried.size):
        p, q = tables.carried[r], equations.rotations.places[r, 0]
        if p >= 0:
            x, y, z = way[q], way[q + 1], way[q + 2]
            angle = math.sqrt(x * x + y * y + z * z)
            if angle > 0.0:
                sine, less = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
                vx, vy, vz = start[p] + way[p], start[p + 1] + way[p + 1], start[p + 2] + way[p + 2]
                cx, cy, cz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
                way[p] += less * (y * cz - z * cy) - sine * cx
                way[p + 1] += less * (z * cx - x * cz) - sine * cy
                way[p + 2] += less * (x * cy - y * cx) - sine * cz
