"""The mass of a whole rope at an instant: its segments, the arcs between them, and rope on drums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple, Protocol

from gyrostat.model.forces.force_element import CoordinateLoad, Load, PointLoad
from gyrostat.model.kinds import End
from gyrostat.model.ropes.course import Arc, Course, Segment
from gyrostat.model.ropes.hanging import HangingSegment
from gyrostat.model.ropes.leg import leg_of
from gyrostat.model.ropes.moving_mass import DrumMass, MovingMass
from gyrostat.model.ropes.segment_mass import ArcPart, SegmentMass, load_at
from gyrostat.model.ropes.span import radial
from gyrostat.model.ropes.station import Station
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import divide, multiply, negate, square, subtract
from gyrostat.scalar.jets import rate_of, value_of
from gyrostat.spatial import ZERO, Vector, cross, minus, opposite, plus, rates_of, scale, values_of


class FedEnd(NamedTuple):
    """An end of the rope at which a drum pays it out."""

    coordinate: str
    """The coordinate of the drum."""
    lever: Scalar
    """Unstretched length paid out per angle (m)."""
    rate: Scalar
    """Rate of the coordinate."""
    wound: Scalar
    """Unstretched length on the drum (m)."""
    second: Scalar
    """∫ r² ds of the rope on the drum (m³)."""


class VirtualMotion(Protocol):
    """Velocities of a virtual motion."""

    def of_end(self, end: End) -> tuple[Vector, Vector]:
        """Return the velocity of a place on a body, and the angular velocity of the body."""

    def of_coordinate(self, name: str) -> Scalar:
        """Return the rate of a coordinate."""


@dataclass(frozen=True)
class RopeMass:
    """The mass of a rope with two ends."""

    course: Course
    lengths: Sequence[Scalar]
    """The unstretched length of each segment."""
    density: Scalar
    """Mass per unstretched length (kg/m)."""
    ends: tuple[FedEnd | None, FedEnd | None]
    stations: tuple[Station, Station]
    """The first and the last station."""
    scalars: Scalars
    hung: Sequence[HangingSegment] = ()
    """The shapes of segments that hang; their inertia is that of straight ones."""

    @cached_property
    def _densities(self) -> list[Scalar]:
        """The mass per length of the path in each segment."""
        pairs = zip(self.course.segments, self.lengths, strict=True)
        return [multiply(self.density, divide(length, segment.length)) for segment, length in pairs]

    @cached_property
    def _stretches(self) -> tuple[Scalar, Scalar]:
        """Length of the path per unstretched length in the first and last segment."""
        segments, lengths = self.course.segments, self.lengths
        return divide(segments[0].length, lengths[0]), divide(segments[-1].length, lengths[-1])

    @cached_property
    def _levers(self) -> tuple[Scalar, Scalar]:
        """The speeds c₀ and c_n per rate of the drums."""
        first, last = (
            0 if end is None else multiply(stretch, end.lever)
            for end, stretch in zip(self.ends, self._stretches, strict=True)
        )
        return first, negate(last)

    @cached_property
    def segments(self) -> list[SegmentMass]:
        """The segments."""
        rates = [0 if end is None else end.rate for end in self.ends]
        speeds = [multiply(lever, rate) for lever, rate in zip(self._levers, rates, strict=True)]
        last = len(self.course.segments) - 1
        found = []
        for i, segment in enumerate(self.course.segments):
            fed = (speeds[0] if i == 0 else 0, speeds[1] if i == last else 0)
            found.append(SegmentMass(segment.legs, self._arcs(segment), self._densities[i], fed, self.scalars))
        return found

    def _arcs(self, segment: Segment) -> tuple[ArcPart | None, ...]:
        """Return the arcs before and after the legs of a segment; of one that holds the rope, the half."""
        leaving = {id(arc.leaving): arc for arc in self.course.arcs if arc.leaving is not None}
        arriving = {id(arc.arriving): arc for arc in self.course.arcs if arc.arriving is not None}
        legs = segment.legs
        before = [_part(leaving.get(id(leg)), self.scalars, after=True) for leg in legs]
        return (*before, _part(arriving.get(id(legs[-1])), self.scalars, after=False))

    @cached_property
    def drums(self) -> list[DrumMass]:
        """The rope on drums."""
        return [
            DrumMass(
                station,
                end.coordinate,
                multiply(self.density, end.wound),
                multiply(self.density, end.second),
                end.rate,
            )
            for end, station in zip(self.ends, self.stations, strict=True)
            if end is not None
        ]

    @property
    def parts(self) -> list[MovingMass]:
        """All parts."""
        found = list[MovingMass]()
        for i, each in enumerate(self.segments):
            (first, *spans), arcs = each.spans, [arc for _, arc in each.on_sheaves]
            if self.hung:
                straight = [one.moment for one in (first, *spans, *arcs)]
                first = replace(first, beyond=reduce(minus, straight, self.hung[i].moment))
            found += (first, *spans, *arcs)
        return [*found, *self.drums]

    def moved(self, virtual: VirtualMotion) -> RopeMass:
        """Return the rope in the same position with the velocities of a virtual motion."""
        known: dict[int, Station] = {}

        def still(station: Station) -> Station:
            if id(station) not in known:
                velocity, omega = virtual.of_end(station.end)
                motion = replace(station.motion, velocity=velocity, omega=omega)
                known[id(station)] = replace(station, motion=motion)
            return known[id(station)]

        legs = {id(leg): leg_of(leg.span.between(still)) for leg in self.course.legs if leg.span is not None}
        arcs = [
            replace(
                arc,
                station=still(arc.station),
                arriving=None if arc.arriving is None else legs[id(arc.arriving)],
                leaving=None if arc.leaving is None else legs[id(arc.leaving)],
            )
            for arc in self.course.arcs
        ]
        segments = [replace(one, legs=tuple(legs[id(leg)] for leg in one.legs)) for one in self.course.segments]
        course = replace(self.course, legs=tuple(legs.values()), arcs=tuple(arcs), segments=tuple(segments))
        first, last = (
            None if end is None else end._replace(rate=virtual.of_coordinate(end.coordinate)) for end in self.ends
        )
        stations = still(self.stations[0]), still(self.stations[1])
        return replace(self, course=course, ends=(first, last), stations=stations)

    def loads(self, gravity: Vector, *, hanging: bool = False) -> Iterator[Load]:
        """Yield the loads of inertia and weight on bodies and drums; all quantities are jets of the motion in time.

        Of a rope that hangs, the weight is in its shapes, but for that of rope on drums.
        """
        last = len(self.segments) - 1
        for i, segment in enumerate(self.segments):
            loads, on_ends = segment.loads(ZERO if hanging else gravity)
            yield from loads
            for k, at in ((0, 0), (1, last)):
                end = self.ends[k]
                if end is not None and i == at:
                    yield CoordinateLoad(end.coordinate, multiply(value_of(self._levers[k]), on_ends[k]))
                    yield self._thrust(k, segment)
        for end, stretch in zip(self.ends, self._stretches, strict=True):
            if end is not None:
                yield self._stretched(end, stretch)
        for drum in self.drums:
            weight = scale(value_of(drum.wound), minus(rates_of(drum.station.motion.velocity), gravity))
            yield PointLoad(drum.station.end, opposite(weight))
            yield CoordinateLoad(drum.coordinate, negate(multiply(value_of(drum.inertia), rate_of(drum.rate))))

    def _stretched(self, end: FedEnd, stretch: Scalar) -> CoordinateLoad:
        """Return the load on a drum of rope that leaves it unstretched and moves on faster: half of ρ c² (λ² − 1) r."""
        lever, rate, length = (value_of(one) for one in (end.lever, end.rate, stretch))
        gained = divide(subtract(1, square(length)), 2)
        moving = multiply(square(multiply(lever, rate)), multiply(value_of(self.density), lever))
        return CoordinateLoad(end.coordinate, multiply(gained, moving))

    def _thrust(self, k: int, segment: SegmentMass) -> PointLoad:
        """Return the load of rope that leaves a drum, on which it has no momentum, with the speed c: −ρ c² along it."""
        station, leg, arc = self.stations[k], segment.legs[-k], segment.arcs[-k]
        direction, point = (leg.arriving if k else leg.leaving), station.centre
        if arc is not None:  # the rope begins or ends on the x axis of the drum's frame
            point = plus(station.centre, scale(station.radius, station.mark))
            direction = scale(station.sense, cross(station.axis, station.mark))
        size = multiply(value_of(segment.density), square(value_of(segment.ends[k])))
        return load_at(station, point, scale(multiply(2 * k - 1, size), values_of(direction)))


def _part(arc: Arc | None, scalars: Scalars, *, after: bool) -> ArcPart | None:
    """Return the part of an arc that belongs to the segment after it, or before it."""
    if arc is None:
        return None
    station = arc.station
    begin = station.mark if arc.arriving is None else radial(station, arc.arriving.arriving)
    if not arc.holds:
        return ArcPart(station, begin, arc.wrap)
    half = divide(arc.wrap, 2)
    if after:
        across = scale(station.sense, cross(station.axis, begin))
        begin = plus(scale(scalars.call("cos", (half,)), begin), scale(scalars.call("sin", (half,)), across))
    return ArcPart(station, begin, half)
