"""Viscous friction up to the limit of dry friction."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.friction.friction_law import Components, Friction, FrictionLaw, Sliding, power
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, negate


@dataclass(frozen=True)
class LimitedViscous(FrictionLaw):
    """Friction γ|v|, at most μN, opposite to sliding (Crous 2000, eq. 3.5.19, with the absolute value of the speed).

    With `damping` alone it is γv (eq. 3.5.18), with `mu` alone μN sign(v) (eq. 3.5.17), which jumps where sliding
    changes its direction. Below its limit a body creeps, at the speed of its load divided by γ.

    >>> import gyrostat as gs
    >>> law = gs.LimitedViscous(0.3, 20)
    """

    mu: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="coefficient of friction μ; without it no limit"
    )
    damping: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="damping of slow sliding γ (N·s/m or N·m·s/rad); without it dry friction",
    )

    def validate(self, place: Place) -> None:
        """Require a limit, a damping or both."""
        if self.mu is None and self.damping is None:
            place.report("it has no coefficient of friction and no damping.", "Give mu=…, damping=… or both.")
        super().validate(place)

    def check_limits(self, known: Known, place: Place) -> None:
        """Require a positive damping, beside the limits of other values."""
        super().check_limits(known, place)
        if self.damping is not None:
            remedy = "Leave it out for dry friction, or give a damping."
            require_positive(place, "damping", self.damping, remedy, known)

    def friction(self, sliding: Sliding) -> Friction:
        """Return −min(μN, γ|v|) v/|v|."""
        force = tuple(negate(one) for one in self._resistance(sliding))
        return Friction(force, dissipation=negate(power(force, sliding.velocity)))

    def _resistance(self, sliding: Sliding) -> Components:
        velocity, call = sliding.velocity, sliding.scalars.call
        if self.mu is None:
            assert self.damping is not None, "validated when it was made"
            damping = sliding.evaluate(self.damping)
            return tuple(multiply(damping, v) for v in velocity)
        limit = multiply(sliding.evaluate(self.mu), sliding.load)
        if self.damping is None:
            return tuple(multiply(limit, one) for one in _directions(sliding))
        damping = sliding.evaluate(self.damping)
        if len(velocity) == 1:
            viscous = multiply(damping, velocity[0])
            return (call("max", (call("min", (viscous, limit)), negate(limit))),)
        share = call("min", (multiply(damping, sliding.speed), limit))
        return tuple(multiply(share, one) for one in _directions(sliding))


def _directions(sliding: Sliding) -> tuple[Scalar, ...]:
    """Return the direction of sliding; of a single component its sign, zero at rest."""
    if len(sliding.velocity) == 1:
        return (sliding.scalars.call("sign", sliding.velocity),)
    return tuple(divide(v, sliding.speed) for v in sliding.velocity)
