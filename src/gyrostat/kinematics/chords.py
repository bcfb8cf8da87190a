"""Chords: joints that close loops. They have no coordinates of their own; theirs follow from the motion of the tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.kinematics.turn_sums import chord_angle
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import CoordinateLoad, PointLoad, PointMotion
from gyrostat.model.joints import Joint, Mode, Pose
from gyrostat.model.joints.joint import EVERY_FORCE
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_zero, multiply, subtract
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import (
    UNIT,
    ZERO,
    Matrix,
    Vector,
    apply,
    cross,
    dot,
    minus,
    opposite,
    plus,
    product,
    scale,
    transpose,
)

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


@dataclass(frozen=True)
class ChordMotion:
    """Pose and twist of the child's side C of a chord relative to the parent's side P.

    The twist is in the axes of C at C's origin. Coordinates and speeds are those that the joint would have.
    """

    joint: Joint
    pose: Pose
    twist: Mode
    motion: WorldMotion

    @property
    def value(self) -> Evaluator:
        """The evaluator of the model's formulas."""
        return self.motion.tree.value

    @cached_property
    def coordinates(self) -> tuple[Scalar, ...]:
        """The coordinates, computed on first access, since few angles are polynomials of a rotation.

        An angle is a sum of coordinates where all between the two bodies turns about its axis; then turns count.
        """
        counted = chord_angle(self.motion.tree, self.joint)
        if counted is None:
            return self.joint.measured(self.pose, self.value)
        number, angle = counted
        found = angle.value(self.motion.state, self.value)
        if len(self.joint.coordinates) == 1:
            return (found,)
        measured = self.joint.measured(self.pose, self.value)
        return (*measured[:number], found, *measured[number + 1 :])

    @cached_property
    def directions(self) -> tuple[Mode, ...]:
        """The unit reactions of the joint on the child."""
        return self.joint.reaction_space(self.pose, self.value)


def chord_motion(motion: WorldMotion, joint: Joint) -> ChordMotion:
    """Return the relative motion in a chord."""
    return ChordMotion(joint, *_relative(motion.end(joint.parent), motion.end(joint.child)), motion)


@repeated
def _relative(parent: PointMotion, child: PointMotion) -> tuple[Pose, Mode]:
    """Return the pose of a place relative to another one, and its twist in its own axes."""
    R_WP, R_WC = parent.rotation, child.rotation
    r_PC_W = minus(child.position, parent.position)
    pose = Pose(product(transpose(R_WP), R_WC), apply(transpose(R_WP), r_PC_W))
    carried = cross(parent.omega, r_PC_W)
    velocity = minus(minus(child.velocity, parent.velocity), carried)
    twist = Mode("chord", apply(transpose(R_WC), minus(child.omega, parent.omega)), apply(transpose(R_WC), velocity))
    return pose, twist


def chord_directions(motion: WorldMotion, joint: Joint) -> list[tuple[str, Mode]]:
    """Return the name of each row of a chord and the unit load on the child, in world axes, that it represents."""
    found = chord_motion(motion, joint)
    R_WC = motion.end(joint.child).rotation
    in_world = _forces_in_world(motion, found.directions)
    names = []
    for i in _kept(motion, joint, found.directions):
        mode = found.directions[i]
        names.append((f"{joint.name}: {mode.label}", mode if i in in_world else _turned(R_WC, mode)))
    for i, coordinate in enumerate(joint.coordinates):
        if _drives_by_row(motion, joint, coordinate.label):
            name = driver_row(joint, coordinate.label)
            names.append((name, _turned(R_WC, speed_direction(joint, found.coordinates, i, motion))))
    return names


def held_directions(motion: WorldMotion, joint: Joint) -> list[Mode]:
    """Return the unit loads on the child, in world axes, of the constraints that a tree satisfies."""
    found = chord_motion(motion, joint)
    R_WC, kept = motion.end(joint.child).rotation, _kept(motion, joint, found.directions)
    return [_turned(R_WC, mode) for i, mode in enumerate(found.directions) if i not in kept]


def driver_row(joint: Joint, label: str) -> str:
    """Return the name of the row that drives a coordinate of a chord."""
    return f"{joint.name}: driver of {joint.full_name(label)}"


def _turned(R: Matrix, mode: Mode) -> Mode:
    return Mode(mode.label, apply(R, mode.angular), apply(R, mode.linear))


def _forces_in_world(motion: WorldMotion, directions: Sequence[Mode]) -> dict[int, int]:
    """Return the unit forces, by number, that are taken along the world's axes instead, with the number of the axis.

    A joint that holds a point has forces along all axes, and on two trees the world's give the shortest constraints:
    the difference of two positions.
    """
    if not motion.forces_in_world:
        return {}
    found = {i: k for i, mode in enumerate(directions) for k, force in enumerate(EVERY_FORCE) if mode is force}
    return found if len(found) == len(EVERY_FORCE) else {}


def speed_direction(joint: Joint, q: tuple[Scalar, ...], number: int, motion: WorldMotion) -> Mode:
    """Return the load on the child, in the axes of C, that works on one speed of a joint alone."""
    unit = [Mode("unit", angular=UNIT[axis]) for axis in "xyz"] + [Mode("unit", linear=UNIT[axis]) for axis in "xyz"]
    parts = [joint.measured_speeds(q, twist, motion.tree.value)[number] for twist in unit]
    return Mode("load", (parts[0], parts[1], parts[2]), (parts[3], parts[4], parts[5]))


def speed_direction_in_world(motion: WorldMotion, joint: Joint, number: int) -> Mode:
    """Return the load on the child, in world axes, that works on one speed of a joint alone."""
    mode = speed_direction(joint, chord_motion(motion, joint).coordinates, number, motion)
    return _turned(motion.end(joint.child).rotation, mode)


def chord_loads(
    motion: WorldMotion, joint: Joint, directions: Iterable[tuple[Mode, Scalar]]
) -> tuple[PointLoad, PointLoad]:
    """Return loads along directions in world axes as one load on the child at its end, and its opposite.

    The opposite acts where the child's end is, but for forces along the world's axes, and those that hold points of
    flexible bodies together: each at its own.
    """
    moment: Vector = ZERO
    force: Vector = ZERO
    holding: Vector = ZERO
    holds = _acts_at_both_points(motion, joint)
    for mode, size in directions:
        own_points = holds and all(is_zero(x) for x in mode.angular)
        if own_points or any(mode is unit for unit in EVERY_FORCE):
            holding = plus(holding, scale(size, mode.linear))
        else:
            moment, force = plus(moment, scale(size, mode.angular)), plus(force, scale(size, mode.linear))
    parent, child = motion.end(joint.parent), motion.end(joint.child)
    arm = minus(child.position, parent.position)
    whole = plus(force, holding)
    on_parent = PointLoad(joint.parent, opposite(whole), opposite(plus(moment, cross(arm, force))))
    return PointLoad(joint.child, whole, moment), on_parent


def load_on_chord(motion: WorldMotion, load: CoordinateLoad) -> tuple[PointLoad, PointLoad]:
    """Return a load on a chord's coordinate as loads on its two bodies."""
    joint = motion.chord_of(load.coordinate)
    assert joint is not None, "only chords have one"
    return load_on_coordinate(motion, joint, load)


def load_on_coordinate(motion: WorldMotion, joint: Joint, load: CoordinateLoad) -> tuple[PointLoad, PointLoad]:
    """Return a load on a joint's coordinate as loads on its two bodies."""
    mode = speed_direction_in_world(motion, joint, joint.coordinate_names.index(load.coordinate))
    return chord_loads(motion, joint, [(mode, load.value)])


def chord_quantity(motion: WorldMotion, joint: Joint, name: str) -> Scalar:
    """Return a coordinate, a speed or the rate of a coordinate of a chord, by its full name."""
    found, value = chord_motion(motion, joint), motion.tree.value
    if name in joint.coordinate_names:
        return found.coordinates[joint.coordinate_names.index(name)]
    speeds = joint.measured_speeds(found.coordinates, found.twist, value)
    if name in joint.speed_names:
        return speeds[joint.speed_names.index(name)]
    rates = joint.coordinate_rates(found.coordinates, speeds, value)
    return rates[joint.coordinate_names.index(name.removesuffix(".rate"))]


def chord_rows(motion: WorldMotion, joint: Joint) -> list[ConstraintRow]:
    """Return the constraints of a chord: no motion along its unit reactions, and drivers of its coordinates.

    Multipliers of the first are the joint's load at the joint's point, in the axes of the child; on two trees, forces
    of joints that hold a point are in world axes.
    """
    found = chord_motion(motion, joint)
    value = motion.tree.value
    closure = joint.closure(found.pose, value)
    in_world = _forces_in_world(motion, found.directions)
    apart = _apart(motion, joint) if in_world else None
    between = _twist_between_points(motion, joint, found) if _acts_at_both_points(motion, joint) else None
    rows = []
    for i in _kept(motion, joint, found.directions):
        mode = found.directions[i]
        if apart is not None and i in in_world:
            gap, speed = (part[in_world[i]] for part in apart)
        else:
            gap, twist = closure[i], found.twist if between is None else between
            speed = add(dot(mode.angular, twist.angular), dot(mode.linear, twist.linear))
        unit = "N·m" if mode.label.startswith("moment") else "N"
        rows.append(ConstraintRow(joint.name, mode.label, speed=speed, residual=gap, unit=unit))
    if any(_drives_by_row(motion, joint, label) for label in joint.driven):
        speeds = joint.measured_speeds(found.coordinates, found.twist, value)
        for coordinate, measured, speed in zip(joint.coordinates, found.coordinates, speeds, strict=True):
            if _drives_by_row(motion, joint, coordinate.label):
                jet = motion.state.in_time(joint.drivers[coordinate.label], value)
                name = joint.full_name(coordinate.label)
                rows.append(
                    ConstraintRow(
                        joint.name,
                        f"driver of {name}",
                        speed=subtract(speed, jet.rate),
                        residual=_difference(measured, jet.value, coordinate.measure == "angle", motion),
                        unit="N·m" if coordinate.measure == "angle" else "N",
                    )
                )
    return rows


def _acts_at_both_points(motion: WorldMotion, joint: Joint) -> bool:
    """Return whether the force of a joint acts on each body at the body's own point, and not at the child's on both.

    So it does on flexible bodies whose points a joint holds together. The points are apart by the error of a step; at
    the other's point the force would have a moment, which turns a thin rod about its axis at once.
    """
    ends = {joint.parent.body, joint.child.body}
    arms = (arm for arm in motion.tree.coordinates.topology.joints.values() if arm.flexible)
    if not any(ends & {arm.parent.body, arm.child.body} for arm in arms):
        return False
    directions = chord_motion(motion, joint).directions
    return all(any(mode is force for mode in directions) for force in EVERY_FORCE)


def _twist_between_points(motion: WorldMotion, joint: Joint, found: ChordMotion) -> Mode:
    """Return the twist of a chord with the difference of the velocities of the joint's two points."""
    _, velocity = _apart(motion, joint)
    linear = apply(transpose(motion.end(joint.child).rotation), velocity)
    return Mode("chord", found.twist.angular, linear)


def _apart(motion: WorldMotion, joint: Joint) -> tuple[Vector, Vector]:
    """Return the displacement between the two points of a joint, and its rate, in world axes."""
    parent, child = motion.end(joint.parent), motion.end(joint.child)
    return minus(child.position, parent.position), minus(child.velocity, parent.velocity)


def _kept(motion: WorldMotion, joint: Joint, directions: Sequence[Mode]) -> list[int]:
    """Return the unit reactions, by number, that no tree satisfies: a tree holds moments, or forces, of its joints."""
    turned, placed = motion.tree.coordinates.held(joint.name)
    return [
        i
        for i, mode in enumerate(directions)
        if not (turned and all(is_zero(x) for x in mode.linear))
        and not (placed and all(is_zero(x) for x in mode.angular))
    ]


def _drives_by_row(motion: WorldMotion, joint: Joint, label: str) -> bool:
    """Return whether a coordinate is driven by a constraint: no tree has it."""
    return label in joint.driven and joint.full_name(label) not in motion.tree.coordinates.driven


def _difference(measured: Scalar, wanted: Scalar, angle: bool, motion: WorldMotion) -> Scalar:
    """Return a difference; of angles its sine, since whole turns of a chord are not counted."""
    if not angle:
        return subtract(measured, wanted)
    call = motion.scalars.call
    return subtract(
        multiply(call("sin", (measured,)), call("cos", (wanted,))),
        multiply(call("cos", (measured,)), call("sin", (wanted,))),
    )
