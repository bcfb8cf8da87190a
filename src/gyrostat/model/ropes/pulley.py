"""A pulley on the path of a rope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import ChoiceKind, End, EndKind, Quantity, QuantityKind
from gyrostat.model.record import Component, value
from gyrostat.model.shapes.dimensioned import Dimensioned

SIDES = {"left": 1, "right": -1}
"""The sense of the rope about the axis by the side on which the sheave lies."""


@dataclass(frozen=True)
class Pulley(Component, Dimensioned):
    """A sheave over which a rope runs: a circle about the z axis of a frame, in its xy plane.

    `side` tells on which side of the rope its centre lies, seen against the z axis along the path: on the left the rope
    runs counter-clockwise about z. The frame is on the body against whose rim the rope rubs.

    >>> Pulley("sheave", "wheel", 0.2, "left", mu=0.3).sense
    1
    """

    word: ClassVar[str] = "pulley"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mu",)
    frame: End = value(EndKind(), doc="frame at the centre of the sheave, whose z axis is that of the sheave")
    radius: Quantity = value(QuantityKind(), doc="radius of the rope's centre line on the sheave (m)")
    side: str = value(ChoiceKind(tuple(SIDES)), doc="side of the rope on which the sheave lies: left or right")
    mu: Quantity = value(QuantityKind(), 0, doc="coefficient of friction between rope and sheave")

    @property
    def sense(self) -> int:
        """1 where the rope runs counter-clockwise about z, −1 where clockwise."""
        return SIDES[self.side]
