"""Rotors: wheels that turn in a body and make it a gyrostat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import (
    IN_TIME,
    AxisKind,
    FlagKind,
    OptionalKind,
    Quantity,
    QuantityKind,
    Triple,
)
from gyrostat.model.names import output_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value


@dataclass(frozen=True)
class Rotor(Component):
    """A symmetric wheel that turns in a body about an axis fixed in it.

    The body's own inertia includes the rotor, locked. One of three says how the wheel turns: `spin`, its speed relative
    to the body as a constant or a function of time; `momentum`, its angular momentum relative to the body; or `free`,
    a coordinate of its own (body.rotor) with the axial inertia.
    """

    section: ClassVar[str] = "rotors"
    word: ClassVar[str] = "rotor"
    suffixes: ClassVar[frozenset[str]] = frozenset(("rate", "acc"))

    axis: Triple = value(AxisKind(), doc="axis of the wheel, in body axes")
    inertia: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="axial moment of inertia (kg·m²)")
    spin: Quantity | None = value(OptionalKind(QuantityKind(IN_TIME)), None, doc="speed (rad/s)", keyword=True)
    momentum: Quantity | None = value(OptionalKind(QuantityKind(IN_TIME)), None, doc="momentum (N·m·s)", keyword=True)
    free: bool = value(FlagKind(), False, doc="whether the wheel turns freely", keyword=True)

    def validate(self, place: Place) -> None:
        """Ask for exactly one of spin, momentum and free, and for the inertia where it is needed."""
        if fault := output_fault(self.name, self.suffixes):
            place.report(*fault)
        given = [name for name in ("spin", "momentum", "free") if getattr(self, name) not in (None, False)]
        if len(given) != 1:
            place.report(
                f"{' and '.join(given) if given else 'neither spin nor momentum nor free'} given.",
                "Give exactly one of spin=…, momentum=…, free=True.",
            )
        elif self.inertia is None and given != ["momentum"]:
            place.report("its axial inertia is missing.", "Give inertia=….")
