"""Kelvin–Voigt contact: a spring and a damper side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts.normal_law import Indentation, NormalForce, NormalLaw
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract


def kelvin_voigt(
    indentation: Indentation, stiffness: Scalar, damping: Scalar, fade_depth: Scalar | None = None
) -> NormalForce:
    """Return F = k d + c ḋ, not below zero, with the energy k d²/2; the damping fades in as 1 − exp(−d/w)."""
    depth, call = indentation.depth, indentation.scalars.call
    elastic = multiply(stiffness, depth)
    if fade_depth is not None:
        damping = multiply(damping, subtract(1, call("exp", (negate(divide(depth, fade_depth)),))))
    force = indentation.pressing(add(elastic, negate(multiply(damping, indentation.rate))))
    stored = divide(multiply(stiffness, square(depth)), 2)
    return NormalForce.beside(elastic, stored, force, indentation.rate, seat=elastic)


@dataclass(frozen=True)
class KelvinVoigt(NormalLaw):
    """F = k d + c ḋ at the depth d, never a pull (Crous 2000, eq. 3.5.12).

    The damper jumps at touch by c times the speed of approach, which costs many short steps. With `fade_depth` w the
    damping fades in with the depth, as 1 − exp(−d/w), and the force is continuous. Without gravity, with
    ζ = c/(2 √(k m)), the clipped law returns e = exp(−ζ/√(1 − ζ²)·(π − atan2(2ζ√(1 − ζ²), 1 − 2ζ²))).
    """

    positive: ClassVar[tuple[str, ...]] = ("stiffness",)
    not_negative: ClassVar[tuple[str, ...]] = ("damping",)
    stiffness: Quantity = value(QuantityKind(), doc="stiffness k (N/m)")
    damping: Quantity = value(QuantityKind(), 0, doc="damping c (N·s/m)")
    fade_depth: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="depth w over which the damping fades in (m); by default it jumps"
    )

    def check_limits(self, known: Known, place: Place) -> None:
        """Require a positive depth of fading in, beside the limits of other values."""
        super().check_limits(known, place)
        if self.fade_depth is not None:
            require_positive(place, "fade_depth", self.fade_depth, "Leave it out, or give a depth.", known)

    @property
    def continuous(self) -> bool:
        """Whether the damping is zero or fades in."""
        return self.fade_depth is not None or self.damping.number == 0

    def normal(self, indentation: Indentation) -> NormalForce:
        """Return the force, its elastic energy, and the power lost."""
        evaluate = indentation.evaluate
        fade = None if self.fade_depth is None else evaluate(self.fade_depth)
        return kelvin_voigt(indentation, evaluate(self.stiffness), evaluate(self.damping), fade)
