"""A line through points: a bent bar, a frame of wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import ListKind, Quantity, QuantityKind, Triple, VectorKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Shape


@dataclass(frozen=True)
class Line(Shape):
    """Straight segments between successive points."""

    tag: ClassVar[str] = "line"
    not_negative: ClassVar[tuple[str, ...]] = ("radius",)
    points: tuple[Triple, ...] = value(ListKind(VectorKind()), doc="two or more points (m)")
    radius: Quantity = value(QuantityKind(), 0, doc="radius (m); zero for a line without thickness")

    def validate(self, place: Place) -> None:
        """Refuse fewer than two points."""
        super().validate(place)
        if len(self.points) < 2:
            place.inside("points").report(f"a line has at least two points, not {len(self.points)}.", "Add points.")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return points and radius."""
        return {"points": tuple(value.vector(point) for point in self.points), "radius": value(self.radius)}
