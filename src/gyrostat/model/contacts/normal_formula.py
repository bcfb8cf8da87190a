"""A normal law given by a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts.normal_law import Indentation, NormalForce, NormalLaw
from gyrostat.model.kinds import Quantity, QuantityKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar.algebra import multiply, negate
from gyrostat.scalar.operations import without_switches

_GAP = Scope(time=True, system=True, variables=frozenset(("gap", "rate")))


@dataclass(frozen=True)
class NormalFormula(NormalLaw):
    """Any force that presses the bodies apart, as a formula of `gap` and its `rate`, also where they do not touch.

    >>> soft = NormalFormula("where(gap < 0, -k*gap - c*rate, 0)")
    """

    accounted: ClassVar[bool] = False
    force: Quantity = value(QuantityKind(_GAP), doc="force (N), a formula of gap, rate, parameters, signals and t")

    def validate(self, place: Place) -> None:
        """Require a formula of the gap."""
        if "gap" not in self.force.names:
            place.inside("force").report(f"{self.force!s:.60} does not depend on gap.", "Write max(-gap, 0), say.")

    def normal(self, indentation: Indentation) -> NormalForce:
        """Return the force; the power that it takes counts as lost. A pull is no load of friction."""
        force = indentation.evaluate(self.force, gap=indentation.gap, rate=indentation.rate)
        pressure = without_switches(indentation.scalars).call("max", (force, 0))
        return NormalForce(force, 0, negate(multiply(force, indentation.rate)), pressure, 0)
