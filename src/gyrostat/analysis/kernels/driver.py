"""The driver of all native integrators: steps and their control, stops, checkpoints, outputs, events.

A method is six kernels, which the driver takes as arguments (`methods.Kernels`). The driver is translated once for
each method, with these kernels in place.
"""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.kernels.contact_loads import hold_contacts
from gyrostat.analysis.kernels.crossing import moment
from gyrostat.analysis.kernels.event_search import exclude_zeros
from gyrostat.analysis.kernels.graded_steps import grade
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.pair_tables import ABRUPT, BEGUN, CHANGED, DEEP, LIFTED, NO_SLOT, OVERLAP, SEARCH
from gyrostat.analysis.kernels.problem import Equations, Progress, Step
from gyrostat.analysis.kernels.progress import (
    BEYOND,
    CROWDED_OUT,
    DONE,
    END,
    EVENT,
    NON_FINITE,
    OUTPUT,
    PAUSED,
    REPEAT,
    STEP,
    TIME,
    TOO_DEEP,
    TOO_MANY,
    UNDERFLOW,
    WHOLE,
    WORK,
)
from gyrostat.analysis.kernels.resolution import require_resolved
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.analysis.kernels.run_record import RunRecord
from gyrostat.analysis.kernels.sampled_values import take_samples
from gyrostat.analysis.kernels.step_control import judge, judge_onset, step_end
from gyrostat.analysis.kernels.step_record import (
    begin_watch,
    count_step,
    due,
    end_step,
    is_full,
    next_stop,
    passed_breaks,
    record_step,
    shortly_after,
    start_time,
)
from gyrostat.analysis.kernels.switch_passage import AGAIN, CLEAR, NO_SWITCH, aim, pass_switches, repeat_shorter
from gyrostat.analysis.kernels.switch_steps import (
    end_at_switch,
    forget_switches,
    hold_zero,
    log_modes,
    note_touch,
    prepare_switches,
)
from gyrostat.program.translation import kernel


@kernel
def drive(method: Method[Any, Any], equations: Equations, record: RunRecord, progress: Progress, steps: int) -> int:
    """Advance a run by at most so many steps; return why it stopped.

    All that a later call needs is in the arrays: a pause changes no number.
    """
    kernels, memory, clock, counts = method.kernels, method.memory, progress.clock, progress.counts
    switches = equations.switching.modes.size > 0
    fresh, rejected, made, switched, touched = True, False, 0, False, False
    tried, aimed = clock[STEP], False
    while made < steps and clock[TIME] < clock[END]:
        if is_full(record, counts):
            return PAUSED
        t = clock[TIME]
        broken = passed_breaks(progress.breaks, counts, t) > 0
        fresh = fresh or broken or switched
        stop = next_stop(progress.breaks, counts, clock[END])
        if broken and equations.samples.times.size > 0:
            outcome = take_samples(equations, progress)
            if outcome != DONE:
                return outcome
        if not rejected:
            if switches and fresh:
                outcome = prepare_switches(equations, record.log, progress, stop, broken)
                if outcome != DONE:
                    return outcome
            at, after = start_time(progress.breaks, counts, t, stop), shortly_after(t, stop)
            outcome = int(equations.pairs.kernels.hold(equations, progress, at, after, method.control))
            if outcome == NO_SLOT:
                return TOO_MANY
            if outcome == OVERLAP:
                return TOO_DEEP
            fresh = fresh or outcome == CHANGED
            outcome = int(kernels.begin(method, equations, progress, stop, fresh, broken or switched))
            if fresh:
                begin_watch(equations, record, progress.y, t, shortly_after(t, stop))
            if outcome != DONE:
                return outcome
            fresh, switched, tried = False, False, clock[STEP]
        reached = step_end(method.control, progress, stop)
        if not reached > t:  # a step too short to change the time would be repeated for ever
            return UNDERFLOW
        step = Step(t, reached - t, reached, rejected, progress.y, memory.new, memory.polynomial)
        outcome = int(kernels.attempt(method, equations, step, progress))
        if outcome != DONE and outcome != NON_FINITE:
            return outcome
        outcome = judge(method.control, progress, step, outcome == DONE)
        if outcome == DONE and equations.rapid.conditions.size > 0:
            outcome = require_resolved(method, equations, step, progress)
        if outcome == DONE and (switches or record.watch.sides.size > 0 or equations.pairs.kernels.present()):
            outcome = int(kernels.follow(method, equations, step, progress))
        if outcome == REPEAT:
            rejected = True
            continue
        if outcome != DONE:
            return outcome
        cut, theta = WHOLE, CLEAR
        if switches:
            log_modes(equations, record.log, progress)
            theta = pass_switches(method, equations, progress, step, stop, aimed)
            if theta == AGAIN:
                aimed, rejected = True, True
                continue
            if theta >= 0.0:
                reached, switched = moment(t, reached, theta), True
        touch = SEARCH
        if equations.pairs.kernels.present() and not switches:
            touch = equations.pairs.kernels.glance(equations, step)
            if touch == BEGUN and judge_onset(method.control, progress, step) == REPEAT:
                rejected = True
                continue
        if equations.pairs.kernels.present() and touch == SEARCH:
            if theta == CLEAR:
                kernels.interpolate(method, equations, step, progress)
                theta = NO_SWITCH
            part = Step(t, reached - t, reached, rejected, progress.y, memory.new, memory.polynomial)
            touch = equations.pairs.kernels.pass_touches(equations, part)
            if touch == DEEP:
                return TOO_DEEP
            if touch == ABRUPT:
                repeat_shorter(equations, progress, step, stop)
                rejected, switched = True, False
                continue
            if touch <= LIFTED and not (aimed or switched):
                aim(equations, progress, step, LIFTED - touch, stop)
                aimed, rejected = True, True
                continue
            if touch >= 0.0:
                reached, switched, touched = moment(t, reached, touch), True, True
        watched, asked = record.watch.sides.size > 0, due(record.log.grid, counts, step.reached)
        if watched and not asked and theta == CLEAR and kernels.sketch(method, step):
            watched = not exclude_zeros(equations, record, step, clock[END])
        if watched or asked:
            if theta == CLEAR:
                kernels.interpolate(method, equations, step, progress)
            part = Step(t, reached - t, reached, rejected, progress.y, memory.new, memory.polynomial)
            first = counts[OUTPUT]
            if reached > t:
                cut = record_step(equations, record, progress, part)
                if counts[OUTPUT] > first:
                    kernels.settle(method, equations, record.log, progress, part, first)
            if cut == CROWDED_OUT:  # the step is repeated with a larger log
                clock[STEP] = tried
                forget_switches(equations)
                return PAUSED
        # with the step as it was tried first, the same steps are rejected when it is repeated from the checkpoint
        count_step(record.log, progress, tried)
        made += 1
        part = Step(t, reached - t, reached, rejected, progress.y, memory.new, memory.polynomial)
        whole = cut < 0.0 and not switched
        fraction = cut if cut >= 0.0 else 1.0
        clock[WORK] += kernels.work(method, equations, part, fraction, whole)
        kernels.accept(method, equations, step, progress, whole)
        if aimed:
            clock[STEP] = clock[BEYOND]
        rejected, aimed = False, False
        if not end_step(record, progress, part, stop, cut):
            return EVENT
        if touched:
            note_touch(progress)
            touched = False
        if switched:
            outcome = end_at_switch(equations, progress, method.control.adaptive)
            if outcome != DONE:
                return outcome
        elif equations.switching.sizes[0] > 0:
            hold_zero(equations, progress, t + 0.5 * step.h)
            fresh = True  # the state has changed a little
        if switches and not switched and method.control.adaptive:
            grade(method.control, equations.switching, progress, step)
        if equations.contacts.modes.size > 0 and equations.contacts.closed[0] > 0:
            set_state(equations, clock[TIME], t + 0.5 * step.h, progress.y)
            hold_contacts(equations, progress.y)
            fresh = True
    return DONE if clock[TIME] >= clock[END] else PAUSED
