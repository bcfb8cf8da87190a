"""A pulley on the path of a rope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import ChoiceKind, End, EndKind, FlagKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.ropes.turns_kind import TurnsKind
from gyrostat.model.shapes.dimensioned import Dimensioned

SIDES = {"left": 1, "right": -1}
"""The sense of the rope about the axis by the side on which the sheave lies."""


@dataclass(frozen=True)
class Pulley(Component, Dimensioned):
    """A sheave over which a rope runs: a circle about the z axis of a frame, in its xy plane.

    `side` tells on which side of the rope its centre lies, seen against the z axis along the path: on the left the
    rope runs counter-clockwise about z. The frame is on the body against whose rim the rope rubs. Where the sheave
    turns, that is the turning body, which has its inertia and whose joint has the friction of the bearing; otherwise
    it is the block, and the sheave is one without inertia. Without `mu`, `loss` and `grip` the rope slides without
    friction, which is also a light sheave in a good bearing. With `mu` the tensions differ by the factor e^(mu·wrap)
    at most, with `loss` by e^loss, for the bending of the rope and the bearing of a sheave without inertia; the rope
    sticks below the limit and slips at it. With `grip` it never slips, as a chain on a sprocket. The angle on the
    sheave is followed from −90° to 270° beyond the whole `turns`. The segments of a `Rope` touch and leave the sheave
    by themselves: it refuses `loss` and `grip`, which are for `Reeving` and `Belt`; with `turns` it is laid wound on a
    drum.
    """

    word: ClassVar[str] = "pulley"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mu", "loss")
    frame: End = value(EndKind(), doc="frame at the centre of the sheave, whose z axis is that of the sheave")
    radius: Quantity = value(QuantityKind(), doc="radius of the rope's centre line on the sheave (m)")
    side: str = value(ChoiceKind(tuple(SIDES)), doc="side of the rope on which the sheave lies: left or right")
    mu: Quantity = value(QuantityKind(), 0, doc="coefficient of friction between rope and sheave")
    loss: Quantity = value(QuantityKind(), 0, doc="logarithm of the ratio of tensions lost on it", keyword=True)
    grip: bool = value(FlagKind(), False, doc="whether the rope never slips", keyword=True)
    lifts: bool = value(FlagKind(), False, doc="whether the rope can lift off the sheave and come back", keyword=True)
    turns: int = value(TurnsKind(), 0, doc="whole turns about the sheave beside the angle that is seen", keyword=True)

    def validate(self, place: Place) -> None:
        """Require a radius, and no friction on a sheave that the rope may leave."""
        super().validate(place)
        if self.lifts and (self.turns or self.holds):
            what = "whole turns" if self.turns else "friction"
            place.inside("lifts").report(
                f"the rope may lift off, and the sheave has {what}.",
                "Leave out lifts, or the other one: a rope that is off a sheave has neither.",
            )

    @property
    def holds(self) -> bool:
        """Whether tensions on both sides may differ."""
        return self.grip or self.mu.number != 0 or self.loss.number != 0

    @property
    def sense(self) -> int:
        """1 where the rope runs counter-clockwise about z, −1 where clockwise."""
        return SIDES[self.side]
