"""Inverse dynamics of trees in linear time: the Newton–Euler recursion; joint, driver and actuator loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gyrostat.equations.armature import add_driver_loads, add_loads
from gyrostat.equations.bias import (
    Acceleration,
    base_acceleration,
    coasting_acceleration,
    inertia_force,
    inertia_moment,
    rigid_moment,
)
from gyrostat.equations.loads import AppliedLoads, JointReaction, Wrench, applied_loads
from gyrostat.kinematics.link import Link
from gyrostat.kinematics.link_motion import Coasting, RelativeFrame, joint_pose
from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.model.joints import Mode
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, subtract
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, cross, dot, minus, opposite, plus, scale


@dataclass(frozen=True)
class JointLoads:
    """The load on each link through its inboard joint, about the origin of H and in its axes."""

    motion: TreeMotion
    applied: AppliedLoads
    wrenches: tuple[Wrench, ...]
    accelerations: tuple[Acceleration, ...]

    def driver_loads(self) -> dict[str, Scalar]:
        """Return the load of the driver of each driven coordinate, by name, beyond all applied ones."""
        result: dict[str, Scalar] = {}
        for i, relative in enumerate(self.motion.motions):
            for name, mode in relative.driven:
                result[name] = subtract(along(mode, self.wrenches[i]), self.applied.on_driven.get(name, 0))
        add_driver_loads(result, self.motion)
        return result

    def reactions(self, of_chords: Mapping[str, JointReaction]) -> dict[str, JointReaction]:
        """Return the reactions of all joints: those of chords as given, then those of arcs."""
        result = dict(of_chords)
        for i, link in self.motion.tree.bodies:
            R_WH, wrench = self.motion.pose(i).R_WH, self.reaction(i)
            result[link.whole[0].name] = (apply(R_WH, wrench.force), apply(R_WH, wrench.moment))
        return result

    def reaction(self, index: int) -> Wrench:
        """Return the load of the joint's parent on its child, at the child's joint point, in the axes of H.

        Where the tree passes the joint backwards H is on the parent: the load is reversed and moved to the child.
        """
        wrench, link = self.wrenches[index], self.motion.tree.links[index]
        if not link.reversed:
            return wrench
        arm = joint_pose(self.motion.tree, link, self.motion.state).r_PC_P
        return Wrench(minus(cross(arm, wrench.force), wrench.moment), opposite(wrench.force))


def accelerations(motion: TreeMotion, rates: Sequence[Scalar]) -> list[Acceleration]:
    """Return the links' accelerations for given u̇; gravity is in them, as an acceleration of the ground."""
    known: dict[int, Acceleration] = {GROUND_INDEX: base_acceleration(motion)}
    for i, link in enumerate(motion.tree.links):
        relative = motion.motions[i]
        gained = tuple((rates[place], mode.angular, mode.linear) for place, mode in relative.free)
        known[i] = _accelerated(relative.coasting, motion.omega(i), known[link.parent], gained)
    return [known[i] for i in range(len(motion.tree.links))]


@repeated
def _accelerated(
    moving: Coasting, omega: Vector, parent: Acceleration, gained: tuple[tuple[Scalar, Vector, Vector], ...]
) -> Acceleration:
    """Return a link's acceleration from its parent's, with the rates of its unknown speeds along their modes."""
    coasting = coasting_acceleration(moving, omega, parent)
    angular, linear = coasting.angular, coasting.linear
    for rate, turning, sliding in gained:
        angular = plus(angular, scale(rate, turning))
        linear = plus(linear, scale(rate, sliding))
    return Acceleration(angular, linear, omega)


def joint_loads(
    motion: TreeMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None, *, on_speeds_only: bool = False
) -> JointLoads:
    """Return the loads through all inboard joints for given u̇ (T. S. No, eq. 18 for each body, inward).

    Where only loads on speeds are requested, forces that work on none are left out.
    """
    tree = motion.tree
    applied = applied_loads(motion) if loads is None else loads
    moving = accelerations(motion, rates)
    forceless = turning_on_ground(motion) if on_speeds_only else frozenset[int]()
    wrenches = _link_wrenches(motion, moving, rates, applied, forceless)
    for i in reversed(range(len(tree.links))):
        parent = tree.links[i].parent
        if parent != GROUND_INDEX:
            frame = motion.motions[i].frame
            wrenches[parent] = _with_child(wrenches[parent], wrenches[i], frame, parent in forceless)
    return JointLoads(motion, applied, tuple(wrenches), tuple(moving))


def turning_on_ground(motion: TreeMotion) -> frozenset[int]:
    """Return the links whose unknown speeds only turn them, about places on the ground: forces there do no work."""
    found = {i for i, link in enumerate(motion.tree.links) if link.parent == GROUND_INDEX}
    return frozenset(found - {i for i in found for _, mode in motion.motions[i].free if mode.linear is not ZERO})


def body_wrenches(
    motion: TreeMotion, rates: Sequence[Scalar], applied: AppliedLoads
) -> dict[int, tuple[Vector, Vector]]:
    """Return by link force and moment about the origin of H, in world axes, that its body needs, loads subtracted."""
    found: dict[int, tuple[Vector, Vector]] = {}
    wrenches = _link_wrenches(motion, accelerations(motion, rates), rates, applied)
    for i, _ in motion.tree.bodies:
        R_WH = motion.pose(i).R_WH
        found[i] = apply(R_WH, wrenches[i].force), apply(R_WH, wrenches[i].moment)
    return found


def _link_wrenches(
    motion: TreeMotion,
    moving: Sequence[Acceleration],
    rates: Sequence[Scalar],
    applied: AppliedLoads,
    forceless: frozenset[int] = frozenset(),
) -> list[Wrench]:
    links = enumerate(motion.tree.links)
    return [
        _link_wrench(motion, link, moving[i], rates, applied.wrenches[i], forceless=i in forceless) for i, link in links
    ]


def inverse_dynamics(motion: TreeMotion, rates: Sequence[Scalar], loads: AppliedLoads | None = None) -> list[Scalar]:
    """Return the load on each speed, beyond all applied ones, that produces u̇."""
    found = joint_loads(motion, rates, loads, on_speeds_only=True)
    result: list[Scalar] = [0] * motion.tree.coordinates.n_u
    applied = list(found.applied.on_speeds)
    for i, link in enumerate(motion.tree.links):
        for place, mode in motion.motions[i].free:
            load = _load_on_speed(mode.angular, mode.linear, found.wrenches[i], applied[place])
            result[place], applied[place] = add(result[place], load), 0  # links that share a speed add up
        for wheel in link.wheels:
            if wheel.place is not None:
                place = wheel.place[1]
                spun_up = add(rates[place], dot(wheel.axis, found.accelerations[i].angular))
                result[place] = subtract(multiply(wheel.inertia, spun_up), applied[place])
    add_loads(result, rates, motion)
    return result


def along(mode: Mode, wrench: Wrench) -> Scalar:
    """Return the part of a wrench that works on a mode."""
    return add(dot(mode.angular, wrench.moment), dot(mode.linear, wrench.force))


@repeated
def _load_on_speed(angular: Vector, linear: Vector, wrench: Wrench, applied: Scalar) -> Scalar:
    """Return the part of a wrench that works on a mode, without the load that acts on its speed."""
    return subtract(add(dot(angular, wrench.moment), dot(linear, wrench.force)), applied)


def seen_from_parent(wrench: Wrench, frame: RelativeFrame) -> Wrench:
    """Return a wrench about the origin of the parent's hinge frame, in its axes."""
    force = frame.to_parent(wrench.force)
    return Wrench(plus(frame.to_parent(wrench.moment), cross(frame.r_PH_P, force)), force)


@repeated
def _with_child(parent: Wrench, child: Wrench, frame: RelativeFrame, forceless: bool) -> Wrench:
    """Return the wrench through a parent's joint with that of a child's added, or its moment only."""
    seen = seen_from_parent(child, frame)
    return parent.plus(Wrench(seen.moment) if forceless else seen)


def _link_wrench(
    motion: TreeMotion,
    link: Link,
    moving: Acceleration,
    rates: Sequence[Scalar],
    external: Wrench,
    *,
    forceless: bool,
) -> Wrench:
    """Return the wrench that the motion of one link requires, without loads of force elements; or its moment only."""
    if not link.wheels:
        return _rigid_wrench((link.mass, link.moment, link.inertia), moving, external, forceless)
    moment = inertia_moment(link, link.inertia, moving, motion.state, motion.tree.value)
    for wheel in link.wheels:
        if wheel.place is not None:
            moment = plus(moment, scale(multiply(wheel.inertia, rates[wheel.place[1]]), wheel.axis))
    moment = minus(moment, external.moment)
    return Wrench(moment) if forceless else Wrench(moment, minus(inertia_force(link, moving), external.force))


@repeated
def _rigid_wrench(
    inertia: tuple[Scalar, Vector, Matrix], moving: Acceleration, external: Wrench, forceless: bool
) -> Wrench:
    """Return the wrench that the motion of a link without rotors requires: see `_link_wrench`."""
    body = Carried("", IDENTITY, ZERO, *inertia, ())
    moment = minus(rigid_moment(body, body.inertia, moving), external.moment)
    return Wrench(moment) if forceless else Wrench(moment, minus(inertia_force(body, moving), external.force))
