"""Articulated inertia: what the acceleration of a hinge requires on its link and all links outboard of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.equations.loads import Wrench
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.spatial import Matrix, apply, matrix_sum, plus, transpose

Six: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]


@dataclass(frozen=True)
class Articulated:
    """Articulated inertia [J H; Hᵀ M] and bias wrench, about the origin of a hinge frame and in its axes."""

    J: Matrix
    H: Matrix
    M: Matrix
    bias: Wrench

    def times(self, mode: Mode) -> Wrench:
        """Return the wrench of an acceleration along a mode."""
        moment = plus(apply(self.J, mode.angular), apply(self.H, mode.linear))
        return Wrench(moment, plus(apply(transpose(self.H), mode.angular), apply(self.M, mode.linear)))

    def plus(self, other: Articulated) -> Articulated:
        """Return both together."""
        return Articulated(
            matrix_sum(self.J, other.J),
            matrix_sum(self.H, other.H),
            matrix_sum(self.M, other.M),
            self.bias.plus(other.bias),
        )
