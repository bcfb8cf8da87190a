"""Hertz contact of elastic bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from gyrostat.model.contacts.elliptic import elliptic_stiffness
from gyrostat.model.contacts.normal_law import Indentation
from gyrostat.model.contacts.restoring_law import PowerLaw, RestoringLaw
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import ListKind, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known, shown
from gyrostat.scalar import FloatScalars, Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, square, subtract
from gyrostat.scalar.named import named_function
from gyrostat.scalar.operations import without_switches

Evaluation: TypeAlias = Callable[[Formula], Scalar]
_NO_RADII = (0, 0)


@dataclass(frozen=True)
class Hertz(RestoringLaw):
    """F = Ψ d^(3/2) of two elastic bodies with curved surfaces (Hertz 1882; Crous 2000, appendix B).

    `radii` are the radii of principal curvature of body a, one for a sphere, two in general; 0 stands for a straight
    line, as along a cylinder. `radii_b` are those of body b, by default a plane; negative radii are hollow. `angle` is
    that between the first principal directions of both. Material that is not given for b is that of a.

    >>> steel = Hertz(210e9, 0.3, radii=[0.05], radii_b=[0.1])
    >>> round(steel.stiffness(FloatScalars(), lambda formula: formula.number) / 1e10, 6)
    2.808834
    """

    positive: ClassVar[tuple[str, ...]] = ("E", "E_b", "speed", "rest_speed")
    E: Quantity = value(QuantityKind(), doc="Young's modulus of a (Pa)")
    nu: Quantity = value(QuantityKind(), doc="Poisson's ratio of a")
    radii: tuple[Quantity, ...] = value(ListKind(QuantityKind()), doc="one or two radii of curvature of a (m)")
    radii_b: tuple[Quantity, ...] = value(
        ListKind(QuantityKind()), _NO_RADII, doc="radii of curvature of b (m); by default it is flat", keyword=True
    )
    angle: Quantity = value(QuantityKind(), 0, doc="angle between principal directions of a and b (rad)", keyword=True)
    E_b: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="Young's modulus of b (Pa)", keyword=True)
    nu_b: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="Poisson's ratio of b", keyword=True)

    def validate(self, place: Place) -> None:
        """Require one or two radii for each body, and surfaces that touch at a point."""
        super().validate(place)
        before = len(place.faults)
        for name in ("radii", "radii_b"):
            if len(getattr(self, name)) not in (1, 2):
                remedy = "Give one radius for a sphere, two in general, 0 for a straight line."
                place.inside(name).report(f"it has {len(getattr(self, name))} radii.", remedy)
        numbers = [formula.number for formula in (*self.radii, *self.radii_b, self.angle)]
        if len(place.faults) > before or any(number is None for number in numbers):
            return
        A, B = self._curvatures(FloatScalars(), lambda formula: formula.number)
        if 1e-12 * abs(B) >= A:
            fact = "the surfaces do not touch at a point: their relative curvature is zero or negative in a direction."
            place.inside("radii").report(
                fact, "Parallel cylinders touch along a line, a hollow must be less curved than what lies in it."
            )

    def check_limits(self, known: Known, place: Place) -> None:
        """Report ratios of Poisson that no elastic body has, beside other values beyond their limits."""
        super().check_limits(known, place)
        for name, formula in (("nu", self.nu), ("nu_b", self.nu_b)):
            number = None if formula is None else known(formula)
            if formula is not None and number is not None and not -1 < number <= 0.5:
                place.inside(name).report(
                    f"{shown(formula, number)} is not between -1 and 0.5.", "Steel has 0.3, rubber nearly 0.5."
                )

    def elastic(self, indentation: Indentation) -> PowerLaw:
        """Return Ψ and 3/2."""
        return PowerLaw(self.stiffness(without_switches(indentation.scalars), indentation.evaluate), 1.5)

    def stiffness(self, scalars: Scalars, evaluate: Evaluation) -> Scalar:
        """Return Ψ (N/m^(3/2))."""
        arguments = (self.modulus(evaluate), *self._curvatures(scalars, evaluate))
        return named_function("elliptic_stiffness", _stiffness, arguments, scalars)

    def modulus(self, evaluate: Evaluation) -> Scalar:
        """Return the contact modulus E*, 1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b."""
        E, nu = evaluate(self.E), evaluate(self.nu)
        E_b = E if self.E_b is None else evaluate(self.E_b)
        nu_b = nu if self.nu_b is None else evaluate(self.nu_b)
        return divide(1, add(divide(subtract(1, square(nu)), E), divide(subtract(1, square(nu_b)), E_b)))

    def _curvatures(self, scalars: Scalars, evaluate: Evaluation) -> tuple[Scalar, Scalar]:
        """Return the relative curvatures A ≤ B, those of the gap A x² + B y²."""
        sums, differences = [], []
        for radii in (self.radii, self.radii_b):
            first = _curvature(evaluate(radii[0]))
            second = _curvature(evaluate(radii[-1]))
            sums.append(add(first, second))
            differences.append(subtract(first, second))
        turned = multiply(
            multiply(2, multiply(*differences)), scalars.call("cos", (multiply(2, evaluate(self.angle)),))
        )
        spread = scalars.call("sqrt", (add(add(square(differences[0]), square(differences[1])), turned),))
        whole = add(*sums)
        return divide(subtract(whole, spread), 4), divide(add(whole, spread), 4)


def _curvature(radius: Scalar) -> Scalar:
    return 0 if is_zero(radius) else divide(1, radius)


def _stiffness(arguments: tuple[Scalar, ...], scalars: Scalars) -> Scalar:
    modulus, A, B = arguments
    return elliptic_stiffness(modulus, A, B, scalars)
