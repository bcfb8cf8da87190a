"""Links of the mass of flexible bodies, with the coordinates of their arms.

Of modal data, and of beams of first and second order, every mass point hangs on the root of its body. Of order exact
the sections are a chain, each one step from the one before, and stations hang on the section before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from gyrostat.coordinates import Coordinates, JointLayout
from gyrostat.kinematics.mechanism import Carried
from gyrostat.lazy import LaterClass, later
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint, Weld
from gyrostat.model.kinds import End
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_number
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, matrix_sum, plus, point_inertia, scale

if TYPE_CHECKING:
    from gyrostat.model.flexible import strain_chain
    from gyrostat.model.flexible.polynomial_arm import MassArm
    from gyrostat.model.flexible.station_arm import StationArm
else:
    (strain_chain,) = later("gyrostat.model.flexible", "strain_chain")
    StationArm = LaterClass("gyrostat.model.flexible.station_arm", "StationArm")
    MassArm = LaterClass("gyrostat.model.flexible.polynomial_arm", "MassArm")

_NO_INERTIA: Matrix = (ZERO, ZERO, ZERO)


class SectionLink(NamedTuple):
    """A section of a flexible body with the arm that carries it: a link without a name."""

    parent: int
    joint: Joint
    layout: JointLayout
    R_PJ: Matrix
    """The rotation of the arm's inboard frame J in the parent's hinge frame P."""
    r_PJ_P: Vector
    carried: Carried


@dataclass
class SectionLinks:
    """The links of the sections of all flexible bodies, as a tree of joints is built."""

    coordinates: Coordinates
    value: Evaluator
    _chains: dict[str, tuple[int, tuple[strain_chain.ChainSection, ...]]] = field(default_factory=dict)
    """For each beam of order exact the index of its first section, and its sections."""

    @cached_property
    def _arms(self) -> dict[str, MassArm]:
        """One arm of each flexible body, by the name of its root."""
        joints = self.coordinates.topology.joints.values()
        return {joint.parent.body: joint for joint in joints if isinstance(joint, MassArm)}

    def of(self, root: Carried, index: int, first: int) -> Iterator[SectionLink]:
        """Yield the sections of a body, where it is the root of a beam; their links are numbered from `first` on."""
        arm = self._arms.get(root.body)
        if arm is None:
            return
        layout = self.coordinates.joints[arm.name]
        if not isinstance(arm, StationArm) or not arm.chained:
            yield from _mass_points(arm, layout, index, root, self.value)
            return
        sections = strain_chain.chain_sections(arm.beam, root.body, self.value)
        self._chains[root.body] = (first, sections)
        standing = (root.R_HB, root.r_HB_H)
        for k, section in enumerate(sections):
            parent = first + k - 1 if k else index
            yield _section(parent, section.arm, layout, standing, (section.mass, ZERO, section.inertia))
            standing = (IDENTITY, ZERO)

    def step_to(self, arm: StationArm) -> tuple[int, Joint] | None:
        """Return the index of the section that carries a station and the step to it; None if the root carries it."""
        if arm.parent.body not in self._chains:
            return None
        first, sections = self._chains[arm.parent.body]
        number = strain_chain.carrier(sections, self._known_place(arm))
        if number is None:
            return None
        places = (sections[number].xi, arm.place(self.value))
        return first + number, strain_chain.step_arm(arm.beam, arm.name, (arm.parent, arm.child), places, self.value)

    def _known_place(self, arm: StationArm) -> Scalar:
        """Return ξ of a station, where it is no number with the model's own parameters."""
        xi = arm.place(self.value)
        model = self.coordinates.topology.model
        known = len(model.values()) == len(model.parameters)
        return xi if is_number(xi) or not known else arm.place(model.evaluator())


def _mass_points(
    arm: MassArm, layout: JointLayout, index: int, root: Carried, value: Evaluator
) -> Iterator[SectionLink]:
    """Yield a link for each mass point that moves, and one for all others together."""
    fixed: list[tuple[Scalar, Vector]] = []
    standing = (root.R_HB, root.r_HB_H)
    for mass, place in arm.mass_arms(value):
        if place.position.moves:
            yield _section(index, place, layout, standing, (mass, ZERO, _NO_INERTIA))
        else:
            fixed.append((mass, place.position.constant))
    if fixed:
        end = End(arm.parent.body)
        weld = Weld(f"{arm.parent.body}.rigid", end, end)
        yield _section(index, weld, JointLayout((), (), ()), standing, _rigid(fixed))


def _rigid(points: Iterable[tuple[Scalar, Vector]]) -> tuple[Scalar, Vector, Matrix]:
    """Return mass, mass moment and inertia of points fixed in the root frame."""
    mass: Scalar = 0
    moment, inertia = ZERO, _NO_INERTIA
    for own, place in points:
        mass, moment = add(mass, own), plus(moment, scale(own, place))
        inertia = matrix_sum(inertia, point_inertia(own, place))
    return mass, moment, inertia


def _section(
    parent: int,
    joint: Joint,
    layout: JointLayout,
    standing: tuple[Matrix, Vector],
    inertia: tuple[Scalar, Vector, Matrix],
) -> SectionLink:
    mass, moment, about = inertia
    return SectionLink(parent, joint, layout, *standing, Carried("", IDENTITY, ZERO, mass, moment, about, ()))
