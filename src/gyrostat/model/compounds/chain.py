"""A chain of equal rods."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.body import Body
from gyrostat.model.compounds.compound import Compound
from gyrostat.model.forces import TorsionSpring
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Revolute
from gyrostat.model.kinds import CountKind, End, EndKind, FrozenMapping, OptionalKind, Quantity, QuantityKind
from gyrostat.model.kinds.quantities import ZERO
from gyrostat.model.record import Component, value
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.model.solids.slender_rod import SlenderRod


@dataclass(frozen=True)
class Chain(Compound, Dimensioned):
    """A planar chain of equal slender rods, hinged to each other and to a place, along −y at zero coordinates.

    Its parts are the bodies `link1`, `link2`, … with the points `top` and `tip`, and the hinges `hinge1`, `hinge2`, …
    about z, whose coordinates are relative angles; with damping also `damper1`, …. `mass` and `length` are those of
    the whole chain.

    >>> import gyrostat as gs
    >>> model = gs.Model("chain", gravity=(0, -9.81, 0))
    >>> chain = model.add(gs.Chain("chain", "ground", links=2, mass=1, length=0.5))
    >>> gs.formulate(model).coordinate_names
    ('chain.hinge1', 'chain.hinge2')
    """

    positive: ClassVar[tuple[str, ...]] = ("length",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    start: End = value(EndKind(), doc="the place where the chain begins")
    links: int = value(CountKind(), doc="number of rods", keyword=True)
    mass: Quantity = value(QuantityKind(), doc="mass of the chain (kg)", keyword=True)
    length: Quantity = value(QuantityKind(), doc="length of the chain (m)", keyword=True)
    damping: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="damping of each hinge (N·m·s/rad)", keyword=True
    )

    def parts(self) -> Iterator[Component]:
        """Yield each rod with its hinge and its damper, from the start on."""
        end = self.start
        mass, length = (Formula.of(f"({whole})/{self.links}") for whole in (self.mass, self.length))
        half = Formula.of(f"({self.length})/{2 * self.links}")
        points = FrozenMapping({"top": (0, half, 0), "tip": (0, Formula.of(f"-({half})"), 0)})
        for i in range(1, self.links + 1):
            rod, hinge = self.part_name(f"link{i}"), self.part_name(f"hinge{i}")
            yield Body(rod, SlenderRod(mass, length, along="y"), points=points)
            yield Revolute(hinge, end, End(rod, "top"))
            if self.damping is not None and self.damping.number != 0:
                yield TorsionSpring(self.part_name(f"damper{i}"), hinge, stiffness=ZERO, damping=self.damping)
            end = End(rod, "tip")
