"""Resistance to rolling and drilling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.formula import Formula
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, square
from gyrostat.spatial import Vector, dot, minus, plus, scale


@dataclass(frozen=True)
class RollingResistance(Dimensioned):
    """Moments against rolling and drilling: −N (r ω_t/√(ω_t² + w²) + d ω_n/√(ω_n² + w²) n).

    ω_t and ω_n are the relative angular velocity along the surface and about its normal n. The arm r is the distance by
    which the normal force leads, d that of drilling. Smoothed over w, they do not hold a body at rest: it creeps.
    """

    positive: ClassVar[tuple[str, ...]] = ("speed",)
    not_negative: ClassVar[tuple[str, ...]] = ("rolling", "drilling")
    rolling: Quantity = value(QuantityKind(), doc="arm r of rolling resistance (m)")
    drilling: Quantity = value(QuantityKind(), 0, doc="arm d of drilling resistance (m)")
    speed: Quantity = value(QuantityKind(), 0.01, doc="angular velocity w of smoothing (rad/s)")

    def moment(
        self, omega: Vector, normal: Vector, load: Scalar, scalars: Scalars, evaluate: Callable[[Formula], Scalar]
    ) -> Vector:
        """Return the moment on the body that turns with a relative angular velocity, under a normal load."""
        about = dot(omega, normal)
        along, width = minus(omega, scale(about, normal)), square(evaluate(self.speed))

        def smoothed(arm: Formula, squared: Scalar) -> Scalar:
            size = scalars.call("sqrt", (add(squared, width),))
            return negate(divide(multiply(evaluate(arm), load), size))

        rolling = scale(smoothed(self.rolling, dot(along, along)), along)
        return plus(rolling, scale(multiply(smoothed(self.drilling, square(about)), about), normal))
