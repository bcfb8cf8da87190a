"""A composite: several rigidly joined solids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import ListKind, RecordKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.part import Part
from gyrostat.model.solids.solid import SOLIDS, Solid
from gyrostat.spatial import MassProperties, combined


@dataclass(frozen=True)
class Composite(Solid):
    """Several solids with positions and rotations; a part may itself be a composite.

    The positions of the parts refer to the origin, which in general is not the mass centre.

    >>> from gyrostat.model.solids import Part, rod
    >>> angle = Composite([Part(rod(1, 2, along="x"), at=(1, 0, 0)), Part(rod(1, 2, along="y"), at=(0, 1, 0))])
    >>> from gyrostat.scalar import FloatScalars
    >>> angle.mass_properties(Evaluator(FloatScalars(), {}.__getitem__)).com
    (0.5, 0.5, 0)
    """

    tag: ClassVar[str] = "composite"
    parts: tuple[Part, ...] = value(ListKind(RecordKind(Part)), doc="the solids with their placements")

    def validate(self, place: Place) -> None:
        """Refuse an empty composite; the parts are validated on their own construction."""
        if not self.parts:
            place.inside("parts").report("a composite without parts has no mass.", "Give at least one part.")

    def check_limits(self, known: Known, place: Place) -> None:
        """Check the parts."""
        for i, part in enumerate(self.parts):
            inside = place.inside("parts").inside(i).inside("solid").inside(SOLIDS.tag_of(part.solid))
            part.solid.check_limits(known, inside)

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return the combined mass properties of all parts."""
        return combined([part.mass_properties(value) for part in self.parts])

    def shapes(self) -> tuple[Shape, ...]:
        """Return the shapes of the parts with their placements."""
        return tuple(part.shape() for part in self.parts)
