"""Derivatives of formulas at the state of a trace, as instructions of a tape."""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.kinematics.driving_inputs import with_rates
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.program.rolled.taped_tangents import TapedTangents
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar


class TapedCalculus:
    """Derivatives by tangents of a tape's instructions."""

    def __init__(self, tangents: TapedTangents) -> None:
        self._tangents = tangents

    def by_speeds(self, trace: Trace, values: Sequence[Scalar]) -> dict[tuple[int, int], Scalar]:
        """Return the derivatives of values by u; those that are absent are zero."""
        return self._tangents.jacobian(values, trace.motion.state.u)

    def in_time(self, trace: Trace, values: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of values at constant u."""
        motion, state = trace.motion, trace.motion.state
        variables, rates = [*state.q, state.t], [*coordinate_rates(motion.tree, state), 1]
        for name in motion.tree.coordinates.topology.model.driving_inputs:
            value, rate, acceleration = (state.inputs[one] for one in with_rates(name))
            variables += [value, rate]
            rates += [rate, acceleration]
        return self._tangents.along(values, variables, rates)

    def along(self, values: Sequence[Scalar], variables: Sequence[Scalar], rates: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of values from those of variables, each of which is in a block of its own."""
        return self._tangents.along(values, variables, rates)
