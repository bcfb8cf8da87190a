"""A rope of rigid segments in joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gyrostat.model.body import Body
from gyrostat.model.forces import JointSpring
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint, Revolute, Spherical, Universal
from gyrostat.model.kinds import End, FrozenMapping, Quantity, Tensor
from gyrostat.model.record import Component
from gyrostat.model.ropes.division import RopeContacts, share
from gyrostat.model.shapes.capsule import Capsule
from gyrostat.model.solids.rod import Rod

JOINTS: Final[dict[str, type[Joint]]] = {"revolute": Revolute, "universal": Universal, "spherical": Spherical}
"""The joints between segments by name."""


@dataclass(frozen=True)
class Links:
    """The parts of a rope of rigid segments: bodies s1, s2, …, joints j0, j1, … and contacts of pulleys."""

    owner: str
    ends: tuple[End | None, End | None]
    lengths: tuple[Quantity, ...]
    """Lengths of the segments."""
    masses: tuple[Quantity, ...]
    """Masses of the segments."""
    radius: Quantity
    inertia: Tensor | None
    joints: str
    stiffness: tuple[Quantity, ...]
    """Bending stiffness of each joint (N·m/rad)."""
    damping: tuple[Quantity, ...]
    contacts: RopeContacts
    at_centres: bool

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(self.lengths)

    @property
    def along(self) -> str:
        """The axis of a segment's body along the rope: hinges turn about z, universal joints about x and y."""
        return "x" if self.joints == "revolute" else "z"

    def parts(self) -> Iterator[Component]:
        """Yield the segments with their joints, from the start on, then contacts."""
        first, last = self.ends
        previous = first
        for i in range(1, self.segments + 1):
            name = self._segment(i)
            yield self._body(name, self.lengths[i - 1], self.masses[i - 1])
            if previous is not None:
                yield from self._joint(i - 1, previous, End(name, "start"), JOINTS[self.joints])
            previous = End(name, "end")
        if last is not None and previous is not None:
            # the last end turns freely about the rope where segments do not, so that the end's axes do not matter
            closing = Spherical if self.joints == "universal" else JOINTS[self.joints]
            yield from self._joint(self.segments, previous, last, closing)
        yield from self._contacts()

    def _segment(self, i: int) -> str:
        return f"{self.owner}.s{i}"

    def _body(self, name: str, length: Quantity, mass: Quantity) -> Body:
        half = share(length, 2)
        back = Formula.of(f"-({half})") if half.number is None else Formula.of(-half.number)
        rod = Rod(mass, length, self.along, self.radius)
        round_ends = None if self.radius.number == 0 else (Capsule(self.radius, length, along=self.along),)

        def at(place: Quantity) -> tuple[Quantity, ...]:
            return tuple(place if axis == self.along else Formula.of(0) for axis in "xyz")

        points = FrozenMapping({"start": at(back), "end": at(half)})
        if self.inertia is None:
            return Body(name, rod, points=points, shape=round_ends)
        return Body(name, mass=mass, inertia=self.inertia, points=points, shape=round_ends or rod.shapes())

    def _joint(self, i: int, parent: End, child: End, kind: type[Joint]) -> Iterator[Component]:
        joint = kind(f"{self.owner}.j{i}", parent, child)
        yield joint
        stiffness, damping = self.stiffness[i], self.damping[i]
        if i in (0, self.segments) or (stiffness.number == 0 and damping.number == 0):
            return
        for coordinate, name in zip(joint.coordinates, joint.coordinate_names, strict=True):
            spring = f"bend{i}" if len(joint.coordinates) == 1 else f"bend{i}.{coordinate.label}"
            yield JointSpring(f"{self.owner}.{spring}", name, stiffness, damping)

    def _contacts(self) -> Iterator[Component]:
        """Yield contacts at the mass centres of segments, or at the joints and free ends."""
        if self.at_centres:
            for i in range(1, self.segments + 1):
                yield from self.contacts.at(f"s{i}", End(self._segment(i)))
            return
        first, last = self.ends
        if first is None:
            yield from self.contacts.at("p0", End(self._segment(1), "start"))
        for i in range(1, self.segments):
            yield from self.contacts.at(f"p{i}", End(self._segment(i), "end"))
        if last is None:
            yield from self.contacts.at(f"p{self.segments}", End(self._segment(self.segments), "end"))
