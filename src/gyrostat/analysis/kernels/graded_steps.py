"""Steps near the zero of a fractional power, such as Hertz' law at touch and at lift-off: graded towards it.

The error of a step from the distance τ₀ to the distance τ₁ of the zero, in time, falls with the distance as well. With
the order k of the error and the power 5/2 with which the motion begins at the zero, steps of equal error grow by
(τ₁/τ₀)^(1 − 5/(2k)) beside what the error of the last one tells.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.problem import OPEN, Progress, Step, Switching
from gyrostat.analysis.kernels.progress import STEP
from gyrostat.program.translation import kernel

POWER = 2.5
"""The power of time with which a motion begins whose force begins with the power 3/2."""
_GROWTH_LIMIT = 3.0
"""The largest growth of a step by the distance from a zero."""
_SHORTEST_DISTANCE = 1e-3
"""Zeros that are nearer than this part of the last step change the step no more."""
_LAST_STEP_SHARE = 0.8
"""A step that reaches this part of the way to a zero goes there."""
_OVERSHOOT_RATIO = 1.005
"""The length of a step that goes to a zero, in terms of the way there."""
ERROR_WEIGHT = 10.0
"""How often the error of a step at a zero counts: its estimate is too small there, and shorter steps cost little."""
_LIFT_OFF_GROWTH = 100.0
"""The step after the last lift-off, in terms of the one before."""


@kernel
def is_rough(switching: Switching, i: int) -> bool:
    """Tell whether a law is a fractional power of a function with the present modes; in contacts, where they touch."""
    touching = switching.touching.modes[i]
    return bool(switching.rough[i] > 0.0 and (touching < 0.0 or switching.modes[i] == touching))


@kernel
def grade(control: Control, switching: Switching, progress: Progress, step: Step) -> None:
    """Set the length of the next step by the distances of the last one's ends from the nearest zero."""
    clock, nearest, found, leaving = progress.clock, step.h, False, False
    for i in range(switching.modes.size):
        if switching.rough[i] > 0.0 and is_rough(switching, i):
            margin, rate = switching.samples[0, i], switching.samples[0, switching.modes.size + i]
            if rate != 0.0 and (not found or margin < nearest * abs(rate)):
                found, leaving, nearest = True, rate < 0.0, margin / abs(rate)
    if not found:
        return
    nearest = max(nearest, _SHORTEST_DISTANCE * step.h)
    before = nearest + step.h if leaving else max(nearest - step.h, _SHORTEST_DISTANCE * step.h)
    clock[STEP] *= min((nearest / before) ** (1.0 - POWER / control.error_order), _GROWTH_LIMIT)
    care = 1.0 + (ERROR_WEIGHT - 1.0) * min(1.0, clock[STEP] / nearest)
    clock[STEP] *= care ** (-1.0 / control.error_order)
    if leaving and clock[STEP] > _LAST_STEP_SHARE * nearest:
        clock[STEP] = min(clock[STEP], _OVERSHOOT_RATIO * nearest)


@kernel
def widen(switching: Switching, progress: Progress) -> None:
    """Let the step after the last lift-off be as long as before steps were graded: no contact is closed any longer."""
    lifted = False
    for i in range(switching.modes.size):
        if switching.touching.modes[i] >= 0.0 and switching.modes[i] == switching.touching.modes[i]:
            if switching.phases[i] < OPEN:
                return
            lifted = lifted or switching.rough[i] > 0.0
    if lifted:
        progress.clock[STEP] *= _LIFT_OFF_GROWTH
