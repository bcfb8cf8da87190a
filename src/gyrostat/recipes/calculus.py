"""Derivatives of formulas at the state of a trace, on the traced engine."""

from __future__ import annotations

from collections.abc import Sequence

import casadi

from gyrostat.kinematics.world import coordinate_rates
from gyrostat.recipes.motion_in_time import moving_in_time
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.traced import Traced, as_sx, column

_EMPTY_COLUMN = casadi.SX(0, 1)


class TracedCalculus:
    """Derivatives by CasADi."""

    def by_speeds(self, trace: Trace, values: Sequence[Scalar]) -> dict[tuple[int, int], Scalar]:
        """Return the derivatives of values by u; those that are absent are zero."""
        jacobian = casadi.jacobian(_column(values), trace.arguments["u"])
        rows, columns = jacobian.sparsity().get_triplet()
        entries = casadi.vertsplit(casadi.vec(jacobian.nz[:])) if rows else []
        return {(i, j): Traced(value) for i, j, value in zip(rows, columns, entries, strict=True)}

    def in_time(self, trace: Trace, values: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of values at constant u."""
        by_itself, its_rates = moving_in_time(trace)
        motion = trace.motion
        state = casadi.vertcat(trace.arguments["q"], by_itself)
        moving = casadi.vertcat(column(coordinate_rates(motion.tree, motion.state)), its_rates)
        found = casadi.densify(casadi.jtimes(_column(values), state, moving))
        return [Traced(found[i]) for i in range(len(values))]


def _column(values: Sequence[Scalar]) -> casadi.SX:
    return casadi.vertcat(_EMPTY_COLUMN, *(as_sx(value) for value in values))
