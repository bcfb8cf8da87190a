"""One scalar constraint on a system's motion."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class ConstraintRow:
    """A constraint as a residual of position, which must be zero, or as a speed, which must be zero, or as both.

    A row with a residual is holonomic; where it has no speed, the residual's rate is one. Where the residual is zero,
    its rate and the speed are the same. A row without a residual is nonholonomic, such as rolling.
    """

    owner: str
    """The joint or constraint that it belongs to."""
    label: str
    """Which direction of it."""
    speed: Scalar | None = None
    residual: Scalar | None = None
    unit: str = "N"
    """The unit of its multiplier."""

    @property
    def name(self) -> str:
        """Owner and direction."""
        return f"{self.owner}: {self.label}"
