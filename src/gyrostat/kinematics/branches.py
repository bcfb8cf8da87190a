"""Branches: the orientation of each body by one tree and its position by another (McPhee 2002, part 3).

The tree of orientations gives every body the rotation of its hinge frame H, the tree of positions the origin of H. A
branch may be a joint, passed either way, or the body itself, which represents free motion relative to the ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gyrostat.coordinates import Coordinates, JointLayout
from gyrostat.coordinates.branch_coordinates import moving_coordinates, speeds_of, turning_coordinates
from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried, carried_body, turned_placement
from gyrostat.model import Joint
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, opposite, plus, product, transpose
from gyrostat.topology import SpanningTree


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
class Placing:
    """The branch that places a body: the origin of H, from a point of the parent, by displacements.

    Their directions are fixed in the hinge axes of the link `axes`: that of the joint's parent, which is the body
    itself where the branch is passed backwards; there they have the opposite sign already.
    """

    parent: int
    joint: Joint
    reversed: bool
    r_PJ_P: Vector
    """The point that the branch begins at, from the origin of the parent's hinge frame P, in its axes."""
    axes: int
    slides: tuple[Slide, ...]


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
    """Return the bodies with their branches, in the order of the topology's spanning tree."""
    trees = coordinates.trees
    topology = coordinates.topology
    order = topology.tree.order[1:]
    index_of = {GROUND: GROUND_INDEX, **{name: i for i, name in enumerate(order)}}
    turned = {name: _way(coordinates, trees.rotation, name) for name in order}
    placed = {name: _way(coordinates, trees.translation, name) for name in order}
    frames = {GROUND: (IDENTITY, ZERO)}  # R_HB, r_HB_H
    for name in order:
        _, R_PA = turned[name].joint.aligned(value)
        R_BH, _ = turned_placement(topology.model.placement(turned[name].outboard, value), R_PA)
        _, r_BH_B = turned_placement(topology.model.placement(placed[name].outboard, value), IDENTITY)
        R_HB = transpose(R_BH)
        frames[name] = (R_HB, opposite(apply(R_HB, r_BH_B)))
    links = []
    for name in order:
        body = carried_body(topology.model.bodies[name], *frames[name], coordinates, value)
        turning = _turning(turned[name], coordinates, value, frames, index_of)
        placing = _placing(placed[name], coordinates, value, frames, index_of)
        links.append(BranchLink(**body.__dict__, turning=turning, placing=placing))
    return tuple(links)


def _way(coordinates: Coordinates, tree: SpanningTree, body: str) -> _Way:
    joint = coordinates.elements[tree.parent_edge[body]]
    if joint.child.body == body:
        return _Way(joint, joint.parent, joint.child)
    return _Way(joint, joint.child, joint.parent)


_Frames = Mapping[str, tuple[Matrix, Vector]]


def _turning(
    way: _Way, coordinates: Coordinates, value: Evaluator, frames: _Frames, index_of: Mapping[str, int]
) -> Turning:
    aligned, R_PA = way.joint.aligned(value)
    R_BJ, _ = turned_placement(coordinates.topology.model.placement(way.inboard, value), R_PA)
    numbers = turning_coordinates(way.joint)
    layout = _part(coordinates.joints[way.joint.name], numbers, speeds_of(way.joint, numbers))
    R_PJ = product(frames[way.inboard.body][0], R_BJ)
    return Turning(index_of[way.inboard.body], aligned, way.reversed, layout, R_PJ)


def _part(layout: JointLayout, coordinates: tuple[int, ...], speeds: tuple[int, ...]) -> JointLayout:
    """Return a layout with some of its coordinates and speeds."""
    return replace(
        layout,
        coordinates=tuple(place if i in coordinates else None for i, place in enumerate(layout.coordinates)),
        speeds=tuple(place if i in speeds else None for i, place in enumerate(layout.speeds)),
    )


def _placing(
    way: _Way, coordinates: Coordinates, value: Evaluator, frames: _Frames, index_of: Mapping[str, int]
) -> Placing:
    joint, model = way.joint, coordinates.topology.model
    layout = coordinates.joints[joint.name]
    R_HB, r_HB_H = frames[way.inboard.body]
    _, r_BJ_B = turned_placement(model.placement(way.inboard, value), IDENTITY)
    R_BP, _ = turned_placement(model.placement(joint.parent, value), IDENTITY)
    R_AP = product(frames[joint.parent.body][0], R_BP)
    slides: list[Slide] = []
    for number, direction in zip(moving_coordinates(joint), _directions(joint, value), strict=True):
        place = layout.coordinates[number]
        assert place is not None, "the tree of positions has it"
        label = joint.coordinates[number].label
        speed = layout.speeds[joint.speed_labels.index(f"{label}.rate")]
        along = apply(R_AP, opposite(direction) if way.reversed else direction)
        slides.append(Slide(layout.names[number], place, speed if isinstance(speed, int) else None, along))
    return Placing(
        index_of[way.inboard.body],
        joint,
        way.reversed,
        plus(r_HB_H, apply(R_HB, r_BJ_B)),
        index_of[joint.parent.body],
        tuple(slides),
    )


def _directions(joint: Joint, value: Evaluator) -> list[Vector]:
    """Return the directions, in the axes of P, in which the coordinates of a joint move its child's point.

    A joint in a tree of positions moves it by r_PC_P = Σ q_k e_k; the modes at rest are the e_k.
    """
    modes = joint.motion_space([coordinate.rest for coordinate in joint.coordinates], value)
    return [modes[i].linear for i in speeds_of(joint, moving_coordinates(joint))]
