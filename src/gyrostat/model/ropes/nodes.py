"""A rope of nodes in absolute coordinates, elastic or inextensible between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from gyrostat.model.body import Body
from gyrostat.model.constraints import Distance
from gyrostat.model.forces import BendingSpring, SpringDamper
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Translation, Weld
from gyrostat.model.kinds import End, FrozenMapping, Quantity
from gyrostat.model.record import Component
from gyrostat.model.ropes.division import RopeContacts, share
from gyrostat.model.shapes.sphere import Sphere
from gyrostat.model.solids.point_mass import PointMass


@dataclass(frozen=True)
class Nodes:
    """The parts of a rope of nodes: point masses n0, n1, …, elements e1, e2, … between them, and contacts of pulleys.

    Elements are springs, or rods of constant length where the rope is inextensible; the tension is their force. A node
    has half the mass of both segments beside it; those at the ends are welded to the bodies that hold them.
    """

    owner: str
    ends: tuple[End | None, End | None]
    lengths: tuple[Quantity, ...]
    """Lengths of the segments."""
    masses: tuple[Quantity, ...]
    """Masses of the segments."""
    stiffness: tuple[Quantity, ...] | None
    """Stiffness of each segment, EA/l (N/m); None if they are inextensible."""
    damping: tuple[Quantity, ...]
    bending: Quantity
    """Stiffness of a bend, EI/l³ (N/m)."""
    bending_damping: Quantity
    radius: Quantity
    """Radius of the spheres as which nodes touch other bodies; without one they touch pulleys alone."""
    contacts: tuple[RopeContacts, ...]
    """Contacts of each node."""
    frame: End
    """The frame in whose axes nodes have their coordinates."""

    def parts(self) -> Iterator[Component]:
        """Yield the nodes with their joints, then the elements between them, then contacts."""
        for i in range(self.segments + 1):
            yield from self._node(i)
        for i in range(1, self.segments + 1):
            yield self._element(i)
        if self.bending.number != 0:
            for i in range(1, self.segments):
                a, b, c = (End(self._name(k)) for k in (i - 1, i, i + 1))
                yield BendingSpring(f"{self.owner}.b{i}", a, b, c, self.bending, self.bending_damping)
        for i in range(self.segments + 1):
            if self._held(i) is None:
                yield from self.contacts[i].at(f"n{i}", End(self._name(i)))

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.lengths)

    def _element(self, i: int) -> Component:
        name, ends = f"{self.owner}.e{i}", (End(self._name(i - 1)), End(self._name(i)))
        if self.stiffness is None:
            return Distance(name, *ends, self.lengths[i - 1])
        return SpringDamper(name, *ends, self.stiffness[i - 1], self.damping[i - 1], self.lengths[i - 1])

    def _name(self, i: int) -> str:
        return f"{self.owner}.n{i}"

    def _held(self, i: int) -> End | None:
        """Return the place that holds a node; None if it is free."""
        return self.ends[0] if i == 0 else self.ends[1] if i == self.segments else None

    def _node(self, i: int) -> Iterator[Component]:
        name, joint, held = self._name(i), f"{self.owner}.m{i}", self._held(i)
        shape = None if self.radius.number == 0 else (Sphere(self.radius),)
        yield Body(name, PointMass(self._mass(i)), shape=shape)
        if held is not None:
            yield Weld(joint, held, End(name))
            return
        # without a given shape the rope is straight along x, so that no spring has the length zero
        yield Translation(joint, self.frame, End(name), initial=FrozenMapping({"x": self._along(i)}))

    def _mass(self, i: int) -> Quantity:
        """Return the mass of a node."""
        if i in (0, self.segments):
            return share(self.masses[max(i - 1, 0)], 2)
        before, after = self.masses[i - 1], self.masses[i]
        return before if before == after else Formula.of(f"(({before}) + ({after}))/2")

    def _along(self, i: int) -> Quantity:
        """Return the distance of a node from the start."""
        runs = [(length, len(list(run))) for length, run in groupby(self.lengths[:i])]
        if all(length.number is not None for length, _ in runs):
            return Formula.of(sum(count * length.number for length, count in runs if length.number is not None))
        return Formula.of(" + ".join(f"{count}*({length})" for length, count in runs))
