"""The equations of motion of a system at one time, with fixed parameters and inputs, evaluated at states (q, u).

A small displacement is a column ξ of n_u entries in the directions of the speeds: the coordinates change by N(q) ξ.
Rotations with Euler parameters have three directions, not four, and constraints are rows A ξ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.pair_loads import PairLoads
from gyrostat.analysis.variations.variations import (
    ConstraintJacobians,
    acceleration_derivatives,
    constraint_jacobians,
    evaluated_ports,
)
from gyrostat.closing.closing import Closer, ConstraintState
from gyrostat.closing.diagnosis import explain_failure
from gyrostat.closing.null_space import null_space, unit_rows
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import jacobian_is_long
from gyrostat.system import System

_ROW_ROUNDING = 1e-10
"""Rows of constraints below this, for displacements of one radian or the mechanism's size, are rounding errors."""
_CONTACT_WAY = 0.02
"""The way of a shape in one step, in terms of the smallest radius, while contacts are followed."""
_TRIALS = 6
_STEP = 1e-5
"""The step of central differences, in radians or sizes of the mechanism."""
_STEPS, _SMALLEST_STEP_COUNT = 64, 8
"""Steps of the Runge–Kutta method in which coordinates change by a radian, or a size; the least number of them."""
_LEAST_PACE = 0.01
"""Motions slower than this (rad/s, or sizes of the mechanism per second) are given the time of this one."""


@dataclass(frozen=True, eq=False)
class AccelerationJacobian:
    """Accelerations at a state with their exact derivatives."""

    udot: Floats
    by_position: Floats
    """∂u̇/∂ξ, shape (n_u, n_u)."""
    by_speed: Floats
    """∂u̇/∂u, shape (n_u, n_u)."""
    by_state: Floats
    """∂u̇/∂z, shape (n_u, n_z)."""


@dataclass(frozen=True, eq=False)
class StateJacobian:
    """Rates of the state variables at a state, residuals for algebraic ones, with their exact derivatives."""

    zdot: Floats
    by_position: Floats
    """∂ż/∂ξ, shape (n_z, n_u)."""
    by_speed: Floats
    by_state: Floats


@dataclass(frozen=True, eq=False)
class Dynamics:
    """A system with its time, parameters, inputs and state variables, evaluated at any coordinates and speeds."""

    system: System
    t: float
    parameters: Mapping[str, object]
    inputs: Floats
    z: Floats
    """The state variables of components."""

    @staticmethod
    def of(
        system: System,
        t: float,
        parameters: Mapping[str, object] | None,
        inputs: Mapping[str, float],
        z: Floats | None = None,
    ) -> Dynamics:
        """Return the dynamics with inputs by name; without z, state variables have their initial values."""
        row = np.array([inputs.get(name, 0.0) for name in system.inputs], dtype=float)
        own = system.initial_state(parameters).z if z is None and system.state_names else np.empty(0)
        return Dynamics(system, t, dict(parameters or {}), row, own if z is None else z)

    @staticmethod
    def at(point: OperatingPoint) -> Dynamics:
        """Return the dynamics with the time, parameters, inputs and state variables of an operating point."""
        return Dynamics.of(point.system, point.t, point.parameters, point.inputs, point.z)

    def later(self, t: float) -> Dynamics:
        """Return the same at another time."""
        return replace(self, t=t)

    # --- evaluation ---------------------------------------------------------------------------------------------

    @cached_property
    def closer(self) -> Closer:
        """The constraints at this time."""
        return Closer(self.system, self.t, self.parameters)

    @cached_property
    def scales(self) -> Floats:
        """The size of a displacement in the direction of each speed: 1 for angles, the mechanism's size for lengths."""
        return self.closer.scales

    @cached_property
    def _values(self) -> Floats:
        return self.system.parameter_values(self.parameters)

    def row(self, q: Floats, u: Floats) -> Floats:
        """Return the row of a state, the input of all programs of the system."""
        row = self.system.row.of(self.t, StateParts(q, u, self.z), self._values, self.inputs)
        return row if self._pairs is None else self._pairs.fill(row)

    @cached_property
    def _pairs(self) -> PairLoads | None:
        """The contacts of many pairs."""
        return PairLoads.of(self.system, self.parameters)

    @cached_property
    def longest_in_contact(self) -> float:
        """The longest displacement, in radians or sizes of the mechanism, in which no shape passes into another one."""
        if self._pairs is None:
            return np.inf
        return _CONTACT_WAY * self._pairs.smallest_radius / max(1.0, self.system.model_size)

    def _outputs(self, program: Program, q: Floats, u: Floats) -> Floats:
        row = self.row(q, u)
        outputs: Floats = program.loop(row[None, :])[0]
        if not np.isfinite(outputs).all():
            raise explain_failure(self.system.coordinates, row)
        return outputs

    def accelerations(self, q: Floats, u: Floats) -> Floats:
        """Return u̇ of the motion."""
        return self._outputs(self.system.ready_program("forward_dynamics"), q, u)

    def acceleration_rates(self, q: Floats, u: Floats) -> Floats:
        """Return ∂u̇/∂t at a fixed state, which explicit functions of time cause."""
        program = self.system.program("rates_in_time")
        found = program.matrix("derivatives", self._outputs(program, q, u))[:, 0]
        return np.asarray(found[len(q) : len(q) + len(u)])

    def state_rates(self, q: Floats, u: Floats) -> Floats:
        """Return ż; of algebraic variables, the residuals of their equations."""
        if not len(self.z):
            return self.z
        return self.system.row.split(self._outputs(self.system.program("rates"), q, u)).z

    def coordinate_rates(self, q: Floats, u: Floats) -> Floats:
        """Return q̇ = N(q) u."""
        return self._outputs(self.system.program("rates_of_coordinates"), q, u)

    def motion_matrix(self, q: Floats) -> Floats:
        """Return N(q), shape (n_q, n_u)."""
        unit = np.eye(self.system.coordinates.n_u)
        if not len(unit):
            return np.zeros((len(q), 0))
        rows = np.array([self.row(q, direction) for direction in unit])
        return np.asarray(self.system.program("rates_of_coordinates").loop(rows).T)

    def mass_matrix(self, q: Floats) -> Floats:
        """Return M(q)."""
        if self.system.constrained and jacobian_is_long(self.system.coordinates):  # whose linear terms are used anyway
            return evaluated_ports(self.system.program("linear_terms"), self.row(q, np.zeros(len(self.scales))))["mass"]
        program = self.system.program("mass_matrix")
        return program.matrix("mass_matrix", self._outputs(program, q, np.zeros(len(self.scales))))

    # --- Jacobians ----------------------------------------------------------------------------------------------

    def acceleration_jacobian(self, q: Floats, u: Floats) -> AccelerationJacobian:
        """Return accelerations and their exact derivatives at a state.

        Where the Jacobian of the rates is long, derivatives come from the programs of linear models, which other steps
        of an analysis need as well.
        """
        system = self.system
        plain = not len(self.z) and self._pairs is None
        if plain and (system.tree_variations is not None or jacobian_is_long(system.coordinates)):
            try:
                by_position, by_speed = acceleration_derivatives(system, self.row(q, u))
                return AccelerationJacobian(self.accelerations(q, u), by_position, by_speed, np.zeros((len(u), 0)))
            except np.linalg.LinAlgError:
                pass  # the rates say what is singular
        parts = self.system.row.split(self.rates_jacobian(q, u)[len(q) : len(q) + len(u)])
        return AccelerationJacobian(self.accelerations(q, u), parts.q @ self.motion_matrix(q), parts.u, parts.z)

    def state_jacobian(self, q: Floats, u: Floats) -> StateJacobian:
        """Return the rates of the state variables and their exact derivatives at a state."""
        parts = self.system.row.split(self.rates_jacobian(q, u)[len(q) + len(u) :])
        return StateJacobian(self.state_rates(q, u), parts.q @ self.motion_matrix(q), parts.u, parts.z)

    def rates_jacobian(self, q: Floats, u: Floats) -> Floats:
        """Return ∂(q̇, u̇, ż)/∂(q, u, z), exact."""
        program = self.system.program("rates_jacobian")
        found = program.matrix("jacobian", self._outputs(program, q, u))
        return found if self._pairs is None else found + self._by_contacts(self._pairs, self.row(q, u))

    def _by_contacts(self, pairs: PairLoads, row: Floats) -> Floats:
        """Return the part of the Jacobian that contacts of many pairs have, by the chain rule."""
        by_state, program = pairs.by_state(row), self.system.program("rates_by_inputs")
        acting = np.flatnonzero(by_state.any(axis=0))
        directions = np.zeros((len(acting), program.input_size))
        directions[:, : len(row)] = row
        directions[np.arange(len(acting)), len(row) + acting] = 1.0
        by_inputs = program.loop(directions).T if len(acting) else np.zeros((len(by_state), 0))
        return np.asarray(by_inputs @ by_state[:, acting].T)

    def constraint_jacobians(self, q: Floats, u: Floats) -> ConstraintJacobians:
        """Return the exact derivatives of the constraints; trivial rows are zero."""
        found = constraint_jacobians(self.system, self.row(q, u))
        return replace(found, matrix=self.without_trivial_rows(found.matrix))

    def differences(self, function: Callable[[Floats], Floats], q: Floats, count: int) -> Floats:
        """Return the derivatives of a function of coordinates along all displacements, by central differences."""
        found = np.zeros((count, len(self.scales)))
        for i, scale in enumerate(self.scales):
            push = np.zeros(len(self.scales))
            push[i] = _STEP * scale
            found[:, i] = (function(self.moved(q, push)) - function(self.moved(q, -push))) / (2 * push[i])
        return found

    # --- constraints --------------------------------------------------------------------------------------------

    def constraints(self, q: Floats, u: Floats) -> ConstraintState:
        """Return residuals, speeds and matrix of the constraints; empty where there are none."""
        if self.system.constrained:
            state = self.closer.at(q, u)
            return replace(state, matrix=self.without_trivial_rows(state.matrix))
        return ConstraintState(np.zeros(0), np.zeros(0), np.zeros((0, len(u))))

    def without_trivial_rows(self, matrix: Floats) -> Floats:
        """Return rows of constraints, with those that consist of rounding errors set to zero."""
        sizes = np.linalg.norm(matrix * self.scales, axis=1)
        return np.where(sizes[:, None] > _ROW_ROUNDING * min(1.0, self.system.model_size), matrix, 0.0)

    def holonomic(self, q: Floats) -> NDArray[np.bool_]:
        """Return which rows restrict positions, not only speeds: those whose residual differs from zero nearby."""
        if not self.system.constrained:
            return np.zeros(0, dtype=bool)
        still = np.zeros(self.system.coordinates.n_u)
        rng = np.random.default_rng(0)
        found = np.zeros(len(self.constraints(q, still).residuals), dtype=bool)
        for _ in range(3):
            near = self.moved(q, 1e-3 * rng.normal(size=len(still)) * self.scales)
            try:
                found |= self.constraints(near, still).residuals != 0.0
            except StateError:
                continue
        return found

    def tangent(self, q: Floats) -> Floats:
        """Return a basis of the displacements that constraints allow, orthonormal in scaled directions.

        Its columns have the units of displacements. Rows may be redundant.
        """
        still = np.zeros(len(self.scales))
        matrix = (
            self.constraints(q, still).matrix[self.holonomic(q)]
            if self.system.constrained
            else np.zeros((0, len(still)))
        )
        return self.scales[:, None] * null_space(unit_rows(matrix * self.scales))

    # --- neighbouring states ------------------------------------------------------------------------------------

    def moved(self, q: Floats, change: Floats) -> Floats:
        """Return coordinates after a displacement."""
        return self.closer.moved(q, change)

    def closed(self, q: Floats) -> Floats:
        """Return coordinates that satisfy the constraints, near given ones."""
        return self.closer.closed(q)[0] if self.system.constrained else q

    def regular(self, q: Floats) -> Floats:
        """Return coordinates at which accelerations are defined: the given ones, or some nearby."""
        still, rng = np.zeros(len(self.scales)), np.random.default_rng(0)
        near = q
        for trial in range(_TRIALS):
            try:
                self.accelerations(near, still)
            except StateError:
                near = self.closed(self.moved(q, 0.05 * (1 + trial) * rng.normal(size=len(still)) * self.scales))
            else:
                return near
        self.accelerations(q, still)
        return q

    def pace(self, q: Floats, u: Floats) -> float:
        """Return how fast coordinates, or driven ones, change (rad/s, or sizes per second), at least `_LEAST_PACE`."""
        fastest = float(np.abs(u / self.scales).max(initial=0.0))
        if self.system.coordinates.all_driven:
            program = self.system.program("driven")
            rates = program.loop(self.row(q, u)[None, :])[0][program.output_slice("rates")]
            fastest = max(fastest, float(np.abs(rates).max(initial=0.0)))
        return max(fastest, _LEAST_PACE)

    def delays(self, q: Floats, u: Floats) -> tuple[float, float]:
        """Return two delays in which coordinates, or driven ones, change by about a radian, or a size."""
        pace = self.pace(q, u)
        return 0.29 / pace, 1.13 / pace

    def continued(self, q: Floats, u: Floats, time: float, rotation: Floats | None = None) -> tuple[Floats, Floats]:
        """Return the state after a time, which may be negative, in which speeds are constant.

        With `rotation` Γ, they are constant in axes that rotate: u̇ = −Γ u. The coordinates are integrated by the
        classical Runge–Kutta method. Accelerations are not evaluated, so that neither instability nor stiffness of the
        motion matters.
        """
        from scipy.linalg import expm

        if not u.any():
            return q, u
        steps = max(_SMALLEST_STEP_COUNT, ceil(_STEPS * self.pace(q, u) * abs(time)))
        h = time / steps
        half = np.eye(len(u)) if rotation is None else expm(-rotation * h / 2)
        now, speeds = q, u
        for _ in range(steps):
            middle, after = half @ speeds, half @ half @ speeds
            k1 = self.coordinate_rates(now, speeds)
            k2 = self.coordinate_rates(now + 0.5 * h * k1, middle)
            k3 = self.coordinate_rates(now + 0.5 * h * k2, middle)
            k4 = self.coordinate_rates(now + h * k3, after)
            now, speeds = now + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), after
            for first in self.system.coordinates.euler_parameters.values():
                now[first : first + 4] /= np.linalg.norm(now[first : first + 4])
        return now, speeds


def continued_point(point: OperatingPoint, time: float, rotation: Floats | None = None) -> OperatingPoint:
    """Return where a steady motion is after a time: see `Dynamics.continued`."""
    q, u = Dynamics.at(point).continued(point.q, point.u, time, rotation)
    return replace(point, t=point.t + time, q=q, u=u)
