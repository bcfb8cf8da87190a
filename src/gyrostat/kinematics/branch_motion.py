"""A mechanism on two trees and its motion: rotations first, then positions.

Angular velocities are in the axes of each body's hinge frame, where its inertia is constant; positions and velocities
of the frames' origins are in world axes, where a body that floats has constant mass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, TypeVar

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.bent_arm import BentArm, bent_arm
from gyrostat.kinematics.branches import BranchLink, Placing, Slide, Turning, branch_links
from gyrostat.kinematics.link_motion import JointMotion, joint_motion
from gyrostat.kinematics.mechanism import GROUND_INDEX, KinematicTree
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.varying_masses import with_varying_masses
from gyrostat.kinematics.world import WorldMotion, WorldPose
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import PointMotion
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Mode
from gyrostat.model.kinds import End
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    apply,
    cross,
    plus,
    product,
    scale,
    transpose,
)
from gyrostat.topology import SpanningTree


@dataclass(frozen=True)
class BranchTree(KinematicTree[BranchLink]):
    """The bodies of a mechanism with their branches in two trees."""

    turning_order: tuple[int, ...]
    """The links, each after the one that its rotation begins at."""
    placing_order: tuple[int, ...]
    """The links, each after the one that its position begins at."""

    def at(self, state: MotionState) -> BranchMotion:
        """Return the motion of the mechanism at a state, with the masses that its links have there."""
        return with_varying_masses(self.bare.kinematics_at(state))

    def kinematics_at(self, state: MotionState) -> BranchMotion:
        """Return the motion of the mechanism at a state, whose links are those given."""
        turns = tuple(
            joint_motion(self, link.turning.joint, link.turning.layout, state, turned_round=link.turning.reversed)
            for link in self.links
        )
        bends: dict[int, BentArm] = {}
        for i, link in enumerate(self.links):
            if (bending := link.placing.bending) is not None:
                same = link.turning.joint is bending.arm and not link.turning.reversed
                across = turns[i] if same else joint_motion(self, bending.arm, bending.layout, state)
                bends[i] = bent_arm(across, bending.R_AP, backwards=link.placing.reversed)
        return BranchMotion(self, state, turns, bends)

    def sections_of(self, body: str) -> tuple[int, ...]:
        """Return the links that carry the mass of a flexible body; none of a rigid one."""
        return self._sections.get(body, ())

    @cached_property
    def _sections(self) -> Mapping[str, tuple[int, ...]]:
        return _lists((link.turning.joint.parent.body, i) for i, link in enumerate(self.links) if not link.body)

    @cached_property
    def turning_joints(self) -> Mapping[int, Turning]:
        """The branches of orientations, outward."""
        return {i: self.links[i].turning for i in self.turning_order}

    @cached_property
    def turner(self) -> Mapping[int, int]:
        """For each link the one that its rotation begins at."""
        return {i: link.turning.parent for i, link in enumerate(self.links)}

    @cached_property
    def placer(self) -> Mapping[int, int]:
        """For each link the one that its position begins at."""
        return {i: link.placing.parent for i, link in enumerate(self.links)}

    @cached_property
    def turned_from(self) -> Mapping[int, tuple[int, ...]]:
        """For each link those whose rotation begins at it."""
        return _lists((link.turning.parent, i) for i, link in enumerate(self.links))

    @cached_property
    def placed_from(self) -> Mapping[int, tuple[int, ...]]:
        """For each link those whose position begins at it."""
        return _lists((link.placing.parent, i) for i, link in enumerate(self.links))

    @cached_property
    def slid_along(self) -> Mapping[int, tuple[int, ...]]:
        """For each link those whose displacement has its direction in it."""
        return _lists((link.placing.axes, i) for i, link in enumerate(self.links) if link.placing.moves)

    @cached_property
    def turning_rank(self) -> Mapping[int, int]:
        """The place of each link in the order of rotations."""
        return {link: rank for rank, link in enumerate(self.turning_order)}

    @cached_property
    def placing_rank(self) -> Mapping[int, int]:
        """The place of each link in the order of positions."""
        return {link: rank for rank, link in enumerate(self.placing_order)}


_Key = TypeVar("_Key")


def _lists(pairs: Iterable[tuple[_Key, int]]) -> Mapping[_Key, tuple[int, ...]]:
    found: dict[_Key, list[int]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in found.items()}


@dataclass(frozen=True)
class BranchMotion(WorldMotion):
    """A mechanism on two trees at one instant."""

    tree: BranchTree
    state: MotionState
    turns: tuple[JointMotion, ...]
    """The relative motion in the branch that turns each link, in the direction of the tree."""
    bends: Mapping[int, BentArm]
    """The displacements of flexible arms, by the links that these place."""
    _omegas_W: dict[int, Vector] = field(default_factory=dict)

    forces_in_world: ClassVar[bool] = True

    def with_masses(self, links: Sequence[BranchLink]) -> Self:
        """Return the same motion of links with other masses."""
        return replace(self, tree=replace(self.tree, links=tuple(links), bare_links=self.tree.links))

    # --- rotations ----------------------------------------------------------------------------------------------

    @cached_property
    def relative_rotations(self) -> dict[int, Matrix]:
        """R_PH of all links, in the link that turns each."""
        return {
            i: product(turning.R_PJ, transpose(turn.pose.R_PC) if turning.reversed else turn.pose.R_PC)
            for (i, turning), turn in ((pair, self.turns[pair[0]]) for pair in self.tree.turning_joints.items())
        }

    @cached_property
    def rotations(self) -> dict[int, Matrix]:
        """R_WH of all links, and of the ground."""
        found: dict[int, Matrix] = {GROUND_INDEX: IDENTITY}
        for i, turning in self.tree.turning_joints.items():
            found[i] = _turned_further(found[turning.parent], self.relative_rotations[i])
        return found

    @cached_property
    def omegas(self) -> dict[int, Vector]:
        """The angular velocities of all links, each in its own axes."""
        found: dict[int, Vector] = {GROUND_INDEX: ZERO}
        for i, turning in self.tree.turning_joints.items():
            found[i] = plus(self.from_turner(i, found[turning.parent]), self.turns[i].omega)
        return found

    def from_turner(self, index: int, a: Vector) -> Vector:
        """Return R_HP a, of a vector in the axes of the link that turns this one."""
        return apply(transpose(self.relative_rotations[index]), a)

    def to_turner(self, index: int, a: Vector) -> Vector:
        """Return R_PH a."""
        return apply(self.relative_rotations[index], a)

    def omega(self, index: int) -> Vector:
        """Return the angular velocity of a link, in the axes of H."""
        return self.omegas[index]

    def omega_W(self, index: int) -> Vector:
        """Return the angular velocity of a link, in world axes."""
        if index not in self._omegas_W:
            self._omegas_W[index] = apply(self.rotations[index], self.omegas[index])
        return self._omegas_W[index]

    # --- positions ----------------------------------------------------------------------------------------------

    def jet(self, slide: Slide) -> Jet:
        """Return a displacement with its rate and, if it is driven, its acceleration."""
        if isinstance(slide.coordinate, Formula):
            return self.state.in_time(slide.coordinate, self.tree.value)
        assert slide.speed is not None, "a displacement that is not driven has a speed"
        return Jet(self.state.q[slide.coordinate], self.state.u[slide.speed], 0)

    @cached_property
    def slide_directions(self) -> dict[int, tuple[Vector, ...]]:
        """The directions of the displacements by which each link is placed, in world axes."""
        return {
            i: tuple(apply(self.rotations[link.placing.axes], slide.direction) for slide in link.placing.slides)
            for i, link in enumerate(self.tree.links)
        }

    @cached_property
    def placing_modes(self) -> dict[int, tuple[tuple[int, Vector], ...]]:
        """The rates of the displacement by which each link is placed, in world axes, per unit of unknown speeds."""
        found: dict[int, tuple[tuple[int, Vector], ...]] = {}
        for i, link in enumerate(self.tree.links):
            slid = zip(link.placing.slides, self.slide_directions[i], strict=True)
            own = [(slide.speed, direction) for slide, direction in slid if slide.speed is not None]
            if i in self.bends:
                R_WA = self.rotations[link.placing.axes]
                own += [(place, apply(R_WA, direction)) for place, direction in self.bends[i].free]
            found[i] = tuple(own)
        return found

    @cached_property
    def displacements(self) -> dict[int, Vector]:
        """The displacement in the branch that places each link, in world axes."""
        return {i: self._displaced(i, link.placing, "value") for i, link in enumerate(self.tree.links)}

    @cached_property
    def sliding(self) -> dict[int, Vector]:
        """The rate of that displacement in the axes that it is fixed in, in world axes."""
        return {i: self._displaced(i, link.placing, "rate") for i, link in enumerate(self.tree.links)}

    @cached_property
    def coasting(self) -> dict[int, Vector]:
        """The second rate of that displacement while unknown speeds do not change, in world axes."""
        return {i: self._displaced(i, link.placing, "acceleration") for i, link in enumerate(self.tree.links)}

    def _displaced(self, index: int, placing: Placing, part: str) -> Vector:
        """Return the displacement of a branch, or one of its rates."""
        moved = getattr(self.bends[index], part) if index in self.bends else ZERO
        for slide in placing.slides:
            size: Scalar = getattr(self.jet(slide), part)
            moved = plus(moved, scale(size, slide.direction))
        return apply(self.rotations[placing.axes], moved)

    @cached_property
    def starts(self) -> dict[int, Vector]:
        """The arm, in world axes, from the parent's origin to the point where the branch to each link begins."""
        return {
            i: apply(self.rotations[link.placing.parent], link.placing.r_PJ_P) for i, link in enumerate(self.tree.links)
        }

    @cached_property
    def positions(self) -> dict[int, Vector]:
        """The origins of all hinge frames, in world axes."""
        found: dict[int, Vector] = {GROUND_INDEX: ZERO}
        for i in self.tree.placing_order:
            parent = self.tree.links[i].placing.parent
            found[i] = plus(plus(found[parent], self.starts[i]), self.displacements[i])
        return found

    @cached_property
    def velocities(self) -> dict[int, Vector]:
        """The velocities of the origins of all hinge frames, in world axes."""
        found: dict[int, Vector] = {GROUND_INDEX: ZERO}
        for i in self.tree.placing_order:
            placing = self.tree.links[i].placing
            carried = plus(found[placing.parent], self._turned(placing.parent, self.starts[i]))
            own = plus(self.sliding[i], self._turned(placing.axes, self.displacements[i]))
            found[i] = plus(carried, own)
        return found

    def _turned(self, index: int, arm: Vector) -> Vector:
        """Return ω × arm, in world axes, of a link."""
        return ZERO if index == GROUND_INDEX or arm is ZERO else cross(self.omega_W(index), arm)

    def pose(self, index: int) -> WorldPose:
        """Return the pose of a link's hinge frame in the world."""
        return WorldPose(self.rotations[index], self.positions[index])

    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""
        return apply(transpose(self.rotations[index]), self.velocities[index])

    def speed_mode(self, place: int) -> Mode:
        """Return the relative angular velocity and velocity across a branch, in world axes, per unit of a speed."""
        angular, linear = ZERO, ZERO
        for i in range(len(self.tree.links)):
            for mode in (mode for other, mode in self.turns[i].free if other == place):
                angular = plus(angular, apply(self.rotations[i], mode.angular))
            for other, direction in self.placing_modes[i]:
                linear = plus(linear, direction) if other == place else linear
        return Mode("speed", angular, linear)

    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""
        index = self.tree.index_of[end.body]
        R_HE, r_HE_H = self.tree.placement_in_hinge(end)
        pose = WorldPose(self.rotations[index], self.positions[index])
        return _point_motion(pose, self.velocities[index], self.omega_W(index), R_HE, r_HE_H)


@repeated
def _turned_further(R_WP: Matrix, R_PH: Matrix) -> Matrix:
    """Return the rotation of a link from that of the link that turns it."""
    return product(R_WP, R_PH)


@repeated
def _point_motion(pose: WorldPose, velocity: Vector, omega_W: Vector, R_HE: Matrix, r_HE_H: Vector) -> PointMotion:
    """Return the motion of a place on a body, in world axes, from that of its link."""
    arm = apply(pose.R_WH, r_HE_H)
    return PointMotion(
        position=plus(pose.r_WH_W, arm),
        velocity=plus(velocity, cross(omega_W, arm)),
        rotation=product(pose.R_WH, R_HE),
        omega=omega_W,
    )


def build_branches(coordinates: Coordinates, value: Evaluator) -> BranchTree:
    """Return the bodies with their branches and all constants, on one engine."""
    links, trees = branch_links(coordinates, value), coordinates.trees
    index_of = {link.body: i for i, link in enumerate(links) if link.body}
    sections: dict[str, list[int]] = {}
    for i, link in enumerate(links):
        if not link.body:
            sections.setdefault(link.turning.joint.parent.body, []).append(i)

    def outward(tree: SpanningTree) -> tuple[int, ...]:
        """Return the links in the order of a tree, the sections of a body after it."""
        return tuple(i for name in tree.order[1:] for i in (index_of[name], *sections.get(name, ())))

    gravity = value.vector(coordinates.topology.model.gravity)
    return BranchTree(coordinates, value, gravity, links, outward(trees.rotation), outward(trees.translation))
