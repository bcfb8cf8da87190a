"""The state-space form of the Roberson–Schwertassek method by places in u, with the rows of free rotors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from gyrostat.kinematics.mechanism import Wheel
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, subtract
from gyrostat.spatial import Vector, apply, dot, plus, scale

if TYPE_CHECKING:
    from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek


class FreeRotor(NamedTuple):
    """A rotor with a speed of its own: its body, its place in u, and its axis in the world."""

    body: str
    place: int
    wheel: Wheel
    axis: Vector


def mass_matrix(method: RobersonSchwertassek) -> list[list[Scalar]]:
    """Return all J_I^ab, by places in u; a free rotor adds its row and column."""
    n = method.motion.tree.coordinates.n_u
    M: list[list[Scalar]] = [[0] * n for _ in range(n)]
    for a, left in method.arcs.items():
        for b, right in method.arcs.items():
            block = method.J_I(a, b)
            for i, (row, _) in enumerate(left.phi):
                for j, (column, _) in enumerate(right.phi):
                    M[row][column] = block[i][j]
    for place, inertia in method.motion.tree.armatures.items():
        M[place][place] = add(M[place][place], inertia)
    for body, own, wheel, axis in _free_rotors(method):
        M[own][own] = wheel.inertia
        for a, arc in method.arcs.items():
            for place, mode in arc.phi:
                turned = dot(axis, apply(method.A(arc.origin), mode.angular))
                M[own][place] = M[place][own] = multiply(-method.T.get((a, body), 0), multiply(wheel.inertia, turned))
    return M


def forcing(method: RobersonSchwertassek) -> list[Scalar]:
    """Return all χ^a + λ^a, by places in u; for a free rotor its drive less the torque of its body's rotation."""
    result: list[Scalar] = [0] * method.motion.tree.coordinates.n_u
    for a, arc in method.arcs.items():
        for (place, _), chi, load in zip(arc.phi, method.chi(a), method.lambda_(a), strict=True):
            result[place] = add(chi, load)
    for body, own, wheel, axis in _free_rotors(method):
        turning = method.Q_III[body]
        for a, arc in method.arcs.items():
            part = apply(method.A(arc.origin), arc.phi_dot_g.angular)
            turning = plus(turning, scale(-method.T.get((a, body), 0), part))
        result[own] = subtract(method.applied.on_speeds[own], multiply(wheel.inertia, dot(axis, turning)))
    return result


def _free_rotors(method: RobersonSchwertassek) -> Iterator[FreeRotor]:
    for index, link in method.motion.tree.bodies:
        for wheel in link.wheels:
            if wheel.place is not None:
                yield FreeRotor(link.body, wheel.place[1], wheel, apply(method.motion.pose(index).R_WH, wheel.axis))
