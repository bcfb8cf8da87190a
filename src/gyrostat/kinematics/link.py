"""Links: bodies with the joints that carry them, in the frames that recursions use."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.coordinates import JointLayout
from gyrostat.kinematics.mechanism import Carried
from gyrostat.model import Joint
from gyrostat.spatial import Matrix, PlaneTurn, Vector


@dataclass(frozen=True)
class Link(Carried):
    """A body and its inboard joint; index −1 as parent is the ground.

    A joint with several freedoms may be a row of links, one for each of its stages: all but the last carry no body
    (`body` is empty) and have no mass. `whole` is the joint that the model has, with all its coordinates.
    """

    parent: int
    joint: Joint
    reversed: bool
    layout: JointLayout
    whole: tuple[Joint, JointLayout]
    R_PJ: Matrix
    r_PJ_P: Vector
    """The pose of the joint's inboard frame J in the parent's hinge frame P."""
    turns: tuple[PlaneTurn, PlaneTurn, PlaneTurn] | None = None
    """R_PJ as turns, where recursions are to have one form for all joints."""
