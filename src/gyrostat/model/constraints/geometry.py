"""Geometric quantities that several constraints share."""

from __future__ import annotations

from gyrostat.model.forces import Motion, PointMotion
from gyrostat.model.kinds import End, Triple
from gyrostat.scalar import Scalar
from gyrostat.spatial import Vector, apply, dot, minus, normalised, transpose


def distance(motion: Motion, a: End, b: End) -> Scalar:
    """Return the distance between two points."""
    along = minus(motion.end(b).position, motion.end(a).position)
    return motion.scalars.call("sqrt", (dot(along, along),))


def direction(motion: Motion, formulas: Triple) -> Vector:
    """Return the unit vector of a direction given by three formulas."""
    x, y, z = (motion.evaluate(formula) for formula in formulas)
    vector: Vector = (x, y, z)
    return normalised(vector, motion.scalars)


def seen_from(frame: PointMotion, place: PointMotion) -> Vector:
    """Return the position of a point relative to the origin of a frame, in the axes of that frame."""
    return apply(transpose(frame.rotation), minus(place.position, frame.position))
