"""Pacejka's magic formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, RecordKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Dimensioned, Known, shown
from gyrostat.model.tyres.tyre_law import Slip, TyreForce, TyreLaw
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, square, subtract, total

_SLIP_ROUNDING = 1e-30
"""Added to the squared slip below a root, so that forces have derivatives without slip."""


@dataclass(frozen=True)
class MagicCurve(Dimensioned):
    """Force by load over slip s: D sin(C atan(B s − E (B s − atan(B s)))) (Pacejka 2012, eq. 4.6).

    The slope without slip is B C D, the largest value D, and that of locked wheels tends to D sin(π C/2).
    """

    positive: ClassVar[tuple[str, ...]] = ("B", "C", "D")
    B: Quantity = value(QuantityKind(), doc="stiffness factor B")
    C: Quantity = value(QuantityKind(), doc="shape factor C")
    D: Quantity = value(QuantityKind(), doc="peak factor D: largest force by load")
    E: Quantity = value(QuantityKind(), 0, doc="curvature factor E, up to 1")

    def check_limits(self, known: Known, place: Place) -> None:
        """Require factors within their ranges."""
        super().check_limits(known, place)
        factor = known(self.E)
        if factor is not None and factor > 1:
            place.inside("E").report(f"{shown(self.E, factor)} exceeds 1.", "Give a curvature factor up to 1.")

    def ratio(self, slip: Slip, s: Scalar) -> Scalar:
        """Return the force by load at a slip."""
        call = slip.scalars.call
        B, C, D, E = (slip.evaluate(one) for one in (self.B, self.C, self.D, self.E))
        x = multiply(B, s)
        bent = subtract(x, multiply(E, subtract(x, call("atan", (x,)))))
        return multiply(D, call("sin", (multiply(C, call("atan", (bent,))),)))


@dataclass(frozen=True)
class MagicFormula(TyreLaw):
    """Pacejka's magic formula along and across, combined by the direction of slip.

    With s = √(κ² + tan² α) the forces are N f_x(s) κ/s and N f_y(s) tan α/s: in pure slip those of each curve.

    >>> law = MagicFormula(MagicCurve(10, 1.9, 1.0, 0.97))
    """

    lateral: MagicCurve = value(RecordKind(MagicCurve), doc="curve of the side force over tan α")
    longitudinal: MagicCurve | None = value(
        OptionalKind(RecordKind(MagicCurve)), None, doc="curve of the longitudinal force over κ; by default `lateral`"
    )

    def force(self, slip: Slip) -> TyreForce:
        """Return the forces."""
        squared = total([square(slip.along), square(slip.across), _SLIP_ROUNDING])
        size = slip.scalars.call("sqrt", (squared,))
        along, across = (
            multiply(multiply(slip.load, curve.ratio(slip, size)), divide(part, size))
            for curve, part in ((self.longitudinal or self.lateral, slip.along), (self.lateral, slip.across))
        )
        return TyreForce(along, across)
