"""Tyre forces given by formulas."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.kinds import Quantity, QuantityKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.tyres.tyre_law import Slip, TyreForce, TyreLaw

VARIABLES = ("slip", "angle", "load", "camber")
_SLIP = Scope(time=True, system=True, variables=frozenset(VARIABLES))


@dataclass(frozen=True)
class TyreFormula(TyreLaw):
    """Any forces, as formulas of `slip` κ, slip `angle` α, `load` N, `camber` γ, parameters, signals and t.

    >>> law = TyreFormula("load*tanh(12*angle)")
    """

    lateral: Quantity = value(QuantityKind(_SLIP), doc="force to the left (N), a formula")
    longitudinal: Quantity = value(QuantityKind(_SLIP), 0, doc="force forward (N), a formula")
    moment: Quantity = value(QuantityKind(_SLIP), 0, doc="aligning moment about the ground's normal (N·m), a formula")

    def validate(self, place: Place) -> None:
        """Require forces that depend on the state of the tyre."""
        super().validate(place)
        used = {*self.lateral.names, *self.longitudinal.names, *self.moment.names}
        if not used & set(VARIABLES):
            place.inside("lateral").report(
                f"{self.lateral!s:.60} does not depend on {', '.join(VARIABLES)}.", "Write 2e4*angle, say."
            )

    def force(self, slip: Slip) -> TyreForce:
        """Return the values of the formulas."""
        known = {"slip": slip.along, "load": slip.load, "camber": slip.camber}
        known["angle"] = slip.scalars.call("atan", (slip.across,))
        along, across, moment = (slip.evaluate(one, **known) for one in (self.longitudinal, self.lateral, self.moment))
        return TyreForce(along, across, moment)
