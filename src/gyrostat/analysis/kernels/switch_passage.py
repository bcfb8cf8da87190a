"""The end of a step at a switch: by its polynomial, or by repeating the step up to the switch.

With modes held a law is smooth beyond a switch, and the polynomial of a step that passes it gives the state there. A
fractional power, such as Hertz' law, is not smooth: no estimate tells the error of a step across its zero. Such a step
is repeated so that it ends just beyond the switch, with its stages before it.
"""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.kernels.graded_steps import is_rough
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.problem import OPEN, Equations, Progress, Step, Switching
from gyrostat.analysis.kernels.progress import BEYOND, REJECTED, STEP
from gyrostat.analysis.kernels.step_record import start_time
from gyrostat.analysis.kernels.switch_search import begin_switches, first_switch, is_clear, truncate
from gyrostat.analysis.kernels.switch_steps import forget_switches
from gyrostat.program.translation import kernel, rare_kernel

NO_SWITCH, CLEAR, AGAIN = -1.0, -2.0, -3.0
"""Results of `pass_switches`: the step has no switch; none, and no polynomial; the step has to be repeated."""
_END_FRACTION = 0.95
"""The fraction of a step beyond which a switch counts as its end."""
_STEP_REDUCTION = 0.25
"""The step after one that is repeated since shapes came to overlap too much, in terms of it."""
_MARGIN = 1e-3
"""By how much a step is to pass a switch that it is aimed at, in terms of the step."""


@kernel
def pass_switches(
    method: Method[Any, Any], equations: Equations, progress: Progress, step: Step, stop: float, aimed: bool
) -> float:
    """Return the fraction of a step at which the first function switches, where the step then ends.

    −1 where there is none, CLEAR where that is known without the polynomial of the step, AGAIN where the step has to be
    repeated up to the switch; `aimed` is true if it was. What is decided does not depend on events and outputs.
    """
    if method.kernels.sketch(method, step) and is_clear(equations, step):
        return CLEAR
    method.kernels.interpolate(method, equations, step, progress)
    theta = first_switch(equations, step, progress)
    if (
        theta >= 0.0
        and theta < _END_FRACTION
        and method.control.adaptive
        and not aimed
        and _is_rough(equations.switching)
    ):
        aim(equations, progress, step, theta, stop)
        return AGAIN
    if theta >= 0.0:
        truncate(equations, step, theta)
    return float(theta)


@kernel
def _is_rough(switching: Switching) -> bool:
    """Return whether a law is a fractional power of a function that switches in the step."""
    found = False
    for i in range(switching.modes.size):
        found = found or (switching.phases[i] >= OPEN and is_rough(switching, i))
    return found


@rare_kernel
def aim(equations: Equations, progress: Progress, step: Step, theta: float, stop: float) -> None:
    """Set a step that is repeated so that it ends just beyond a switch or a lift-off, and undo the search."""
    clock = progress.clock
    clock[BEYOND], clock[STEP] = clock[STEP], theta * step.h * (1.0 + _MARGIN)
    _undo(equations, progress, step, stop)


@rare_kernel
def repeat_shorter(equations: Equations, progress: Progress, step: Step, stop: float) -> None:
    """Set a step that is repeated since shapes came to overlap too much, and undo the search for switches."""
    progress.clock[STEP] = _STEP_REDUCTION * step.h
    _undo(equations, progress, step, stop)


@kernel
def _undo(equations: Equations, progress: Progress, step: Step, stop: float) -> None:
    """Undo the search for switches in a step, which is rejected."""
    progress.counts[REJECTED] += 1
    if equations.switching.modes.size == 0:
        return
    forget_switches(equations)
    at = start_time(progress.breaks, progress.counts, step.t, stop)
    begin_switches(equations, at, step.t + 0.5 * step.h, step.start)
