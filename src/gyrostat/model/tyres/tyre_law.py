"""The contract of a tyre law: forces along and across the wheel, from slip, camber and load."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar, Scalars


@dataclass(frozen=True)
class Slip:
    """Slip of a tyre at an instant, its load, and how formulas are evaluated.

    Slips are positive where they drive the wheel forward and to its left.
    """

    along: Scalar
    """Longitudinal slip κ = −V_sx/|V_x|: sliding velocity by the velocity of travel, both along the wheel."""
    across: Scalar
    """Lateral slip tan α = −V_y/|V_x|."""
    load: Scalar
    """Normal load N, at least zero (N)."""
    camber: Scalar
    """Camber angle γ (rad), positive where the top of the wheel leans to its right."""
    scalars: Scalars
    evaluate: Callable[..., Scalar]
    """The value of a formula of parameters, and of variables given by name."""


class TyreForce(NamedTuple):
    """Forces on the wheel in the ground plane, and the moment about its normal."""

    along: Scalar
    """Force forward (N)."""
    across: Scalar
    """Force to the left (N)."""
    moment: Scalar = 0
    """Aligning moment (N·m)."""


@dataclass(frozen=True)
class TyreLaw(Dimensioned):
    """Base of all tyre laws; a subclass declares its coefficients and defines `force`."""

    @abstractmethod
    def force(self, slip: Slip) -> TyreForce:
        """Return the forces of a tyre that touches the ground."""


TYRE_LAWS: Registry[TyreLaw] = Registry("tyre law", TyreLaw)
