"""The kernels of pairs, which loops of systems with many contacts take as arguments."""

from __future__ import annotations

from gyrostat.analysis.kernels.lift_off import find_lift_off
from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.pair_forces import load_pairs
from gyrostat.analysis.kernels.pair_jacobian import vary_pairs
from gyrostat.analysis.kernels.pair_tables import PASSED
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, Step
from gyrostat.analysis.kernels.touch_glance import glance as glance_at_pairs
from gyrostat.analysis.kernels.touch_search import end_at_touch, hold_pairs
from gyrostat.program.translation import kernel


@kernel
def present() -> bool:
    """Return True."""
    return True


@kernel
def hold(equations: Equations, progress: Progress, at: float, within: float, control: Control) -> int:
    """List the pairs that touch at the start of a step."""
    return int(hold_pairs(equations, progress, at, within, control))


@kernel
def apply(equations: Equations) -> None:
    """Write the loads of all pairs into x."""
    load_pairs(equations.pairs.tables, equations.x)


@kernel
def vary(equations: Equations) -> bool:
    """Write the derivatives of loads by the state."""
    vary_pairs(equations.pairs.tables, equations.x)
    return True


@kernel
def slope(equations: Equations, j: int, seeds: Floats) -> bool:
    """Write the derivatives of all inputs by entry j of the state; return whether any is not zero."""
    slopes, found = equations.pairs.tables.slopes.by_state[j], False
    for k in range(seeds.size):
        seeds[k] = slopes[k]
        found = found or slopes[k] != 0.0
    return found


@kernel
def glance(equations: Equations, step: Step) -> float:
    """Return PASSED, BEGUN or SEARCH."""
    return float(glance_at_pairs(equations, step))


@kernel
def pass_touches(equations: Equations, step: Step) -> float:
    """End a step at the first touch of an open pair; return the fraction at which that is, or a negative result."""
    touch = float(end_at_touch(equations, step))
    return float(find_lift_off(equations, step)) if touch == PASSED else touch
