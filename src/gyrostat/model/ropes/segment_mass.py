"""The mass of a segment of rope: the speeds of its material, its parts, and the loads of their inertia.

Along a segment the rope stretches at one rate over all spans. Beyond the rims of the sheaves it has the speeds c₀ … c_n
at the nodes between its legs: c₀ and c_n are those at which winches feed it, or zero, and leg j of the length l_j, which
rims stretch at the rate s_j, changes c by D l_j − s_j, with D so that c_n is reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.forces.force_element import Load, PointLoad
from gyrostat.model.ropes.course import Arc, Segment
from gyrostat.model.ropes.moving_mass import ArcMass, SpanMass
from gyrostat.model.ropes.station import Station
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract, total
from gyrostat.scalar.jets import value_of
from gyrostat.spatial import Vector, cross, dot, minus, opposite, plus, rates_of, scale, values_of


@dataclass(frozen=True)
class SegmentMass:
    """The mass of a segment at an instant."""

    segment: Segment
    density: Scalar
    """Mass per length of the path (kg/m)."""
    ends: tuple[Scalar, Scalar]
    """The speeds c₀ and c_n."""
    arcs: tuple[Arc | None, ...]
    """For each node the arc there, if it belongs to this segment alone."""
    scalars: Scalars

    @cached_property
    def shares(self) -> list[Scalar]:
        """For each node the share of the spans' length before it."""
        lengths = [leg.length for leg in self.segment.legs]
        whole = total(lengths)
        return [0, *(divide(total(lengths[: i + 1]), whole) for i in range(len(lengths) - 1)), 1]

    @cached_property
    def flows(self) -> list[Scalar]:
        """The speeds of the rope beyond those of the rims, along the path, at all nodes."""
        first, last = self.ends
        rates = [leg.rate for leg in self.segment.legs]
        stretching = add(total(rates), subtract(last, first))
        inner = [
            add(first, subtract(multiply(self.shares[i], stretching), total(rates[:i]))) for i in range(1, len(rates))
        ]
        return [first, *inner, last]

    @cached_property
    def spans(self) -> list[SpanMass]:
        """The spans."""
        found = []
        for i, leg in enumerate(self.segment.legs):
            assert leg.span is not None, "a rope with mass does not leave its sheaves"
            found.append(SpanMass(leg.span, self.density, (self.flows[i], self.flows[i + 1])))
        return found

    @cached_property
    def on_sheaves(self) -> list[tuple[int, ArcMass]]:
        """The arcs, by node."""
        arcs = enumerate(self.arcs)
        return [(i, ArcMass(arc, self.density, self.flows[i], self.scalars)) for i, arc in arcs if arc is not None]

    def loads(self, gravity: Vector) -> tuple[list[Load], tuple[Scalar, Scalar]]:
        """Return the loads of inertia and weight on bodies, and per unit of c₀ and c_n; the segment has jets.

        What acts along the path on the speeds c of nodes is passed on by the tension, which differs from leg to leg.
        """
        found: list[Load] = []
        along: list[Scalar] = [0] * len(self.flows)
        for i, span in enumerate(self.spans):
            forces = span_forces(span, gravity)
            unit = values_of(span.span.unit)
            for k, force in enumerate(forces):
                along[i + k] = add(along[i + k], dot(force, unit))
            found += _at_ends(span, forces)
            found += _at_ends(span, kink_forces(span))
        for i, arc in self.on_sheaves:
            force, moment = arc_wrench(arc, gravity)
            station = arc.arc.station
            along[i] = add(along[i], multiply(station.sense, dot(moment, values_of(station.axis))))
            turning = scale(negate(value_of(station.radius)), moment)
            found.append(PointLoad(station.end, opposite(force), turning))
        shares = [value_of(one) for one in self.shares]
        uniform = total([multiply(share, one) for share, one in zip(shares, along, strict=True)])
        for j, leg in enumerate(self.segment.legs):
            tension = subtract(uniform, total(along[j + 1 :]))
            found += [load_at(one.station, one.point, scale(tension, values_of(one.force))) for one in leg.forces]
        return found, (subtract(uniform, total(along)), negate(uniform))


def span_forces(mass: SpanMass, gravity: Vector) -> tuple[Vector, Vector]:
    """Return the forces that the motion of a span requires at its tangent points, its weight included.

    The material at a tangent point has the velocity v and passes it at the speed w: its acceleration is v̇ + w ∂v/∂x.
    """
    span = mass.span
    u, length = values_of(span.unit), value_of(span.length)
    (first, last), points = mass.velocities, (span.a, span.b)
    spread = scale(divide(1, length), minus(values_of(last), values_of(first)))
    felt = []
    for velocity, point in zip((first, last), points, strict=True):
        passing = dot(minus(values_of(velocity), rates_of(point)), u)
        felt.append(minus(plus(rates_of(velocity), scale(passing, spread)), gravity))
    sixth = divide(multiply(value_of(mass.density), length), 6)
    both = plus(*felt)
    return scale(sixth, plus(both, felt[0])), scale(sixth, plus(both, felt[1]))


def kink_forces(mass: SpanMass) -> tuple[Vector, Vector]:
    """Return the forces at tangent points where the rope turns by a fleet angle between sheave and span."""
    span, density = mass.span, value_of(mass.density)
    u = values_of(span.unit)
    found = []
    for sign, direction, velocity, point, flow in (
        (1, span.leaving, mass.velocities[0], span.a, mass.flows[0]),
        (-1, span.arriving, mass.velocities[1], span.b, mass.flows[1]),
    ):
        if direction is span.unit:
            found.append((0, 0, 0))
            continue
        passing = dot(minus(values_of(velocity), rates_of(point)), u)
        size = multiply(multiply(sign, density), multiply(passing, value_of(flow)))
        found.append(scale(size, minus(u, values_of(direction))))
    return found[0], found[1]


def arc_wrench(mass: ArcMass, gravity: Vector) -> tuple[Vector, Vector]:
    """Return the force on the centre, and the moment on η, that the motion of an arc requires, its weight included.

    With a = v̇ + η̇ × e + η × (η × e)/r of the material at e and J x = ∫ e × (x × e) dθ, these are the integrals of a
    and of e × a: α v̇ + η̇ × E + η × (η × E)/r and E × v̇ + J η̇ + η × J η/r.
    """
    centre, eta = mass.velocities
    a, turning, change = minus(rates_of(centre), gravity), values_of(eta), rates_of(eta)
    E, r = values_of(mass.first_moment), value_of(mass.arc.station.radius)
    size, wrap = value_of(mass.per_angle), value_of(mass.arc.wrap)
    force = plus(scale(wrap, a), plus(cross(change, E), scale(divide(1, r), cross(turning, cross(turning, E)))))
    spinning = scale(divide(1, r), cross(turning, values_of(mass.turned(turning))))
    moment = plus(cross(E, a), plus(values_of(mass.turned(change)), spinning))
    return scale(size, force), scale(size, moment)


def _at_ends(mass: SpanMass, forces: tuple[Vector, Vector]) -> Iterator[PointLoad]:
    """Yield the loads on the stations of a span that are opposite to forces at its tangent points."""
    span = mass.span
    for station, point, force in zip((span.start, span.stop), (span.a, span.b), forces, strict=True):
        yield load_at(station, point, opposite(force))


def load_at(station: Station, point: Vector, force: Vector) -> PointLoad:
    """Return a force at a point as a load on the body of a station, without rates in time."""
    still = values_of(force)
    return PointLoad(station.end, still, cross(values_of(minus(point, station.centre)), still))
