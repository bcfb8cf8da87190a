"""Switching functions in the driver's loop: modes before a step, the cut at a switch after it."""

from __future__ import annotations

from gyrostat.analysis.kernels.graded_steps import is_rough, widen
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import FIXED, OPEN, SLIDING, Equations, Floats, Progress, Switching
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    BEGIN,
    BRIEF,
    CHATTER,
    CHECKPOINTS,
    CULPRIT,
    DONE,
    END,
    FIXED_STEPS,
    HASTE,
    LAST_SWITCH,
    ROUGH,
    SETTLED,
    STEP,
    SWITCHED,
    SWITCHES,
    TIME,
)
from gyrostat.analysis.kernels.resets import reset_states
from gyrostat.analysis.kernels.run_record import Log
from gyrostat.analysis.kernels.step_record import shortly_after, start_time
from gyrostat.analysis.kernels.switch_modes import project_sliding, settle
from gyrostat.analysis.kernels.switch_search import begin_switches
from gyrostat.program.translation import kernel, rare_kernel

_LOOKAHEAD_SHARE = 1e-6
"""How far ahead motions are compared at zero rates, in terms of the step."""
_HASTE_SHARE = 1e-8
"""Switches that follow one another within this part of the duration are hasty."""
_HASTE_LIMIT = 1000
"""The number of hasty switches in a row, beside four for each function, after which the run ends."""
_TOUCH_STEPS = 1.999
"""The least number of fixed steps for which bodies touch."""


@rare_kernel
def prepare_switches(equations: Equations, log: Log, progress: Progress, stop: float, broken: bool) -> int:
    """Set the modes at the start of a step that does not follow another, and evaluate the margins there."""
    clock, counts, t = progress.clock, progress.counts, progress.clock[TIME]
    within, at = shortly_after(t, stop), start_time(progress.breaks, progress.counts, t, stop)
    if counts[SETTLED] == 0 or broken:
        ahead = _LOOKAHEAD_SHARE * (min(clock[STEP], stop - t) if clock[STEP] > 0.0 else 1e-3 * (stop - t))
        outcome = settle(equations, progress, at, within, ahead)
        if outcome != DONE:
            return outcome
        reset_states(equations, at, within, progress.y)
        counts[SETTLED] = 1
    begin_switches(equations, at, within, progress.y)
    if t == clock[BEGIN]:
        copy(equations.switching.modes, log.start_modes)
    return DONE


@rare_kernel
def end_at_switch(equations: Equations, progress: Progress, adaptive: bool) -> int:
    """Count the switches at the time reached, after which modes are set anew; return DONE, SWITCHED, or a failure.

    It is CHATTER, or BRIEF where bodies have touched for less than two fixed steps.
    """
    clock, counts, switching = progress.clock, progress.counts, equations.switching
    clock[ANCHOR], counts[FIXED_STEPS] = clock[TIME], 0
    switched = 0
    for i in range(switching.modes.size):
        if switching.phases[i] >= OPEN:
            switched += 1
            if switching.rough[i] > 0.0 and (switching.touching.modes[i] < 0.0 or not is_rough(switching, i)):
                clock[ROUGH] = clock[TIME]
            if switching.touching.modes[i] >= 0.0 and _is_brief(switching, clock, i) and not adaptive:
                counts[CULPRIT] = i
                return BRIEF
    if adaptive:
        widen(equations.switching, progress)
    if switched == 0:
        return DONE
    counts[SETTLED] = 0
    counts[SWITCHES] += switched
    nearest = _HASTE_SHARE * (clock[END] - clock[BEGIN]) + 1e-13 * abs(clock[TIME])
    counts[HASTE] = counts[HASTE] + 1 if clock[TIME] - clock[LAST_SWITCH] <= nearest else 0
    clock[LAST_SWITCH] = clock[TIME]
    if counts[HASTE] > _HASTE_LIMIT + 4 * switching.modes.size:
        return CHATTER
    return SWITCHED if switching.algebraic else DONE


@rare_kernel
def note_touch(progress: Progress) -> None:
    """Count a step that has ended at a touch; the next begins short, as after a switch."""
    clock = progress.clock
    clock[LAST_SWITCH] = clock[ROUGH] = clock[TIME]
    progress.counts[SWITCHES] += 1


@kernel
def _is_brief(switching: Switching, clock: Floats, i: int) -> bool:
    """Return whether bodies part that have touched for less than two steps; where they touch, note when."""
    if switching.modes[i] == switching.touching.modes[i]:
        return bool(clock[TIME] - switching.touching.since[i] < _TOUCH_STEPS * clock[STEP])
    switching.touching.since[i] = clock[TIME]
    return False


@kernel
def hold_zero(equations: Equations, progress: Progress, within: float) -> None:
    """Bring the state back to the zeros of sliding functions after a step."""
    project_sliding(equations, progress.clock[TIME], within, progress.y)


@rare_kernel
def forget_switches(equations: Equations) -> None:
    """Undo the search of a step that will be repeated."""
    phases = equations.switching.phases
    for i in range(phases.size):
        if phases[i] >= OPEN:
            phases[i] = FIXED if phases[i] == OPEN else SLIDING


@kernel
def log_modes(equations: Equations, log: Log, progress: Progress) -> None:
    """Write modes and phases for the next checkpoint; of sliding functions the lower of both modes."""
    switching, row = equations.switching, log.checkpoint_modes[progress.counts[CHECKPOINTS]]
    n = switching.modes.size
    for i in range(n):
        row[i] = switching.lower[i] if switching.phases[i] == SLIDING else switching.modes[i]
        row[n + i] = float(switching.phases[i])
