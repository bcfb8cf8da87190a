"""Chords of the Roberson–Schwertassek method: secondary joints with their relative motion.

Forehand et al., eq. 14, with c for a.
"""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.kinematics.chords import chord_motion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.joints import Joint, Mode
from gyrostat.spatial import Vector, apply, product


@dataclass(frozen=True)
class Chord:
    """A secondary joint: from-body f(c), to-body t(c), its relative motion and its loads in the axes of f(c)."""

    name: str
    origin: str
    target: str
    joint: Joint
    Omega: Vector
    V: Vector
    """G^c = [Ω^c; V^c]: the motion of t(c) relative to f(c) at the joint's point on t(c)."""
    psi: tuple[Mode, ...]
    """Unit reactions ψ^c, which span the loads that keep the joint together: Λ^c = ψ^c λ^c."""
    point: Vector
    """The joint's point on t(c), in world axes."""


def chord_of(motion: WorldMotion, joint: Joint) -> Chord:
    """Return a chord with its relative motion, turned from the child's axes to those of the from-body."""
    found = chord_motion(motion, joint)
    placement = motion.tree.coordinates.topology.model.placement(joint.parent, motion.tree.value)
    assert placement is not None, "a checked model has every end"
    R_BC = product(placement[0], found.pose.R_PC)
    return Chord(
        name=joint.name,
        origin=joint.parent.body,
        target=joint.child.body,
        joint=joint,
        Omega=apply(R_BC, found.twist.angular),
        V=apply(R_BC, found.twist.linear),
        psi=tuple(Mode(m.label, apply(R_BC, m.angular), apply(R_BC, m.linear)) for m in found.directions),
        point=motion.end(joint.child).position,
    )
