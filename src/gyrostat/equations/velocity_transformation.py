"""The mass-matrix form through the velocity transformation (T. S. No; Trom 1990, chapter 2; Crous 2000, §3.4.4).

Cartesian velocities of all bodies are y = B u; then M = Bᵀ M_y B and the forcing is Bᵀ (f − M_y Ḃu − h). B is assembled
through the path matrix, in world axes: as all three references have it, and independent of the recursions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gyrostat.equations.loads import applied_loads
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, subtract
from gyrostat.spatial import (
    ZERO,
    Matrix,
    Vector,
    apply,
    conjugate,
    cross,
    dot,
    matrix_sum,
    minus,
    plus,
    point_inertia,
    scale,
)

About: TypeAlias = Literal["mass centre", "attachment point"]


@dataclass(frozen=True)
class CartesianRotor:
    """A rotor in world axes: its momentum relative to the body, and that momentum's rate where its motion is given.

    A free rotor has a place in u and its axial inertia instead.
    """

    axis: Vector
    momentum: Scalar
    momentum_rate: Scalar
    free: tuple[int, Scalar] | None


@dataclass(frozen=True)
class CartesianBody:
    """One body in world axes: reference point, mass, mass moment and inertia about it, and the loads on it."""

    point: Vector
    mass: Scalar
    moment: Vector
    inertia: Matrix
    force: Vector
    torque: Vector
    rotation_bias: Vector
    translation_bias: Vector
    omega: Vector
    rotors: tuple[CartesianRotor, ...]


@dataclass(frozen=True)
class VelocityTransformation:
    """B by blocks: (link, place in u) to the body's angular velocity and its reference point's velocity."""

    blocks: dict[tuple[int, int], Mode]
    bodies: tuple[CartesianBody, ...]
    on_speeds: tuple[Scalar, ...]

    def mass_matrix(self) -> list[list[Scalar]]:
        """Return Bᵀ M_y B."""
        n = len(self.on_speeds)
        M: list[list[Scalar]] = [[0] * n for _ in range(n)]
        for i, body in enumerate(self.bodies):
            places = [place for link, place in self.blocks if link == i]
            for a in places:
                torque, force = _momentum(body, self.blocks[i, a])
                for b in places:
                    other = self.blocks[i, b]
                    M[b][a] = add(M[b][a], add(dot(other.angular, torque), dot(other.linear, force)))
            for axis, place, inertia in _free_rotors(body):
                M[place][place] = add(M[place][place], inertia)
                for a in places:
                    coupling = multiply(inertia, dot(axis, self.blocks[i, a].angular))
                    M[place][a] = add(M[place][a], coupling)
                    M[a][place] = add(M[a][place], coupling)
        return M

    def forcing(self) -> list[Scalar]:
        """Return Bᵀ (f − M_y Ḃu − h) with the loads on speeds."""
        result = list(self.on_speeds)
        for i, body in enumerate(self.bodies):
            torque, force = _momentum(body, Mode("bias", body.rotation_bias, body.translation_bias))
            h = inertia_loads(body)
            torque, force = minus(minus(body.torque, torque), h.angular), minus(minus(body.force, force), h.linear)
            for axis, place, inertia in _free_rotors(body):
                result[place] = subtract(result[place], multiply(inertia, dot(axis, body.rotation_bias)))
            for (link, place), mode in self.blocks.items():
                if link == i:
                    result[place] = add(result[place], add(dot(mode.angular, torque), dot(mode.linear, force)))
        return result


def _free_rotors(body: CartesianBody) -> list[tuple[Vector, int, Scalar]]:
    """Return axis, place in u and axial inertia of each free rotor."""
    return [(rotor.axis, *rotor.free) for rotor in body.rotors if rotor.free is not None]


def _momentum(body: CartesianBody, mode: Mode) -> tuple[Vector, Vector]:
    """Return torque and force of an acceleration (T. S. No, eq. 18; about the mass centre the coupling vanishes)."""
    torque = plus(apply(body.inertia, mode.angular), cross(body.moment, mode.linear))
    return torque, plus(scale(body.mass, mode.linear), cross(mode.angular, body.moment))


def inertia_loads(body: CartesianBody) -> Mode:
    """Return h, the gyroscopic and centrifugal terms of a body's equations, with those of its rotors."""
    torque = cross(body.omega, apply(body.inertia, body.omega))
    for rotor in body.rotors:
        torque = plus(torque, cross(body.omega, scale(rotor.momentum, rotor.axis)))
        torque = plus(torque, scale(rotor.momentum_rate, rotor.axis))
    return Mode("inertia", torque, cross(body.omega, cross(body.omega, body.moment)))


def velocity_transformation(motion: TreeMotion, about: About = "mass centre") -> VelocityTransformation:
    """Return B and the bodies' Cartesian equations, about the mass centres or the points of attachment (T. S. No).

    Block (i, k) is [ω_k; v_k + ω_k × (r_i − p_k)] where joint k lies on the path to body i, else it is absent
    (Trom 1990, table 2.2). Rotors add their momentum to their body's moment equation, free ones have an equation each:
    A (ṡ + a·α) = τ with axis a, axial inertia A and the body's angular acceleration α.
    """
    tree = motion.tree
    applied = applied_loads(motion)
    bodies: list[CartesianBody] = []
    blocks: dict[tuple[int, int], Mode] = {}
    biases: dict[int, Mode] = {GROUND_INDEX: Mode("bias")}
    for i, link in enumerate(tree.links):
        pose, R_WH = motion.pose(i), motion.pose(i).R_WH
        offset: Vector = ZERO
        if about == "mass centre" and not is_zero(link.mass):
            x, y, z = (divide(component, link.mass) for component in link.moment)
            offset = apply(R_WH, (x, y, z))
        point = plus(pose.r_WH_W, offset)
        index = i
        while index != GROUND_INDEX:
            hinge = motion.pose(index)
            for place, mode in motion.motions[index].free:
                angular, linear = apply(hinge.R_WH, mode.angular), apply(hinge.R_WH, mode.linear)
                linear = plus(linear, cross(angular, minus(point, hinge.r_WH_W)))
                known = blocks.get((i, place))  # of another link that shares the speed
                if known is not None:
                    angular, linear = plus(known.angular, angular), plus(known.linear, linear)
                blocks[i, place] = Mode(mode.label, angular, linear)
            index = tree.links[index].parent
        biases[i] = _bias(motion, i, biases[link.parent])
        omega = apply(R_WH, motion.omega(i))
        throw = plus(cross(biases[i].angular, offset), cross(omega, cross(omega, offset)))
        wrench = applied.wrenches[i]
        weight = scale(link.mass, tree.gravity)
        lever = ZERO if about == "mass centre" else apply(R_WH, link.moment)
        force = apply(R_WH, wrench.force)
        bodies.append(
            CartesianBody(
                point=point,
                mass=link.mass,
                moment=lever,
                inertia=_inertia(link.inertia, link.mass, offset, R_WH, about),
                force=plus(force, weight),
                torque=plus(minus(apply(R_WH, wrench.moment), cross(offset, force)), cross(lever, tree.gravity)),
                rotation_bias=biases[i].angular,
                translation_bias=plus(biases[i].linear, throw),
                omega=omega,
                rotors=_rotors(motion, i, R_WH),
            )
        )
    return VelocityTransformation(blocks, tuple(bodies), applied.on_speeds)


def _rotors(motion: TreeMotion, index: int, R_WH: Matrix) -> tuple[CartesianRotor, ...]:
    """Return a link's rotors in world axes."""
    found: list[CartesianRotor] = []
    for wheel in motion.tree.links[index].wheels:
        momentum, rate = wheel_momentum(wheel, motion.state, motion.tree.value)
        free = None if wheel.place is None else (wheel.place[1], wheel.inertia)
        found.append(CartesianRotor(apply(R_WH, wheel.axis), momentum, rate, free))
    return tuple(found)


def _inertia(about_hinge: Matrix, mass: Scalar, offset: Vector, R_WH: Matrix, about: About) -> Matrix:
    """Return the inertia in world axes about the reference point."""
    turned = conjugate(R_WH, about_hinge)
    if about == "attachment point":
        return turned
    a, b, c = point_inertia(mass, offset)
    return matrix_sum(turned, (scale(-1, a), scale(-1, b), scale(-1, c)))


def _bias(motion: TreeMotion, index: int, parent: Mode) -> Mode:
    """Return Ḃu of a link's hinge in world axes: its acceleration while no speed changes, gravity left out.

    In world axes each term is written as in Trom 1990, table 2.3: every axis turns with its own frame.
    """
    relative = motion.motions[index]
    above = motion.tree.links[index].parent
    R_WP, R_WH = motion.pose(above).R_WH, motion.pose(index).R_WH
    omega_P = apply(R_WP, motion.omega(above))
    p = apply(R_WP, relative.r_PH_P)
    turning, sliding = apply(R_WH, relative.omega), apply(R_WH, relative.velocity)
    angular = plus(plus(parent.angular, cross(omega_P, turning)), apply(R_WH, relative.bias.angular))
    carried = plus(cross(parent.angular, p), cross(omega_P, cross(omega_P, p)))
    own = plus(cross(turning, sliding), apply(R_WH, relative.bias.linear))
    return Mode("bias", angular, plus(plus(parent.linear, carried), plus(scale(2, cross(omega_P, sliding)), own)))
