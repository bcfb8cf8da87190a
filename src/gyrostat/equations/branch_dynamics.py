"""Dynamics on two trees: forces are summed along the tree of positions, moments along the tree of orientations.

That is virtual work, and McPhee's cutset equations projected on the motion spaces: the cutset of a branch that places a
body has the forces on all that it places, the cutset of a branch that turns one the moments on all that it turns.
Moments are about the origins of hinge frames and in their axes, forces in world axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gyrostat.equations.armature import add_driver_loads, add_inertias, add_loads
from gyrostat.equations.bias import Acceleration
from gyrostat.equations.composite_body import Entries
from gyrostat.equations.loads import AppliedLoads, JointReaction, Wrench, applied_loads
from gyrostat.equations.momentum import link_momentum
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.branch_motion import BranchMotion
from gyrostat.kinematics.branches import BranchLink
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero, multiply, subtract
from gyrostat.spatial import ZERO, Vector, apply, cross, dot, minus, opposite, plus, scale, transpose


@dataclass(frozen=True)
class BranchLoads:
    """Loads on bodies through their branches: moments (in H) that turn them, forces (in W) that place them."""

    motion: BranchMotion
    applied: AppliedLoads
    moments: dict[int, Vector]
    forces: dict[int, Vector]
    accelerations: tuple[Acceleration, ...]
    """Accelerations of the hinge frames, in their axes; gravity is included."""

    def driver_loads(self) -> dict[str, Scalar]:
        """Return the load of the driver of each driven coordinate, by name, beyond all applied ones."""
        motion = self.motion
        result: dict[str, Scalar] = {}
        for i, link in enumerate(motion.tree.links):
            for name, mode in motion.turns[i].driven:
                result[name] = add(result.get(name, 0), dot(mode.angular, self.moments[i]))
            for slide, direction in zip(link.placing.slides, motion.slide_directions[i], strict=True):
                if slide.speed is None:
                    work = dot(direction, self.forces[i])
                    result[slide.name] = add(result.get(slide.name, 0), work)
        add_driver_loads(result, motion)
        return {name: subtract(load, self.applied.on_driven.get(name, 0)) for name, load in result.items()}

    def reactions(self, of_chords: Mapping[str, JointReaction]) -> dict[str, JointReaction]:
        """Return given reactions with the forces of joints that place bodies and the moments of joints that turn them.

        Both act at the child's point: there the displacement ends whose directions are fixed in the parent. Where a
        tree passes a joint backwards, the load on the child is the opposite of that on the body.
        """
        motion = self.motion
        result = {name: of_chords.get(name, (ZERO, ZERO)) for name in motion.tree.coordinates.topology.joints}
        for i, link in enumerate(motion.tree.links):
            name, backwards = link.placing.joint.name, link.placing.reversed
            if name in result:
                force, moment = result[name]
                result[name] = (plus(force, opposite(self.forces[i]) if backwards else self.forces[i]), moment)
            name, backwards = link.turning.joint.name, link.turning.reversed
            if name in result:
                force, moment = result[name]
                own = apply(motion.rotations[i], self.moments[i])
                result[name] = (force, plus(moment, opposite(own) if backwards else own))
        return result


@dataclass(frozen=True)
class _Moving:
    """Accelerations: angular ones by link in H, of the origins in W."""

    angular: dict[int, Vector]
    linear: dict[int, Vector]


def _accelerations(motion: BranchMotion, rates: Sequence[Scalar], ground: Vector) -> _Moving:
    """Return the accelerations of all links for given u̇ and a given acceleration of the ground.

    α = R_HP α_P + ω × ω_rel + bias + φ u̇, and along the other tree
    a = a_P + A_P p + A_S d + 2 ω_S × ḋ + d̈, with the arm p to the start of the branch, its displacement d, and the link
    S in which the displacement has fixed directions.
    """
    tree = motion.tree
    angular: dict[int, Vector] = {GROUND_INDEX: ZERO}
    for i, turning in tree.turning_joints.items():
        own = motion.turns[i]
        bias = plus(cross(motion.omega(i), own.omega), own.bias.angular)
        alpha = plus(motion.from_turner(i, angular[turning.parent]), bias)
        for place, mode in own.free:
            alpha = plus(alpha, scale(rates[place], mode.angular))
        angular[i] = alpha
    in_world: dict[int, Vector] = {GROUND_INDEX: ZERO}

    def turned(index: int, arm: Vector) -> Vector:
        """Return α × arm + ω × (ω × arm) of a link."""
        if index == GROUND_INDEX or arm is ZERO:
            return ZERO
        if index not in in_world:
            in_world[index] = apply(motion.rotations[index], angular[index])
        omega = motion.omega_W(index)
        return plus(cross(in_world[index], arm), cross(omega, cross(omega, arm)))

    linear: dict[int, Vector] = {GROUND_INDEX: ground}
    for i in tree.placing_order:
        placing = tree.links[i].placing
        a = plus(linear[placing.parent], turned(placing.parent, motion.starts[i]))
        if placing.slides:
            a = plus(a, turned(placing.axes, motion.displacements[i]))
            if placing.axes != GROUND_INDEX:
                a = plus(a, scale(2, cross(motion.omega_W(placing.axes), motion.sliding[i])))
            bent = ZERO
            for slide in placing.slides:
                rate = motion.jet(slide).acceleration if slide.speed is None else rates[slide.speed]
                bent = plus(bent, scale(rate, slide.direction))
            a = plus(a, apply(motion.rotations[placing.axes], bent))
        linear[i] = a
    return _Moving(angular, linear)


def branch_loads(motion: BranchMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> BranchLoads:
    """Return the loads on all bodies through their branches for given u̇, beyond applied loads."""
    tree = motion.tree
    applied = applied_loads(motion) if loads is None else loads
    ground = opposite(tree.gravity)
    moving = _accelerations(motion, rates, ground)
    moments: dict[int, Vector] = {}
    forces: dict[int, Vector] = {}
    for i, link in enumerate(tree.links):
        moment, force = _needed(motion, link, i, moving, rates)
        moments[i] = minus(moment, applied.wrenches[i].moment)
        forces[i] = minus(force, applied.wrenches[i].force)
    _gather(motion, moments, forces)
    in_hinges = tuple(_in_hinge(motion, moving, i) for i in range(len(tree.links)))
    return BranchLoads(motion, applied, moments, forces, in_hinges)


def body_wrenches(
    motion: BranchMotion, rates: Sequence[Scalar], applied: AppliedLoads
) -> dict[int, tuple[Vector, Vector]]:
    """Return by link force and moment about the origin of H, in world axes, that its body needs, loads subtracted.

    Gravity is in them, as an acceleration of the ground.
    """
    moving = _accelerations(motion, rates, opposite(motion.tree.gravity))
    found: dict[int, tuple[Vector, Vector]] = {}
    for i, link in enumerate(motion.tree.links):
        moment, force = _needed(motion, link, i, moving, rates)
        own = applied.wrenches[i]
        found[i] = minus(force, own.force), apply(motion.rotations[i], minus(moment, own.moment))
    return found


def _in_hinge(motion: BranchMotion, moving: _Moving, index: int) -> Acceleration:
    linear = apply(transpose(motion.rotations[index]), moving.linear[index])
    return Acceleration(moving.angular[index], linear, motion.omega(index))


def _needed(
    motion: BranchMotion, link: BranchLink, index: int, moving: _Moving, rates: Sequence[Scalar]
) -> tuple[Vector, Vector]:
    """Return moment (in H, about its origin) and force (in W) that the motion of one body requires.

    With h the mass moment: J α + ω × (J ω + rotors' momentum) + h × a and m a + (α × h + ω × (ω × h)).
    """
    alpha, omega, a = moving.angular[index], motion.omega(index), moving.linear[index]
    momentum = apply(link.inertia, omega)
    moment = apply(link.inertia, alpha)
    for wheel in link.wheels:
        size, rate = wheel_momentum(wheel, motion.state, motion.tree.value)
        momentum = plus(momentum, scale(size, wheel.axis))
        given = rates[wheel.place[1]] if wheel.place is not None else None
        moment = plus(moment, scale(rate if given is None else multiply(wheel.inertia, given), wheel.axis))
    moment = plus(moment, cross(omega, momentum))
    force = scale(link.mass, a)
    if not all(is_zero(x) for x in link.moment):
        R_WH = motion.rotations[index]
        moment = plus(moment, cross(link.moment, apply(transpose(R_WH), a)))
        bent = plus(cross(alpha, link.moment), cross(omega, cross(omega, link.moment)))
        force = plus(force, apply(R_WH, bent))
    return moment, force


def _gather(motion: BranchMotion, moments: dict[int, Vector], forces: dict[int, Vector]) -> None:
    """Sum forces inward along the tree of positions, then moments along the tree of orientations, in place.

    A force on a link works on the rotation of the link that its branch begins at, and of the one in which its
    displacement has fixed directions. Links that have neither are skipped.
    """
    tree = motion.tree

    def turn(index: int, arm: Vector, force: Vector) -> None:
        if index != GROUND_INDEX and arm is not ZERO:
            work = apply(transpose(motion.rotations[index]), cross(arm, force))
            moments[index] = plus(moments.get(index, ZERO), work)

    for i in _inward(forces, tree.placer, tree.placing_rank):
        placing, force = tree.links[i].placing, forces[i]
        turn(placing.parent, motion.starts[i], force)
        turn(placing.axes, motion.displacements[i], force)
        if placing.parent != GROUND_INDEX:
            forces[placing.parent] = plus(forces.get(placing.parent, ZERO), force)
    for i in _inward(moments, tree.turner, tree.turning_rank):
        parent = tree.links[i].turning.parent
        if parent != GROUND_INDEX:
            moments[parent] = plus(moments.get(parent, ZERO), motion.to_turner(i, moments[i]))


def _inward(links: Iterable[int], parent: Mapping[int, int], rank: Mapping[int, int]) -> list[int]:
    """Return links and all between them and the ground, each before the one that it begins at."""
    reached: set[int] = set()
    for link in links:
        while link != GROUND_INDEX and link not in reached:
            reached.add(link)
            link = parent[link]
    return sorted(reached, key=rank.__getitem__, reverse=True)


def on_speeds(motion: BranchMotion, moments: dict[int, Vector], forces: dict[int, Vector]) -> dict[int, Scalar]:
    """Return the work of gathered moments and forces on each speed, by its place, but for those of rotors."""
    result: dict[int, Scalar] = {}
    for i, moment in moments.items():
        for place, mode in motion.turns[i].free:
            result[place] = add(result.get(place, 0), dot(mode.angular, moment))
    for i, force in forces.items():
        slides = motion.tree.links[i].placing.slides
        for slide, direction in zip(slides, motion.slide_directions[i], strict=True):
            if slide.speed is not None:
                result[slide.speed] = add(result.get(slide.speed, 0), dot(direction, force))
    return result


def inverse_dynamics(motion: BranchMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> list[Scalar]:
    """Return the load on each speed, beyond all applied ones, that produces u̇."""
    found = branch_loads(motion, rates, loads)
    work = on_speeds(motion, found.moments, found.forces)
    for i, link in enumerate(motion.tree.links):
        for wheel in link.wheels:
            if wheel.place is not None:
                spun_up = add(rates[wheel.place[1]], dot(wheel.axis, found.accelerations[i].angular))
                work[wheel.place[1]] = multiply(wheel.inertia, spun_up)
    needed = [subtract(work.get(place, 0), load) for place, load in enumerate(found.applied.on_speeds)]
    add_loads(needed, rates, motion)
    return needed


def mass_matrix(motion: BranchMotion) -> Entries:
    """Return the lower half of M(q): a column has the loads for a unit rate of one speed, all others zero.

    Only bodies that the speed moves are visited, so that the cost is that of the entries.
    """
    moved: dict[int, tuple[set[int], set[int]]] = {}  # by speed: the links that it turns, and those that it places
    for i, link in enumerate(motion.tree.links):
        for place, _ in motion.turns[i].free:
            moved.setdefault(place, (set(), set()))[0].add(i)
        for slide in link.placing.slides:
            if slide.speed is not None:
                moved.setdefault(slide.speed, (set(), set()))[1].add(i)
    entries: Entries = {}
    for place, (turned, placed) in sorted(moved.items()):
        moments, forces = _unit_rate(motion, place, turned, placed)
        _gather(motion, moments, forces)
        for row, entry in on_speeds(motion, moments, forces).items():
            if row >= place:
                entries[row, place] = entry
    for i, link in enumerate(motion.tree.links):
        for wheel in link.wheels:
            if wheel.place is not None:
                place = wheel.place[1]
                moments = {i: scale(wheel.inertia, wheel.axis)}
                _gather(motion, moments, {})
                for row, entry in on_speeds(motion, moments, {}).items():
                    entries[max(row, place), min(row, place)] = entry
                entries[place, place] = wheel.inertia
    add_inertias(entries, motion)
    return entries


def weak_speeds(motion: BranchMotion) -> set[int]:
    """Return the speeds that turn or move a body without inertia against it, such as the spin of a slender rod.

    They may move no mass at all, also where other bodies go with it, at some positions.
    """
    found: set[int] = set()
    for i, link in enumerate(motion.tree.links):
        for place, mode in motion.turns[i].free:
            if is_zero(dot(mode.angular, apply(link.inertia, mode.angular))):
                found.add(place)
        if is_zero(link.mass):
            found.update(slide.speed for slide in link.placing.slides if slide.speed is not None)
    return found.difference(motion.tree.armatures)


def _unit_rate(
    motion: BranchMotion, place: int, turned: set[int], placed: set[int]
) -> tuple[dict[int, Vector], dict[int, Vector]]:
    """Return the moments and forces on bodies that give one speed a unit rate from rest."""
    tree = motion.tree
    alpha: dict[int, Vector] = {}
    for i in sorted(_outward(turned, tree.turned_from), key=tree.turning_rank.__getitem__):
        own = ZERO
        for other, mode in motion.turns[i].free:
            own = plus(own, mode.angular) if other == place else own
        alpha[i] = plus(motion.from_turner(i, alpha.get(tree.links[i].turning.parent, ZERO)), own)
    in_world = {i: apply(motion.rotations[i], a) for i, a in alpha.items()}
    led = {j for i in alpha for j in (*tree.placed_from.get(i, ()), *tree.slid_along.get(i, ()))}
    linear: dict[int, Vector] = {}
    for i in sorted(_outward(placed | led, tree.placed_from), key=tree.placing_rank.__getitem__):
        placing = tree.links[i].placing
        a = plus(linear.get(placing.parent, ZERO), cross(in_world.get(placing.parent, ZERO), motion.starts[i]))
        a = plus(a, cross(in_world.get(placing.axes, ZERO), motion.displacements[i]))
        for slide, direction in zip(placing.slides, motion.slide_directions[i], strict=True):
            a = plus(a, direction) if slide.speed == place else a
        linear[i] = a
    moments: dict[int, Vector] = {}
    forces: dict[int, Vector] = {}
    for i in {**alpha, **linear}:
        link, turning, a = tree.links[i], alpha.get(i, ZERO), linear.get(i, ZERO)
        moments[i], forces[i] = apply(link.inertia, turning), scale(link.mass, a)
        if not all(is_zero(x) for x in link.moment):
            R_WH = motion.rotations[i]
            moments[i] = plus(moments[i], cross(link.moment, apply(transpose(R_WH), a)))
            forces[i] = plus(forces[i], apply(R_WH, cross(turning, link.moment)))
    return moments, forces


def _outward(links: set[int], next_to: Mapping[int, tuple[int, ...]]) -> set[int]:
    """Return links and all that begin at them, directly or not."""
    reached: set[int] = set()
    waiting = list(links)
    while waiting:
        link = waiting.pop()
        if link not in reached:
            reached.add(link)
            waiting.extend(next_to.get(link, ()))
    return reached


def generalized_momenta(motion: BranchMotion) -> list[Scalar]:
    """Return ∂T/∂u for each speed: momenta work on the branches as moments and forces do."""
    tree = motion.tree
    own: list[Wrench] = [link_momentum(motion, i) for i in range(len(tree.links))]
    moments = {i: wrench.moment for i, wrench in enumerate(own)}
    forces = {i: apply(motion.rotations[i], wrench.force) for i, wrench in enumerate(own)}
    _gather(motion, moments, forces)
    work = on_speeds(motion, moments, forces)
    for i, link in enumerate(tree.links):
        for wheel in link.wheels:
            if wheel.place is not None:
                turning = add(motion.state.u[wheel.place[1]], dot(wheel.axis, motion.omega(i)))
                work[wheel.place[1]] = multiply(wheel.inertia, turning)
    momenta = [work.get(place, 0) for place in range(tree.coordinates.n_u)]
    add_loads(momenta, motion.state.u, motion)
    return momenta
