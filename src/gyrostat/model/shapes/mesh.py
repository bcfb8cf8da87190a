"""A mesh of triangles from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import TextKind, Triple, VectorKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Drawn, Placement, Shape


@dataclass(frozen=True)
class Mesh(Shape):
    """The triangles of a file: STL or OBJ, and with the extra `meshes` DAE, glTF and others. It is only drawn.

    The file is read when a picture is made; a relative path begins at the working directory.

    >>> Mesh("meshes/arm.stl", scale=(1e-3, 1e-3, 1e-3)).file
    'meshes/arm.stl'
    """

    tag: ClassVar[str] = "mesh"
    file: str = value(TextKind(), doc="the path of the file")
    scale: Triple = value(VectorKind(), (1, 1, 1), doc="metres per unit of the file along x, y, z")

    def validate(self, place: Place) -> None:
        """Require a path."""
        super().validate(place)
        if not self.file.strip():
            place.inside("file").report("it is empty.", "Give the path of a mesh, such as 'meshes/arm.stl'.")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the scale."""
        return {"scale": value.vector(self.scale)}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return the mesh by its file."""
        own = self.placement(value)
        return (Drawn(self.tag, self.dimensions(value), on.then(own) if on else own, self.file),)
