"""A tube: a hollow cylinder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions


@dataclass(frozen=True)
class Tube(AxialShape):
    """A hollow cylinder, centred at the origin."""

    tag: ClassVar[str] = "tube"
    positive: ClassVar[tuple[str, ...]] = ("outer_radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("inner_radius", "length")
    ordered: ClassVar[tuple[tuple[str, str], ...]] = (("inner_radius", "outer_radius"),)
    outer_radius: Quantity = value(QuantityKind(), doc="outer radius (m)")
    inner_radius: Quantity = value(QuantityKind(), doc="inner radius (m)")
    length: Quantity = value(QuantityKind(), doc="length (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return both radii and the length."""
        radii = {"outer_radius": value(self.outer_radius), "inner_radius": value(self.inner_radius)}
        return radii | {"length": value(self.length)}
