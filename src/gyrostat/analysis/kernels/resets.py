"""State variables that jump where a condition becomes true: they are set when modes have been set."""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import Equations, Floats, Resets
from gyrostat.analysis.kernels.right_side import set_modes, set_state
from gyrostat.analysis.kernels.sliding import evaluate_switches
from gyrostat.program.translation import call, kernel, rare_kernel


@rare_kernel
def reset_states(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Set the state variables whose conditions have become true since modes were set before.

    Where modes were not known before, as at the start of a motion, a condition has become true only if its function is
    zero there.
    """
    switching, resets = equations.switching, equations.switching.resets
    if resets.places.size > 0:
        set_state(equations, t, within, y)
        set_modes(equations)
        evaluate_switches(equations)
        call(resets.function, equations.x.ctypes.data, resets.found.ctypes.data)
        for k in range(resets.places.size):
            i = resets.switches[k]
            if switching.modes[i] == resets.modes[k] and _is_new(resets, k, switching.found[i]):
                y[resets.places[k]] = resets.found[k]
        copy(switching.modes, resets.before)


@kernel
def _is_new(resets: Resets, k: int, value: float) -> bool:
    """Return whether a condition that is true now was not before."""
    before = resets.before[resets.switches[k]]
    if before == before:  # a number
        return bool(before != resets.modes[k])
    return value == 0.0
