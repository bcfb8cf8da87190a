"""Momenta of trees: about the world's origin, and along the speeds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gyrostat.equations.armature import add_loads
from gyrostat.equations.loads import Wrench
from gyrostat.equations.moving_masses import moving_masses
from gyrostat.equations.newton_euler import along, seen_from_parent
from gyrostat.kinematics.body_momentum import link_momenta
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply
from gyrostat.spatial import ZERO, Vector, apply, cross, dot, plus, scale


@dataclass(frozen=True)
class MomentumTerms:
    """Mass, mass times the position of the mass centre, linear momentum, and angular momentum about the origin."""

    mass: Scalar
    moment: Vector
    linear: Vector
    angular: Vector


def momentum(motion: WorldMotion, links: Iterable[int] | None = None) -> MomentumTerms:
    """Return the momenta of all bodies and ropes together, or of some links, rotors included, in world axes.

    Rope on the drum of a winch has no angular momentum about the axis of the drum here.
    """
    mass: Scalar = 0
    moment, linear, angular = ZERO, ZERO, ZERO
    for i in range(len(motion.tree.links)) if links is None else links:
        link, pose, own = motion.tree.links[i], motion.pose(i), link_momentum(motion, i)
        p_W = apply(pose.R_WH, own.force)
        mass = add(mass, link.mass)
        moment = plus(moment, plus(scale(link.mass, pose.r_WH_W), apply(pose.R_WH, link.moment)))
        linear = plus(linear, p_W)
        angular = plus(angular, plus(apply(pose.R_WH, own.moment), cross(pose.r_WH_W, p_W)))
    for part in moving_masses(motion) if links is None else ():
        mass, moment = add(mass, part.mass), plus(moment, part.moment)
        linear, angular = plus(linear, part.linear_momentum), plus(angular, part.angular_momentum)
    return MomentumTerms(mass, moment, linear, angular)


def link_momentum(motion: WorldMotion, index: int) -> Wrench:
    """Return one link's angular momentum about the origin of H (as `moment`) and linear momentum (as `force`), in H."""
    return Wrench(*link_momenta(motion, index))


def generalized_momenta(motion: TreeMotion) -> list[Scalar]:
    """Return ∂T/∂u for each speed: M u where no motion is given.

    The momentum of a link and all that it carries works on the modes of its joint as a wrench does.
    """
    tree = motion.tree
    carried = [link_momentum(motion, i) for i in range(len(tree.links))]
    result: list[Scalar] = [0] * tree.coordinates.n_u
    for i in reversed(range(len(tree.links))):
        link, relative = tree.links[i], motion.motions[i]
        for place, mode in relative.free:
            result[place] = add(result[place], along(mode, carried[i]))
        for wheel in link.wheels:
            if wheel.place is not None:
                turning = add(motion.state.u[wheel.place[1]], dot(wheel.axis, motion.omega(i)))
                result[wheel.place[1]] = multiply(wheel.inertia, turning)
        if link.parent != GROUND_INDEX:
            carried[link.parent] = carried[link.parent].plus(seen_from_parent(carried[i], relative.frame))
    add_loads(result, motion.state.u, motion)
    return result
