"""Common base of contacts of two bodies: their sides, with the shapes by which they touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

from gyrostat.model.contacts.side import Side
from gyrostat.model.forces.force_element import ForceElement, ForceOutput
from gyrostat.model.kinds import End, EndKind, OptionalKind, TaggedKind
from gyrostat.model.place import Place
from gyrostat.model.record import Component, value
from gyrostat.model.shapes import SHAPES, Shape

TOUCH_OUTPUTS: Final[Mapping[str, ForceOutput]] = {
    "gap": ForceOutput(1, "m", "distance of the surfaces, negative where they overlap", kinematic=True),
    "force": ForceOutput(1, "N", "normal force, positive where the bodies are pressed apart"),
    "friction": ForceOutput(3, "N", "friction on a"),
    "sliding": ForceOutput(3, "m/s", "velocity of a against b along the surface"),
    "point": ForceOutput(3, "m", "place of the contact"),
    "total": ForceOutput(3, "N", "whole force on a, normal and friction"),
}
"""The outputs of every contact of two bodies."""


@dataclass(frozen=True)
class TouchingPair(ForceElement):
    """Base of contacts of two bodies; each side is a body, a surface of a body, or a point on a body."""

    a: End = value(EndKind(), doc="one side: a body, a surface of a body, or a point on a body")
    b: End = value(EndKind(), doc="the other side")
    shape_a: Shape | None = value(
        OptionalKind(TaggedKind(lambda: SHAPES)), None, doc="shape of a, in the axes of its end", keyword=True
    )
    shape_b: Shape | None = value(
        OptionalKind(TaggedKind(lambda: SHAPES)), None, doc="shape of b, in the axes of its end", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require two different bodies."""
        if self.a.body == self.b.body:
            place.report(f"both sides are on body {self.a.body!r}.", "Name two different bodies.")

    def resolved(self, components: Mapping[str, Component]) -> Self:
        """Return the contact with the shapes of its sides, as the bodies have them."""
        a = Side.of(self.a, self.shape_a, components.get(self.a.body))
        b = Side.of(self.b, self.shape_b, components.get(self.b.body))
        return replace(self, a=a.end, shape_a=a.shape, b=b.end, shape_b=b.shape)

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides with their shapes."""
        return Side(self.a, self.shape_a), Side(self.b, self.shape_b)
