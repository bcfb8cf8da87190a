"""Explicit Runge–Kutta methods: the kernels that the driver takes."""

from __future__ import annotations

import math
from typing import TypeAlias

from gyrostat.analysis.kernels.crossing import state_at
from gyrostat.analysis.kernels.error_along import error_along
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, local_rates, move, normalise
from gyrostat.analysis.kernels.methods import ExplicitTableau, Method, Stages
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, Step
from gyrostat.analysis.kernels.progress import (
    CALM,
    DONE,
    ERROR,
    EVALUATIONS,
    LAST_SWITCH,
    NEARNESS,
    NON_FINITE,
    PASSAGE,
    SINGULAR,
    STEP,
    STIFF,
    STIFF_STEPS,
    STIFFNESS,
    TIME,
)
from gyrostat.analysis.kernels.projection import nearness, project
from gyrostat.analysis.kernels.right_side import evaluate, evaluate_here
from gyrostat.analysis.kernels.run_record import Log
from gyrostat.analysis.kernels.singular_passage import INDETERMINACY_PIVOT, PROJECTION_PIVOT, passage_fraction
from gyrostat.analysis.kernels.step_record import shortly_after, start_time
from gyrostat.analysis.kernels.step_starting import start_step
from gyrostat.program.translation import kernel, rare_kernel

Explicit: TypeAlias = Method[ExplicitTableau, Stages]

_STABILITY_SHARE = 0.8
"""A step above this part of the longest stable one counts as limited by stability."""
_INNER, _OUTER = 0.5 * 0.5384693101056831, 0.5 * 0.9061798459386640
"""Distances of Gauss's five places from the middle of an interval of length 1; below, their weights."""
_MIDDLE_WEIGHT, _INNER_WEIGHT, _OUTER_WEIGHT = 64 / 225, 0.2393143352496832, 0.1184634425280945


@kernel
def _is_plain(equations: Equations) -> bool:
    """Return whether a stage is a sum, without rotations to turn and constraints to obey.

    It is then written where the rates are taken.
    """
    rotations = equations.rotations
    turning = rotations.places.shape[0] > 0 and rotations.exponential
    return equations.projection.coordinates == 0 and not turning


@kernel
def begin(method: Explicit, equations: Equations, progress: Progress, stop: float, fresh: bool, broken: bool) -> int:
    """Evaluate the rates at the start of a step that does not follow another, and choose the first step."""
    if fresh:
        clock, k, step, t = progress.clock, method.memory.k, method.memory.step, progress.clock[TIME]
        clear(step)
        at = start_time(progress.breaks, progress.counts, t, stop)
        evaluate(equations, at, shortly_after(t, stop), progress.y, k[0])
        progress.counts[EVALUATIONS] += 1
        local_rates(step, progress.y, equations.rotations, k[0])
        if not is_finite(k[0]):
            return NON_FINITE
        if clock[STEP] <= 0.0 or clock[LAST_SWITCH] == t:
            room = method.memory.new, method.memory.state, k[1]
            clock[STEP] = start_step(method.control, equations, progress, stop - t, k[0], room)
    return DONE


@kernel
def attempt(method: Explicit, equations: Equations, step: Step, progress: Progress) -> int:
    """Make all stages of a step, and the state at its end.

    A step near a singular position is made with all its stages projected onto the constraints, or with none: a method
    keeps its order where it integrates one and the same extension of the rates off the constraints.
    """
    memory, clock, stages = method.memory, progress.clock, method.numbers.stages
    near = nearness(equations.projection, memory.k[0, step.start.size :])
    if near < INDETERMINACY_PIVOT:
        return SINGULAR
    memory.nearness[0] = near
    careful = near < PROJECTION_PIVOT
    near = min(near, _make_stages(method, equations, step, careful))
    progress.counts[EVALUATIONS] += stages
    if near < PROJECTION_PIVOT and not careful:
        near = min(near, _make_stages(method, equations, step, True))
        progress.counts[EVALUATIONS] += stages
    clock[NEARNESS] = near
    if near < PROJECTION_PIVOT:
        clock[PASSAGE] = passage_fraction(method.numbers.c, memory.nearness)
    if not (near >= 0.0 and is_finite(memory.k[stages]) and is_finite(step.new)):
        return NON_FINITE
    if method.control.adaptive:
        singular = near < PROJECTION_PIVOT
        clock[ERROR] = _error_along(method, equations, step, near) if singular else _error(method, step)
    return DONE


@kernel
def _make_stages(method: Explicit, equations: Equations, step: Step, careful: bool) -> float:
    """Write the rates of all stages and the state at the end; return the smallest relative pivot.

    It is −1 where that state does not satisfy the constraints, or rates are not finite. If `careful` all stages are
    projected onto the constraints, else the last.
    """
    tableau, memory, rotations, projection = method.numbers, method.memory, equations.rotations, equations.projection
    n, h, middle = step.start.size, step.h, step.t + 0.5 * step.h
    stages, pair, k, way, pair_states = tableau.stages, tableau.pair, memory.k, memory.step, memory.pair_states
    plain = _is_plain(equations)
    stage = equations.state if plain else memory.state
    near = 1.0
    for s in range(1, stages + 1):
        at = step.t + tableau.c[s] * h
        if plain:
            _combine(tableau, k, s, h, step.start, stage)
            if s == stages:
                normalise(rotations, stage)
            evaluate_here(equations, at, middle, k[s])
        else:
            _combine(tableau, k, s, h, memory.zero, way)
            move(step.start, way, rotations, stage)
            if s == stages:
                normalise(rotations, stage)
            obeys = project(equations, at, middle, stage) if s == stages or careful else True
            evaluate(equations, at, middle, stage, k[s])
            known = (obeys or s < stages) and is_finite(k[s])
            memory.nearness[s] = nearness(projection, k[s, n:]) if known else -1.0
            near = min(near, memory.nearness[s])
            local_rates(way, stage, rotations, k[s])
        if s == pair[0]:
            copy(stage if plain else way, pair_states[0])
        if s == pair[1]:
            copy(stage if plain else way, pair_states[1])
    copy(stage, step.new)
    return near


@kernel
def interpolate(method: Explicit, equations: Equations, step: Step, progress: Progress) -> None:
    """Make the stages that the polynomial alone needs, and write it."""
    tableau, memory, rotations, h = method.numbers, method.memory, equations.rotations, step.h
    count, k = tableau.c.size, memory.k
    for s in range(tableau.stages + 1, count):
        _combine(tableau, k, s, h, memory.zero, memory.step)
        move(step.start, memory.step, rotations, memory.state)
        if progress.clock[NEARNESS] < PROJECTION_PIVOT and equations.projection.coordinates != 0:
            project(equations, step.t + tableau.c[s] * h, step.t + 0.5 * h, memory.state)
        evaluate(equations, step.t + tableau.c[s] * h, step.t + 0.5 * h, memory.state, k[s])
        local_rates(memory.step, memory.state, rotations, k[s])
    progress.counts[EVALUATIONS] += count - tableau.stages - 1
    for j in range(step.polynomial.shape[0]):
        for i in range(step.start.size):
            value = 0.0
            for s in range(count):
                value += tableau.dense[s, j] * k[s, i]
            step.polynomial[j, i] = h * value


@kernel
def sketch(method: Explicit, step: Step) -> bool:
    """Write the cubic through states and rates at both ends, where the method's own polynomial has more stages."""
    n, h, k, way, cubic = step.start.size, step.h, method.memory.k, method.memory.step, step.polynomial
    last = method.numbers.stages
    if method.numbers.c.size == last + 1:
        return False
    _combine(method.numbers, k, last, h, method.memory.zero, way)
    for i in range(n):
        begin, end = h * k[0, i], h * k[last, i]
        cubic[0, i] = begin
        cubic[1, i] = 3.0 * way[i] - 2.0 * begin - end
        cubic[2, i] = begin + end - 2.0 * way[i]
        for j in range(3, cubic.shape[0]):
            cubic[j, i] = 0.0
    return True


@kernel
def work(method: Explicit, equations: Equations, step: Step, fraction: float, whole: bool) -> float:
    """Return the work of all loads in a step: by the method's own weights, or in a part of a step by Gauss's rule."""
    tableau, k, place = method.numbers, method.memory.k, step.start.size + equations.projection.rows
    if k.shape[1] == place:
        return 0.0
    if not whole or fraction < 1.0:
        return _work_of_part(method, equations, step, fraction)
    total = 0.0
    for i in range(tableau.begins[tableau.stages], tableau.begins[tableau.stages + 1]):
        total += tableau.weights[i] * k[tableau.sources[i], place]
    return step.h * total


@rare_kernel
def _work_of_part(method: Explicit, equations: Equations, step: Step, fraction: float) -> float:
    """Return the work up to a fraction of a step by the powers at five places of its polynomial."""
    memory, modes = method.memory, equations.switching.modes
    copy(modes, memory.modes)
    inner = _power(method, equations, step, fraction * (0.5 - _INNER))
    inner += _power(method, equations, step, fraction * (0.5 + _INNER))
    outer = _power(method, equations, step, fraction * (0.5 - _OUTER))
    outer += _power(method, equations, step, fraction * (0.5 + _OUTER))
    middle = _power(method, equations, step, fraction * 0.5)
    copy(memory.modes, modes)
    return fraction * step.h * (_MIDDLE_WEIGHT * middle + _INNER_WEIGHT * inner + _OUTER_WEIGHT * outer)


@kernel
def _power(method: Explicit, equations: Equations, step: Step, theta: float) -> float:
    """Return the power of all loads at a fraction of a step."""
    memory, place = method.memory, step.start.size + equations.projection.rows
    state_at(step.start, step.polynomial, theta, equations.rotations, memory.step, memory.state)
    evaluate(equations, step.t + theta * step.h, step.t + 0.5 * step.h, memory.state, memory.rates)
    return float(memory.rates[place])


@kernel
def follow(method: Explicit, equations: Equations, step: Step, progress: Progress) -> int:
    """Return DONE: explicit steps are short against fast motions."""
    return DONE


@kernel
def settle(method: Explicit, equations: Equations, log: Log, progress: Progress, step: Step, first: int) -> None:
    """Do nothing: explicit steps are short against fast motions."""


@kernel
def accept(method: Explicit, equations: Equations, step: Step, progress: Progress, whole: bool) -> None:
    """Take the rates at the end of a step for those at the start of the next; look for signs of stiffness."""
    memory = method.memory
    _watch_stiffness(method, step, progress)
    if whole:
        copy(memory.k[method.numbers.stages], memory.k[0])
        if not _is_plain(equations):
            clear(memory.step)
            local_rates(memory.step, step.new, equations.rotations, memory.k[0])


@kernel
def _combine(tableau: ExplicitTableau, k: Floats, s: int, h: float, start: Floats, target: Floats) -> None:
    """Write start + h Σ a[s, j] k[j] over the stages before s that count.

    Four sums at a time stay in one register; two such rows do not wait for each other.
    """
    n = start.size
    whole = n - n % 4
    first, last = tableau.begins[s], tableau.begins[s + 1]
    paired = last - (last - first) % 2
    for i in range(0, whole, 4):
        sum0, sum1, sum2, sum3 = 0.0, 0.0, 0.0, 0.0
        other0, other1, other2, other3 = 0.0, 0.0, 0.0, 0.0
        for place in range(first, paired, 2):
            weight, j = tableau.weights[place], tableau.sources[place]
            sum0 += weight * k[j, i]
            sum1 += weight * k[j, i + 1]
            sum2 += weight * k[j, i + 2]
            sum3 += weight * k[j, i + 3]
            weight, j = tableau.weights[place + 1], tableau.sources[place + 1]
            other0 += weight * k[j, i]
            other1 += weight * k[j, i + 1]
            other2 += weight * k[j, i + 2]
            other3 += weight * k[j, i + 3]
        if paired < last:
            weight, j = tableau.weights[paired], tableau.sources[paired]
            sum0 += weight * k[j, i]
            sum1 += weight * k[j, i + 1]
            sum2 += weight * k[j, i + 2]
            sum3 += weight * k[j, i + 3]
        target[i], target[i + 1] = start[i] + h * (sum0 + other0), start[i + 1] + h * (sum1 + other1)
        target[i + 2], target[i + 3] = start[i + 2] + h * (sum2 + other2), start[i + 3] + h * (sum3 + other3)
    for i in range(whole, n):
        total = 0.0
        for place in range(first, last):
            total += tableau.weights[place] * k[tableau.sources[place], i]
        target[i] = start[i] + h * total


@kernel
def _error(method: Explicit, step: Step) -> float:
    """Return the error of a step in units of the tolerance, root mean square."""
    tableau, control, k = method.numbers, method.control, method.memory.k
    y, new = step.start, step.new
    first, second, size = 0.0, 0.0, max(y.size, 1)  # where all coordinates are driven there is no state
    for i in range(y.size):
        scale = control.absolute[i] + control.relative * max(abs(y[i]), abs(new[i]))
        e, f = 0.0, 0.0
        for s in range(tableau.stages + 1):
            e += tableau.error[0, s] * k[s, i]
            f += tableau.error[1, s] * k[s, i]
        first += (e / scale) ** 2
        second += (f / scale) ** 2
    if second == 0.0:
        return step.h * math.sqrt(first / size)
    return step.h * first / math.sqrt((first + 0.01 * second) * size)


@rare_kernel
def _error_along(method: Explicit, equations: Equations, step: Step, near: float) -> float:
    """Return the error of a step along the constraints in units of the tolerance, near a singular position."""
    tableau, memory, k = method.numbers, method.memory, method.memory.k
    first, second, size = 0.0, 0.0, max(step.new.size, 1)
    for row in range(2):
        for i in range(step.new.size):
            value = 0.0
            for s in range(tableau.stages + 1):
                value += tableau.error[row, s] * k[s, i]
            memory.step[i] = step.h * value
        total = error_along(equations, method.control, step, memory.step, memory.state, near)
        if row == 0:
            first = total
        else:
            second = total
    if second == 0.0:
        return math.sqrt(first / size)
    return first / math.sqrt((first + 0.01 * second) * size)


@kernel
def _watch_stiffness(method: Explicit, step: Step, progress: Progress) -> None:
    """Count steps that stability limits: step times eigenvalue is beyond what the method damps (Hairer's test)."""
    tableau, k, pair_states = method.numbers, method.memory.k, method.memory.pair_states
    clock, counts = progress.clock, progress.counts
    change, distance, size = 0.0, 0.0, 0.0
    for i in range(pair_states.shape[1]):
        size += step.start[i] ** 2
        change += (k[tableau.pair[1], i] - k[tableau.pair[0], i]) ** 2
        distance += (pair_states[1, i] - pair_states[0, i]) ** 2
    if distance <= 1e-26 * size:  # a difference of rounding errors tells nothing
        return
    eigenvalue = math.sqrt(change / distance)
    if step.h * eigenvalue > _STABILITY_SHARE * tableau.limit:
        counts[STIFF] += 1
        counts[CALM] = 0
        if counts[STIFF] >= 15:
            counts[STIFF_STEPS] += 1
            clock[STIFFNESS] = max(clock[STIFFNESS], eigenvalue)
    else:
        counts[CALM] += 1
        if counts[CALM] >= 6:
            counts[STIFF] = 0
