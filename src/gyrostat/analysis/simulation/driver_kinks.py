"""Kinks of drivers: instants at which the prescribed rate of a coordinate jumps, which is an impulse.

Formulas of time have them, and events that change parameters or inputs of a driver cause them.

The impulse of a driver acts along its own coordinate, so that the momenta p = ∂T/∂u of the free speeds do not change:
M u + b(q, t) is the same before and after. Constraints have impulses as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError

_TIME_OFFSET = 7e-15
"""How long after a stop formulas are evaluated behind the switch, relative to the time: see `kernels.step_record`."""
_JUMP = 1e-9
"""The least jump of a driven coordinate or its rate that is no rounding error, relative to its size."""


def later_side(t: float) -> float:
    """Return the time just behind the switch at a stop."""
    return t + _TIME_OFFSET * abs(t) + 1e-15


class Side(NamedTuple):
    """Time, parameters and inputs on one side of a discontinuity: of a stop, or of an event that changes them."""

    t: float
    parameters: Mapping[str, float]
    plan: InputPlan

    def row(self, problem: Problem, state: StateParts) -> Floats:
        """Return the arguments of programs at a state, with the values of driving inputs."""
        system = problem.system
        row = problem.vector(self.t, state, self.parameters, self.plan)
        if system.driving_inputs:
            row[system.row.inputs] = input_values(system, self.plan, row[None, :])[0]
        return row


def sides_of_stop(segment: Segment, t: float) -> tuple[Side, Side]:
    """Return the sides before and behind a stop."""
    before = Side(t, segment.parameters, segment.plan)
    return before, before._replace(t=later_side(t))


def has_kink(problem: Problem, before: Side, behind: Side, state: StateParts) -> bool:
    """Tell whether the rate of a driver or constraint jumps; a jump of a position is refused."""
    system, t = problem.system, before.t
    sources = system.continuous_outputs
    if not system.coordinates.driven and not system.constrained and not sources:
        return False
    rows = np.vstack((before.row(problem, state), behind.row(problem, state)))
    if sources:
        _require_continuous_sources(sources, Outputs(system, rows), t)
    kinked = False
    if driven := list(system.coordinates.driven):
        program = system.program("driven")
        found = program.loop(rows)
        values, rates = (found[:, program.output_slice(name)][:, : len(driven)] for name in ("values", "rates"))
        _require_continuous("driver of", driven, values, t)
        kinked = bool(_jumps(rates).any())
    if system.constrained:
        program = system.ready_program("constraints")
        found = program.loop(rows)
        residuals, speeds = (found[:, program.output_slice(name)] for name in ("residuals", "speeds"))
        _require_continuous("constraint", [row.owner for row in system.constraints], residuals, t)
        kinked = kinked or bool(_jumps(speeds).any())
    return kinked


def _require_continuous(kind: str, names: Sequence[str], sides: Floats, t: float) -> None:
    jumps = _jumps(sides)
    if jumps.any():
        worst = int(np.argmax(np.abs(jumps)))
        raise StateError(
            f"The {kind} {names[worst]!r} jumps by {jumps[worst]:.6g} in position at t = {t:.9g} s: no finite load "
            "does that. Let it pass through the values between in a finite time, by a ramp or a table."
        )


def _require_continuous_sources(names: Sequence[str], outputs: Outputs, t: float) -> None:
    for name in names:
        jump = _jumps(outputs.values(name))
        if jump:
            raise StateError(
                f"The source value {name!r} jumps by {jump:.6g} at t = {t:.9g} s, in a loop with capacitors or a "
                "cutset with inductors: their charge or flux would change at once. Give the source a ramp, or put a "
                "resistance next to it."
            )


def _jumps(sides: Floats) -> Floats:
    """Return the jumps between two rows, zero where they are rounding errors."""
    jump = sides[1] - sides[0]
    return np.where(np.abs(jump) > _JUMP * np.maximum(1.0, np.abs(sides).max(axis=0)), jump, 0.0)


def speeds_after(problem: Problem, before: Side, behind: Side, state: StateParts) -> Floats:
    """Return the speeds just after a kink: M u⁺ = p⁻ − b⁺ + Aᵀ Λ with A u⁺ as the constraints require then."""
    system, layout = problem.system, problem.system.row
    momenta, n = system.program("momenta"), problem.system.row.n_u
    row = behind.row(problem, state)
    row[layout.u] = 0.0
    right = momenta.loop(before.row(problem, state)[None, :])[0] - momenta.loop(row[None, :])[0]
    mass = system.mass_matrix(state.q, z=state.z, t=behind.t, parameters=behind.parameters)
    if not system.constrained:
        return np.asarray(np.linalg.solve(mass, right))
    closer = Closer(system, behind.t, behind.parameters)
    closed = closer.at(state.q, np.zeros(n))  # at zero speeds the residual speeds are those that are prescribed
    rows = len(closed.speeds)
    whole = np.block([[mass, closed.matrix.T], [closed.matrix, np.zeros((rows, rows))]])
    return np.asarray(np.linalg.lstsq(whole, np.append(right, -closed.speeds), rcond=1e-12)[0][:n])
