"""Rotors: symmetric wheels in a body, which make it a gyrostat."""

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
from gyrostat.model.names import fault_of, output_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value


@dataclass(frozen=True)
class Rotor(Component):
    """A symmetric wheel that rotates in a body about an axis fixed in it.

    The inertia of the body includes the locked rotor. Exactly one of three fields defines the rotation: `spin`, the
    angular velocity relative to the body, constant or a function of time; `momentum`, the angular momentum relative to
    the body; or `free`, a coordinate (body.rotor) with the axial inertia.

    >>> import gyrostat as gs
    >>> wheel = gs.Rotor("wheel", "z", 0.1, spin=100)
    """

    file_section: ClassVar[str] = "rotors"
    word: ClassVar[str] = "rotor"
    suffixes: ClassVar[frozenset[str]] = frozenset(("rate", "acc"))

    axis: Triple = value(AxisKind(), doc="axis of the wheel, in body axes")
    inertia: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="axial moment of inertia (kg·m²)")
    spin: Quantity | None = value(OptionalKind(QuantityKind(IN_TIME)), None, doc="speed (rad/s)", keyword=True)
    momentum: Quantity | None = value(OptionalKind(QuantityKind(IN_TIME)), None, doc="momentum (N·m·s)", keyword=True)
    free: bool = value(FlagKind(), False, doc="whether the rotation of the wheel is a free coordinate", keyword=True)

    def validate(self, place: Place) -> None:
        """Require exactly one of spin, momentum and free, and the inertia if it is needed."""
        if fault := fault_of(self.name) or output_fault(self.name, self.suffixes):
            place.report(*fault)
        given = [name for name in ("spin", "momentum", "free") if getattr(self, name) not in (None, False)]
        if len(given) != 1:
            place.report(
                f"{' and '.join(given) if given else 'neither spin nor momentum nor free'} given.",
                "Give exactly one of spin=…, momentum=…, free=True.",
            )
        elif self.inertia is None and given != ["momentum"]:
            place.report("its axial inertia is missing.", "Give inertia=….")
