"""Time stepping with rigid contacts (Moreau; Anitescu and Potra 1997): the kernels that the driver takes.

Bodies move to the middle of a step with the speeds at its start. Speeds at the end follow from all loads at the middle
and from the impulses of contacts; the second half of the step goes with them. Impulses are such that no gap closes
beyond zero by the end of the step, to first order.
"""

from __future__ import annotations

from typing import TypeAlias

from gyrostat.analysis.kernels.gap_ends import find_displacement
from gyrostat.analysis.kernels.half_steps import carry, move_coordinates, reach_middle, turn_velocities
from gyrostat.analysis.kernels.impulse_sweep import needed_change, push_all, solve_impulses
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, move, normalise
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.moreau_tables import (
    ARM_A,
    AXES,
    GAP,
    SIDE_A,
    SIDE_B,
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
    _change_speeds(tables, memory, equations, step, memory.way)
    progress.counts[EVALUATIONS] += 4
    remember_contacts(memory)
    clear(memory.extra)
    if memory.impulses.number[0] > 0:
        if find_displacement(method.numbers, tables, memory, h):
            _clear_loads(tables.pairs, equations.x)
            _change_speeds(tables, memory, equations, step, memory.extra)
            for i in range(tables.coordinates, step.start.size):
                memory.extra[i] -= memory.way[i]
            progress.counts[EVALUATIONS] += 1
        _add_crowds(tables, memory)
    if memory.left[0] > 0.0:
        progress.counts[UNSOLVED] += 1
        progress.clock[UNSOLVED_BY] = max(progress.clock[UNSOLVED_BY], memory.left[0])
    move_coordinates(tables, memory, equations, step)
    turn_velocities(tables, equations, memory, step.start)
    move(step.start, memory.way, equations.rotations, step.new)
    normalise(equations.rotations, step.new)
    obeys = project(equations, step.reached, step.t + 0.5 * h, step.new)
    return DONE if obeys and is_finite(step.new) else NON_FINITE


@kernel
def _change_speeds(tables: RigidTables, memory: MoreauStages, equations: Equations, step: Step, change: Floats) -> None:
    """Write the changes of speeds and states in a step by all loads and the present impulses, in axes of the middle."""
    middle = step.t + 0.5 * step.h
    _add_loads(tables, memory, equations.x, 1.0 / step.h)
    evaluate(equations, middle, middle, memory.middle, memory.rates)
    carry(tables, equations, memory.rates, memory.middle)
    for i in range(tables.coordinates, step.start.size):
        change[i] = step.h * memory.rates[i]


@kernel
def _add_crowds(tables: RigidTables, memory: MoreauStages) -> None:
    """Add to the speeds of crowded bodies in the second half of a step their change: the mean is that at its end."""
    for i in range(tables.speeds):
        body = tables.owners[i] if tables.owners[i] >= 0 else tables.first_coupled
        if body >= 0 and memory.crowded[body] == 1:
            memory.extra[tables.coordinates + i] += memory.way[tables.coordinates + i]


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
    tables, middle = equations.pairs.tables, step.t + 0.5 * step.h
    pairs, n_q, n_u = tables.pairs, tables.coordinates, tables.speeds
    _clear_loads(pairs, equations.x)
    evaluate(equations, step.t, middle, step.start, memory.rates)
    reach_middle(tables, memory, equations, step)
    evaluate(equations, middle, middle, memory.middle, memory.rates)
    carry(tables, equations, memory.rates, memory.middle)
    copy(memory.turned[n_q : n_q + n_u], equations.state[n_q:])
    set_frames(pairs, equations.x)
    _take_twists(pairs, memory.old)
    copy(pairs.moved[: 3 * pairs.body_count], flat(memory.origins))
    for i in range(n_q, n_q + n_u):
        equations.state[i] = memory.turned[i] + step.h * memory.rates[i]
    call(pairs.motion, equations.x.ctypes.data, pairs.moved.ctypes.data)
    _take_twists(pairs, memory.twists)
    _couple(tables, memory, equations, middle)
    if not list_contacts(tables, memory, equations.x, step.h):
        return False
    push_all(memory, tables.lone)
    need = needed_change(memory)
    left = solve_impulses(numbers.most, memory, tables.lone, numbers.tolerance * need)
    memory.left[0] = left / need if left > 0.0 else 0.0
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
def _take_twists(pairs: PairTables, twists: Floats) -> None:
    """Take the motions of all bodies from the results of the program of motion."""
    count, moved = pairs.body_count, pairs.moved
    for b in range(count):
        for k in range(3):
            twists[b, k] = moved[12 * count + 3 * b + k]
            twists[b, 3 + k] = moved[15 * count + 3 * b + k]


@kernel
def _couple(tables: RigidTables, memory: MoreauStages, equations: Equations, t: float) -> None:
    """Write the motions of coupled bodies by units of load on each: rates are linear in loads, motions in speeds."""
    if memory.coupled.shape[0] > 0:
        _form_coupled(tables, memory, equations, t)


@rare_kernel
def _form_coupled(tables: RigidTables, memory: MoreauStages, equations: Equations, t: float) -> None:
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
                evaluate(equations, t, t, memory.middle, rates)
                x[tables.loads[body] + k] = 0.0
                carry(tables, equations, rates, memory.middle)
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
