"""A box: a block, a plate."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.model.shapes.box import Box
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import Solid, diagonal
from gyrostat.scalar.algebra import add, divide, multiply, square
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class SolidBox(Solid):
    """A uniform block with its edges along the axes, centred at the origin; one edge may be zero.

    The lengths along x, y, z are given together or singly: `gs.box("m", (1, 0.6, 0.3))`, `gs.box("m", 1, 0.6, 0.3)`.
    """

    tag: ClassVar[str] = "box"
    not_negative: ClassVar[tuple[str, ...]] = ("mass", "size")
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    size: Triple = value(VectorKind(), doc="lengths of the edges along x, y, z (m)")
    width: InitVar[object] = None
    depth: InitVar[object] = None

    def __post_init__(self, width: object, depth: object) -> None:
        if width is not None or depth is not None:
            object.__setattr__(self, "size", (self.size, width, depth))
        super().__post_init__()

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return m (b² + c²)/12 and its cyclic permutations."""
        m = value(self.mass)
        a2, b2, c2 = (square(x) for x in value.vector(self.size))
        xx, yy, zz = (divide(multiply(m, sum2), 12) for sum2 in (add(b2, c2), add(a2, c2), add(a2, b2)))
        return MassProperties(m, ZERO, diagonal(xx, yy, zz))

    def shapes(self) -> tuple[Shape, ...]:
        """Return the box."""
        return (Box(self.size),)
