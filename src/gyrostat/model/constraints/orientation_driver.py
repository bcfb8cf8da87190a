"""A driver of the orientation of a body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import direction
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import IN_TIME, End, EndKind, Turn, TurnKind
from gyrostat.model.names import GROUND
from gyrostat.model.record import value
from gyrostat.scalar.algebra import add, divide, multiply, subtract
from gyrostat.spatial import IDENTITY, product, rotation_about, transpose


@dataclass(frozen=True)
class OrientationDriver(Constraint):
    """A prescribed orientation of a body: successive rotations whose angles are formulas of t.

    The rotations lead from the axes of `relative_to` to those of the body or frame, each about the axes rotated by the
    preceding ones. The multipliers are the components of the moment on the body, in its own axes.
    """

    body: End = value(EndKind(), doc="the driven body or frame")
    turn: Turn = value(TurnKind(IN_TIME), doc="rotations (axis, angle), angles as formulas of t")
    relative_to: End = value(EndKind(), GROUND, doc="the body or frame that the rotations refer to")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the rotation error as 2 tan(angle/2) times its axis, zero at the prescribed orientation only."""
        wanted = IDENTITY
        for axis, angle in self.turn:
            step = rotation_about(direction(motion, axis), motion.evaluate(angle), motion.scalars)
            wanted = product(wanted, step)
        R_FB = product(transpose(motion.end(self.relative_to).rotation), motion.end(self.body).rotation)
        error = product(transpose(wanted), R_FB)
        whole = add(1, add(add(error[0][0], error[1][1]), error[2][2]))
        for axis_name, (i, j) in {"x": (2, 1), "y": (0, 2), "z": (1, 0)}.items():
            missing = divide(multiply(2, subtract(error[i][j], error[j][i])), whole)
            yield ConstraintRow(self.name, f"moment about {axis_name}", residual=missing, unit="N·m")
