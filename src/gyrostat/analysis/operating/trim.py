"""Trim: the equations of an equilibrium, a steady motion or a relative equilibrium, with their unknowns.

Unknown are all coordinates (except fixed ones), chosen speeds, chosen inputs and parameters, and the state variables of
components. At such a state u̇ = 0 and ż = 0, now and later: d/dt u̇ = 0 along the motion. In a relative equilibrium
speeds are constant in axes that rotate, at rates that are unknown as well: u̇ + Γ u = 0. Positions and speeds satisfy
the constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.operating.newton import LeastSteps
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.system import System

LONGEST_TURN = 0.5
"""The longest step of a displacement: radians, or sizes of the mechanism."""
_DIFFERENCE = 1e-6
"""The step of central differences by speeds, inputs and parameters, relative to their sizes."""
_NOISE = 1e-7
"""Derivatives by differences below this, relative to the largest, count as zero."""
_RANK_TOLERANCE = 1e-7
"""Singular values below this, relative to the largest, belong to undetermined directions."""
_SMALLEST_STATE = 1e-3
"""The least size of a state variable in which its steps are measured."""
ROUNDING = 1e-13
"""Exact derivatives below this, relative to the largest, count as zero."""


@dataclass(frozen=True, eq=False)
class TrimPoint:
    """A state, values of the inputs and parameters that are solved for, and after them rates of the generators."""

    q: Floats
    u: Floats
    values: Floats
    z: Floats
    """The state variables of components."""


@dataclass(frozen=True, eq=False)
class Trim:
    """The equations of a state with constant speeds; without `moving`, of one at rest."""

    system: System
    t: float
    parameters: Mapping[str, object]
    inputs: Mapping[str, float]
    moving: bool
    open_speeds: NDArray[np.bool_]
    """Which speeds are unknown."""
    solved: tuple[str, ...] = ()
    """The inputs and parameters that are solved for."""
    fixed: Mapping[int, float] = field(default_factory=dict)
    """Places in q of coordinates with given values."""
    aims: Mapping[str, float] = field(default_factory=dict)
    """Given values of coordinates and rates of joints that close loops, by name."""
    generators: tuple[Floats, ...] = ()
    """Of a relative equilibrium, the rotations of axes whose rates are solved for: see `co_moving_axes`."""

    # --- conditions ----------------------------------------------------------------------------------------------

    def acting(self, values: Floats) -> tuple[dict[str, object], dict[str, float]]:
        """Return all parameters that differ from the model's, and all inputs, with values of those solved for."""
        parameters, inputs = dict(self.parameters), dict(self.inputs)
        for name, value in zip(self.solved, values[: len(self.solved)].tolist(), strict=True):
            if name in inputs:
                inputs[name] = value
            else:
                parameters[name] = value
        return parameters, inputs

    def dynamics(self, point: TrimPoint) -> Dynamics:
        """Return the dynamics with a point's state variables and values of inputs and parameters solved for."""
        if not self.solved:
            return replace(self._own, z=point.z) if len(point.z) else self._own
        return Dynamics.of(self.system, self.t, *self.acting(point.values), point.z)

    def rotation(self, values: Floats) -> Floats:
        """Return Γ of the axes in which speeds are constant: u̇ = −Γ u."""
        n = self.system.coordinates.n_u
        rates = values[len(self.solved) :]
        return np.asarray(sum((rate * one for rate, one in zip(rates, self.generators, strict=True)), np.zeros((n, n))))

    @cached_property
    def _own(self) -> Dynamics:
        return Dynamics.of(self.system, self.t, self.parameters, self.inputs)

    def _closer(self, dynamics: Dynamics) -> Closer:
        return dynamics.closer.aiming(self.aims) if self.aims else dynamics.closer

    # --- equations ----------------------------------------------------------------------------------------------

    def residual(self, point: TrimPoint) -> Floats:
        """Return accelerations, their change along the motion, residuals of constraints and given values, and ż."""
        dynamics = self.dynamics(point)
        rotation = self.rotation(point.values)
        udot = dynamics.accelerations(point.q, point.u) + rotation @ point.u
        parts = [udot, self._unsteadiness(dynamics, point.q, point.u, rotation) if self.moving else np.zeros(0)]
        parts += [self._positions(dynamics, point), self._speeds(dynamics, point.q, point.u)]
        return np.concatenate([*parts, dynamics.state_rates(point.q, point.u)])

    def jacobian(self, point: TrimPoint) -> Floats:
        """Return the derivatives of the residual by displacements, open speeds, values solved for, and z."""
        dynamics, q, u = self.dynamics(point), point.q, point.u
        found, rotation = dynamics.acceleration_jacobian(q, u), self.rotation(point.values)
        size = float(np.abs(found.by_position * dynamics.scales / dynamics.scales[:, None]).max(initial=0.0))
        weights = dynamics.scales[:, None]
        rows = [np.hstack((found.by_position, (found.by_speed + rotation)[:, self.open_speeds]))]
        rows[0] = weights * _without_noise(rows[0] / weights, ROUNDING * size)
        if self.moving:
            rate = max(1.0, float(np.abs(u / dynamics.scales).max(initial=0.0)))
            changes = self._unsteadiness_jacobian(dynamics, q, u, rotation)
            rows.append(weights * _without_noise(changes / weights, _NOISE * size * rate))
        rows.append(self._position_jacobian(dynamics, q))
        rows.append(self._speed_jacobian(dynamics, q, u))
        if not len(point.z):
            return np.hstack((np.vstack(rows), self._value_jacobian(point)))
        own = dynamics.state_jacobian(q, u)
        rows.append(np.hstack((own.by_position, own.by_speed[:, self.open_speeds])))
        by_state = self._state_jacobian(point)
        by_state[: len(u)], by_state[-len(point.z) :] = found.by_state, own.by_state
        return np.hstack((np.vstack(rows), self._value_jacobian(point), by_state))

    def moved(self, point: TrimPoint, step: Floats) -> TrimPoint:
        """Return the point after a step."""
        n, speeds = len(point.u), int(self.open_speeds.sum())
        u = point.u.copy()
        u[self.open_speeds] += step[n : n + speeds]
        values, z = np.split(step[n + speeds :], [len(point.values)])
        return TrimPoint(self._own.moved(point.q, step[:n]), u, point.values + values, point.z + z)

    def scales(self, point: TrimPoint) -> Floats:
        """Return the size of each unknown's steps."""
        own = self._own.scales
        rate = max(1.0, float(np.abs(point.u / own).max(initial=0.0)))
        values, states = np.maximum(1.0, np.abs(point.values)), np.maximum(_SMALLEST_STATE, np.abs(point.z))
        return np.concatenate((own, rate * own[self.open_speeds], values, states))

    def longest(self, point: TrimPoint) -> Floats:
        """Return the longest steps: displacements, speeds and parameters are limited, inputs and states are not."""
        values = [np.inf if name in self.inputs else LONGEST_TURN for name in self.solved]
        turns = np.full(len(point.u), LONGEST_TURN)
        rates = np.ones(len(self.generators))
        free = np.full(len(point.z), np.inf)
        return np.concatenate((turns, np.ones(int(self.open_speeds.sum())), values, rates, free))

    @property
    def dependent(self) -> float:
        """Singular values below this, relative to the largest, count as zero: larger with approximate derivatives."""
        return 1e-8 if self.moving else 1e-11

    def linear(self, point: TrimPoint) -> LeastSteps:
        """Return the linear equations at a solution, with the directions that they do not determine."""
        return LeastSteps.of(self.jacobian(point), self.scales(point), _RANK_TOLERANCE)

    # --- parts --------------------------------------------------------------------------------------------------

    def _unsteadiness(self, dynamics: Dynamics, q: Floats, u: Floats, rotation: Floats) -> Floats:
        """Return d/dt (u̇ + Γ u) along a motion with u̇ = −Γ u, exact."""
        jacobian = dynamics.system.row.split(dynamics.rates_jacobian(q, u)[len(q) : len(q) + len(u)])
        rates = -rotation @ u
        change = jacobian.q @ dynamics.coordinate_rates(q, u) + jacobian.u @ rates
        return np.asarray(change + rotation @ rates + dynamics.acceleration_rates(q, u))

    def _unsteadiness_jacobian(self, dynamics: Dynamics, q: Floats, u: Floats, rotation: Floats) -> Floats:
        """Return the derivatives of the unsteadiness.

        By differences of exact derivatives: second derivatives of the equations of motion have no program, and these
        ones guide the search alone; the residual is exact.
        """
        along = dynamics.differences(lambda there: self._unsteadiness(dynamics, there, u, rotation), q, len(u))
        columns = []
        for i in np.flatnonzero(self.open_speeds):
            push = np.zeros(len(u))
            push[i] = _DIFFERENCE * dynamics.scales[i] * max(1.0, float(np.abs(u / dynamics.scales).max(initial=0.0)))
            sides = [self._unsteadiness(dynamics, q, u + side * push, rotation) for side in (1, -1)]
            columns.append((sides[0] - sides[1]) / (2 * push[i]))
        return np.hstack((along, np.array(columns).T.reshape(len(u), -1)))

    def _positions(self, dynamics: Dynamics, point: TrimPoint) -> Floats:
        """Return residuals of constraints, and of coordinates with given values."""
        gaps = [point.q[place] - value for place, value in self.fixed.items()]
        if not self.system.constrained:
            return np.array(gaps, dtype=float)
        return np.append(self._closer(dynamics).at(point.q, np.zeros(len(point.u))).residuals, gaps)

    def _position_jacobian(self, dynamics: Dynamics, q: Floats) -> Floats:
        n = int(self.open_speeds.sum())
        rows = [dynamics.motion_matrix(q)[list(self.fixed)]] if self.fixed else []
        if self.system.constrained:
            matrix = dynamics.without_trivial_rows(self._closer(dynamics).at(q, np.zeros(len(self.open_speeds))).matrix)
            matrix[: len(self._holonomic)][~self._holonomic] = 0.0
            rows.insert(0, matrix)
        full = np.vstack((np.zeros((0, len(self.open_speeds))), *rows))
        return np.hstack((full, np.zeros((len(full), n))))

    @cached_property
    def _holonomic(self) -> NDArray[np.bool_]:
        closer = self._own.closer
        return self._own.holonomic(closer.regular(self.system.initial_coordinates))

    def _speeds(self, dynamics: Dynamics, q: Floats, u: Floats) -> Floats:
        """Return the residual of the constraints on speeds."""
        if not self.moving or not self.system.constrained:
            return np.zeros(0)
        return self._closer(dynamics).speeds_at(q, u)[0]

    def _speed_jacobian(self, dynamics: Dynamics, q: Floats, u: Floats) -> Floats:
        """Return the derivatives of speeds that constraints forbid: exact, but for aims of joints that close loops.

        The latter are by differences, since no program has their derivatives by positions; they guide the search alone.
        """
        if not self.moving or not self.system.constrained:
            return np.zeros((0, len(u) + int(self.open_speeds.sum())))
        found = dynamics.constraint_jacobians(q, u)
        along, matrix, rows = found.speed_by_position, found.matrix, len(found.matrix)
        if self.aims:
            closer = self._closer(dynamics)
            speeds, whole = closer.speeds_at(q, u)
            aims = dynamics.differences(lambda there: closer.speeds_at(there, u)[0][rows:], q, len(speeds) - rows)
            limit = _NOISE * float(np.abs(whole).max(initial=0.0)) * max(1.0, float(np.abs(u).max(initial=0.0)))
            along = np.vstack((along, _without_noise(aims, limit)))
            matrix = np.vstack((matrix, dynamics.without_trivial_rows(whole[rows:])))
        return np.hstack((along, matrix[:, self.open_speeds]))

    def _value_jacobian(self, point: TrimPoint) -> Floats:
        """Return the derivatives of the residual by inputs, parameters and rates that are solved for.

        By differences: those of the unsteadiness have no program, and these ones guide the search alone.
        """
        return self._differences(lambda values: replace(point, values=values), point.values, 1.0)

    def _state_jacobian(self, point: TrimPoint) -> Floats:
        """Return the derivatives of the residual by the state variables, by differences as well."""
        return self._differences(lambda z: replace(point, z=z), point.z, _SMALLEST_STATE)

    def _differences(self, changed: Callable[[Floats], TrimPoint], values: Floats, smallest: float) -> Floats:
        """Return the derivatives of the residual by values of which a function gives the point."""
        found = np.zeros((len(self.residual(changed(values))), len(values)))
        for i, value in enumerate(values):
            push = np.zeros(len(values))
            push[i] = _DIFFERENCE * max(smallest, abs(value))
            sides = [self.residual(changed(values + side * push)) for side in (1, -1)]
            column = (sides[0] - sides[1]) / (2 * push[i])
            found[:, i] = _without_noise(column, _NOISE * float(np.abs(column).max(initial=0.0)))
        return found


def _without_noise(jacobian: Floats, limit: float) -> Floats:
    """Return derivatives with those below a limit, which are errors of rounding and differences, set to zero."""
    return np.where(np.abs(jacobian) < limit, 0.0, jacobian)
