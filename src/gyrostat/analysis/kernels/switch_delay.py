"""The uncertainty of a switch in time, where the state is known to a tolerance."""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import OPEN, Equations, Floats
from gyrostat.analysis.kernels.right_side import set_modes, set_state
from gyrostat.analysis.kernels.sliding import evaluate_switches
from gyrostat.program.translation import kernel, rare_kernel


@rare_kernel
def switch_delay(equations: Equations, t: float, within: float, y: Floats, errors: Floats) -> float:
    """Return the largest time by which errors of the state shift a switch, before modes are set anew.

    That is Σ |∂g/∂y_j| e_j / |ġ| of a function g that has just crossed zero; zero where it comes to rest there.
    """
    switching = equations.switching
    n, start, sums, state = switching.modes.size, switching.other, switching.solution, switching.state
    copy(y, state)
    _evaluate(equations, t, within, state)
    copy(switching.found, start)
    for i in range(n):
        sums[i] = 0.0
    for j in range(y.size):
        state[j] = y[j] + errors[j]
        _evaluate(equations, t, within, state)
        state[j] = y[j]
        for i in range(n):
            sums[i] += abs(switching.found[i] - start[i])
    delay = 0.0
    for i in range(n):
        if switching.phases[i] == OPEN and start[n + i] != 0.0:
            delay = max(delay, sums[i] / abs(start[n + i]))
    return delay


@kernel
def _evaluate(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Write the switching functions at a time and state into `found`."""
    set_state(equations, t, within, y)
    set_modes(equations)
    evaluate_switches(equations)
