"""The angle over which a rope lies on a sheave."""

from __future__ import annotations

from gyrostat.model.ropes.station import Station
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate
from gyrostat.spatial import Vector, cross, dot


def wrap_angle(sheave: Station, arriving: Vector, leaving: Vector, turns: int, scalars: Scalars) -> Scalar:
    """Return the angle from the direction of arrival to that of leaving, in the sense of the rope.

    It lies between −90° and 270° beyond the whole turns: its only jump is where the rope would have to lie the other
    way round. A negative angle means that a taut rope would be off the sheave.
    """
    cosine = dot(arriving, leaving)
    sine = multiply(sheave.sense, dot(sheave.axis, cross(arriving, leaving)))
    quarter = divide(scalars.pi(), 2)
    angle = add(quarter, scalars.call("atan2", (negate(cosine), sine)))
    return add(angle, multiply(2 * turns, scalars.pi()))
