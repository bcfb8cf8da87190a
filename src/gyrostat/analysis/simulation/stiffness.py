"""The note on steps that stability limits: fast decay, or a fast oscillation, by the eigenvalues of the exact Jacobian.

The kernel's sign of stiffness compares rates of two stages. Where rates and states have different units, or the matrix
is far from normal, as that of an undamped beam, it overestimates eigenvalues and does not separate decay from
oscillation.
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.runge_kutta import RungeKutta
from gyrostat.analysis.kernels.progress import STIFF_STEPS
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.row import StateParts

_LIMITED = 0.5
"""Products of step and eigenvalue from this part of the limit of stability on count as limited by it."""
_MOST_STATES = 4
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
    if abs(fastest) * step < _LIMITED * integrator.tableau.real_limit:
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


def _eigenvalues(
    motion: Motion, segment: Segment, t: float, state: StateParts
) -> np.ndarray[tuple[int], np.dtype[np.complex128]]:
    """Return all eigenvalues of the Jacobian of the rates at the end of a segment and at some of its outputs."""
    problem = motion.problem
    first = int(np.searchsorted(motion.times[: motion.reached], segment.start))
    chosen = np.unique(np.linspace(first, motion.reached - 1, _MOST_STATES).astype(int))
    chosen = chosen[motion.times[chosen] != t]  # the last output may be the end
    layout, times = problem.system.row, np.append(motion.times[chosen], t)
    states = np.vstack((layout.joined(motion.states.at(chosen)), layout.joined(state)))
    finite = np.isfinite(states).all(axis=1)
    if not finite.any():
        return np.zeros(0, dtype=complex)
    rows = problem.rows(segment, times[finite], layout.split(states[finite]))
    program = problem.system.program("rates_jacobian", inputs=segment.plan.formulas or None)
    jacobians = program.matrix("jacobian", program.loop(rows))
    known = jacobians[np.isfinite(jacobians).all(axis=(1, 2))]
    return np.asarray(np.linalg.eigvals(known), dtype=complex).reshape(-1)
