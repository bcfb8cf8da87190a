"""Gauss collocation, implicit steps solved by iteration to rounding: the kernels that the driver takes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, normalise
from gyrostat.analysis.kernels.methods import Collocation, CollocationStages, Method
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, Rotations, Step
from gyrostat.analysis.kernels.progress import DONE, EVALUATIONS, NON_FINITE, NOT_CONVERGED
from gyrostat.analysis.kernels.right_side import evaluate
from gyrostat.analysis.kernels.run_record import Log
from gyrostat.analysis.kernels.step_record import start_time
from gyrostat.program.translation import flat, kernel, rare_kernel

Gauss: TypeAlias = Method[Collocation, CollocationStages]

ITERATION_LIMIT = 100
_ROUNDING = 1e-12
"""Changes below this share of the state are rounding errors."""


@kernel
def begin(method: Gauss, equations: Equations, progress: Progress, stop: float, fresh: bool, broken: bool) -> int:
    """Forget the last step where the state was changed since, and its rates beyond a break."""
    memory, y = method.memory, progress.y
    if broken:
        memory.last_step[0] = 0.0
    if fresh:
        for i in range(y.size):
            if memory.last[i] != y[i]:
                memory.last_step[0] = 0.0
                clear(memory.low)
                break
    return DONE


@kernel
def attempt(method: Gauss, equations: Equations, step: Step, progress: Progress) -> int:
    """Solve for the rates of the stages, and add the motion to the state."""
    tableau, memory, last_step, h = method.numbers, method.memory, method.memory.last_step, step.h
    if last_step[0] == 0.0:
        evaluate(equations, _begin_of(step, progress), step.t + 0.5 * h, step.start, memory.state)
        progress.counts[EVALUATIONS] += 1
        for i in range(memory.k.shape[0]):
            copy(memory.state, memory.k[i])
    else:
        _extrapolate(tableau.c, memory.rates, h / last_step[0], memory.k)
    outcome = _iterate(method, equations, step, progress)
    if outcome != DONE:
        last_step[0] = 0.0
        copy(step.start, memory.last)
        return outcome
    copy(flat(memory.k), flat(memory.rates))
    _add_motion(method, equations.rotations, step)
    return DONE


@rare_kernel
def interpolate(method: Gauss, equations: Equations, step: Step, progress: Progress) -> None:
    """Write the polynomial of a step: through both ends, with rates there and at nodes.

    Rates at the nodes are first those of the stages there, then those of the states that the polynomial has there.
    """
    tableau, memory, polynomial = method.numbers, method.memory, step.polynomial
    t, h, y, middle, stage = step.t, step.h, step.start, step.t + 0.5 * step.h, memory.motion[0]
    k, ends, inner, s = memory.k, memory.ends, memory.inner, memory.k.shape[0]
    evaluate(equations, _begin_of(step, progress), middle, y, ends[0])
    evaluate(equations, t + h, middle, step.new, ends[1])
    progress.counts[EVALUATIONS] += 2 + inner.shape[0]
    for m in range(inner.shape[0]):
        copy(k[0 if m == 0 else s - 1], inner[m])
    _combine_data(method, step)
    if inner.shape[0] == 0:
        return
    for m in range(inner.shape[0]):
        theta = tableau.nodes[m]
        for p in range(y.size):
            value = 0.0
            for j in range(polynomial.shape[0] - 1, -1, -1):
                value = (value + polynomial[j, p]) * theta
            stage[p] = y[p] + value
        evaluate(equations, t + theta * h, middle, stage, inner[m])
    _combine_data(method, step)


@kernel
def sketch(method: Gauss, step: Step) -> bool:
    """Return that there is none: rates at the ends of a step are not known."""
    return False


@kernel
def work(method: Gauss, equations: Equations, step: Step, fraction: float, whole: bool) -> float:
    """Return zero: the work is computed from the checkpoints."""
    return 0.0


@kernel
def follow(method: Gauss, equations: Equations, step: Step, progress: Progress) -> int:
    """Return DONE: a symplectic method keeps fast motions."""
    return DONE


@kernel
def settle(method: Gauss, equations: Equations, log: Log, progress: Progress, step: Step, first: int) -> None:
    """Do nothing: a symplectic method keeps fast motions."""


@kernel
def accept(method: Gauss, equations: Equations, step: Step, progress: Progress, whole: bool) -> None:
    """Remember the step; one that an event has cut leaves nothing to extrapolate."""
    memory = method.memory
    copy(step.new, memory.last)
    if whole:
        copy(memory.new_low, memory.low)
        memory.last_step[0] = step.h
    else:
        clear(memory.low)
        memory.last_step[0] = 0.0


@kernel
def _begin_of(step: Step, progress: Progress) -> float:
    """Return the time at which a step begins to be evaluated: at a break, formulas of time have their later values."""
    return start_time(progress.breaks, progress.counts, step.t, step.reached)


@kernel
def _extrapolate(c: Floats, rates: Floats, ratio: float, k: Floats) -> None:
    """Write the rates of the last step's polynomial at the stages of the next, which is `ratio` times as long."""
    s = c.size
    clear(flat(k))
    for i in range(s):
        at = 1.0 + ratio * c[i]
        for j in range(s):
            weight = 1.0
            for m in range(s):
                if m != j:
                    weight *= (at - c[m]) / (c[j] - c[m])
            for p in range(k.shape[1]):
                k[i, p] += weight * rates[j, p]


@kernel
def _iterate(method: Gauss, equations: Equations, step: Step, progress: Progress) -> int:
    """Solve for the rates of all stages by fixed-point iteration; return DONE, or the reason of the failure.

    It ends when changes no longer fall: then they are rounding errors, which must not be cut short in one direction
    (Hairer, McLachlan, Razakarivony 2008).
    """
    a, c, memory, y, t, h = method.numbers.a, method.numbers.c, method.memory, step.start, step.t, step.h
    k, motion, stage, low = memory.k, memory.motion, memory.state, memory.low
    s, n = k.shape
    clear(flat(motion))
    first, before = 0.0, np.inf
    for iteration in range(ITERATION_LIMIT):
        change = 0.0
        for i in range(s):
            for p in range(n):
                value = 0.0
                for j in range(s):
                    value += a[i, j] * k[j, p]
                value *= h
                change = max(change, abs(value - motion[i, p]) / (1.0 + abs(y[p])))
                motion[i, p] = value
        if iteration <= 1:
            first = max(first, change)  # the whole motion of the step, by rates of the last one and by its own
        elif change > 2.0 * first + 1e-3:
            return NOT_CONVERGED
        if iteration > 0 and (change == 0.0 or (change >= before and change < _ROUNDING)):
            return DONE
        for i in range(s):
            for p in range(n):
                stage[p] = y[p] + (low[p] + motion[i, p])
            evaluate(equations, t + c[i] * h, t + 0.5 * h, stage, k[i])
            if not is_finite(k[i]):
                return NON_FINITE if iteration == 0 or change <= before else NOT_CONVERGED
        before = change
        progress.counts[EVALUATIONS] += s
    return NOT_CONVERGED


@kernel
def _add_motion(method: Gauss, rotations: Rotations, step: Step) -> None:
    """Add the increment of the step to y + low; what rounding takes away stays in low."""
    memory, b, y, new = method.memory, method.numbers.b, step.start, step.new
    for i in range(y.size):
        increment = 0.0
        for j in range(b.size):
            increment += b[j] * memory.k[j, i]
        increment = step.h * increment + memory.low[i]
        new[i] = y[i] + increment
        memory.new_low[i] = increment + (y[i] - new[i])
    if rotations.places.shape[0] > 0:
        copy(new, memory.state)
        normalise(rotations, new)  # rounding only: the method keeps the length
        for r in range(rotations.places.shape[0]):
            for i in range(rotations.places[r, 0], rotations.places[r, 0] + 4):
                if new[i] != memory.state[i]:
                    memory.new_low[i] = 0.0


@kernel
def _combine_data(method: Gauss, step: Step) -> None:
    """Write the polynomial with given states at both ends, and rates there and at the nodes."""
    dense, ends, inner, polynomial = method.numbers.dense, method.memory.ends, method.memory.inner, step.polynomial
    for j in range(polynomial.shape[0]):
        for p in range(step.start.size):
            value = dense[1, j] * ends[0, p] + dense[2, j] * ends[1, p]
            for m in range(inner.shape[0]):
                value += dense[3 + m, j] * inner[m, p]
            polynomial[j, p] = dense[0, j] * (step.new[p] - step.start[p]) + step.h * value
