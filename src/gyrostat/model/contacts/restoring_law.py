"""Normal laws whose damping follows from a coefficient of restitution."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gyrostat.model.contacts.normal_law import Indentation, NormalForce, NormalLaw
from gyrostat.model.contacts.restitution import impact_damping
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known, shown
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, subtract
from gyrostat.scalar.named import named_function
from gyrostat.scalar.operations import without_switches


class PowerLaw(NamedTuple):
    """The elastic force k dⁿ."""

    stiffness: Scalar
    exponent: Scalar


def hunt_crossley(indentation: Indentation, elastic: PowerLaw, chi: Scalar) -> NormalForce:
    """Return F = k dⁿ (1 + χ ḋ), not below zero, with the elastic energy k dⁿ⁺¹/(n + 1)."""
    depth = indentation.depth
    spring = multiply(elastic.stiffness, indentation.scalars.power(depth, elastic.exponent))
    stored = divide(multiply(spring, depth), add(elastic.exponent, 1))
    if is_zero(chi):
        return NormalForce(spring, stored)
    factor = indentation.scalars.call("max", (subtract(1, multiply(chi, indentation.rate)), 0))
    return NormalForce.beside(spring, stored, multiply(spring, factor), indentation.rate)


@dataclass(frozen=True, kw_only=True)
class RestoringLaw(NormalLaw):
    """Base of laws F = k dⁿ (1 + χ ḋ) with a restitution or a damping factor; a subclass defines `elastic`.

    With `restitution` e and without `speed`, χ = δ/v follows the speed of approach v that each contact records at
    touch, so that an impact at any speed returns e v. Below `rest_speed`, χ grows no more, and bodies come to rest on
    each other. With `speed`, χ is fixed: e holds for impacts at that speed. Without any of them nothing is lost.
    """

    not_negative: ClassVar[tuple[str, ...]] = ("chi",)
    restitution: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="coefficient of restitution e, above 0 and up to 1", keyword=True
    )
    chi: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="damping factor χ (s/m), instead of a restitution", keyword=True
    )
    speed: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="approach speed at which e holds (m/s); else that at touch",
        keyword=True,
    )
    rest_speed: Quantity = value(
        QuantityKind(), 1e-3, doc="approach speed below which the damping grows no more (m/s)", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require a restitution from 0 to 1, or a damping factor, not both."""
        super().validate(place)
        if self.restitution is not None and self.chi is not None:
            place.report("it has a restitution and a damping factor.", "Give restitution=… or chi=….")
        if self.speed is not None and self.restitution is None:
            place.inside("speed").report("there is no restitution that it belongs to.", "Give restitution=….")

    def check_limits(self, known: Known, place: Place) -> None:
        """Report a restitution that is not from 0 to 1, beside dimensions beyond their limits."""
        super().check_limits(known, place)
        e = None if self.restitution is None else known(self.restitution)
        if self.restitution is not None and e is not None and not 0 < e <= 1:
            place.inside("restitution").report(
                f"{shown(self.restitution, e)} is not above 0 and up to 1.",
                "A body returns with at most the speed of approach; for a nearly plastic impact use 0.01.",
            )

    @property
    def continuous(self) -> bool:
        """True: spring and damper begin at zero."""
        return True

    @property
    def remembers(self) -> bool:
        """Whether the damping follows the speed of approach at touch."""
        return self.restitution is not None and self.speed is None and self.restitution.number != 1

    @abstractmethod
    def elastic(self, indentation: Indentation) -> PowerLaw:
        """Return the elastic part."""

    def normal(self, indentation: Indentation) -> NormalForce:
        """Return the force, its elastic energy, and the power lost."""
        return hunt_crossley(indentation, self.elastic(indentation), self.damping_factor(indentation))

    def damping_factor(self, indentation: Indentation) -> Scalar:
        """Return χ."""
        evaluate, scalars = indentation.evaluate, without_switches(indentation.scalars)
        if self.chi is not None:
            return evaluate(self.chi)
        if self.restitution is None:
            return 0
        e = evaluate(self.restitution)
        delta = named_function("impact_damping", lambda given, engine: impact_damping(given[0], engine), (e,), scalars)
        if self.speed is not None:
            return divide(delta, evaluate(self.speed))
        return divide(delta, scalars.call("max", (indentation.approach, evaluate(self.rest_speed))))
