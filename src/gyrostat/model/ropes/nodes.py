"""A rope of nodes in absolute coordinates, elastic between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.body import Body
from gyrostat.model.forces import BendingSpring, SpringDamper
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Translation, Weld
from gyrostat.model.kinds import End, FrozenMapping, Quantity
from gyrostat.model.record import Component
from gyrostat.model.ropes.division import RopeContacts, share
from gyrostat.model.solids.point_mass import PointMass


@dataclass(frozen=True)
class Nodes:
    """The parts of a rope of nodes: point masses n0, n1, …, springs e1, e2, … between them, and contacts of pulleys.

    Nodes are equally spaced; those at the ends have half the mass, and are welded to the bodies that hold them.
    """

    owner: str
    ends: tuple[End | None, End | None]
    segments: int
    length: Quantity
    """Length of a segment."""
    mass: Quantity
    """Mass of a segment."""
    stiffness: Quantity
    """Stiffness of a segment, EA/l (N/m)."""
    damping: Quantity
    bending: Quantity
    """Stiffness of a bend, EI/l³ (N/m)."""
    bending_damping: Quantity
    contacts: RopeContacts
    frame: End
    """The frame in whose axes nodes have their coordinates."""

    def parts(self) -> Iterator[Component]:
        """Yield the nodes with their joints, then springs, then contacts."""
        for i in range(self.segments + 1):
            yield from self._node(i)
        for i in range(1, self.segments + 1):
            ends = End(self._name(i - 1)), End(self._name(i))
            yield SpringDamper(f"{self.owner}.e{i}", *ends, self.stiffness, self.damping, self.length)
        if self.bending.number != 0:
            for i in range(1, self.segments):
                a, b, c = (End(self._name(k)) for k in (i - 1, i, i + 1))
                yield BendingSpring(f"{self.owner}.b{i}", a, b, c, self.bending, self.bending_damping)
        for i in range(self.segments + 1):
            if self._held(i) is None:
                yield from self.contacts.at(f"n{i}", End(self._name(i)))

    def _name(self, i: int) -> str:
        return f"{self.owner}.n{i}"

    def _held(self, i: int) -> End | None:
        """Return the place that holds a node; None if it is free."""
        return self.ends[0] if i == 0 else self.ends[1] if i == self.segments else None

    def _node(self, i: int) -> Iterator[Component]:
        name, joint, held = self._name(i), f"{self.owner}.m{i}", self._held(i)
        yield Body(name, PointMass(share(self.mass, 2) if i in (0, self.segments) else self.mass))
        if held is not None:
            yield Weld(joint, held, End(name))
            return
        # without a given shape the rope is straight along x, so that no spring has the length zero
        along = Formula.of(f"{i}*({self.length})") if self.length.number is None else Formula.of(i * self.length.number)
        yield Translation(joint, self.frame, End(name), initial=FrozenMapping({"x": along}))
