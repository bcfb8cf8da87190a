"""The note on steps that stability limits: fast decay, or a fast oscillation, by the eigenvalues of the exact Jacobian.

The kernel's sign of stiffness compares rates of two stages. Where rates and states have different units, or the matrix
is far from normal, as that of an undamped beam, it overestimates eigenvalues and does not separate decay from
oscillation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.runge_kutta import RungeKutta
from gyrostat.analysis.kernels.progress import STIFF_STEPS
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.model.formula import Formula
from gyrostat.system import System

Eigenvalues: TypeAlias = np.ndarray[tuple[int], np.dtype[np.complex128]]

_STABILITY_SHARE = 0.5
"""Products of step and eigenvalue from this part of the limit of stability on count as limited by it."""
_STATE_LIMIT = 24
"""The largest state whose Jacobian is compiled for a note: that of the plain dragline, with 36, takes 1.7 s."""
_STEP = 1e-5
"""Length of central differences, relative to the state."""
_AGREEING, _ROUNDING = 0.05, 1e-6
"""Difference of the largest eigenvalues with two lengths, and real parts by rounding, both relative."""
_STATE_COUNT = 4
"""The number of output states at which eigenvalues are computed, beside the last state."""


def note_on_stiffness(motion: Motion, run: Run, state: StateParts) -> str | None:
    """Return what limits the steps of the motion's last segment, if stability does; `state` is that at its end."""
    integrator = motion.problem.integrator
    if motion.problem.system.kernel_forces:
        return None  # the Jacobian of the rates leaves their loads out
    if not run.counts[STIFF_STEPS] or not run.steps or not isinstance(integrator, RungeKutta):
        return None
    segment = motion.segments[-1]
    step = (run.time - segment.start) / run.steps
    eigenvalues = _eigenvalues(motion, segment, run.time, state)
    shrinking = eigenvalues[eigenvalues.real <= 1e-9 * np.abs(eigenvalues)]
    if not len(shrinking):
        return None
    fastest = complex(shrinking[int(np.argmax(np.abs(shrinking)))])
    if abs(fastest) * step < _STABILITY_SHARE * integrator.tableau.real_limit:
        return None
    if -fastest.real >= abs(fastest.imag):
        return (
            f"Stability limited the step in {int(run.counts[STIFF_STEPS])} of {run.steps} steps (fastest decay "
            f"about {-fastest.real:.3g} 1/s): the system is stiff. {integrator.advice}"
        )
    return (
        f"Stability limited the step: an oscillation of about {abs(fastest.imag):.4g} rad/s allows explicit methods "
        "no steps longer than its period. If it does not matter, use integrator=gs.Rodas5P(), which damps it; if "
        "it does, use smaller tolerances or a smaller step, which resolve it."
    )


def _eigenvalues(motion: Motion, segment: Segment, t: float, state: StateParts) -> Eigenvalues:
    """Return all eigenvalues of the Jacobian of the rates at the end of a segment and at some of its outputs."""
    problem = motion.problem
    first = int(np.searchsorted(motion.times[: motion.reached], segment.start))
    chosen = np.unique(np.linspace(first, motion.reached - 1, _STATE_COUNT).astype(int))
    chosen = chosen[motion.times[chosen] != t]  # the last output may be the end
    layout, times = problem.system.row, np.append(motion.times[chosen], t)
    states = np.vstack((layout.joined(motion.states.at(chosen)), layout.joined(state)))
    finite = np.isfinite(states).all(axis=1)
    if not finite.any():
        return np.zeros(0, dtype=complex)
    rows = problem.rows(segment, times[finite], layout.split(states[finite]))
    system, formulas = problem.system, segment.plan.formulas or None
    if system.row.state_size > _STATE_LIMIT and not system.row.n_z:
        return _by_differences(system, formulas, rows)
    program = system.program("rates_jacobian", inputs=formulas)
    return _eigenvalues_of(program.matrix("jacobian", program.loop(rows)))


def _eigenvalues_of(jacobians: Floats) -> Eigenvalues:
    known = jacobians[np.isfinite(jacobians).all(axis=(1, 2))]
    return np.asarray(np.linalg.eigvals(known), dtype=complex).reshape(-1)


def _by_differences(system: System, formulas: Mapping[str, Formula] | None, rows: Floats) -> Eigenvalues:
    """Return the eigenvalues of Jacobians by central differences: a note is not worth seconds of compilation.

    States near a discontinuity, at which two lengths of the difference disagree, are left out. Real parts that are
    small by comparison are rounding errors.
    """
    found = list[Eigenvalues]()
    for row in rows:
        one, other = (_eigenvalues_of(_differences(system, formulas, row, _STEP * part)[None]) for part in (1.0, 0.25))
        if not len(one) or not np.isclose(np.abs(one).max(), np.abs(other).max(), rtol=_AGREEING):
            continue
        small = np.abs(one.real) <= _ROUNDING * np.abs(one)
        found.append(np.where(small, 1j * one.imag, one))
    return np.concatenate(found) if found else np.zeros(0, dtype=complex)


def _differences(system: System, formulas: Mapping[str, Formula] | None, row: Floats, step: float) -> Floats:
    """Return ∂(q̇, u̇)/∂(q, u) at a row by central differences."""
    size, state = system.row.state_size, system.row.state
    steps = step * np.maximum(1.0, np.abs(row[state]))
    near = np.tile(row, (2 * size, 1))
    near[:size, state] += np.diag(steps)
    near[size:, state] -= np.diag(steps)
    programs = [system.ready_program(name, inputs=formulas) for name in ("rates_of_coordinates", "forward_dynamics")]
    rates = np.hstack([program.loop(near) for program in programs])
    return np.asarray((rates[:size] - rates[size:]).T / (2 * steps), dtype=float)
