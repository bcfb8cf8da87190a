"""The course of a rope at an instant: its legs, the arcs on sheaves, and the segments between sheaves that hold it.

On a sheave that holds the rope, by friction or teeth, tensions may differ: the middle of its arc ends a segment. The
tension is uniform within a segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.model.ropes.leg import Leg, leg_between
from gyrostat.model.ropes.span import Unit
from gyrostat.model.ropes.station import Station
from gyrostat.model.ropes.wrap import wrap_angle
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, total
from gyrostat.spatial import Vector, cross, scale


class CourseStop(NamedTuple):
    """A station of the path with its part in it."""

    name: str
    """The name of the pulley; empty at an end."""
    station: Station
    holds: bool = False
    """Whether tensions on both sides may differ."""
    lifts: bool = False
    """Whether the rope may be off the sheave."""
    turns: int = 0


@dataclass(frozen=True)
class Arc:
    """The arc of a rope on a sheave."""

    name: str
    station: Station
    wrap: Scalar
    holds: bool
    arriving: Leg | None
    leaving: Leg | None

    @property
    def length(self) -> Scalar:
        """The length of the arc."""
        return multiply(self.station.radius, self.wrap)

    @cached_property
    def flow(self) -> Scalar:
        """The speed at which the rim passes the middle of the arc (m/s), positive along the path."""
        turning = [
            *([self.arriving.turning()[1]] if self.arriving else []),
            *([self.leaving.turning()[0]] if self.leaving else []),
        ]
        return negate(multiply(divide(self.station.radius, 2), total(turning)))


@dataclass(frozen=True)
class Segment:
    """The rope between two places at which its tension may change."""

    legs: tuple[Leg, ...]
    length: Scalar
    """The length of its spans and arcs, with half of the arcs at which it ends."""

    @property
    def rate(self) -> Scalar:
        """The rate of stretching of rope that sticks to the sheaves at both ends (m/s)."""
        return total([leg.rate for leg in self.legs])

    @property
    def forces(self) -> tuple[Unit, ...]:
        """The forces per unit of tension."""
        return tuple(one for leg in self.legs for one in leg.forces)


@dataclass(frozen=True)
class Course:
    """A rope at an instant; of a closed one, the first segment begins at the first sheave that holds."""

    legs: tuple[Leg, ...]
    arcs: tuple[Arc, ...]
    """The arcs on sheaves that the rope does not leave, in order."""
    segments: tuple[Segment, ...]
    closed: bool

    @property
    def length(self) -> Scalar:
        """The length of the whole rope."""
        return total([one.length for one in self.segments])

    @property
    def rate(self) -> Scalar:
        """The rate of the length of the whole rope (m/s)."""
        return total([one.rate for one in self.segments])

    @property
    def held(self) -> tuple[Arc, ...]:
        """The arcs between segments: of an open rope one less than segments, of a closed one as many."""
        return tuple(arc for arc in self.arcs if arc.holds)

    @property
    def wraps(self) -> dict[str, Scalar]:
        """The wrap angles by the names of pulleys."""
        found = {arc.name: arc.wrap for arc in self.arcs}
        return found | {leg.between.name: leg.between.wrap for leg in self.legs if leg.between is not None}


def course_of(stops: Sequence[CourseStop], scalars: Scalars, *, closed: bool = False) -> Course:
    """Return the course over the stops; a sheave that the rope may leave lies between two that it does not leave."""
    fixed = [stop for stop in stops if not stop.lifts]
    legs = _legs(stops, fixed, scalars, closed)
    arcs = []
    for i, stop in enumerate(fixed):
        if not stop.station.is_point:
            before = legs[i - 1] if closed or i > 0 else None
            after = legs[i] if closed or i < len(fixed) - 1 else None
            arcs.append(_arc(stop, before, after, scalars))
    return Course(tuple(legs), tuple(arcs), tuple(_segments(fixed, legs, arcs, closed)), closed)


def _legs(stops: Sequence[CourseStop], fixed: Sequence[CourseStop], scalars: Scalars, closed: bool) -> list[Leg]:
    """Return the legs from each fixed stop to the next one."""
    first = stops.index(fixed[0])
    around = [*stops[first:], *stops[:first], fixed[0]] if closed else list(stops)
    legs, start, between = [], around[0], None
    for stop in around[1:]:
        if stop.lifts:
            between = stop
            continue
        named = None if between is None else (between.name, between.station)
        legs.append(leg_between(start.station, stop.station, named, scalars))
        start, between = stop, None
    return legs


def _arc(stop: CourseStop, before: Leg | None, after: Leg | None, scalars: Scalars) -> Arc:
    """Return the arc on a sheave; at the end of a rope it is counted from the x axis of the frame."""
    mark = _mark(stop.station)
    arriving = mark if before is None else before.arriving
    leaving = mark if after is None else after.leaving
    wrap = wrap_angle(stop.station, arriving, leaving, stop.turns, scalars)
    return Arc(stop.name, stop.station, wrap, stop.holds and None not in (before, after), before, after)


def _mark(station: Station) -> Vector:
    """Return the direction of the rope where it passes the x axis of a sheave's frame."""
    return scale(station.sense, cross(station.axis, station.mark))


def _segments(fixed: Sequence[CourseStop], legs: Sequence[Leg], arcs: Sequence[Arc], closed: bool) -> list[Segment]:
    """Return the segments between arcs that hold."""
    by_station = {id(arc.station): arc for arc in arcs}
    at = [by_station.get(id(stop.station)) for stop in fixed]
    holding = [i for i, arc in enumerate(at) if arc is not None and arc.holds]
    if closed:
        first = holding[0] if holding else 0
        order = [(first + i) % len(legs) for i in range(len(legs))]
    else:
        order = list(range(len(legs)))
    found: list[Segment] = []
    members: list[Leg] = []
    length: Scalar = _part(at[order[0]])
    for i in order:
        members.append(legs[i])
        following = at[(i + 1) % len(at)]
        length = add(length, legs[i].length)
        last = i == order[-1]
        if not last and not (following is not None and following.holds):
            length = add(length, 0 if following is None else following.length)
            continue
        if not (closed and last and not holding):
            length = add(length, _part(following))
        found.append(Segment(tuple(members), length))
        members, length = [], _part(following)
    return found


def _part(arc: Arc | None) -> Scalar:
    """Return how much of an arc belongs to the segment that ends there: half of one that holds, else all."""
    if arc is None:
        return 0
    return divide(arc.length, 2) if arc.holds else arc.length
