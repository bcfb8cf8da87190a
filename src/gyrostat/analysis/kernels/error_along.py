"""The error of a step along the constraints, which counts near singular positions.

What lies across the constraints goes with the projection of the step's end. Near a singular position it is large by
rounding alone.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.program.translation import call, rare_kernel

_ROUNDING = 2e-14
"""Relative rounding errors of evaluations and projections at a regular position."""


@rare_kernel
def error_along(equations: Equations, control: Control, step: Step, error: Floats, state: Floats, near: float) -> float:
    """Return the sum of squares, in units of the tolerance, of the part of an error that the projection leaves.

    `state` is room; `near` is the smallest relative pivot in the step, the square of the distance from the singular
    position. Rounding errors grow with the inverse of that distance; they bound the tolerance from below.
    """
    size = 0.0
    for i in range(step.new.size):
        size = max(size, abs(step.new[i]))
    floor = _ROUNDING * size / math.sqrt(max(near, 1e-16))
    _project(equations, step, error, True, state)
    total, n_q = 0.0, equations.projection.n_q
    for i in range(n_q):
        j = equations.projection.speed_of[i]
        value = state[n_q + j] if j >= 0 else error[i]
        total += (value / _scale(control, step, i, floor)) ** 2
    _project(equations, step, error, False, state)
    for i in range(n_q, step.new.size):
        total += (state[i] / _scale(control, step, i, floor)) ** 2
    return total


@rare_kernel
def _scale(control: Control, step: Step, i: int, floor: float) -> float:
    """Return the tolerance of an entry of the state."""
    size = max(abs(step.start[i]), abs(step.new[i]))
    return float(control.absolute[i] + control.relative * size + floor)


@rare_kernel
def _project(equations: Equations, step: Step, error: Floats, of_coordinates: bool, state: Floats) -> None:
    """Write the projected errors of coordinates, or of speeds, into the places of the speeds in `state`.

    They are projected as multiples of the speeds' size, at the position of the step's end.
    """
    projection, new, n_q = equations.projection, step.new, equations.projection.n_q
    copy(new, state)
    for i in range(n_q, new.size):
        state[i] = 0.0 if of_coordinates else error[i]
    if of_coordinates:
        for i in range(n_q):
            if projection.speed_of[i] >= 0:
                state[n_q + projection.speed_of[i]] = error[i]
    size, largest = 0.0, 0.0
    for i in range(n_q, new.size):
        size, largest = max(size, abs(new[i])), max(largest, abs(state[i]))
    if largest == 0.0:
        return
    factor = (size if size > 0.0 else 1.0) / largest
    for i in range(n_q, new.size):
        state[i] = new[i] + factor * state[i]
    set_state(equations, step.reached, step.t + 0.5 * step.h, state)
    call(projection.speeds, equations.x.ctypes.data, projection.found.ctypes.data)
    for i in range(n_q, new.size):
        state[i] = (projection.found[i - n_q] - new[i]) / factor
