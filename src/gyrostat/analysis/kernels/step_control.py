"""The control of the step: its end, the decision on its error, the length of the next and of the first."""

from __future__ import annotations

import math

import numpy as np

from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.problem import Floats, Progress, Step
from gyrostat.analysis.kernels.progress import (
    DONE,
    END,
    ERROR,
    LARGEST_STEP,
    NEARNESS,
    NON_FINITE,
    PASSAGE,
    PLANS,
    REJECTED,
    REPEAT,
    ROUGH,
    STEP,
    TIME,
    UNDERFLOW,
)
from gyrostat.analysis.kernels.singular_passage import PLAN_LIMIT, PROJECTION_PIVOT, following_step, planned_step
from gyrostat.analysis.kernels.step_record import fixed_step_end
from gyrostat.program.translation import kernel

_LEAST_GROWTH = 0.2
"""The shortest step after another, in terms of it."""
_STEP_REDUCTION = 0.1
"""The step after one that led to no finite state, in terms of it."""
_ONSET = -0.4
"""The power of the error with which the step is chosen where a force begins in it."""
_FIRST_MOTION = 0.01
"""The motion in a first step, in terms of the state."""


@kernel
def step_end(control: Control, progress: Progress, stop: float) -> float:
    """Return the end of a step: on the grid of a fixed step, or by the control of the step; never past a stop."""
    clock = progress.clock
    if not control.adaptive:
        return fixed_step_end(clock, progress.counts, stop)
    h = min(clock[STEP], clock[LARGEST_STEP])
    reached = clock[TIME] + h
    if reached >= stop - 1e-10 * h:
        return stop
    if reached > stop - 0.5 * h:
        return float(clock[TIME] + 0.5 * (stop - clock[TIME]))  # two equal steps rather than a long and a tiny one
    return float(reached)


@kernel
def judge(control: Control, progress: Progress, step: Step, made: bool) -> int:
    """Decide on a step by its error, and set the next; return DONE where it is accepted, REPEAT, or why it fails.

    `made` is true if the step led to a finite state that satisfies the constraints.
    """
    clock, counts, h = progress.clock, progress.counts, step.h
    if not control.adaptive:
        return DONE if made else NON_FINITE
    error = clock[ERROR] if made else np.inf
    if clock[ROUGH] == step.t:
        error *= control.onset
    finite = math.isfinite(error)
    singular = clock[NEARNESS] < PROJECTION_PIVOT
    if singular and counts[PLANS] < PLAN_LIMIT:
        planned = planned_step(control, clock[PASSAGE], h)
        if planned != h:
            counts[PLANS] += 1
            counts[REJECTED] += 1
            clock[STEP] = planned
            return REPEAT
    growth = control.most_growth
    if error != 0.0:
        growth = max(_LEAST_GROWTH, control.safety * error ** (-1.0 / control.error_order))
    if not error <= 1.0:
        counts[REJECTED] += 1
        # where a step leads to no state that obeys, only a shorter one may
        clock[STEP] = h * growth if finite else h * _STEP_REDUCTION
        if clock[STEP] <= 1e-15 * max(abs(step.t), 1e-3 * (clock[END] - step.t)):
            return UNDERFLOW if finite else NON_FINITE
        return REPEAT
    following = h * min(1.0 if step.repeated else control.most_growth, growth)
    if h < 0.9 * clock[STEP] and not step.repeated:
        following = max(following, clock[STEP])  # the step was cut short by a stop
    counts[PLANS] = 0
    clock[STEP] = following_step(control, (clock[PASSAGE] - 1.0) * h, following) if singular else following
    return DONE


@kernel
def judge_onset(control: Control, progress: Progress, step: Step) -> int:
    """Decide again on a step that is accepted, since a force has begun in it: DONE, or REPEAT with a shorter step.

    The onset of a force of power 3/2 gives an error of power 5/2 of the step.
    """
    clock, error = progress.clock, control.onset * progress.clock[ERROR]
    if not control.adaptive or error <= 1.0:
        return DONE
    clock[STEP] = step.h * max(_LEAST_GROWTH, control.safety * error**_ONSET)
    progress.counts[REJECTED] += 1
    return REPEAT


@kernel
def rms(control: Control, y: Floats, vector: Floats) -> float:
    """Return the root mean square of a vector in units of the tolerance at a state."""
    total = 0.0
    for i in range(y.size):
        total += (vector[i] / (control.absolute[i] + control.relative * abs(y[i]))) ** 2
    return math.sqrt(total / max(y.size, 1))  # where all coordinates are driven there is no state


@kernel
def first_step(control: Control, y: Floats, rates: Floats, span: float) -> float:
    """Return a first step in which the state changes by a small part of its size."""
    size, rate = rms(control, y, y), rms(control, y, rates)
    return min(1e-6 if size < 1e-5 or rate < 1e-5 else _FIRST_MOTION * size / rate, span)
