"""Arcs of the Roberson–Schwertassek method: primary joints and their motion (Forehand et al., eqs. 14 and 18)."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.kinematics.link_motion import joint_motion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.joints import Joint, Mode
from gyrostat.spatial import Vector, apply, cross, plus, product


@dataclass(frozen=True)
class Arc:
    """A primary joint: from-body f(a), to-body t(a), and its relative motion in the axes of f(a)."""

    name: str
    origin: str
    target: str
    joint: Joint
    phi: tuple[tuple[int, Mode], ...]
    """Free mode vectors φ^a of unknown speeds, with their places in u (eq. 18)."""
    Omega: Vector
    V: Vector
    """G^a = [Ω^a; V^a] (eq. 14)."""
    phi_dot_g: Mode
    """φ̇^a g^a, with φ^a ġ^a of driven coordinates."""
    offset: Vector
    """The displacement across the joint, in its parent frame P."""


def arc_of(motion: WorldMotion, joint: Joint) -> Arc:
    """Return an arc with its relative motion, turned from the child's axes to those of the from-body."""
    tree = motion.tree
    relative = joint_motion(tree, joint, tree.coordinates.joints[joint.name], motion.state)
    placement = tree.coordinates.topology.model.placement(joint.parent, tree.value)
    assert placement is not None, "a checked model has every end"
    R_BC = product(placement[0], relative.pose.R_PC)

    def turned(mode: Mode) -> Mode:
        return Mode(mode.label, apply(R_BC, mode.angular), apply(R_BC, mode.linear))

    turning = plus(relative.bias.linear, cross(relative.omega, relative.velocity))
    return Arc(
        name=joint.name,
        origin=joint.parent.body,
        target=joint.child.body,
        joint=joint,
        phi=tuple((place, turned(mode)) for place, mode in relative.free),
        Omega=apply(R_BC, relative.omega),
        V=apply(R_BC, relative.velocity),
        phi_dot_g=turned(Mode("rate", relative.bias.angular, turning)),
        offset=relative.pose.r_PC_P,
    )
