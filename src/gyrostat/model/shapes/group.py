"""A group of shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import ListKind, TaggedKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.model.shapes.shape import SHAPES, Dimensions, Drawn, Placement, Shape


@dataclass(frozen=True)
class Group(Shape):
    """Several shapes in a common frame, which is placed on the body; groups may be nested."""

    tag: ClassVar[str] = "group"
    shapes: tuple[Shape, ...] = value(ListKind(TaggedKind(lambda: SHAPES)), doc="the shapes, each placed in the group")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return an empty mapping: only the members have dimensions."""
        return {}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return the simple shapes of all members."""
        own = self.placement(value)
        whole = on.then(own) if on else own
        return tuple(drawn for shape in self.shapes for drawn in shape.drawn(value, whole))

    def check_limits(self, known: Known, place: Place) -> None:
        """Check the members."""
        for i, shape in enumerate(self.shapes):
            shape.check_limits(known, place.inside("shapes").inside(i).inside(SHAPES.tag_of(shape)))
