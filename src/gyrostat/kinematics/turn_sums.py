"""Angles between bodies as sums of coordinates, where all that turns between them turns about one axis.

Such a sum counts whole turns and is a polynomial, unlike an angle that is read off a rotation.
"""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.kinematics.mechanism import GROUND_INDEX, Carried, KinematicTree, turning_axis
from gyrostat.kinematics.state import MotionState
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.joints import Joint, Pose, Screw
from gyrostat.model.joints.closure import turned_by
from gyrostat.model.kinds import End
from gyrostat.scalar import FloatScalars, Scalar
from gyrostat.scalar.algebra import add, is_number, subtract
from gyrostat.spatial import Matrix, Vector, apply, cross, dot, minus, product, transpose

_SLACK = 1e-12


@dataclass(frozen=True)
class TurnSum:
    """An angle: a constant, and coordinates (places in q, or formulas of time) that are added or subtracted."""

    constant: float
    added: tuple[int | Formula, ...]
    taken: tuple[int | Formula, ...]

    def value(self, state: MotionState, value: Evaluator) -> Scalar:
        """Return the angle at a state."""
        total: Scalar = self.constant if self.constant else 0
        for place in self.added:
            total = add(total, _angle(place, state, value))
        for place in self.taken:
            total = subtract(total, _angle(place, state, value))
        return total


def _angle(place: int | Formula, state: MotionState, value: Evaluator) -> Scalar:
    return state.q[place] if isinstance(place, int) else state.in_time(place, value).value


def chord_angle(mechanism: KinematicTree[Carried], joint: Joint) -> tuple[int, TurnSum] | None:
    """Return the number of a joint's angle and its sum, or None where it is no sum of coordinates."""
    if isinstance(joint, Screw):
        return None  # its advance counts turns
    axis = turning_axis(joint, mechanism.value)
    if axis is None:
        return None
    found = turn_between(mechanism, joint.parent, joint.child, axis)
    number = next(i for i, coordinate in enumerate(joint.coordinates) if coordinate.measure == "angle")
    return None if found is None else (number, found)


def turn_between(mechanism: KinematicTree[Carried], start: End, end: End, axis: Vector) -> TurnSum | None:
    """Return the angle from one frame to another about an axis that both have in common, or None."""
    ways = [_way_in(mechanism, place, axis) for place in (start, end)]
    if ways[0] is None or ways[1] is None:
        return None
    first, last = ways[0], ways[1]
    if not all(is_number(x) and abs(x) < _SLACK for x in minus(first.axis, last.axis)):
        return None
    R = product(transpose(first.rotation), last.rotation)
    if not all(is_number(x) for row in R for x in row):
        return None
    cosine, sine = turned_by(Pose(R), axis, FloatScalars())
    constant = float(FloatScalars().call("atan2", (sine, cosine)))
    added, taken = [*last.added, *first.taken], [*last.taken, *first.added]
    for place in list(added):
        if place in taken:  # a coordinate that turns both of them
            added.remove(place)
            taken.remove(place)
    return TurnSum(0.0 if abs(constant) < _SLACK else constant, tuple(added), tuple(taken))


@dataclass
class _WayIn:
    """The path from a frame to the ground: turning coordinates with signs, constant rotation, axis in the ground."""

    axis: Vector
    rotation: Matrix
    added: list[int | Formula]
    taken: list[int | Formula]


def _way_in(mechanism: KinematicTree[Carried], end: End, axis: Vector) -> _WayIn | None:
    R_HE, _ = mechanism.placement_in_hinge(end)
    way = _WayIn(apply(R_HE, axis), R_HE, [], [])
    index = mechanism.index_of[end.body]
    while index != GROUND_INDEX:
        link, turned = mechanism.turning_joints[index], mechanism.turning_axes[index]
        if turned is not None:
            if not all(is_number(x) and abs(x) < _SLACK for x in cross(turned, way.axis)):
                return None
            along = dot(turned, way.axis) > 0
            for coordinate, place in zip(link.joint.coordinates, link.layout.coordinates, strict=True):
                if coordinate.measure == "angle" and place is not None:
                    (way.added if along != link.reversed else way.taken).append(place)
        elif link.joint.flexible or any(coordinate.measure != "length" for coordinate in link.joint.coordinates):
            return None
        way.axis, way.rotation = apply(link.R_PJ, way.axis), product(link.R_PJ, way.rotation)
        index = link.parent
    return way
