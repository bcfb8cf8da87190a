"""A leg of a rope: from a station to the next one at which it stays, with a sheave between them that it may leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.model.ropes.span import Span, Unit, span_between
from gyrostat.model.ropes.station import Station
from gyrostat.model.ropes.wrap import wrap_angle
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, multiply
from gyrostat.spatial import Vector, scale


class Between(NamedTuple):
    """A sheave that the rope may leave, by its pulley's name, and the angle on it; negative where the rope is off."""

    name: str
    wrap: Scalar


@dataclass(frozen=True)
class Leg:
    """The rope from one station to the next at an instant, without the arcs on these two."""

    length: Scalar
    pulling: Callable[[], tuple[Unit, ...]]
    """Function that returns the forces per unit of tension."""
    stretching: Callable[[], Scalar]
    """Function that returns the rate of stretching of rope that sticks to the rims of both stations (m/s)."""
    leaving: Vector
    """The direction in which the rope leaves the first station, in the plane of its sheave."""
    arriving: Vector
    """The direction in which it arrives at the second."""
    turning: Callable[[], tuple[Scalar, Scalar]]
    """Function that returns the angular speeds of both tangent points on the bodies of the stations."""
    points: tuple[Vector, ...]
    """Where the rope leaves and arrives, in order."""
    mismatch: tuple[Scalar, ...]
    """How far the spans are from tangent."""
    between: Between | None = None
    span: Span | None = None
    """Its span; None where a sheave that the rope may leave is between two of them."""

    @cached_property
    def forces(self) -> tuple[Unit, ...]:
        """The forces per unit of tension."""
        return self.pulling()

    @cached_property
    def rate(self) -> Scalar:
        """The rate of stretching of rope that sticks to the rims of both stations (m/s)."""
        return self.stretching()


def leg_between(start: Station, stop: Station, between: tuple[str, Station] | None, scalars: Scalars) -> Leg:
    """Return the leg from one station to the next; where a named sheave is between them, the rope is on or off it."""
    if between is None:
        return leg_of(span_between(start, stop, scalars))
    name, sheave = between
    first, second = span_between(start, sheave, scalars), span_between(sheave, stop, scalars)
    direct = span_between(start, stop, scalars)
    wrap = wrap_angle(sheave, first.arriving, second.leaving, 0, scalars)
    on = scalars.compare(">", wrap, 0)

    def either(yes: Scalar, no: Scalar) -> Scalar:
        return scalars.call("where", (on, yes, no))

    def either_vector(yes: Vector, no: Vector) -> Vector:
        x, y, z = (either(p, q) for p, q in zip(yes, no, strict=True))
        return (x, y, z)

    share, rest = either(1, 0), either(0, 1)
    arcs = multiply(sheave.radius, wrap)
    return Leg(
        length=either(add(add(first.length, second.length), arcs), direct.length),
        stretching=lambda: either(add(first.rate, second.rate), direct.rate),
        pulling=lambda: (
            *(one._replace(force=scale(share, one.force)) for one in (*first.forces, *second.forces)),
            *(one._replace(force=scale(rest, one.force)) for one in direct.forces),
        ),
        leaving=either_vector(first.leaving, direct.leaving),
        arriving=either_vector(second.arriving, direct.arriving),
        turning=lambda: (
            either(first.turning[0], direct.turning[0]),
            either(second.turning[1], direct.turning[1]),
        ),
        points=(
            either_vector(first.a, direct.a),
            either_vector(first.b, direct.a),
            either_vector(second.a, direct.b),
            either_vector(second.b, direct.b),
        ),
        mismatch=(first.mismatch, second.mismatch, direct.mismatch),
        between=Between(name, wrap),
    )


def leg_of(span: Span) -> Leg:
    """Return the leg of a single span."""
    return Leg(
        span.length,
        lambda: span.forces,
        lambda: span.rate,
        span.leaving,
        span.arriving,
        lambda: span.turning,
        (span.a, span.b),
        (span.mismatch,),
        span=span,
    )
