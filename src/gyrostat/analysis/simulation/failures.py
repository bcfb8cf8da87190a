"""Explanations of failed runs: vanishing steps, values that are not finite, constraints that cannot be satisfied."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gyrostat import closing
from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.pair_tables import DEEPEST_A, DEEPEST_B
from gyrostat.analysis.kernels.problem import FIXED
from gyrostat.analysis.kernels.progress import (
    BRIEF,
    CHATTER,
    CULPRIT,
    DONE,
    END,
    NO_JACOBIAN,
    NO_SLIDING,
    NON_FINITE,
    SINGULAR,
    STEP,
    TOO_DEEP,
    TOO_MANY,
    UNDERFLOW,
)
from gyrostat.analysis.simulation.status import Outcome
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.recipes.ports import working_owners
from gyrostat.system import System

_LARGEST_STATE = 1e50
"""Largest entry of a state that counts as finite motion; beyond it the motion has diverged."""
_CLOSURE_TOLERANCE = 1e-7
"""The residual of a loop, in sizes of the mechanism, above which it cannot be closed."""
_SINGULARITY_THRESHOLD = 1e-3
"""Below this the smallest singular value of the constraints, in terms of the largest, shows a singular position."""
_SHARE_THRESHOLD = 0.2
"""Constraints with at least this part of the failure, relative to the largest part, are named."""


def explanation(reason: int, integrator: Integrator, system: System, run: Run) -> tuple[Outcome, str]:
    """Return the outcome and a sentence for a constant of `kernels.progress`."""
    if reason == DONE:
        return Outcome.COMPLETED, ""
    if reason == BRIEF:
        return _brief_contact(run)
    if reason in (NO_SLIDING, CHATTER):
        return _without_mode(reason, run)
    if reason == TOO_MANY and integrator.rigid_pairs:
        return Outcome.UNRESOLVED_CONTACT, (
            f"at t = {run.time:g} s more points may touch within a step than there is room for. {integrator.advice}"
        )
    if reason == TOO_MANY:
        return Outcome.UNRESOLVED_CONTACT, (
            f"at t = {run.time:g} s more points touch than there are slots for what they remember. Give the contacts "
            "of many pairs more of them: Contacts(…, most=…)."
        )
    if reason == TOO_DEEP:
        return Outcome.UNRESOLVED_CONTACT, _overlap(integrator, run)
    if stuck := _constraint_failure(system, run):
        return Outcome.NOT_CLOSED, stuck
    if reason in (UNDERFLOW, SINGULAR):
        return Outcome.STEP_UNDERFLOW, (
            f"the step fell below {max(run.clock[STEP], 1e-300):.1e} s; {fastest(system, run)} changes ever faster, "
            "as near a singular position, or with a load that jumps (smooth sign(v) to tanh(v/small)). "
            f"{integrator.advice}"
        )
    if reason == NON_FINITE:
        return Outcome.NON_FINITE, _nonfinite_diagnosis(system, integrator, run)
    if reason == NO_JACOBIAN:
        return Outcome.NON_FINITE, (
            f"at t = {run.time:g} s the accelerations are finite, but their Jacobian is not, as that of sqrt(x) at "
            f"zero; {type(integrator).__name__} needs it. Smooth such a formula, or use "
            "integrator=gs.DOP853()."
        )
    return Outcome.NOT_CONVERGED, f"the equations of a step were not solved. {integrator.advice}"


def _overlap(integrator: Integrator, run: Run) -> str:
    """Return which bodies overlap too much, and the remedy."""
    found = run.pairs.tables.touch.found
    a, b = (run.pair_bodies[int(found[place])] for place in (DEEPEST_A, DEEPEST_B))
    remedy = "The law is too soft for such an impact: give it a larger stiffness."
    if integrator.first_step:
        remedy = (
            f"The step of {integrator.first_step:g} s is too long for the duration of a contact: use a shorter one, or "
            "an adaptive integrator such as gs.DOP853()."
        )
    return (
        f"after t = {run.time:g} s {a!r} and {b!r} pass through each other, or come to overlap by a large part of the "
        f"size of the smaller one. {remedy}"
    )


def _brief_contact(run: Run) -> tuple[Outcome, str]:
    """Return the outcome where bodies touch for less than two fixed steps, with the name of the contact."""
    return Outcome.UNRESOLVED_CONTACT, (
        f"at t = {run.time:g} s the bodies of contact {run.laws[int(run.counts[CULPRIT])]!r} have touched for less "
        f"than two steps of {run.clock[STEP]:g} s, so that the force is not resolved. Use a step of a tenth of the "
        "time of contact, about √(mass/stiffness), a softer contact, or an integrator that controls its steps, "
        "gs.DOP853() or gs.Rodas5P()."
    )


def _without_mode(reason: int, run: Run) -> tuple[Outcome, str]:
    """Return the outcome where conditions of the state admit no motion, with the names of their laws."""
    open_ = np.flatnonzero(run.switching.phases != FIXED)
    places = open_ if len(open_) else [int(run.counts[CULPRIT])]
    names = _listed(dict.fromkeys(run.laws[place] for place in places))
    remedy = "Smooth the conditions, for example sign(v) to tanh(v/small), or give the element a stiffness or a mass."
    if reason == CHATTER:
        fact = f"at t = {run.time:g} s the conditions in the laws of {names} switch again and again within no time."
        return Outcome.CHATTER, f"{fact} {remedy}"
    return Outcome.NO_MOTION, (
        f"at t = {run.time:g} s the motions on both sides of the conditions in the laws of {names} lead back to the "
        f"switch, and no mean of both stays there, as the laws are not linear in what switches. {remedy}"
    )


def fastest(system: System, run: Run) -> str:
    """Return which speed or state changes fastest."""
    rates = np.empty(run.rates.output_size)
    run.rates(run.x, rates)
    with np.errstate(invalid="ignore"):
        sizes = np.abs(rates[system.row.n_q : system.row.state_size])
    names = (*system.speed_names, *system.state_names)
    return repr(names[int(np.nanargmax(sizes))]) if np.isfinite(sizes).any() else "the motion"


def _beyond(run: Run) -> Floats | None:
    """Return the input vector of a state a little ahead at which there are no finite rates, if there is one."""
    rates, x = np.empty(run.rates.output_size), run.x.copy()
    x[TIME], x[run.state] = run.time, run.y
    run.rates(x, rates)
    for ahead in max(run.clock[STEP], 1e-12) * np.logspace(0, 6, 13):
        x[TIME], x[run.state] = run.time + ahead, run.y + ahead * rates[: run.y.size]
        found = np.empty_like(rates)
        run.rates(x, found)
        if not np.isfinite(found).all():
            return x
    return None


def _nonfinite_diagnosis(system: System, integrator: Integrator, run: Run) -> str:
    """Return the diagnosis of the state last tried; without one, that the motion diverged."""
    at = f"at t = {run.time:g} s "
    if not np.isfinite(run.x).all() and np.abs(run.y).max(initial=0.0) < _LARGEST_STATE:
        beyond = _beyond(run)
        if beyond is None:
            return at + f"the accelerations have no finite value in any step that was tried. {integrator.advice}"
        reason = closing.explain_failure(system.coordinates, beyond[: system.row.size])
        return f"just after t = {run.time:g} s a formula leaves its domain, or divides by zero. {reason}"
    if not np.isfinite(run.x).all():
        names = ("t", *system.coordinates.place_of)
        bad = int(np.argmax(~np.isfinite(run.x)))
        what = names[bad] if bad < len(names) else "an input"
        return at + f"the value of {what!r} overflowed. {integrator.advice}"
    try:
        reason = closing.explain_failure(system.coordinates, run.x[: system.row.size])
    except (ArithmeticError, ValueError):  # numbers that overflow
        return at + f"the motion diverged. {integrator.advice}"
    return at + str(reason)


def _constraint_failure(system: System, run: Run) -> str:
    """Return which constraints cannot be satisfied any longer after the last good state, empty if all can."""
    if not system.constrained or not np.isfinite(run.y).all():
        return ""
    parameters = dict(zip(system.model.parameters, run.x[system.row.parameters].tolist(), strict=True))
    closer = Closer(system, run.time, parameters)
    q, left = closer.closed(system.row.split(run.y)[0])
    ahead = 0.0
    if not _is_open(system, left):
        ahead, left = _open_ahead(system, run, closer, q)
    if _is_open(system, left):
        return _cannot_close(system, closer, q, left, run.time, ahead)
    return _singular(system, closer, q, run.time)


def _is_open(system: System, left: Floats) -> bool:
    return bool(np.abs(left).max(initial=0.0) > _CLOSURE_TOLERANCE * system.model_size)


def _open_ahead(system: System, run: Run, closer: Closer, q: Floats) -> tuple[float, Floats]:
    """Return the delay after which loops cannot be closed, by increasing delays, and the residuals then."""
    span = max(float(run.clock[END]) - run.time, 1e-6)
    left = np.zeros(len(system.constraints))
    for ahead in span * np.logspace(-7, -2, 6):
        later = Closer(system, run.time + ahead, closer.parameters)
        _, left = later.closed(q)
        if _is_open(system, left):
            return float(ahead), left
    return 0.0, left


def _cannot_close(system: System, closer: Closer, q: Floats, left: Floats, t: float, ahead: float) -> str:
    rows = system.constraints
    worst = int(np.argmax(np.abs(left)))
    gap = f"{abs(left[worst]):.2g} {'m' if rows[worst].unit == 'N' else 'rad'}"
    when = f"at t = {t + ahead:.6g} s" if ahead else "there"
    fact = f"after t = {t:.6g} s {rows[worst].owner!r} cannot be closed: {when} it stays open by {gap}."
    drivers = (*system.coordinates.driven, *working_owners(system.coordinates))
    if system.rank.redundant:
        given = f" The motions given for {_listed(drivers)} are inconsistent." if len(drivers) > 1 else ""
        return f"{fact} The constraints contradict each other.{given} Leave one of them out, or make them agree."
    what = f"The motion given for {_listed(drivers)}" if drivers else "The motion"
    return f"{fact} {what} leads beyond the reach of the mechanism. Limit it, or check the lengths."


def _singular(system: System, closer: Closer, q: Floats, t: float) -> str:
    """Return which constraints become dependent, if some do."""
    matrix = closer.at(q, np.zeros(system.coordinates.n_u)).matrix * closer.scales
    independent = min(system.rank.general, *matrix.shape)
    loads, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    if not independent or sizes[independent - 1] > _SINGULARITY_THRESHOLD * sizes[0]:
        return ""
    lost = sizes[:independent] <= _SINGULARITY_THRESHOLD * sizes[0]
    parts = np.linalg.norm(loads[:, :independent][:, lost], axis=1)
    owners = dict.fromkeys(
        row.owner for row, part in zip(system.constraints, parts, strict=True) if part > _SHARE_THRESHOLD * parts.max()
    )
    return (
        f"at t = {t:.6g} s the mechanism is at a singular position: a dead point, or one where branches of its motion "
        f"meet. There the constraints of {_listed(owners)} do not determine the motion. Drive it elsewhere, or begin "
        "beyond that position."
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
