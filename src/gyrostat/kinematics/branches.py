"""Branches: the orientation of each body by one tree and its position by another (McPhee 2002, part 3).

The tree of orientations gives every body the rotation of its hinge frame H, the tree of positions the origin of H. A
branch may be a joint, passed either way, or the body itself, which represents free motion relative to the ground. Arms
of flexible bodies are in both trees; the sections of these bodies follow all bodies, as links without names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gyrostat.coordinates import Coordinates, JointLayout
from gyrostat.coordinates.branch_coordinates import moving_coordinates, speeds_of, turning_coordinates
from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried, carried_body, turned_placement
from gyrostat.kinematics.section_links import SectionLink, SectionLinks
from gyrostat.lazy import LaterClass
from gyrostat.model import Joint
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, opposite, plus, product, transpose
from gyrostat.topology import SpanningTree

if TYPE_CHECKING:
    from gyrostat.model.flexible.station_arm import StationArm
else:
    StationArm = LaterClass("gyrostat.model.flexible.station_arm", "StationArm")


@dataclass(frozen=True)
class Turning:
    """The branch that turns a body: the rotation of a joint, passed forwards or backwards."""

    parent: int
    joint: Joint
    reversed: bool
    layout: JointLayout
    """The layout of the coordinates and speeds that turn; others are None."""
    R_PJ: Matrix
    """The rotation of the joint's inboard frame in the parent's hinge frame P."""


@dataclass(frozen=True)
class Slide:
    """One displacement of a branch: its place in q, or its formula of time, with its place in u; its direction."""

    name: str
    coordinate: int | Formula
    speed: int | None
    direction: Vector


@dataclass(frozen=True)
class Bending:
    """A flexible arm in the tree of positions: its displacement is a function of the elastic coordinates."""

    arm: Joint
    layout: JointLayout
    R_AP: Matrix
    """The rotation of the arm's own inboard frame in the hinge frame of the link `axes`."""


@dataclass(frozen=True)
class Placing:
    """The branch that places a body: the origin of H, from a point of the parent, by displacements.

    Their directions are fixed in the hinge axes of the link `axes`: that of the joint's parent, which is the body
    itself where the branch is passed backwards; there slides have the opposite sign already.
    """

    parent: int
    joint: Joint
    reversed: bool
    r_PJ_P: Vector
    """The point that the branch begins at, from the origin of the parent's hinge frame P, in its axes."""
    axes: int
    slides: tuple[Slide, ...]
    bending: Bending | None = None

    @property
    def moves(self) -> bool:
        """Whether the branch has a displacement."""
        return bool(self.slides) or self.bending is not None


@dataclass(frozen=True)
class BranchLink(Carried):
    """A body with the branches that give its orientation and its position."""

    turning: Turning
    placing: Placing


@dataclass(frozen=True)
class _Way:
    """A branch as a tree passes it: the element, and the ends on the inboard and on the outboard body."""

    joint: Joint
    inboard: End
    outboard: End

    @property
    def reversed(self) -> bool:
        return self.outboard is self.joint.parent


def branch_links(coordinates: Coordinates, value: Evaluator) -> tuple[BranchLink, ...]:
    """Return the bodies with their branches, in the order of the topology's spanning tree, then the sections."""
    model, order = coordinates.topology.model, coordinates.topology.tree.order[1:]
    turned = {name: _way(coordinates, coordinates.trees.rotation, name) for name in order}
    placed = {name: _way(coordinates, coordinates.trees.translation, name) for name in order}
    index_of = {GROUND: GROUND_INDEX, **{name: i for i, name in enumerate(order)}}
    builder = _Builder(coordinates, value, index_of, {GROUND: (IDENTITY, ZERO)}, SectionLinks(coordinates, value))
    bodies: dict[str, Carried] = {}
    sections: list[BranchLink] = []
    for name in order:
        _, R_PA = turned[name].joint.aligned(value)
        R_BH, _ = turned_placement(model.placement(turned[name].outboard, value), R_PA)
        _, r_BH_B = turned_placement(model.placement(placed[name].outboard, value), IDENTITY)
        R_HB = transpose(R_BH)
        builder.frames[name] = (R_HB, opposite(apply(R_HB, r_BH_B)))
        bodies[name] = carried_body(model.bodies[name], *builder.frames[name], coordinates, value)
        found = builder.sections.of(bodies[name], index_of[name], len(order) + len(sections))
        sections.extend([_section_link(section) for section in found])
    links = [
        BranchLink(
            **bodies[name].__dict__, turning=builder.turning(turned[name]), placing=builder.placing(placed[name])
        )
        for name in order
    ]
    return (*links, *sections)


def _section_link(section: SectionLink) -> BranchLink:
    """Return a section with its arm as both of its branches."""
    parent, arm, layout, R_PJ, r_PJ_P, carried = section
    bending = Bending(arm, layout, R_PJ) if arm.flexible else None
    turning = Turning(parent, arm, reversed=False, layout=layout, R_PJ=R_PJ)
    placing = Placing(parent, arm, reversed=False, r_PJ_P=r_PJ_P, axes=parent, slides=(), bending=bending)
    return BranchLink(**carried.__dict__, turning=turning, placing=placing)


def _way(coordinates: Coordinates, tree: SpanningTree, body: str) -> _Way:
    joint = coordinates.elements[tree.parent_edge[body]]
    if joint.child.body == body:
        return _Way(joint, joint.parent, joint.child)
    return _Way(joint, joint.child, joint.parent)


@dataclass(frozen=True)
class _Builder:
    """The records from which branches are formed; `frames` has R_HB and r_HB_H of each body."""

    coordinates: Coordinates
    value: Evaluator
    index_of: Mapping[str, int]
    frames: dict[str, tuple[Matrix, Vector]]
    sections: SectionLinks
    _arms: dict[str, Joint] = field(default_factory=dict)
    """Arms of flexible bodies with their constants evaluated, by name: both branches have the same."""

    def turning(self, way: _Way) -> Turning:
        """Return the branch that turns a body."""
        layout = self.coordinates.joints[way.joint.name]
        if (step := self._step(way)) is not None:
            return Turning(step[0], step[1], reversed=False, layout=layout, R_PJ=IDENTITY)
        aligned, R_PA = way.joint.aligned(self.value)
        aligned = self._arms.setdefault(way.joint.name, aligned)
        R_BJ, _ = turned_placement(self.coordinates.topology.model.placement(way.inboard, self.value), R_PA)
        numbers = turning_coordinates(way.joint)
        R_PJ = product(self.frames[way.inboard.body][0], R_BJ)
        part = _part(layout, numbers, speeds_of(way.joint, numbers))
        return Turning(self.index_of[way.inboard.body], aligned, way.reversed, part, R_PJ)

    def placing(self, way: _Way) -> Placing:
        """Return the branch that places a body."""
        joint, model = way.joint, self.coordinates.topology.model
        layout = self.coordinates.joints[joint.name]
        if (step := self._step(way)) is not None:
            parent, arm = step
            return Placing(parent, joint, False, ZERO, parent, (), Bending(arm, layout, IDENTITY))
        R_HB, r_HB_H = self.frames[way.inboard.body]
        _, r_BJ_B = turned_placement(model.placement(way.inboard, self.value), IDENTITY)
        R_BP, _ = turned_placement(model.placement(joint.parent, self.value), IDENTITY)
        R_AP = product(self.frames[joint.parent.body][0], R_BP)
        bending = None
        if joint.flexible:
            arm = self._arms.setdefault(joint.name, joint.aligned(self.value)[0])
            bending = Bending(arm, layout, R_AP)
        return Placing(
            self.index_of[way.inboard.body],
            joint,
            way.reversed,
            plus(r_HB_H, apply(R_HB, r_BJ_B)),
            self.index_of[joint.parent.body],
            () if joint.flexible else self._slides(way, R_AP),
            bending,
        )

    def _step(self, way: _Way) -> tuple[int, Joint] | None:
        """Return the section that carries a station, and the step from it, where the tree passes its arm outward."""
        if way.reversed or not isinstance(way.joint, StationArm):
            return None
        if (found := self.sections.step_to(way.joint)) is None:
            return None
        return found[0], self._arms.setdefault(f"{way.joint.name} outward", found[1])

    def _slides(self, way: _Way, R_AP: Matrix) -> tuple[Slide, ...]:
        joint = way.joint
        layout = self.coordinates.joints[joint.name]
        slides: list[Slide] = []
        for number, direction in zip(moving_coordinates(joint), _directions(joint, self.value), strict=True):
            place = layout.coordinates[number]
            assert place is not None, "the tree of positions has it"
            label = joint.coordinates[number].label
            speed = layout.speeds[joint.speed_labels.index(f"{label}.rate")]
            along = apply(R_AP, opposite(direction) if way.reversed else direction)
            slides.append(Slide(layout.names[number], place, speed if isinstance(speed, int) else None, along))
        return tuple(slides)


def _part(layout: JointLayout, coordinates: tuple[int, ...], speeds: tuple[int, ...]) -> JointLayout:
    """Return a layout with some of its coordinates and speeds."""
    return replace(
        layout,
        coordinates=tuple(place if i in coordinates else None for i, place in enumerate(layout.coordinates)),
        speeds=tuple(place if i in speeds else None for i, place in enumerate(layout.speeds)),
    )


def _directions(joint: Joint, value: Evaluator) -> list[Vector]:
    """Return the directions, in the axes of P, in which the coordinates of a joint move its child's point.

    A joint in a tree of positions moves it by r_PC_P = Σ q_k e_k; the modes at rest are the e_k.
    """
    modes = joint.motion_space([coordinate.rest for coordinate in joint.coordinates], value)
    return [modes[i].linear for i in speeds_of(joint, moving_coordinates(joint))]
