"""The displacement of a flexible arm that places a link in a tree of positions."""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.kinematics.link_motion import JointMotion
from gyrostat.spatial import Matrix, Vector, apply, cross, opposite, plus, product


class BentArm(NamedTuple):
    """The displacement of an arm with its rates, in the hinge axes in which the root of the flexible body is fixed."""

    value: Vector
    rate: Vector
    acceleration: Vector
    """The second rate while unknown speeds do not change."""
    free: tuple[tuple[int, Vector], ...]
    """The rates per unit of the speeds of the elastic coordinates, with the places of these in u."""


def bent_arm(across: JointMotion, R_AP: Matrix, *, backwards: bool) -> BentArm:
    """Return the displacement r_PC of the relative motion across an arm, with the opposite sign if passed backwards.

    With v the velocity of C in its own axes, r' = R_PC v and r'' = R_PC (v' + ω × v).
    """
    R_AC = product(R_AP, across.pose.R_PC)

    def directed(a: Vector) -> Vector:
        return opposite(a) if backwards else a

    coasting = plus(across.bias.linear, cross(across.omega, across.velocity))
    return BentArm(
        directed(apply(R_AP, across.pose.r_PC_P)),
        directed(apply(R_AC, across.velocity)),
        directed(apply(R_AC, coasting)),
        tuple((place, directed(apply(R_AC, mode.linear))) for place, mode in across.free),
    )
