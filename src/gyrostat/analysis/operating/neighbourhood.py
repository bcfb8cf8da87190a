"""The neighbourhood of a state: accelerations, and how they change, for motions along the speeds.

A small displacement is a column ξ of n_u entries in the directions of the speeds: the coordinates change by N(q) ξ.
Rotations with Euler parameters have three directions, not four, and constraints are rows A ξ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gyrostat.closing.closing import Closer, ConstraintState
from gyrostat.closing.null_space import null_space, unit_rows
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.system import System

_EMPTY = 1e-10
"""The size of a row, of displacements of a radian, or the mechanism's size, that says nothing."""
_TRIALS = 6
NOISE = 1e-7
"""Slopes by differences below this part of what they are made of count as zero."""
_STEP = 1e-5
"""The step of central differences, in radians or sizes of the mechanism."""


@dataclass(frozen=True, eq=False)
class Slopes:
    """Accelerations at a state and their slopes along displacements and speeds."""

    udot: Floats
    along: Floats
    """∂u̇/∂ξ, shape (n_u, n_u)."""
    by_speed: Floats
    """∂u̇/∂u, shape (n_u, n_u)."""
    carried: Floats
    """ξ̇ = carried ξ + δu: how a displacement is carried along by the motion, shape (n_u, n_u)."""


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """A system with its time, parameters and inputs, around any of its states."""

    system: System
    t: float
    parameters: Mapping[str, object]
    inputs: Floats

    @staticmethod
    def of(
        system: System, t: float, parameters: Mapping[str, object] | None, inputs: Mapping[str, float]
    ) -> Neighbourhood:
        """Return the neighbourhood with inputs by name."""
        row = np.array([inputs.get(name, 0.0) for name in system.inputs], dtype=float)
        return Neighbourhood(system, t, dict(parameters or {}), row)

    def later(self, t: float) -> Neighbourhood:
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
    def _rest(self) -> Floats:
        return np.append(self.system.parameter_values(self.parameters), self.inputs)

    def _row(self, q: Floats, u: Floats) -> Floats:
        return np.concatenate(([self.t], q, u, self._rest))

    def _outputs(self, program: Program, q: Floats, u: Floats) -> Floats:
        row = self._row(q, u)
        outputs: Floats = program.loop(row[None, :])[0]
        if not np.isfinite(outputs).all():
            from gyrostat.closing.diagnosis import explain_failure

            raise explain_failure(self.system.coordinates, row)
        return outputs

    def accelerations(self, q: Floats, u: Floats) -> Floats:
        """Return u̇ of the motion."""
        program = self.system.program("rates")
        return self._outputs(program, q, u)[program.output_slice("udot")]

    def coordinate_rates(self, q: Floats, u: Floats) -> Floats:
        """Return q̇ = N(q) u."""
        return self._outputs(self.system.program("rates_of_coordinates"), q, u)

    def motion_matrix(self, q: Floats) -> Floats:
        """Return N(q), shape (n_q, n_u)."""
        unit = np.eye(self.system.coordinates.n_u)
        if not len(unit):
            return np.zeros((len(q), 0))
        rows = np.array([self._row(q, direction) for direction in unit])
        return np.asarray(self.system.program("rates_of_coordinates").loop(rows).T)

    def moved(self, q: Floats, change: Floats) -> Floats:
        """Return coordinates after a displacement."""
        return self.closer.moved(q, change)

    def constraints(self, q: Floats, u: Floats) -> ConstraintState:
        """Return residuals, speeds and matrix of the constraints; none where there are none."""
        if self.system.constrained:
            state = self.closer.at(q, u)
            return replace(state, matrix=self.telling(state.matrix))
        return ConstraintState(np.zeros(0), np.zeros(0), np.zeros((0, len(u))))

    def telling(self, matrix: Floats) -> Floats:
        """Return rows of constraints; those that are nothing but rounding are made zero."""
        sizes = np.linalg.norm(matrix * self.scales, axis=1)
        return np.where(sizes[:, None] > _EMPTY * min(1.0, self.system.model_size), matrix, 0.0)

    def mass_matrix(self, q: Floats) -> Floats:
        """Return M(q)."""
        return self.system.mass_matrix(q, t=self.t, parameters=self.parameters)

    def regular(self, q: Floats) -> Floats:
        """Return coordinates at which accelerations have values: the given ones, or some that are near."""
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

    def closed(self, q: Floats) -> Floats:
        """Return coordinates that obey the constraints, near given ones."""
        return self.closer.closed(q)[0] if self.system.constrained else q

    # --- slopes -------------------------------------------------------------------------------------------------

    def slopes(self, q: Floats, u: Floats) -> Slopes:
        """Return accelerations and their exact slopes at a state."""
        jacobian, motion = self.rates_jacobian(q, u), self.motion_matrix(q)
        n_q = len(q)
        along = jacobian[n_q:, :n_q] @ motion
        return Slopes(self.accelerations(q, u), along, jacobian[n_q:, n_q:], self._carried(q, u, jacobian, motion))

    def rates_jacobian(self, q: Floats, u: Floats) -> Floats:
        """Return ∂(q̇, u̇)/∂(q, u), exact."""
        program = self.system.program("rates_jacobian")
        return dense(program, "jacobian", self._outputs(program, q, u))

    def _carried(self, q: Floats, u: Floats, jacobian: Floats, motion: Floats) -> Floats:
        """Return N⁺ [∂(N u)/∂q N ξ − ∂(N ξ)/∂q N u] as a matrix of ξ; zero where rates are the speeds themselves.

        N is a polynomial of second degree in Euler parameters, of which central differences are exact.
        """
        if not self.system.coordinates.euler_parameters or not u.any():
            return np.zeros((len(u), len(u)))
        n_q = len(q)
        rates = motion @ u
        step = 1e-3 / max(1.0, float(np.abs(rates).max(initial=0.0)))
        turning = (self.motion_matrix(q + step * rates) - self.motion_matrix(q - step * rates)) / (2 * step)
        return np.asarray(np.linalg.pinv(motion) @ (jacobian[:n_q, :n_q] @ motion - turning))

    # --- constraints --------------------------------------------------------------------------------------------

    def holonomic(self, q: Floats) -> NDArray[np.bool_]:
        """Return which rows restrict positions, not only speeds: those with a residual that a displacement changes."""
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

    def speed_slopes(self, q: Floats, u: Floats) -> Floats:
        """Return ∂(A u − b)/∂ξ by central differences, shape (rows, n_u)."""
        matrix = self.constraints(q, u).matrix
        if not len(matrix):
            return np.zeros((0, len(u)))
        found = self.differences(lambda there: self.constraints(there, u).speeds, q, len(matrix))
        limit = NOISE * float(np.abs(matrix).max(initial=0.0)) * max(1.0, float(np.abs(u).max(initial=0.0)))
        return without_noise(found, limit)

    def differences(self, function: Callable[[Floats], Floats], q: Floats, count: int) -> Floats:
        """Return the slopes of a function of coordinates along all displacements, by central differences."""
        found = np.zeros((count, len(self.scales)))
        for i, scale in enumerate(self.scales):
            push = np.zeros(len(self.scales))
            push[i] = _STEP * scale
            found[:, i] = (function(self.moved(q, push)) - function(self.moved(q, -push))) / (2 * push[i])
        return found

    def tangent(self, q: Floats) -> Floats:
        """Return an orthonormal basis (in scaled directions) of the displacements that constraints allow.

        Its columns have the units of displacements. Rows that follow from others do no harm.
        """
        still = np.zeros(len(self.scales))
        matrix = (
            self.constraints(q, still).matrix[self.holonomic(q)]
            if self.system.constrained
            else np.zeros((0, len(still)))
        )
        return self.scales[:, None] * null_space(unit_rows(matrix * self.scales))


def without_noise(slopes: Floats, limit: float) -> Floats:
    """Return slopes without what rounding and differences leave where there is none."""
    return np.where(np.abs(slopes) < limit, 0.0, slopes)


def dense(program: Program, name: str, outputs: Floats) -> Floats:
    """Return a matrix output of a program with absent entries as zeros."""
    port = next(port for port in program.outputs if port.name == name)
    stored = outputs[..., program.output_slice(name)]
    if port.pattern is None:
        return np.moveaxis(stored.reshape(*stored.shape[:-1], port.columns, port.rows), -1, -2)
    full = np.zeros((*stored.shape[:-1], port.rows, port.columns))
    full[..., port.pattern[0], port.pattern[1]] = stored
    return full
