"""Coordinates: generalized coordinates and speeds of a mechanism, by a choice of trees."""

from gyrostat.coordinates.branch_coordinates import branch_coordinates
from gyrostat.coordinates.joint_coordinates import joint_coordinates
from gyrostat.coordinates.layout import Choice, Coordinates, JointLayout

__all__ = ["Choice", "Coordinates", "JointLayout", "branch_coordinates", "joint_coordinates"]
