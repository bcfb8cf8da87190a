"""The varied motion of an equilibrium or steady motion: the same at every instant, in co-moving axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.variations.co_moving_axes import (
    co_moving_rotation,
    in_axes,
    tangent_operator,
    variation_scales,
)
from gyrostat.analysis.variations.dynamics import Dynamics, continued_point
from gyrostat.analysis.variations.flow import Flow, flow_of
from gyrostat.analysis.variations.reduction import reduce_variations
from gyrostat.analysis.variations.variations import variation_names, vary
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_DRIFT_TOLERANCE = 1e-6
"""The change of coefficients, relative to the largest, up to which they count as constant."""
_ANGLE = 0.5
"""The motion between the instants whose coefficients are compared (rad, or sizes of the mechanism)."""
_LONGEST_DELAY = 1.37
"""The longest delay of the comparison (s), also at rest; periods of loads and drivers are unlikely to divide it."""


@dataclass(frozen=True, eq=False)
class SteadyFlow:
    """The varied motion now and later, and the rotation of co-moving axes between, a matrix on (δθ, δu, δz)."""

    flow: Flow
    then: Flow
    rotated: Floats

    @property
    def _operators(self) -> tuple[Floats, Floats]:
        return tangent_operator(self.flow), self.rotated @ tangent_operator(self.then) @ self.rotated.T

    @property
    def constant(self) -> bool:
        """Whether the coefficients are the same at both instants."""
        first, second = self._operators
        size = max(float(np.abs(first).max(initial=0.0)), 1e-300)
        change = float(np.abs(first - second).max(initial=0.0))
        return self.flow.drift <= _DRIFT_TOLERANCE and change <= _DRIFT_TOLERANCE * size

    def require_constant(self) -> None:
        """Raise an error, with the coefficient that changes most, unless the coefficients are constant."""
        if self.constant:
            return
        system = self.flow.variations.system
        scales = variation_scales(self.flow)
        first, second = self._operators
        i, j = np.unravel_index(int(np.argmax(np.abs(first - second))), first.shape)
        before, after = (operator[i, j] * scales[i] / scales[j] for operator in (first, second))
        free = self.flow.variations.states.free
        names = (*variation_names(system), *system.speed_names, *(system.state_names[place] for place in free))
        raise StateError(
            f"The coefficients of the linear equations are not constant along this motion of {system.model.name!r}: "
            f"that of {names[j]!r} in the rate of {names[i]!r} goes from {before:.4g} to {after:.4g}. If the motion is "
            "periodic use gs.floquet(…); for one instant use linearize(…, frozen=True)."
        )


def steady_flow(flow: Flow) -> SteadyFlow:
    """Return the varied motion in co-moving axes, with that of a later instant to compare."""
    from scipy.linalg import expm

    point = flow.variations.point
    rotation = co_moving_rotation(flow)
    delay = min(_ANGLE / Dynamics.at(point).pace(point.q, point.u), _LONGEST_DELAY)
    there = vary(continued_point(point, delay, rotation))
    named = set(flow.reduction.positions) <= set(variation_names(there.system))
    then = flow_of(there, reduce_variations(there, flow.reduction.positions if named else None), flow.acting)
    rotated = np.eye(len(variation_scales(flow)))
    if rotation is not None:
        flow, then = in_axes(flow, rotation), in_axes(then, rotation)
        n = 2 * len(rotation)
        rotated[:n, :n] = np.kron(np.eye(2), expm(rotation * delay))
    return SteadyFlow(flow, then, rotated)
