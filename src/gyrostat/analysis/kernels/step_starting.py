"""The first step of a motion, and that after a switch."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.graded_steps import ERROR_WEIGHT, POWER
from gyrostat.analysis.kernels.local_coordinates import local_rates, move
from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress
from gyrostat.analysis.kernels.progress import EVALUATIONS, ROUGH, STEP, TIME
from gyrostat.analysis.kernels.right_side import evaluate
from gyrostat.analysis.kernels.step_control import first_step, rms
from gyrostat.program.translation import kernel, rare_kernel

_SWITCH_STEP_RATIO = 1.5
"""The longest step after a switch, in terms of the first step by the rates there and their change."""


@rare_kernel
def start_step(
    control: Control,
    equations: Equations,
    progress: Progress,
    span: float,
    rates: Floats,
    room: tuple[Floats, Floats, Floats],
) -> float:
    """Return the first step, or that after a switch, by the rates at the present state and their change.

    The room is for a change of the state, a state, and rates.
    """
    clock = progress.clock
    if not control.adaptive:
        return float(clock[STEP])
    found = _first_step(control, equations, progress, span, rates, room)
    progress.counts[EVALUATIONS] += 1
    return found if clock[STEP] <= 0.0 else min(clock[STEP], _SWITCH_STEP_RATIO * found)


@kernel
def _first_step(
    control: Control,
    equations: Equations,
    progress: Progress,
    span: float,
    rates: Floats,
    room: tuple[Floats, Floats, Floats],
) -> float:
    """Return a first step by the size of the state, its rate, and the change of its rate over a short Euler step."""
    y, clock, t, (way, state, later) = progress.y, progress.clock, progress.clock[TIME], room
    short, rate = first_step(control, y, rates, span), rms(control, y, rates)
    for i in range(y.size):
        way[i] = short * rates[i]
    move(y, way, equations.rotations, state)
    evaluate(equations, t + short, t + 0.5 * short, state, later)
    local_rates(way, state, equations.rotations, later)
    for i in range(y.size):
        way[i] = later[i] - rates[i]
    change = rms(control, y, way) / short
    steepest = max(rate, change)
    if not math.isfinite(steepest):
        return short
    long = max(1e-6, short * 1e-3) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / control.error_order)
    if clock[ROUGH] == t and change > 0.0:
        long = min(
            long, (ERROR_WEIGHT * control.beginning * change / math.sqrt(short)) ** (-1.0 / POWER) / _SWITCH_STEP_RATIO
        )
    return min(100.0 * short, long, span)
