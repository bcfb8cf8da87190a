"""Elastoplastic bristle friction."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.friction.bristle_law import BristleLaw
from gyrostat.model.friction.friction_law import Sliding
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known, shown
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, total


@dataclass(frozen=True)
class Bristle(BristleLaw):
    """Elastoplastic bristles (Dupont et al. 2002): elastic up to a share of the limit, so that a body at rest stays.

    ż = v − α |v| z/z_s with z_s = μ(v)/σ₀, and the force is −N (σ₀ z + σ₁ ż + σ₂ v). Where the deflection is below the
    breakaway share b of z_s, or sliding goes back, α = 0 and the bristles are elastic springs: under a load below
    b μ N nothing creeps or drifts. Between b z_s and z_s, α rises smoothly to 1, which is the LuGre law.
    """

    breakaway: Quantity = value(
        QuantityKind(), 0.97, doc="share b of the limit up to which bristles are elastic, below 1"
    )

    def check_limits(self, known: Known, place: Place) -> None:
        """Require a share between 0 and 1, beside the limits of other values."""
        super().check_limits(known, place)
        share = known(self.breakaway)
        if share is not None and not 0 < share < 1:
            place.inside("breakaway").report(
                f"{shown(self.breakaway, share)} is not between 0 and 1.", "Use 0.97, for example."
            )

    def _relaxation(self, sliding: Sliding, mu: Scalar) -> Scalar:
        """Return α |v|/z_s."""
        limit = mu / sliding.evaluate(self.stiffness)
        return self._plastic(sliding, limit) * sliding.speed / limit

    def _plastic(self, sliding: Sliding, limit: Scalar) -> Scalar:
        """Return the plastic share α of the sliding: 0 for elastic bristles, 1 at the limit."""
        call, compare = sliding.scalars.call, sliding.scalars.compare
        share = sliding.size(sliding.bristle) / limit
        start = sliding.evaluate(self.breakaway)
        rise = (share - start) / (1 - start)
        bounded = call("min", (call("max", (rise, 0)), 1))
        smooth = (1 - call("cos", (sliding.scalars.pi() * bounded,))) / 2
        onward = total([multiply(v, z) for v, z in zip(sliding.velocity, sliding.bristle, strict=True)])
        return call("where", (compare(">", onward, 0), smooth, 0))
