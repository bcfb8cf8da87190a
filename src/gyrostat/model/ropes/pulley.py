"""Pulleys on the path of a rope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import ChoiceKind, End, EndKind, Quantity, QuantityKind, TextKind
from gyrostat.model.names import fault_of
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Dimensioned


@dataclass(frozen=True)
class Pulley(Dimensioned):
    """A pulley on the path of a rope: a circle about the z axis of a frame, which turns with the body of that frame.

    >>> Pulley("sheave", "wheel", 0.2, "left", mu=0.3).side
    'left'
    """

    tag: ClassVar[str] = "pulley"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mu",)
    name: str = value(TextKind(), doc="name of the pulley")
    frame: End = value(EndKind(), doc="frame at the centre of the pulley, whose z axis is that of the pulley")
    radius: Quantity = value(QuantityKind(), doc="radius of the rope's line on the pulley (m)")
    side: str = value(
        ChoiceKind(("left", "right")),
        "left",
        doc="side on which the pulley lies, seen along the path from the tip of z: left means that the rope runs "
        "counter-clockwise about z",
    )
    mu: Quantity = value(QuantityKind(), 0, doc="coefficient of friction between rope and pulley")

    def validate(self, place: Place) -> None:
        """Require a plain name, a positive radius and friction that is not negative."""
        super().validate(place)
        if fault := fault_of(self.name):
            place.inside("name").report(*fault)

    @property
    def sense(self) -> int:
        """The sense in which the rope runs about z: 1 is counter-clockwise."""
        return 1 if self.side == "left" else -1
