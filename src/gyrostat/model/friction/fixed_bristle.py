"""Friction by bristles of fixed stiffness, which yield above the limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.friction.friction_law import Friction, FrictionLaw, Sliding, power
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known, shown
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract

_RELAXATION = 1000.0
"""The rate at which bristles beyond the limit give way (1/s)."""
_SMALLEST_LOAD = 1e-9
"""The smallest load in terms of the reference load, below which there is no friction."""
_DEFLECTION_ROUNDING = 1e-300
"""Added to the size of a deflection, so that its direction is defined at zero."""


@dataclass(frozen=True)
class FixedBristle(FrictionLaw):
    """Bristles of the fixed stiffness k = μ N₀/d, whatever the load N: friction is k z, and μ N at most.

    The force bends smoothly into its limit between 0.9 and 1.1 μ N. Above 1.1 μ N bristles give way within a
    millisecond, ż = v − (z − z₁)/1 ms; below it they are springs, and nothing creeps. The force has no part in
    proportion to N ż, so that loads may rise and fall quickly, as on a rope that runs onto a sheave. The damping
    μ N v τ/d fades out at the limit.
    """

    has_bristle: ClassVar[bool] = True
    mu: Quantity = value(QuantityKind(), doc="coefficient of friction μ")
    load: Quantity = value(QuantityKind(), doc="reference load N₀, a typical normal force (N)")
    deflection: Quantity = value(QuantityKind(), doc="deflection d at which friction is μ N₀ (m or rad)")
    damping_time: Quantity = value(QuantityKind(), 0, doc="time τ of the damping (s)")

    def check_limits(self, known: Known, place: Place) -> None:
        """Require a load and a deflection, and coefficients that are not negative."""
        require_positive(place, "load", self.load, "Give a typical normal force.", known)
        require_positive(place, "deflection", self.deflection, "Give the way on which friction builds up.", known)
        for name, given in (("mu", self.mu), ("damping_time", self.damping_time)):
            number = known(given)
            if number is not None and number < 0:
                place.inside(name).report(f"{shown(given, number)} is negative.", "Give a value of zero or more.")

    def friction(self, sliding: Sliding) -> Friction:
        """Return the force and the rate of the deflection, in each direction."""
        call, evaluate = sliding.scalars.call, sliding.evaluate
        reference, width = evaluate(self.load), evaluate(self.deflection)
        full = multiply(evaluate(self.mu), reference)
        n = call("max", (divide(sliding.load, reference), _SMALLEST_LOAD))
        size = sliding.size(sliding.bristle)
        share = divide(size, width)
        direction = tuple(divide(one, add(size, _DEFLECTION_ROUNDING)) for one in sliding.bristle)
        held, energy = self._held(sliding, n, share)
        yielding = multiply(multiply(_RELAXATION, width), self._yielding(sliding, n, share))
        rates = tuple(subtract(v, multiply(yielding, one)) for v, one in zip(sliding.velocity, direction, strict=True))
        spring = multiply(full, held)
        damping = self._damping(sliding, n, share)
        force = tuple(
            negate(add(multiply(spring, one), multiply(damping, v)))
            for v, one in zip(sliding.velocity, direction, strict=True)
        )
        gained = add(power(force, sliding.velocity), multiply(spring, power(direction, rates)))
        return Friction(force, rates, multiply(multiply(full, width), energy), negate(gained))

    def _held(self, sliding: Sliding, n: Scalar, share: Scalar) -> tuple[Scalar, Scalar]:
        """Return the force over μ N₀ at a deflection z/d under the load n N₀, and its integral."""
        call = sliding.scalars.call
        most = multiply(1.1, n)
        bent = call("min", (call("max", (subtract(share, multiply(0.9, n)), 0)), multiply(0.2, n)))
        below, beyond = call("min", (share, most)), call("max", (subtract(share, most), 0))
        force = subtract(below, divide(multiply(bent, bent), multiply(0.4, n)))
        cubed = divide(multiply(bent, multiply(bent, bent)), multiply(1.2, n))
        return force, add(subtract(divide(multiply(below, below), 2), cubed), multiply(n, beyond))

    def _yielding(self, sliding: Sliding, n: Scalar, share: Scalar) -> Scalar:
        """Return by how much z/d is above the limit; it begins smoothly."""
        call = sliding.scalars.call
        above = call("max", (subtract(share, multiply(1.1, n)), 0))
        begun = call("min", (above, multiply(0.2, n)))
        return add(divide(multiply(begun, begun), multiply(0.4, n)), subtract(above, begun))

    def _damping(self, sliding: Sliding, n: Scalar, share: Scalar) -> Scalar:
        """Return the damping (N·s/m), which fades out between 0.7 of the limit and the limit."""
        if self.damping_time.number == 0:
            return 0
        call, evaluate = sliding.scalars.call, sliding.evaluate
        room = call("min", (call("max", (divide(subtract(n, share), multiply(0.3, n)), 0)), 1))
        inner = add(10, multiply(room, subtract(multiply(6, room), 15)))
        fading = multiply(multiply(room, multiply(room, room)), inner)
        per_load = divide(multiply(evaluate(self.mu), evaluate(self.damping_time)), evaluate(self.deflection))
        return multiply(multiply(per_load, sliding.load), fading)
