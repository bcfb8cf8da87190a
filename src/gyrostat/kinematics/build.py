"""The kinematics of a choice of coordinates: a tree of joints, or branches on two trees."""

from __future__ import annotations

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.branch_motion import build_branches
from gyrostat.kinematics.mechanism import Carried, KinematicTree
from gyrostat.kinematics.tree_motion import build_tree
from gyrostat.model.evaluator import Evaluator


def build_mechanism(coordinates: Coordinates, value: Evaluator) -> KinematicTree[Carried]:
    """Return the links of a mechanism in its coordinates, everything constant evaluated on one engine."""
    return build_tree(coordinates, value) if coordinates.are_joint_coordinates else build_branches(coordinates, value)
