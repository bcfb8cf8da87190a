"""The motion of a tree of joints: each link relative to its parent, and in world axes where somebody asks for it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from gyrostat.kinematics.link import Tree
from gyrostat.kinematics.link_motion import LinkMotion, link_motion
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import WorldMotion, WorldPose
from gyrostat.model.forces import PointMotion
from gyrostat.model.kinds import End
from gyrostat.spatial import IDENTITY, ZERO, Vector, apply, cross, plus, product


@dataclass(frozen=True)
class TreeMotion(WorldMotion):
    """A tree of joints at one instant."""

    mechanism: Tree
    state: State
    motions: tuple[LinkMotion, ...]
    _poses: dict[int, WorldPose] = field(default_factory=dict)
    _omegas: dict[int, Vector] = field(default_factory=dict)
    _velocities: dict[int, Vector] = field(default_factory=dict)

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.mechanism

    def at(self, state: State) -> TreeMotion:
        """Return the motion of the same tree at another state."""
        return tree_motion(self.mechanism, state)

    def pose(self, index: int) -> WorldPose:
        """Return how a link's hinge frame stands in the world."""
        if index == GROUND_INDEX:
            return WorldPose(IDENTITY, ZERO)
        for i in self._missing(index, self._poses):
            motion, parent = self.motions[i], self.pose(self.tree.links[i].parent)
            R_WH = product(parent.R_WH, motion.R_PH)
            self._poses[i] = WorldPose(R_WH, plus(parent.r_WH_W, apply(parent.R_WH, motion.r_PH_P)))
        return self._poses[index]

    def omega(self, index: int) -> Vector:
        """Return the angular velocity of a link, in the axes of H."""
        if index == GROUND_INDEX:
            return ZERO
        for i in self._missing(index, self._omegas):
            motion, omega_P = self.motions[i], self.omega(self.tree.links[i].parent)
            self._omegas[i] = plus(motion.from_parent(omega_P), motion.omega)
        return self._omegas[index]

    def velocity(self, index: int) -> Vector:
        """Return the velocity of H's origin of a link, in the axes of H."""
        if index == GROUND_INDEX:
            return ZERO
        for i in self._missing(index, self._velocities):
            motion, parent = self.motions[i], self.tree.links[i].parent
            carried = plus(self.velocity(parent), cross(self.omega(parent), motion.r_PH_P))
            self._velocities[i] = plus(motion.from_parent(carried), motion.velocity)
        return self._velocities[index]

    def _missing(self, index: int, known: Container[int]) -> list[int]:
        """Return the links on the way from the ground to a link that are not known yet, outward."""
        way: list[int] = []
        while index != GROUND_INDEX and index not in known:
            way.append(index)
            index = self.tree.links[index].parent
        return way[::-1]

    def end(self, end: End) -> PointMotion:
        """Return the motion of a place on a body, in world axes."""
        index = self.tree.index_of[end.body]
        R_HE, r_HE_H = self.tree.placement_in_hinge(end)
        pose = self.pose(index)
        omega, velocity = self.omega(index), self.velocity(index)
        return PointMotion(
            position=plus(pose.r_WH_W, apply(pose.R_WH, r_HE_H)),
            velocity=apply(pose.R_WH, plus(velocity, cross(omega, r_HE_H))),
            rotation=product(pose.R_WH, R_HE),
            omega=apply(pose.R_WH, omega),
        )


def tree_motion(tree: Tree, state: State) -> TreeMotion:
    """Return the motion of a tree at a state."""
    return TreeMotion(tree, state, tuple(link_motion(tree, link, state) for link in tree.links))
