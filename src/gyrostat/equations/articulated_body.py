"""Forward dynamics of trees in linear time: the articulated-body recursion, in hinge frames.

The acceleration a of a hinge requires the wrench I a + p on its link and all links outboard of it. Free modes of
a joint are eliminated one by one (a joint with several is a row of single ones without links between), each by
    U = I φ,  D = φᵀU + armature,  I ← I − U Uᵀ/D,  p ← p + U (τ − φᵀp)/D,
and on the way out u̇ = (τ − φᵀp − Uᵀa)/D, a ← a + φ u̇.
A mode along a coordinate direction, without armature, leaves that row and column of I zero and that entry of p equal
to τ: they are not computed. Coordinates that several links share are eliminated at the link that carries all of them:
see `group_elimination`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.equations.articulated import Articulated, Six
from gyrostat.equations.bias import (
    Acceleration,
    base_acceleration,
    carried,
    coasting_acceleration,
    inertia_force,
    inertia_wrench,
    rigid_moment,
)
from gyrostat.equations.group_elimination import GroupSweep
from gyrostat.equations.loads import AppliedLoads, Wrench, applied_loads
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.link_motion import Coasting, LinkMotion, RelativeFrame
from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_number, is_zero, multiply, negate, subtract, total
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    cross,
    dot,
    matrix_sum,
    plus,
    product,
    scale,
    skew,
)


class Step(NamedTuple):
    """Record of an eliminated mode for the sweep outward: U, 1/D and the residual load."""

    U: Wrench
    inverse_D: Scalar
    residual: Scalar


@dataclass(frozen=True)
class Elimination:
    """An eliminated mode, for the sweep outward: its place in u, U, 1/D and the residual load."""

    place: int
    mode: Mode
    U: Wrench
    inverse_D: Scalar
    residual: Scalar
    armature: Scalar


def forward_dynamics(motion: TreeMotion, loads: AppliedLoads | None = None) -> list[Scalar]:
    """Return u̇ at a state, under gravity, force elements and given inputs."""
    tree = motion.tree
    applied = applied_loads(motion) if loads is None else loads
    coasting = {GROUND_INDEX: base_acceleration(motion)}
    bodies: dict[int, Articulated] = {}
    eliminated: dict[int, list[Elimination]] = {}
    groups = GroupSweep(motion)
    for i, leaving in tree.tour():
        link, relative = tree.links[i], motion.motions[i]
        if not leaving:
            coasting[i], bodies[i] = _reached(motion, i, coasting[link.parent], applied)
            continue
        bodies[i] = groups.carried_by(i, bodies[i], applied.on_speeds)
        if i in tree.group_of:
            body, eliminated[i] = bodies.pop(i), []
            groups.cross(i, body)
            bodies[link.parent], _ = _with_child(bodies[link.parent], body, relative.frame, (), ())
            continue
        loads_on = tuple(applied.on_speeds[place] for place, _ in relative.free)
        _pass_inward(bodies, eliminated, i, link, relative, loads_on, tree.armatures)
    return _outward(motion, applied, eliminated, coasting, groups)


def _pass_inward(
    bodies: dict[int, Articulated],
    eliminated: dict[int, list[Elimination]],
    index: int,
    link: Link,
    relative: LinkMotion,
    loads: tuple[Scalar, ...],
    armatures: Mapping[int, Scalar],
) -> None:
    """Eliminate a link's free modes, enter them in `eliminated`, and add what is left to its parent in `bodies`."""
    body = bodies.pop(index)
    own = tuple(armatures.get(place, 0) for place, _ in relative.free)
    modes = tuple((mode.angular, mode.linear, inertia) for (_, mode), inertia in zip(relative.free, own, strict=True))
    if link.parent == GROUND_INDEX:
        _, steps = _without_modes(body, modes, loads)
    else:
        bodies[link.parent], steps = _with_child(bodies[link.parent], body, relative.frame, modes, loads)
    eliminated[index] = [
        Elimination(place, mode, *step, inertia)
        for (place, mode), step, inertia in zip(relative.free, steps, own, strict=True)
    ]


@repeated
def _with_child(
    parent: Articulated,
    body: Articulated,
    frame: RelativeFrame,
    modes: tuple[tuple[Vector, Vector, Scalar], ...],
    loads: tuple[Scalar, ...],
) -> tuple[Articulated, tuple[Step, ...]]:
    """Return a parent with a child whose free modes are eliminated, and their records."""
    body, steps = _without_modes(body, modes, loads)
    return parent.plus(_seen_from_parent(body, frame)), steps


@repeated
def _without_modes(
    body: Articulated, modes: tuple[tuple[Vector, Vector, Scalar], ...], loads: tuple[Scalar, ...]
) -> tuple[Articulated, tuple[Step, ...]]:
    """Return a body with its free modes eliminated, and their records."""
    steps: list[Step] = []
    for (angular, linear, armature), load in zip(modes, loads, strict=True):
        body, step = _eliminate(body, Mode("free", angular, linear), load, armature)
        steps.append(step)
    return body, tuple(steps)


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
        _pass_inward(bodies, eliminated, i, link, relative, (0,) * len(relative.free), tree.armatures)
    return eliminated


def _reached(
    motion: TreeMotion, index: int, parent: Acceleration, applied: AppliedLoads
) -> tuple[Acceleration, Articulated]:
    """Return a link's acceleration at constant unknown speeds, and the link alone under its loads."""
    link, external = motion.tree.links[index], applied.wrenches[index]
    if not link.wheels:
        moving = motion.motions[index].coasting
        return _rigid(moving, motion.omega(index), parent, (link.mass, link.moment, link.inertia), external)
    coasting = carried(motion, index, parent)
    return coasting, _with_rotors(motion, link, coasting, applied, external)


@repeated
def _rigid(
    moving: Coasting, omega: Vector, parent: Acceleration, inertia: tuple[Scalar, Vector, Matrix], external: Wrench
) -> tuple[Acceleration, Articulated]:
    """Return the acceleration of a link without rotors at constant unknown speeds, and the link alone."""
    coasting = coasting_acceleration(moving, omega, parent)
    body = Carried("", IDENTITY, ZERO, *inertia, ())
    needed = Wrench(rigid_moment(body, body.inertia, coasting), inertia_force(body, coasting))
    return coasting, _inertia(body, needed.minus(external))


def _with_rotors(
    motion: TreeMotion, link: Link, coasting: Acceleration, applied: AppliedLoads, external: Wrench
) -> Articulated:
    """Return a single link; the axial inertia of free rotors is eliminated from it, and their drive acts on it."""
    drive: Vector = ZERO
    for wheel in link.wheels:
        if wheel.place is not None:
            drive = plus(drive, scale(applied.on_speeds[wheel.place[1]], wheel.axis))
    needed = inertia_wrench(link, _without_free_rotors(link), coasting, motion.state, motion.tree.value)
    return _inertia(link, Wrench(plus(needed.moment, drive), needed.force).minus(external))


def _inertia(link: Carried, bias: Wrench) -> Articulated:
    m = link.mass
    return Articulated(_without_free_rotors(link), skew(link.moment), ((m, 0, 0), (0, m, 0), (0, 0, m)), bias)


def _without_free_rotors(link: Carried) -> Matrix:
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


def _eliminate(body: Articulated, mode: Mode, load: Scalar, armature: Scalar) -> tuple[Articulated, Step]:
    """Return the body with one free mode eliminated, and the record for the sweep outward."""
    U = body.times(mode)
    D = add(add(dot(mode.angular, U.moment), dot(mode.linear, U.force)), armature)
    inverse_D = divide(1, D)
    pushed = add(dot(mode.angular, body.bias.moment), dot(mode.linear, body.bias.force))
    residual = subtract(load, pushed)
    u: Six = (*U.moment, *U.force)
    single = single_direction(mode, armature)
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
    return reduced, Step(U, inverse_D, residual)


def single_direction(mode: Mode, armature: Scalar) -> int:
    """Return the coordinate direction (0 to 5) that a mode without armature is along, or −1."""
    if not is_zero(armature):
        return -1
    entries: Six = (*mode.angular, *mode.linear)
    present = [i for i, x in enumerate(entries) if not is_zero(x)]
    alone = len(present) == 1 and is_number(entries[present[0]]) and abs(entries[present[0]]) == 1
    return present[0] if alone else -1


def _sign(mode: Mode, direction: int) -> Scalar:
    """Return the entry of a mode in a direction."""
    entries: Six = (*mode.angular, *mode.linear)
    return entries[direction]


def _seen_from_parent(body: Articulated, frame: RelativeFrame) -> Articulated:
    """Return the body about the origin of the parent's hinge frame, in its axes.

    With p from P to H: H′ = H + p̃ M, J′ = J + p̃ Hᵀ − H′ p̃.
    """
    p = frame.r_PH_P
    J, M = frame.symmetric_to_parent(body.J), frame.symmetric_to_parent(body.M)
    H = frame.tensor_to_parent(body.H)
    force = frame.to_parent(body.bias.force)
    moment = plus(frame.to_parent(body.bias.moment), cross(p, force))
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
    groups: GroupSweep,
) -> list[Scalar]:
    """Return u̇, from the ground outward; accelerations are counted beyond the coasting ones."""
    tree = motion.tree
    rates: list[Scalar] = [0] * tree.coordinates.n_u
    gained: dict[int, Mode] = {GROUND_INDEX: Mode("ground")}
    for i in (i for i, leaving in tree.tour() if not leaving):
        link, relative = tree.links[i], motion.motions[i]
        parent = gained[link.parent]
        steps = tuple(
            (step.U, step.inverse_D, step.residual, step.mode.angular, step.mode.linear)
            for step in reversed(eliminated[i])
        )
        found, angular, linear = accelerated(relative.frame, parent.angular, parent.linear, steps)
        for step, rate in zip(reversed(eliminated[i]), found, strict=True):
            rates[step.place] = rate
        if i in tree.group_of:
            shared = tuple((rates[place], mode) for place, mode in relative.free)
            angular, linear = _along_shared(angular, linear, shared)
        gained[i] = Mode("gained", angular, linear)
        groups.enter_rates(i, gained[i], rates)
        for wheel in link.wheels:
            if wheel.place is not None:
                place = wheel.place[1]
                along = dot(wheel.axis, plus(coasting[i].angular, angular))
                rates[place] = subtract(divide(applied.on_speeds[place], wheel.inertia), along)
    return rates


@repeated
def _along_shared(angular: Vector, linear: Vector, shared: tuple[tuple[Scalar, Mode], ...]) -> tuple[Vector, Vector]:
    """Return an acceleration with those along modes whose rates are known."""
    for rate, mode in shared:
        angular, linear = plus(angular, scale(rate, mode.angular)), plus(linear, scale(rate, mode.linear))
    return angular, linear


@repeated
def accelerated(
    frame: RelativeFrame,
    angular: Vector,
    linear: Vector,
    steps: tuple[tuple[Wrench, Scalar, Scalar, Vector, Vector], ...],
) -> tuple[tuple[Scalar, ...], Vector, Vector]:
    """Return the rates of a link's speeds and its acceleration beyond the coasting one, from its parent's."""
    linear = frame.from_parent(plus(linear, cross(angular, frame.r_PH_P)))
    angular = frame.from_parent(angular)
    rates: list[Scalar] = []
    for U, inverse_D, residual, along, across in steps:
        pushed = add(dot(U.moment, angular), dot(U.force, linear))
        rate = multiply(inverse_D, subtract(residual, pushed))
        rates.append(rate)
        angular = plus(angular, scale(rate, along))
        linear = plus(linear, scale(rate, across))
    return tuple(rates), angular, linear
