"""The motion of a mechanism on two trees: rotations first, then positions.

Angular velocities are in the axes of each body's hinge frame, where its inertia is constant; positions and velocities
of the frames' origins are in world axes, where a body that floats has constant mass.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gyrostat.kinematics.branches import BranchTree, Placing, Slide
from gyrostat.kinematics.link_motion import JointMotion, joint_motion
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import WorldMotion, WorldPose
from gyrostat.model.forces import PointMotion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet
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


@dataclass(frozen=True)
class BranchMotion(WorldMotion):
    """A mechanism on two trees at one instant."""

    mechanism: BranchTree
    state: State
    turns: tuple[JointMotion, ...]
    """The relative motion in the branch that turns each link, in the direction of the tree."""
    _omegas_W: dict[int, Vector] = field(default_factory=dict)

    @property
    def tree(self) -> BranchTree:
        """The bodies with their branches."""
        return self.mechanism

    def at(self, state: State) -> BranchMotion:
        """Return the motion of the same mechanism at another state."""
        return branch_motion(self.mechanism, state)

    # --- rotations ----------------------------------------------------------------------------------------------

    @cached_property
    def relative_rotations(self) -> dict[int, Matrix]:
        """R_PH of all links, in the link that turns each."""
        return {
            i: product(turning.R_PJ, transpose(turn.pose.R_PC) if turning.reversed else turn.pose.R_PC)
            for (i, turning), turn in ((pair, self.turns[pair[0]]) for pair in self.mechanism.turnings)
        }

    @cached_property
    def rotations(self) -> dict[int, Matrix]:
        """R_WH of all links, and of the ground."""
        found: dict[int, Matrix] = {GROUND_INDEX: IDENTITY}
        for i, turning in self.mechanism.turnings:
            found[i] = product(found[turning.parent], self.relative_rotations[i])
        return found

    @cached_property
    def omegas(self) -> dict[int, Vector]:
        """The angular velocities of all links, each in its own axes."""
        found: dict[int, Vector] = {GROUND_INDEX: ZERO}
        for i, turning in self.mechanism.turnings:
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
            return self.state.in_time(slide.coordinate, self.mechanism.value)
        assert slide.speed is not None, "a displacement that is not driven has a speed"
        return Jet(self.state.q[slide.coordinate], self.state.u[slide.speed], 0)

    @cached_property
    def slide_directions(self) -> dict[int, tuple[Vector, ...]]:
        """The directions of the displacements by which each link is placed, in world axes."""
        return {
            i: tuple(apply(self.rotations[link.placing.axes], slide.direction) for slide in link.placing.slides)
            for i, link in enumerate(self.mechanism.links)
        }

    @cached_property
    def displacements(self) -> dict[int, Vector]:
        """The displacement in the branch that places each link, in world axes."""
        return {i: self._slid(link.placing, "value") for i, link in enumerate(self.mechanism.links)}

    @cached_property
    def sliding(self) -> dict[int, Vector]:
        """The rate of that displacement in the axes that it is fixed in, in world axes."""
        return {i: self._slid(link.placing, "rate") for i, link in enumerate(self.mechanism.links)}

    def _slid(self, placing: Placing, part: str) -> Vector:
        moved = ZERO
        for slide in placing.slides:
            size: Scalar = getattr(self.jet(slide), part)
            moved = plus(moved, scale(size, slide.direction))
        return apply(self.rotations[placing.axes], moved)

    @cached_property
    def starts(self) -> dict[int, Vector]:
        """The arm, in world axes, from the parent's origin to the point where the branch to each link begins."""
        return {
            i: apply(self.rotations[link.placing.parent], link.placing.r_PJ_P)
            for i, link in enumerate(self.mechanism.links)
        }

    @cached_property
    def positions(self) -> dict[int, Vector]:
        """The origins of all hinge frames, in world axes."""
        found: dict[int, Vector] = {GROUND_INDEX: ZERO}
        for i in self.mechanism.placing_order:
            parent = self.mechanism.links[i].placing.parent
            found[i] = plus(plus(found[parent], self.starts[i]), self.displacements[i])
        return found

    @cached_property
    def velocities(self) -> dict[int, Vector]:
        """The velocities of the origins of all hinge frames, in world axes."""
        found: dict[int, Vector] = {GROUND_INDEX: ZERO}
        for i in self.mechanism.placing_order:
            placing = self.mechanism.links[i].placing
            carried = plus(found[placing.parent], self._turned(placing.parent, self.starts[i]))
            own = plus(self.sliding[i], self._turned(placing.axes, self.displacements[i]))
            found[i] = plus(carried, own)
        return found

    def _turned(self, index: int, arm: Vector) -> Vector:
        """Return ω × arm, in world axes, of a link."""
        return ZERO if index == GROUND_INDEX or arm is ZERO else cross(self.omega_W(index), arm)

    def pose(self, index: int) -> WorldPose:
        """Return how a link's hinge frame stands in the world."""
        return WorldPose(self.rotations[index], self.positions[index])

    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""
        return apply(transpose(self.rotations[index]), self.velocities[index])

    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""
        index = self.mechanism.index_of[end.body]
        R_HE, r_HE_H = self.mechanism.placement_in_hinge(end)
        R_WH = self.rotations[index]
        arm = apply(R_WH, r_HE_H)
        return PointMotion(
            position=plus(self.positions[index], arm),
            velocity=plus(self.velocities[index], self._turned(index, arm)),
            rotation=product(R_WH, R_HE),
            omega=self.omega_W(index),
        )


def branch_motion(mechanism: BranchTree, state: State) -> BranchMotion:
    """Return the motion of a mechanism on two trees at a state."""
    turns = tuple(
        joint_motion(mechanism, link.turning.joint, link.turning.layout, state, turned_round=link.turning.reversed)
        for link in mechanism.links
    )
    return BranchMotion(mechanism, state, turns)
