"""LuGre friction."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.friction.bristle_law import BristleLaw
from gyrostat.model.friction.friction_law import Sliding
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class LuGre(BristleLaw):
    """The LuGre law (Canudas de Wit et al. 1995): bristles with deflection z, ż = v − σ₀ |v| z/μ(v).

    The force is −N (σ₀ z + σ₁ ż + σ₂ v), with μ(v) = μ_k + (μ_s − μ_k) exp(−(v/v_s)²). Under a load that vibrates below
    the limit of friction it drifts; `Bristle` does not.
    """

    def _relaxation(self, sliding: Sliding, mu: Scalar) -> Scalar:
        """Return σ₀ |v|/μ(v)."""
        return sliding.evaluate(self.stiffness) * sliding.speed / mu
