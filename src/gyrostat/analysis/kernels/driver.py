"""The driver of all native integrators: steps and their control, stops, checkpoints, outputs, events.

A method is four kernels, which the driver takes as arguments (`methods.Kernels`). The driver is translated once for
each method, with these kernels in place.
"""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.problem import Equations, Progress, Record, Step
from gyrostat.analysis.kernels.progress import (
    DONE,
    END,
    EVENT,
    NON_FINITE,
    PAUSED,
    REPEAT,
    STEP,
    TIME,
    UNDERFLOW,
)
from gyrostat.analysis.kernels.step_control import judge, step_end
from gyrostat.analysis.kernels.step_record import (
    CROWDED_OUT,
    WHOLE,
    begin_watch,
    count_step,
    due,
    end_step,
    is_full,
    next_stop,
    passed_breaks,
    record_step,
    shortly_after,
)
from gyrostat.program.translation import kernel


@kernel
def drive(method: Method[Any, Any], equations: Equations, record: Record, progress: Progress, steps: int) -> int:
    """Advance a run by at most so many steps; return why it stopped.

    All that a later call needs is in the arrays: a pause changes no number.
    """
    kernels, memory, clock, counts = method.kernels, method.memory, progress.clock, progress.counts
    fresh, rejected, made = True, False, 0
    tried = clock[STEP]
    while made < steps and clock[TIME] < clock[END]:
        if is_full(record, counts):
            return PAUSED
        t = clock[TIME]
        broken = passed_breaks(progress.breaks, counts, t) > 0
        fresh = fresh or broken
        stop = next_stop(progress.breaks, counts, clock[END])
        if not rejected:
            outcome = int(kernels.begin(method, equations, progress, stop, fresh, broken))
            if fresh:
                begin_watch(equations, record, progress.y, t, shortly_after(t, stop))
            if outcome != DONE:
                return outcome
            fresh, tried = False, clock[STEP]
        reached = step_end(method.control, progress, stop)
        if not reached > t:  # a step too short to change the time would be repeated for ever
            return UNDERFLOW
        step = Step(t, reached - t, reached, rejected, progress.y, memory.new, memory.polynomial)
        outcome = int(kernels.attempt(method, equations, step, progress))
        if outcome != DONE and outcome != NON_FINITE:
            return outcome
        outcome = judge(method.control, progress, step, outcome == DONE)
        if outcome == REPEAT:
            rejected = True
            continue
        if outcome != DONE:
            return outcome
        cut = WHOLE
        if record.watch.sides.size > 0 or due(record.log.grid, counts, reached):
            kernels.interpolate(method, equations, step, progress)
            cut = record_step(equations, record, progress, step)
            if cut == CROWDED_OUT:  # the step is repeated with a larger log
                clock[STEP] = tried
                return PAUSED
        # with the step as it was tried first, the same steps are rejected when it is repeated from the checkpoint
        count_step(record.log, progress, tried)
        made += 1
        kernels.accept(method, equations, step, progress, cut < 0.0)
        rejected = False
        if not end_step(record, progress, step, stop, cut):
            return EVENT
    return DONE if clock[TIME] >= clock[END] else PAUSED
