"""Forward dynamics of trees in linear time: the articulated-body recursion, in hinge frames.

The acceleration a of a hinge requires the wrench I a + p on its link and all links outboard of it. Free modes of
a joint are eliminated one by one (a joint with several is a row of single ones without links between), each by
    U = I φ,  D = φᵀU,  I ← I − U Uᵀ/D,  p ← p + U (τ − φᵀp)/D,
and on the way out u̇ = (τ − φᵀp − Uᵀa)/D, a ← a + φ u̇.
A mode along a coordinate direction leaves that row and column of I zero and that entry of p equal to τ: they are not
computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.equations.bias import Acceleration, base_acceleration, carried, inertia_wrench
from gyrostat.equations.loads import AppliedLoads, Wrench, applied_loads
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.link_motion import LinkMotion
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_number, is_zero, multiply, negate, subtract, total
from gyrostat.spatial import (
    ZERO,
    Matrix,
    Vector,
    apply,
    cross,
    dot,
    matrix_sum,
    minus,
    plus,
    product,
    scale,
    skew,
    transpose,
)

Six: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]


@dataclass(frozen=True)
class Articulated:
    """Articulated inertia [J H; Hᵀ M] and bias wrench, about the origin of a hinge frame and in its axes."""

    J: Matrix
    H: Matrix
    M: Matrix
    bias: Wrench

    def times(self, mode: Mode) -> Wrench:
        """Return the wrench of an acceleration along a mode."""
        moment = plus(apply(self.J, mode.angular), apply(self.H, mode.linear))
        return Wrench(moment, plus(apply(transpose(self.H), mode.angular), apply(self.M, mode.linear)))

    def plus(self, other: Articulated) -> Articulated:
        """Return both together."""
        return Articulated(
            matrix_sum(self.J, other.J),
            matrix_sum(self.H, other.H),
            matrix_sum(self.M, other.M),
            self.bias.plus(other.bias),
        )


@dataclass(frozen=True)
class Elimination:
    """An eliminated mode, for the sweep outward: its place in u, U, 1/D and the residual load."""

    place: int
    mode: Mode
    U: Wrench
    inverse_D: Scalar
    residual: Scalar

    @property
    def single(self) -> tuple[int, Scalar] | None:
        """The coordinate direction (0 to 5) that the mode is along, and its sign, if it is along one."""
        direction = _single_direction(self.mode)
        return None if direction < 0 else (direction, _sign(self.mode, direction))


def forward_dynamics(motion: TreeMotion, loads: AppliedLoads | None = None) -> list[Scalar]:
    """Return u̇ at a state, under gravity, force elements and given inputs."""
    tree = motion.tree
    applied = applied_loads(motion) if loads is None else loads
    coasting = {GROUND_INDEX: base_acceleration(motion)}
    bodies: dict[int, Articulated] = {}
    eliminated: dict[int, list[Elimination]] = {}
    for i, leaving in tree.tour():
        link, relative = tree.links[i], motion.motions[i]
        if not leaving:
            coasting[i] = carried(motion, i, coasting[link.parent])
            bodies[i] = _alone(motion, link, coasting[i], applied, applied.wrenches[i])
            continue
        body = bodies.pop(i)
        eliminated[i] = []
        for place, mode in relative.free:
            body, step = _eliminate(body, place, mode, applied.on_speeds[place])
            eliminated[i].append(step)
        if link.parent != GROUND_INDEX:
            bodies[link.parent] = bodies[link.parent].plus(_seen_from_parent(body, relative))
    return _outward(motion, applied, eliminated, coasting)


def articulated_modes(motion: TreeMotion) -> dict[int, list[Elimination]]:
    """Return the eliminated modes of each link, from its outer one inward, without any loads."""
    tree = motion.tree
    bodies: dict[int, Articulated] = {}
    eliminated: dict[int, list[Elimination]] = {}
    for i, leaving in tree.tour():
        link, relative = tree.links[i], motion.motions[i]
        if not leaving:
            bodies[i] = _inertia(link, Wrench())
            continue
        body = bodies.pop(i)
        eliminated[i] = []
        for place, mode in relative.free:
            body, step = _eliminate(body, place, mode, 0)
            eliminated[i].append(step)
        if link.parent != GROUND_INDEX:
            bodies[link.parent] = bodies[link.parent].plus(_seen_from_parent(body, relative))
    return eliminated


def _alone(
    motion: TreeMotion, link: Link, coasting: Acceleration, applied: AppliedLoads, external: Wrench
) -> Articulated:
    """Return a single link; the axial inertia of free rotors is eliminated from it, and their drive acts on it."""
    drive: Vector = ZERO
    for wheel in link.wheels:
        if wheel.place is not None:
            drive = plus(drive, scale(applied.on_speeds[wheel.place[1]], wheel.axis))
    needed = inertia_wrench(link, _without_free_rotors(link), coasting, motion.state, motion.tree.value)
    bias = Wrench(minus(plus(needed.moment, drive), external.moment), minus(needed.force, external.force))
    return _inertia(link, bias)


def _inertia(link: Link, bias: Wrench) -> Articulated:
    m = link.mass
    return Articulated(_without_free_rotors(link), skew(link.moment), ((m, 0, 0), (0, m, 0), (0, 0, m)), bias)


def _without_free_rotors(link: Link) -> Matrix:
    """Return a link's inertia without the axial inertia of its free rotors."""
    J = link.inertia
    for wheel in link.wheels:
        if wheel.place is not None:
            J = _rank_one(J, negate(wheel.inertia), wheel.axis)
    return J


def _rank_one(S: Matrix, factor: Scalar, a: Vector) -> Matrix:
    """Return S + factor a aᵀ, symmetric."""

    def entry(i: int, j: int) -> Scalar:
        return add(S[i][j], multiply(factor, multiply(a[i], a[j])))

    xx, xy, xz, yy, yz, zz = entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _eliminate(body: Articulated, place: int, mode: Mode, load: Scalar) -> tuple[Articulated, Elimination]:
    """Return the body with one free mode eliminated, and the record for the sweep outward."""
    U = body.times(mode)
    D = add(dot(mode.angular, U.moment), dot(mode.linear, U.force))
    inverse_D = divide(1, D)
    pushed = add(dot(mode.angular, body.bias.moment), dot(mode.linear, body.bias.force))
    residual = subtract(load, pushed)
    u: Six = (*U.moment, *U.force)
    single = _single_direction(mode)
    scaled = [multiply(inverse_D, x) if i != single else _sign(mode, i) for i, x in enumerate(u)]

    def block(old: Matrix, rows: int, columns: int) -> Matrix:
        """Return old − U Uᵀ/D on a 3 × 3 block; on the diagonal blocks only half is formed."""
        formed: dict[tuple[int, int], Scalar] = {}
        for i in range(3):
            for j in range(3):
                if single in (rows + i, columns + j):
                    formed[i, j] = 0
                elif rows == columns and j < i:
                    formed[i, j] = formed[j, i]
                else:
                    formed[i, j] = subtract(old[i][j], multiply(scaled[rows + i], u[columns + j]))
        return (
            (formed[0, 0], formed[0, 1], formed[0, 2]),
            (formed[1, 0], formed[1, 1], formed[1, 2]),
            (formed[2, 0], formed[2, 1], formed[2, 2]),
        )

    old_bias: Six = (*body.bias.moment, *body.bias.force)
    b = [
        multiply(_sign(mode, i), load) if i == single else add(x, multiply(scaled[i], residual))
        for i, x in enumerate(old_bias)
    ]
    reduced = Articulated(
        block(body.J, 0, 0), block(body.H, 0, 3), block(body.M, 3, 3), Wrench((b[0], b[1], b[2]), (b[3], b[4], b[5]))
    )
    return reduced, Elimination(place, mode, U, inverse_D, residual)


def _single_direction(mode: Mode) -> int:
    """Return the coordinate direction (0 to 5) that a mode is along, or −1."""
    entries: Six = (*mode.angular, *mode.linear)
    present = [i for i, x in enumerate(entries) if not is_zero(x)]
    alone = len(present) == 1 and is_number(entries[present[0]]) and abs(entries[present[0]]) == 1
    return present[0] if alone else -1


def _sign(mode: Mode, direction: int) -> Scalar:
    """Return the entry of a mode in a direction."""
    entries: Six = (*mode.angular, *mode.linear)
    return entries[direction]


def _seen_from_parent(body: Articulated, relative: LinkMotion) -> Articulated:
    """Return the body about the origin of the parent's hinge frame, in its axes.

    With p from P to H: H′ = H + p̃ M, J′ = J + p̃ Hᵀ − H′ p̃.
    """
    p = relative.r_PH_P
    J, M = relative.symmetric_to_parent(body.J), relative.symmetric_to_parent(body.M)
    H = relative.tensor_to_parent(body.H)
    force = relative.to_parent(body.bias.force)
    moment = plus(relative.to_parent(body.bias.moment), cross(p, force))
    if all(is_zero(x) for x in p):
        return Articulated(J, H, M, Wrench(moment, force))
    P = skew(p)
    shifted = matrix_sum(H, product(P, M))

    def entry(i: int, j: int) -> Scalar:
        left = total([multiply(P[i][k], H[j][k]) for k in range(3)])
        right = total([multiply(shifted[i][k], P[k][j]) for k in range(3)])
        return add(J[i][j], subtract(left, right))

    xx, xy, xz, yy, yz, zz = entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)
    return Articulated(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), shifted, M, Wrench(moment, force))


def _outward(
    motion: TreeMotion,
    applied: AppliedLoads,
    eliminated: Mapping[int, list[Elimination]],
    coasting: Mapping[int, Acceleration],
) -> list[Scalar]:
    """Return u̇, from the ground outward; accelerations are counted beyond the coasting ones."""
    tree = motion.tree
    rates: list[Scalar] = [0] * tree.coordinates.n_u
    gained: dict[int, Mode] = {GROUND_INDEX: Mode("ground")}
    for i in (i for i, leaving in tree.tour() if not leaving):
        link, relative = tree.links[i], motion.motions[i]
        parent = gained[link.parent]
        angular = relative.from_parent(parent.angular)
        linear = relative.from_parent(plus(parent.linear, cross(parent.angular, relative.r_PH_P)))
        for step in reversed(eliminated[i]):
            pushed = add(dot(step.U.moment, angular), dot(step.U.force, linear))
            rate = multiply(step.inverse_D, subtract(step.residual, pushed))
            rates[step.place] = rate
            angular = plus(angular, scale(rate, step.mode.angular))
            linear = plus(linear, scale(rate, step.mode.linear))
        gained[i] = Mode("gained", angular, linear)
        for wheel in link.wheels:
            if wheel.place is not None:
                place = wheel.place[1]
                along = dot(wheel.axis, plus(coasting[i].angular, angular))
                rates[place] = subtract(divide(applied.on_speeds[place], wheel.inertia), along)
    return rates
