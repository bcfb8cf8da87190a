"""Why a run stopped before its end, in words."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import DONE, NO_JACOBIAN, NON_FINITE, STEP, UNDERFLOW
from gyrostat.analysis.simulation.constraint_stops import constraint_failure
from gyrostat.analysis.simulation.status import Outcome
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.system import System

_MODEST = 1e50
"""Below this a motion has not run away."""


def explanation(reason: int, integrator: Integrator, system: System, run: Run) -> tuple[Outcome, str]:
    """Return the outcome and a sentence for a constant of `kernels.progress`."""
    if reason == DONE:
        return Outcome.COMPLETED, ""
    if stuck := constraint_failure(system, run):
        return Outcome.NOT_CLOSED, stuck
    if reason == UNDERFLOW:
        return Outcome.STEP_UNDERFLOW, (
            f"the step fell below {max(run.clock[STEP], 1e-300):.1e} s; {_fastest(system, run)} changes ever faster, "
            "as near a singular position, or with a load that jumps (smooth sign(v) to tanh(v/small)). "
            f"{integrator.advice}"
        )
    if reason == NON_FINITE:
        return Outcome.NON_FINITE, _why_not_finite(system, integrator, run)
    if reason == NO_JACOBIAN:
        return Outcome.NON_FINITE, (
            f"at t = {run.time:g} s the accelerations are finite, but how they change with state and time is not, as "
            f"that of sqrt(x) at zero; {type(integrator).__name__} needs that. Smooth such a formula, or use "
            "integrator=gs.DOP853()."
        )
    return Outcome.NOT_CONVERGED, f"the equations of a step were not solved. {integrator.advice}"


def _fastest(system: System, run: Run) -> str:
    """Return which speed changes fastest, in terms of its size."""
    rates = np.empty(run.rates.output_size)
    run.rates(run.x, rates)
    with np.errstate(invalid="ignore"):
        sizes = np.abs(system.row.split(rates)[1])
    return repr(system.speed_names[int(np.nanargmax(sizes))]) if np.isfinite(sizes).any() else "the motion"


def _beyond(run: Run) -> Floats | None:
    """Return the input vector of a state a little ahead at which there are no finite rates, if there is one."""
    rates, x = np.empty(run.rates.output_size), run.x.copy()
    x[TIME], x[run.state] = run.time, run.y
    run.rates(x, rates)
    for ahead in max(run.clock[STEP], 1e-12) * np.logspace(0, 6, 13):
        x[TIME], x[run.state] = run.time + ahead, run.y + ahead * rates
        found = np.empty_like(rates)
        run.rates(x, found)
        if not np.isfinite(found).all():
            return x
    return None


def _why_not_finite(system: System, integrator: Integrator, run: Run) -> str:
    """Return what the formulas say at the state last tried; where they say nothing, that the motion ran away."""
    from gyrostat.closing.diagnosis import explain_failure

    at = f"at t = {run.time:g} s "
    if not np.isfinite(run.x).all() and np.abs(run.y).max(initial=0.0) < _MODEST:
        beyond = _beyond(run)
        if beyond is None:
            return at + f"the accelerations have no finite value in any step that was tried. {integrator.advice}"
        reason = explain_failure(system.coordinates, beyond)
        return f"just after t = {run.time:g} s a formula leaves its domain, or divides by zero. {reason}"
    if not np.isfinite(run.x).all():
        names = ("t", *system.coordinate_names, *system.speed_names)
        bad = int(np.argmax(~np.isfinite(run.x)))
        what = names[bad] if bad < len(names) else "an input"
        return at + f"the value of {what!r} ran beyond all measure. {integrator.advice}"
    try:
        reason = explain_failure(system.coordinates, run.x)
    except (ArithmeticError, ValueError):  # numbers beyond all measure
        return at + f"the motion ran beyond all measure. {integrator.advice}"
    return at + str(reason)
