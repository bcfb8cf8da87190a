"""Accelerations at constant unknown speeds: velocity terms of links and of bodies."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.equations.loads import Wrench
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.link_motion import Coasting
from gyrostat.kinematics.mechanism import Carried
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_number, is_zero, multiply, negate, square, subtract
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import ZERO, Matrix, Vector, apply, cross, dot, minus, plus, scale


@dataclass(frozen=True)
class Acceleration:
    """Angular acceleration, acceleration of the origin of H, and angular velocity, in the axes of H."""

    angular: Vector
    linear: Vector
    omega: Vector

    @cached_property
    def turning(self) -> Matrix:
        """A = α̃ + ω̃ω̃: a point fixed at r in the link has the acceleration A r beyond that of the origin."""
        (x, y, z), alpha = self.omega, self.angular
        xx, yy, zz = square(x), square(y), square(z)
        xy, yz, zx = multiply(x, y), multiply(y, z), multiply(z, x)
        return (
            (negate(add(yy, zz)), subtract(xy, alpha[2]), add(zx, alpha[1])),
            (add(xy, alpha[2]), negate(add(zz, xx)), subtract(yz, alpha[0])),
            (subtract(zx, alpha[1]), add(yz, alpha[0]), negate(add(xx, yy))),
        )

    def at(self, r: Vector) -> Vector:
        """Return the acceleration of a point fixed in the link."""
        return plus(self.linear, apply(self.turning, r))


def base_acceleration(motion: TreeMotion) -> Acceleration:
    """Return the ground's acceleration: −g, which makes gravity an inertia load."""
    x, y, z = motion.tree.gravity
    return Acceleration(ZERO, (multiply(-1, x), multiply(-1, y), multiply(-1, z)), ZERO)


def carried(motion: TreeMotion, index: int, parent: Acceleration) -> Acceleration:
    """Return a link's acceleration while its unknown speeds do not change, from its parent's.

    α = Rᵀα_P + ω × ω_rel + bias,
    a = Rᵀ(a_P + A_P p) + (2ω − ω_rel) × v_rel + bias,
    with the link's own ω = Rᵀω_P + ω_rel in place of Rᵀω_P.
    """
    return coasting_acceleration(motion.motions[index].coasting, motion.omega(index), parent)


@repeated
def coasting_acceleration(moving: Coasting, omega: Vector, parent: Acceleration) -> Acceleration:
    """Return the acceleration of a link with angular velocity `omega` while its unknown speeds do not change."""
    frame = moving.frame
    angular = plus(frame.from_parent(parent.angular), plus(cross(omega, moving.omega), moving.bias[0]))
    sliding = ZERO
    if moving.velocity is not ZERO:
        sliding = cross(minus(scale(2, omega), moving.omega), moving.velocity)
    linear = plus(frame.from_parent(parent.at(frame.r_PH_P)), plus(sliding, moving.bias[1]))
    return Acceleration(angular, linear, omega)


def inertia_wrench(link: Carried, J: Matrix, moving: Acceleration, state: MotionState, value: Evaluator) -> Wrench:
    """Return the inertia wrench of a link, its free rotors at constant rate relative to it.

    About the origin of H, with h the mass moment: moment J α + ω × (J ω + rotors' momentum) + h × a, force m a + A h.
    `J` is the link's inertia, or its remainder after elimination of rotors.
    """
    return Wrench(inertia_moment(link, J, moving, state, value), inertia_force(link, moving))


def inertia_force(link: Carried, moving: Acceleration) -> Vector:
    """Return the force m a + A h."""
    return plus(scale(link.mass, moving.linear), apply(moving.turning, link.moment))


def inertia_moment(link: Carried, J: Matrix, moving: Acceleration, state: MotionState, value: Evaluator) -> Vector:
    """Return the moment J α + ω × (J ω + rotors' momentum) + h × a."""
    if not link.wheels:
        return rigid_moment(link, J, moving)
    momentum = _momentum_across(link.inertia, moving.omega)
    moment = plus(apply(J, moving.angular), cross(link.moment, moving.linear))
    for wheel in link.wheels:
        size, rate = wheel_momentum(wheel, state, value)
        momentum = plus(momentum, scale(size, wheel.axis))
        moment = plus(moment, scale(rate, wheel.axis))
    return plus(moment, cross(moving.omega, momentum))


def rigid_moment(link: Carried, J: Matrix, moving: Acceleration) -> Vector:
    """Return the moment J α + ω × J ω + h × a of a link without rotors."""
    offset = cross(link.moment, moving.linear)
    if _second_moments_pay(J, moving.omega):
        return plus(_turning_moment(moving.turning, J), offset)
    momentum = _momentum_across(link.inertia, moving.omega)
    return plus(plus(apply(J, moving.angular), offset), cross(moving.omega, momentum))


def _momentum_across(J: Matrix, omega: Vector) -> Vector:
    """Return J ω as far as ω × J ω depends on it: without the component along a coordinate axis that ω has."""
    along = [k for k, x in enumerate(omega) if not is_zero(x)]
    if len(along) != 1:
        return apply(J, omega)
    x, y, z = (0 if k == along[0] else dot(row, omega) for k, row in enumerate(J))
    return (x, y, z)


def _second_moments_pay(J: Matrix, omega: Vector) -> bool:
    """Return whether `_turning_moment` is short: its constants known beforehand, and motion not planar."""
    return all(is_number(x) for row in J for x in row) and not any(is_zero(x) for x in omega)


def _turning_moment(A: Matrix, J: Matrix) -> Vector:
    """Return J α + ω × J ω as ∫ r × A r dm: the skew part of A Σ, with Σ = ∫ r rᵀ dm = ½ tr(J) 1 − J."""
    half = (J[0][0] + J[1][1] + J[2][2]) / 2
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = J
    Sigma: Matrix = ((half - xx, -xy, -xz), (-xy, half - yy, -yz), (-xz, -yz, half - zz))

    def entry(i: int, j: int) -> Scalar:
        return subtract(dot(A[i], Sigma[j]), dot(A[j], Sigma[i]))

    return (entry(2, 1), entry(0, 2), entry(1, 0))
