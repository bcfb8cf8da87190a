"""Constraints on the exact engine: rows A u = b and A u̇ = γ, and the multipliers that go with them."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.kinematics.constraint_loads import ConstraintLoads, all_constraint_loads
from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.formula import TIME
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_zero, multiply, negate, subtract, total
from gyrostat.scalar.exact import Differential
from gyrostat.written.exact_trace import ExactTrace


@dataclass(frozen=True, eq=False)
class ExactConstraints:
    """The constraints of a system at a symbolic state; all values are elements of the exact engine."""

    trace: ExactTrace

    @cached_property
    def _every(self) -> list[tuple[ConstraintRow, Scalar]]:
        """All rows, each with its speed A u − b."""
        return [
            (row, self.in_time(row.residual) if row.speed is None else row.speed)
            for row in constraint_rows(self.trace.motion)
        ]

    @cached_property
    def rows(self) -> tuple[ConstraintRow, ...]:
        """The nontrivial rows, each with its speed; on this engine zeros are decided exactly."""
        return tuple(
            ConstraintRow(row.owner, row.label, speed, row.residual, row.unit)
            for row, speed in self._every
            if not is_zero(speed)
        )

    @cached_property
    def trivial(self) -> tuple[str, ...]:
        """The names of trivial rows, such as those out of the plane of a planar mechanism."""
        return tuple(row.name for row, speed in self._every if is_zero(speed))

    @cached_property
    def positions(self) -> list[Scalar]:
        """The constraint functions: residuals, or speeds of nonholonomic rows."""
        return [row.speed if row.residual is None else row.residual for row in self.rows]

    @cached_property
    def entries(self) -> dict[tuple[int, int], Scalar]:
        """The entries of A by row and speed; speeds of rows are affine in u."""
        names = self.trace.motion.tree.coordinates.speed_names
        rules = [Differential(self.trace.ring, {name: 1}) for name in names]
        found = {(i, j): rule(row.speed) for i, row in enumerate(self.rows) for j, rule in enumerate(rules)}
        return {place: entry for place, entry in found.items() if not is_zero(entry)}

    @cached_property
    def speeds(self) -> list[Scalar]:
        """b = A u − (A u − b)."""
        u = self.trace.motion.state.u
        moved: list[list[Scalar]] = [[] for _ in self.rows]
        for (i, j), entry in self.entries.items():
            moved[i].append(multiply(entry, u[j]))
        return [subtract(total(parts), row.speed) for parts, row in zip(moved, self.rows, strict=True)]

    @cached_property
    def rates(self) -> list[Scalar]:
        """γ = −(d/dt)(A u − b) at constant u."""
        return [negate(self.in_time(row.speed)) for row in self.rows]

    @cached_property
    def in_time(self) -> Differential:
        """The derivative in time at constant speeds."""
        motion = self.trace.motion
        names = motion.tree.coordinates.coordinate_names
        rates = dict(zip(names, coordinate_rates(motion.tree, motion.state), strict=True))
        return Differential(self.trace.ring, {**rates, TIME: 1})

    # --- multipliers ---------------------------------------------------------------------------------------------

    @cached_property
    def multipliers(self) -> dict[str, Scalar]:
        """A symbol for each row, by the row's name."""
        return {row.name: self.trace.ring.symbol(row.name) for row in self.rows}

    @cached_property
    def loads(self) -> ConstraintLoads:
        """The loads of all constraints on bodies and coordinates."""
        return all_constraint_loads(self.trace.motion, self.multipliers)
