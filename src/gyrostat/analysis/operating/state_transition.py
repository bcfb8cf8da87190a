"""State transition: small disturbances at the end of a motion by those at its start.

The motion comes from an integrator of the package. Along it the linear equations δẋ = J(t) δx, with exact J, are
integrated by Gauss's collocation of order six, whose nodes are output times of the motion; all J are evaluated at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gyrostat.analysis.integrators import Integrator
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.system import System

_ROOT = np.sqrt(15.0)
NODES = np.array([0.5 - _ROOT / 10, 0.5, 0.5 + _ROOT / 10])
_STAGES = np.array(
    [
        [5 / 36, 2 / 9 - _ROOT / 15, 5 / 36 - _ROOT / 30],
        [5 / 36 + _ROOT / 24, 2 / 9, 5 / 36 - _ROOT / 24],
        [5 / 36 + _ROOT / 30, 2 / 9 + _ROOT / 15, 5 / 36],
    ]
)
_WEIGHTS = np.array([5 / 18, 4 / 9, 5 / 18])
_FIRST_STEP_COUNT, _STEP_COUNT_LIMIT = 32, 8192
"""The numbers of steps that are tried."""
_SAMPLES = 3
_REPETITION_TOLERANCE = 1e-8
_CHANGE_TOLERANCE = 1e-10
"""The allowed change by halving the steps, relative to the largest entry."""


@dataclass(frozen=True, eq=False)
class StateTransition:
    """The motion of a system with parameters and inputs from any state, and its variation."""

    system: System
    t: float
    parameters: Mapping[str, object]
    inputs: Mapping[str, Any]
    integrator: Integrator

    def motion(self, state: StateParts, duration: float, steps: int) -> Trajectory:
        """Return the motion, with outputs at the nodes of equal steps, and at the end."""
        lengths = duration / steps
        nodes = self.t + lengths * (np.arange(steps)[:, None] + NODES).ravel()
        times = np.concatenate(([self.t], nodes, [self.t + duration]))
        start = dict(zip(self.system.coordinates.place_of, np.concatenate(state).tolist(), strict=True))
        found = simulate(
            self.system,
            times=times,
            initial=start,
            inputs=self.inputs,
            parameters=self.parameters,
            integrator=self.integrator,
            progress=False,
        )
        if not found.status.success:
            raise StateError(f"The motion over one period could not be integrated: {found.status.message}")
        return found

    def end(self, state: StateParts, duration: float) -> StateParts:
        """Return the state after a while."""
        return self.motion(state, duration, 1).states.at(-1)

    def variation(self, state: StateParts, duration: float, columns: Floats) -> tuple[Trajectory, Floats]:
        """Return the motion, and small disturbances of (q, u, z), given as columns, at its end; without algebraic z.

        Steps are halved until the result does not change.
        """
        steps, last = _FIRST_STEP_COUNT, None
        while True:
            motion = self.motion(state, duration, steps)
            found = _collocated(self._jacobians(motion), columns, duration / steps)
            if last is not None:
                change = float(np.abs(found - last).max(initial=0.0)) / max(
                    float(np.abs(found).max(initial=0.0)), 1e-300
                )
                if change <= _CHANGE_TOLERANCE:
                    return motion, found
            if steps >= _STEP_COUNT_LIMIT:
                raise StateError(
                    f"Disturbances change too fast over {duration:g} s for {steps} steps. Is the period too long, or "
                    "the system very stiff?"
                )
            steps, last = 2 * steps, found

    def _jacobians(self, motion: Trajectory) -> Floats:
        """Return ∂(q̇, u̇, ż)/∂(q, u, z) at the nodes, shape (nodes, n, n), with algebraic variables eliminated."""
        program = self.system.program("rates_jacobian", inputs=self.plan.formulas or None)
        found = program.matrix("jacobian", program.batch(np.ascontiguousarray(motion.rows[1:-1])))
        layout = self.system.row
        bound = [layout.n_q + layout.n_u + place for place in self.system.coordinates.algebraic]
        if not bound:
            return found
        free = [i for i in range(layout.state_size) if i not in bound]
        through = np.linalg.solve(found[:, bound][:, :, bound], found[:, bound][:, :, free])
        return np.asarray(found[:, free][:, :, free] - found[:, free][:, :, bound] @ through)

    @cached_property
    def plan(self) -> InputPlan:
        """The inputs: numbers, formulas or tables."""
        known = self.system.model.values(dict(self.parameters))
        found = InputPlan.starting(self.inputs, self.system, np.array([self.t]), known)
        if found.functions:
            name = next(iter(found.functions))
            raise StateError(
                f"Input {name!r} is a Python function, whose derivatives are not known. Give a formula or a table."
            )
        return found

    @cached_property
    def timed(self) -> bool:
        """Whether loads, drivers or inputs depend on time."""
        return bool(self.plan.tables) or not (self.repeats(0.37) and self.repeats(1.61))

    def repeats(self, delay: float) -> bool:
        """Return whether accelerations at some states are the same after a delay."""
        system = self.system
        values = system.parameter_values(self.parameters)
        inputs = [self.plan.numbers.get(name, 0.0) for name in system.inputs]
        program = system.program("rates", inputs=self.plan.formulas or None)
        for state in self._samples:
            rows = np.array([system.row.of(self.t + part, state, values, inputs) for part in (0.0, delay)])
            found = program.loop(rows)
            gap = float(np.abs(found[1] - found[0]).max(initial=0.0))
            if np.isfinite(gap) and gap > _REPETITION_TOLERANCE * max(1.0, float(np.abs(found).max(initial=0.0))):
                return False
        return True

    @cached_property
    def _samples(self) -> list[StateParts]:
        """Random states near the initial one."""
        system, rng = self.system, np.random.default_rng(0)
        dynamics = Dynamics.of(system, self.t, self.parameters, self.plan.numbers)
        found = []
        for _ in range(_SAMPLES):
            push = 0.3 * rng.normal(size=len(dynamics.scales)) * dynamics.scales
            q = dynamics.closed(dynamics.moved(system.initial_coordinates, push))
            found.append(StateParts(q, rng.normal(size=len(push)) * dynamics.scales, dynamics.z))
        return found


def _collocated(jacobians: Floats, columns: Floats, h: float) -> Floats:
    """Return columns after all steps of δẋ = J δx; three rows of J for each step.

    >>> rotation = np.array([[0.0, 1.0], [-1.0, 0.0]])
    >>> _collocated(np.array([rotation] * 3 * 80), np.eye(2), np.pi / 40).round(9) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """
    n = jacobians.shape[1]
    now = columns
    for three in jacobians.reshape(-1, 3, n, n):
        matrix = np.eye(3 * n) - h * np.einsum("ab,aij->aibj", _STAGES, three).reshape(3 * n, 3 * n)
        rates = np.linalg.solve(matrix, (three @ now).reshape(3 * n, -1)).reshape(3, n, -1)
        now = now + h * np.einsum("a,aij->ij", _WEIGHTS, rates)
    return now
