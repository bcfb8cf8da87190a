"""Chords: joints that close loops. They have no coordinates of their own; theirs follow from the motion of the tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import ConstraintRow
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import CoordinateLoad, PointLoad
from gyrostat.model.joints import Joint, Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, subtract
from gyrostat.spatial import UNIT, ZERO, Vector, apply, cross, dot, minus, opposite, plus, product, scale, transpose


@dataclass(frozen=True)
class ChordMotion:
    """How the child's side C of a chord stands and moves relative to the parent's side P.

    The twist is in the axes of C at C's origin. Coordinates and speeds are those that the joint would have.
    """

    joint: Joint
    pose: Pose
    twist: Mode
    value: Evaluator

    @cached_property
    def coordinates(self) -> tuple[Scalar, ...]:
        """The coordinates; formed only where they are asked for, since angles are no polynomials of a rotation."""
        return self.joint.measured(self.pose, self.value)

    @cached_property
    def directions(self) -> tuple[Mode, ...]:
        """The unit loads on the child that the joint can bear."""
        return self.joint.reaction_space(self.pose, self.value)


def chord_motion(motion: WorldMotion, joint: Joint) -> ChordMotion:
    """Return the relative motion in a chord."""
    parent, child = motion.end(joint.parent), motion.end(joint.child)
    R_WP, R_WC = parent.rotation, child.rotation
    r_PC_W = minus(child.position, parent.position)
    pose = Pose(product(transpose(R_WP), R_WC), apply(transpose(R_WP), r_PC_W))
    carried = cross(parent.omega, r_PC_W)
    velocity = minus(minus(child.velocity, parent.velocity), carried)
    twist = Mode("chord", apply(transpose(R_WC), minus(child.omega, parent.omega)), apply(transpose(R_WC), velocity))
    return ChordMotion(joint, pose, twist, motion.tree.value)


def chord_directions(motion: WorldMotion, joint: Joint) -> list[tuple[str, Mode]]:
    """Return the name of each row of a chord and the unit load on the child, in the axes of C, that it stands for."""
    found = chord_motion(motion, joint)
    names = [(f"{joint.name}: {mode.label}", mode) for mode in found.directions]
    for i, coordinate in enumerate(joint.coordinates):
        if coordinate.label in joint.driven:
            name = f"{joint.name}: driver of {joint.full_name(coordinate.label)}"
            names.append((name, speed_direction(joint, found.coordinates, i, motion)))
    return names


def speed_direction(joint: Joint, q: tuple[Scalar, ...], number: int, motion: WorldMotion) -> Mode:
    """Return the load on the child, in the axes of C, that works on one speed of a joint alone."""
    unit = [Mode("unit", angular=UNIT[axis]) for axis in "xyz"] + [Mode("unit", linear=UNIT[axis]) for axis in "xyz"]
    parts = [joint.measured_speeds(q, twist, motion.tree.value)[number] for twist in unit]
    return Mode("load", (parts[0], parts[1], parts[2]), (parts[3], parts[4], parts[5]))


def chord_loads(
    motion: WorldMotion, joint: Joint, directions: Iterable[tuple[Mode, Scalar]]
) -> tuple[PointLoad, PointLoad]:
    """Return loads along directions in the axes of C as one load on the child at its end, and its opposite."""
    moment: Vector = ZERO
    force: Vector = ZERO
    for mode, size in directions:
        moment, force = plus(moment, scale(size, mode.angular)), plus(force, scale(size, mode.linear))
    parent, child = motion.end(joint.parent), motion.end(joint.child)
    F, M = apply(child.rotation, force), apply(child.rotation, moment)
    arm = minus(child.position, parent.position)
    return PointLoad(joint.child, F, M), PointLoad(joint.parent, opposite(F), opposite(plus(M, cross(arm, F))))


def load_on_chord(motion: WorldMotion, load: CoordinateLoad) -> tuple[PointLoad, PointLoad]:
    """Return a load on a chord's coordinate as loads on its two bodies."""
    joint = motion.chord_of(load.coordinate)
    assert joint is not None, "only chords are asked for"
    found = chord_motion(motion, joint)
    number = joint.coordinate_names.index(load.coordinate)
    return chord_loads(motion, joint, [(speed_direction(joint, found.coordinates, number, motion), load.value)])


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

    Multipliers of the first are the joint's load, in the axes of the child at the joint's point.
    """
    found = chord_motion(motion, joint)
    value = motion.tree.value
    rows = [
        ConstraintRow(
            joint.name,
            mode.label,
            speed=add(dot(mode.angular, found.twist.angular), dot(mode.linear, found.twist.linear)),
            residual=residual,
            unit="N·m" if mode.label.startswith("moment") else "N",
        )
        for mode, residual in zip(found.directions, joint.closure(found.pose, value), strict=True)
    ]
    if joint.driven:
        speeds = joint.measured_speeds(found.coordinates, found.twist, value)
        for coordinate, measured, speed in zip(joint.coordinates, found.coordinates, speeds, strict=True):
            if coordinate.label in joint.driven:
                jet = motion.state.in_time(joint.driven[coordinate.label], value)
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


def _difference(measured: Scalar, wanted: Scalar, angle: bool, motion: WorldMotion) -> Scalar:
    """Return a difference; of angles its sine, since whole turns of a chord are not counted."""
    if not angle:
        return subtract(measured, wanted)
    call = motion.scalars.call
    return subtract(
        multiply(call("sin", (measured,)), call("cos", (wanted,))),
        multiply(call("cos", (measured,)), call("sin", (wanted,))),
    )
