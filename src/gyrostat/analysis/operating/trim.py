"""Trim: the equations of a state that keeps its speeds, with the unknowns that may be solved for.

Unknown are all coordinates (but those that are fixed), chosen speeds, and chosen inputs and parameters. At such a state
u̇ = 0, and stays so: d/dt u̇ = 0 along the motion. Positions and speeds obey the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.operating.neighbourhood import NOISE, Neighbourhood, without_noise
from gyrostat.analysis.operating.newton import LeastSteps
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.system import System

_LONGEST_TURN = 0.5
"""The longest step of a displacement: radians, or sizes of the mechanism."""
_DIFFERENCE = 1e-6
_INSTANT = 1e-4
_OPEN = 1e-7
"""Singular values below this part of the largest belong to directions that are left open."""
_ROUNDING = 1e-13
"""Exact slopes below this part of the largest count as zero."""


@dataclass(frozen=True, eq=False)
class TrimPoint:
    """A state, values of the inputs and parameters that are solved for, and after them rates at which vectors turn."""

    q: Floats
    u: Floats
    values: Floats


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
    """How speeds may go round, at rates that are solved for: see `going_round`."""

    # --- what acts ----------------------------------------------------------------------------------------------

    def acting(self, values: Floats) -> tuple[dict[str, object], dict[str, float]]:
        """Return all parameters that differ from the model's, and all inputs, with values of those solved for."""
        parameters, inputs = dict(self.parameters), dict(self.inputs)
        for name, value in zip(self.solved, values[: len(self.solved)].tolist(), strict=True):
            if name in inputs:
                inputs[name] = value
            else:
                parameters[name] = value
        return parameters, inputs

    def around(self, values: Floats) -> Neighbourhood:
        """Return the neighbourhood of states with values of what is solved for."""
        if not self.solved:
            return self._own
        return Neighbourhood.of(self.system, self.t, *self.acting(values))

    def turning(self, values: Floats) -> Floats:
        """Return Γ: speeds go round by u̇ = −Γ u."""
        n = self.system.coordinates.n_u
        rates = values[len(self.solved) :]
        return np.asarray(sum((rate * one for rate, one in zip(rates, self.generators, strict=True)), np.zeros((n, n))))

    @cached_property
    def _own(self) -> Neighbourhood:
        return Neighbourhood.of(self.system, self.t, self.parameters, self.inputs)

    def _closer(self, around: Neighbourhood) -> Closer:
        return around.closer.aiming(self.aims) if self.aims else around.closer

    # --- equations ----------------------------------------------------------------------------------------------

    def residual(self, point: TrimPoint) -> Floats:
        """Return accelerations, their change along the motion, and what is left of constraints and given values."""
        around = self.around(point.values)
        turning = self.turning(point.values)
        udot = around.accelerations(point.q, point.u) + turning @ point.u
        parts = [udot, self._unsteadiness(around, point.q, point.u, turning) if self.moving else np.zeros(0)]
        return np.concatenate([*parts, self._positions(around, point), self._speeds(around, point.q, point.u)])

    def jacobian(self, point: TrimPoint) -> Floats:
        """Return the slopes of the residual along displacements, open speeds, and values solved for."""
        around, q, u = self.around(point.values), point.q, point.u
        slopes, turning = around.slopes(q, u), self.turning(point.values)
        size = float(np.abs(slopes.along * around.scales / around.scales[:, None]).max(initial=0.0))
        weights = around.scales[:, None]
        rows = [np.hstack((slopes.along, (slopes.by_speed + turning)[:, self.open_speeds]))]
        rows[0] = weights * without_noise(rows[0] / weights, _ROUNDING * size)
        if self.moving:
            rate = max(1.0, float(np.abs(u / around.scales).max(initial=0.0)))
            changes = self._unsteadiness_slopes(around, q, u, turning)
            rows.append(weights * without_noise(changes / weights, NOISE * size * rate))
        rows.append(self._position_slopes(around, q))
        rows.append(self._speed_slopes(around, q, u))
        return np.hstack((np.vstack(rows), self._value_slopes(point)))

    def moved(self, point: TrimPoint, step: Floats) -> TrimPoint:
        """Return the point after a step."""
        n, speeds = len(point.u), int(self.open_speeds.sum())
        u = point.u.copy()
        u[self.open_speeds] += step[n : n + speeds]
        return TrimPoint(self._own.moved(point.q, step[:n]), u, point.values + step[n + speeds :])

    def scales(self, point: TrimPoint) -> Floats:
        """Return the size of each unknown's steps."""
        own = self._own.scales
        rate = max(1.0, float(np.abs(point.u / own).max(initial=0.0)))
        return np.concatenate((own, rate * own[self.open_speeds], np.maximum(1.0, np.abs(point.values))))

    def longest(self, point: TrimPoint) -> Floats:
        """Return the longest steps: displacements, speeds and parameters are limited, inputs are not."""
        values = [np.inf if name in self.inputs else _LONGEST_TURN for name in self.solved]
        turns = np.full(len(point.u), _LONGEST_TURN)
        rates = np.ones(len(self.generators))
        return np.concatenate((turns, np.ones(int(self.open_speeds.sum())), values, rates))

    @property
    def dependent(self) -> float:
        """Singular values below this part of the largest are taken for zero: more where slopes are by differences."""
        return 1e-8 if self.moving else 1e-11

    def linear(self, point: TrimPoint) -> LeastSteps:
        """Return the linear equations at a point that is in balance, with the directions that they leave open."""
        return LeastSteps.of(self.jacobian(point), self.scales(point), _OPEN)

    # --- parts --------------------------------------------------------------------------------------------------

    def _unsteadiness(self, around: Neighbourhood, q: Floats, u: Floats, turning: Floats) -> Floats:
        """Return d/dt (u̇ + Γ u) while speeds go round, or are constant where they do not."""
        jacobian = around.rates_jacobian(q, u)[len(q) :]
        rates = -turning @ u
        change = jacobian[:, : len(q)] @ around.coordinate_rates(q, u) + jacobian[:, len(q) :] @ rates + turning @ rates
        sides = [around.later(self.t + side * _INSTANT).accelerations(q, u) for side in (1, -1)]
        return np.asarray(change + (sides[0] - sides[1]) / (2 * _INSTANT))

    def _unsteadiness_slopes(self, around: Neighbourhood, q: Floats, u: Floats, turning: Floats) -> Floats:
        """Return its slopes, by differences of exact slopes: they only guide the search."""
        along = around.differences(lambda there: self._unsteadiness(around, there, u, turning), q, len(u))
        columns = []
        for i in np.flatnonzero(self.open_speeds):
            push = np.zeros(len(u))
            push[i] = _DIFFERENCE * around.scales[i] * max(1.0, float(np.abs(u / around.scales).max(initial=0.0)))
            sides = [self._unsteadiness(around, q, u + side * push, turning) for side in (1, -1)]
            columns.append((sides[0] - sides[1]) / (2 * push[i]))
        return np.hstack((along, np.array(columns).T.reshape(len(u), -1)))

    def _positions(self, around: Neighbourhood, point: TrimPoint) -> Floats:
        """Return residuals of constraints, and of coordinates with given values."""
        gaps = [point.q[place] - value for place, value in self.fixed.items()]
        if not self.system.constrained:
            return np.array(gaps, dtype=float)
        return np.append(self._closer(around).at(point.q, np.zeros(len(point.u))).residuals, gaps)

    def _position_slopes(self, around: Neighbourhood, q: Floats) -> Floats:
        n = int(self.open_speeds.sum())
        rows = [around.motion_matrix(q)[list(self.fixed)]] if self.fixed else []
        if self.system.constrained:
            matrix = around.telling(self._closer(around).at(q, np.zeros(len(self.open_speeds))).matrix)
            matrix[: len(self._holonomic)][~self._holonomic] = 0.0
            rows.insert(0, matrix)
        full = np.vstack((np.zeros((0, len(self.open_speeds))), *rows))
        return np.hstack((full, np.zeros((len(full), n))))

    @cached_property
    def _holonomic(self) -> NDArray[np.bool_]:
        closer = self._own.closer
        return self._own.holonomic(closer.regular(self.system.initial_coordinates))

    def _speeds(self, around: Neighbourhood, q: Floats, u: Floats) -> Floats:
        """Return how far speeds are from obeying the constraints."""
        if not self.moving or not self.system.constrained:
            return np.zeros(0)
        return self._closer(around).speeds_at(q, u)[0]

    def _speed_slopes(self, around: Neighbourhood, q: Floats, u: Floats) -> Floats:
        if not self.moving or not self.system.constrained:
            return np.zeros((0, len(u) + int(self.open_speeds.sum())))
        closer = self._closer(around)
        left, matrix = closer.speeds_at(q, u)
        matrix = around.telling(matrix)
        along = around.differences(lambda there: closer.speeds_at(there, u)[0], q, len(left))
        limit = NOISE * float(np.abs(matrix).max(initial=0.0)) * max(1.0, float(np.abs(u).max(initial=0.0)))
        return np.hstack((without_noise(along, limit), matrix[:, self.open_speeds]))

    def _value_slopes(self, point: TrimPoint) -> Floats:
        """Return how the residual changes with inputs and parameters that are solved for, by differences."""
        found = np.zeros((len(self.residual(point)), len(point.values)))
        for i, value in enumerate(point.values):
            push = np.zeros(len(point.values))
            push[i] = _DIFFERENCE * max(1.0, abs(value))
            sides = [self.residual(replace(point, values=point.values + side * push)) for side in (1, -1)]
            column = (sides[0] - sides[1]) / (2 * push[i])
            found[:, i] = without_noise(column, NOISE * float(np.abs(column).max(initial=0.0)))
        return found


def depends_on_time(around: Neighbourhood, q: Floats, u: Floats) -> bool:
    """Tell whether the accelerations at a state differ between instants."""
    first = around.accelerations(q, u)
    others = (around.later(around.t + delay).accelerations(q, u) for delay in (0.37, 1.61))
    return any(not np.array_equal(first, other) for other in others)
