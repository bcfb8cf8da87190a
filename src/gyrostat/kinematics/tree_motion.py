"""A tree of joints and its motion: each link relative to its parent, and in world axes on request."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.joint_links import joint_links
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.link_group import LinkGroup, link_groups
from gyrostat.kinematics.link_motion import LinkMotion, RelativeFrame, link_motion
from gyrostat.kinematics.mechanism import GROUND_INDEX, KinematicTree
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.varying_masses import with_varying_masses
from gyrostat.kinematics.world import WorldMotion, WorldPose
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import PointMotion
from gyrostat.model.joints import Mode
from gyrostat.model.kinds import End
from gyrostat.once import cached_property
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, cross, plus, product


@dataclass(frozen=True)
class Tree(KinematicTree[Link]):
    """The links of a mechanism, each after its parent."""

    def at(self, state: MotionState) -> TreeMotion:
        """Return the motion of the tree at a state, with the masses that its links have there."""
        return with_varying_masses(self.bare.kinematics_at(state))

    def kinematics_at(self, state: MotionState) -> TreeMotion:
        """Return the motion of the tree at a state, whose links are those given."""
        return TreeMotion(self, state, tuple(link_motion(self, link, state) for link in self.links))

    @cached_property
    def turning_joints(self) -> Mapping[int, Link]:
        """The inboard joint of each link."""
        return dict(enumerate(self.links))

    def sections_of(self, body: str) -> tuple[int, ...]:
        """Return the links that carry the mass of a flexible body; none of a rigid one."""
        return self._sections.get(body, ())

    @cached_property
    def _sections(self) -> Mapping[str, tuple[int, ...]]:
        roots = {link.whole[0].parent.body for link in self.links if link.body and link.whole[0].flexible}
        owners = [(i, link.joint.parent.body) for i, link in enumerate(self.links) if not link.body]
        return {root: tuple(i for i, owner in owners if owner == root) for root in roots}

    @cached_property
    def groups(self) -> tuple[LinkGroup, ...]:
        """The groups of links that share coordinates."""
        return link_groups(self.links)

    @cached_property
    def group_of(self) -> Mapping[int, int]:
        """The number of the group of each link that shares its coordinates."""
        return {i: number for number, group in enumerate(self.groups) for i in group.links}

    def children(self) -> list[list[int]]:
        """Return for each link the links that it carries."""
        children: list[list[int]] = [[] for _ in self.links]
        for i, link in enumerate(self.links):
            if link.parent != GROUND_INDEX:
                children[link.parent].append(i)
        return children

    def tour(self) -> Iterator[tuple[int, bool]]:
        """Pass every link twice: before all links that it carries, and (with True) after them.

        In this order few intermediate results are alive at a time: a limb is finished before the next begins.
        """
        children = self.children()
        stack = [(i, False) for i in reversed(range(len(self.links))) if self.links[i].parent == GROUND_INDEX]
        while stack:
            i, leaving = stack.pop()
            yield i, leaving
            if not leaving:
                stack.append((i, True))
                stack.extend((child, False) for child in reversed(children[i]))


@dataclass(frozen=True)
class TreeMotion(WorldMotion):
    """A tree of joints at one instant."""

    tree: Tree
    state: MotionState
    motions: tuple[LinkMotion, ...]
    _poses: dict[int, WorldPose] = field(default_factory=dict)
    _omegas: dict[int, Vector] = field(default_factory=dict)
    _velocities: dict[int, Vector] = field(default_factory=dict)

    forces_in_world: ClassVar[bool] = False

    def with_masses(self, links: Sequence[Link]) -> Self:
        """Return the same motion of links with other masses."""
        return replace(self, tree=replace(self.tree, links=tuple(links), bare_links=self.tree.links))

    def pose(self, index: int) -> WorldPose:
        """Return the pose of a link's hinge frame in the world."""
        if index == GROUND_INDEX:
            return WorldPose(IDENTITY, ZERO)
        for i in self._missing(index, self._poses):
            motion, parent = self.motions[i], self.pose(self.tree.links[i].parent)
            self._poses[i] = _placed(parent, motion.R_PH, motion.r_PH_P)
        return self._poses[index]

    def omega(self, index: int) -> Vector:
        """Return the angular velocity of a link, in the axes of H."""
        if index == GROUND_INDEX:
            return ZERO
        for i in self._missing(index, self._omegas):
            motion, omega_P = self.motions[i], self.omega(self.tree.links[i].parent)
            self._omegas[i] = _turned(motion.frame, omega_P, motion.omega)
        return self._omegas[index]

    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""
        if index == GROUND_INDEX:
            return ZERO
        for i in self._missing(index, self._velocities):
            motion, parent = self.motions[i], self.tree.links[i].parent
            self._velocities[i] = _carried(motion.frame, self.velocity(parent), self.omega(parent), motion.velocity)
        return self._velocities[index]

    def _missing(self, index: int, known: Container[int]) -> list[int]:
        """Return the links on the path from the ground to a link whose motion is not computed yet, outward."""
        way: list[int] = []
        while index != GROUND_INDEX and index not in known:
            way.append(index)
            index = self.tree.links[index].parent
        return way[::-1]

    def speed_mode(self, place: int) -> Mode:
        """Return the relative angular velocity and velocity across a joint, in world axes, per unit of a speed."""
        angular, linear = ZERO, ZERO
        for i, relative in enumerate(self.motions):
            for mode in (mode for other, mode in relative.free if other == place):
                R_WH = self.pose(i).R_WH
                angular, linear = plus(angular, apply(R_WH, mode.angular)), plus(linear, apply(R_WH, mode.linear))
        return Mode("speed", angular, linear)

    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""
        index = self.tree.index_of[end.body]
        R_HE, r_HE_H = self.tree.placement_in_hinge(end)
        pose = self.pose(index)
        omega, velocity = self.omega(index), self.velocity(index)
        return _point_motion(pose, omega, velocity, R_HE, r_HE_H)

    def speeds_to(self, end: End) -> Collection[int]:
        """Return the speeds of the joints between a body and the ground, by place in u."""
        way = self._missing(self.tree.index_of[end.body], ())
        return {place for i in way for place, _ in self.motions[i].free}


@repeated
def _point_motion(pose: WorldPose, omega: Vector, velocity: Vector, R_HE: Matrix, r_HE_H: Vector) -> PointMotion:
    """Return the motion of a place on a body, in world axes, from that of its link."""
    return PointMotion(
        position=plus(pose.r_WH_W, apply(pose.R_WH, r_HE_H)),
        velocity=apply(pose.R_WH, plus(velocity, cross(omega, r_HE_H))),
        rotation=product(pose.R_WH, R_HE),
        omega=apply(pose.R_WH, omega),
    )


@repeated
def _turned(frame: RelativeFrame, omega_P: Vector, relative: Vector) -> Vector:
    """Return the angular velocity of a link from that of its parent."""
    return plus(frame.from_parent(omega_P), relative)


@repeated
def _carried(frame: RelativeFrame, velocity_P: Vector, omega_P: Vector, relative: Vector) -> Vector:
    """Return the velocity of H's origin of a link from the motion of its parent."""
    return plus(frame.from_parent(plus(velocity_P, cross(omega_P, frame.r_PH_P))), relative)


@repeated
def _placed(parent: WorldPose, R_PH: Matrix, r_PH_P: Vector) -> WorldPose:
    """Return the pose of a link from that of its parent."""
    return WorldPose(product(parent.R_WH, R_PH), plus(parent.r_WH_W, apply(parent.R_WH, r_PH_P)))


def build_tree(coordinates: Coordinates, value: Evaluator, links: Iterable[Link] | None = None) -> Tree:
    """Return the links of the spanning tree, which may be given, with all constants, on one engine."""
    gravity = value.vector(coordinates.topology.model.gravity)
    return Tree(coordinates, value, gravity, tuple(joint_links(coordinates, value) if links is None else links))
