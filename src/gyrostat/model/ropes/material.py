"""The material of an elastic rope on its course: unstretched lengths of segments, tensions, and slip on sheaves.

The state of a sheave that holds the rope is the shift g of the material there against a uniform distribution: of an
unstretched length L₀ on a path of length L, the segment i has L₀ l_i/L + g_(i+1) − g_i. Without shifts the tension is
uniform. Rope that sticks to a rim passes the middle of the arc at the speed of the rim; rope that slips passes faster,
and the tensions on both sides keep the ratio e^limit. Passing rope takes its elastic energy along: with the mean strain
of both sides, power and energy agree exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from gyrostat.model.ropes.course import Course
from gyrostat.model.ropes.hanging import HangingSegment
from gyrostat.model.ropes.slipping import Grip, StickingSegment, slip_flows
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract, total
from gyrostat.scalar.operations import without_switches

_LIMP_STRAIN = 0.1
"""The strain that a taut part of a rope keeps when it slips from a slack one, in terms of `tightening`."""


class Hold(NamedTuple):
    """How a sheave holds the rope at an instant."""

    limit: Scalar | None
    """The logarithm of the largest ratio of tensions; None where the rope never slips."""
    shift: Scalar
    """The state g (m)."""


@dataclass(frozen=True)
class RopeLaw:
    """The coefficients of a rope at an instant."""

    EA: Scalar | None
    """None where the rope does not stretch."""
    damping: Scalar
    """The viscous tension per rate of strain (N·s)."""
    tightening: Scalar
    """The strain over which damping sets in."""
    relaxation: Scalar
    """The time in which tensions beyond the limit of friction decay (s)."""
    scalars: Scalars


class Feed(NamedTuple):
    """Unstretched rope that a winch has paid out at an end, and its rate."""

    length: Scalar = 0
    rate: Scalar = 0


@dataclass(frozen=True)
class Material:
    """The material of a rope at an instant; `holds` belong to the arcs that hold, in order."""

    course: Course
    law: RopeLaw
    whole: Scalar
    """The unstretched length before winches have paid out."""
    first: Feed
    """The feed at the first end."""
    last: Feed
    holds: Sequence[Hold]
    hung: Sequence[HangingSegment] = ()
    """The shapes of segments that hang under their weight; without them spans are straight."""

    @property
    def unstretched(self) -> Scalar:
        """The unstretched length L₀ of the whole rope."""
        return add(self.whole, add(self.first.length, self.last.length))

    @cached_property
    def parts(self) -> list[Scalar]:
        """The unstretched length of each segment."""
        shifts = self._at_ends([hold.shift for hold in self.holds], 0, 0)
        density = divide(self.unstretched, self.course.length)
        return [
            add(multiply(density, segment.length), subtract(after, before))
            for segment, (before, after) in zip(self.course.segments, pairwise(shifts), strict=True)
        ]

    def _at_ends(self, inner: list[Scalar], first: Scalar, last: Scalar) -> list[Scalar]:
        """Return values at the beginning of all segments and at the end of the last one, from those at held arcs."""
        if not self.course.closed:
            return [first, *inner, last]
        return [*inner, inner[0]] if inner else [0, 0]

    @cached_property
    def strains(self) -> list[Scalar]:
        """The strain of each segment; negative where it is slack."""
        if self.hung:
            return [one.strain for one in self.hung]
        return [
            subtract(divide(one.length, part), 1) for one, part in zip(self.course.segments, self.parts, strict=True)
        ]

    @cached_property
    def elastic(self) -> list[Scalar]:
        """The elastic tension of each segment, zero where it is slack or does not stretch."""
        if self.law.EA is None:
            return [0 for _ in self.parts]
        if self.hung:
            return [one.tension for one in self.hung]
        call = self.law.scalars.call
        return [multiply(self.law.EA, call("max", (strain, 0))) for strain in self.strains]

    @cached_property
    def slips(self) -> list[Scalar]:
        """The speed at which the rope slips forward on each arc that holds."""
        return [multiply(flow, stretch) for flow, stretch in zip(self._slip_flows, self._stretches, strict=True)]

    @cached_property
    def _slip_flows(self) -> list[Scalar]:
        """The flow of unstretched rope that slips forward on each arc that holds."""
        if all(hold.limit is None for hold in self.holds):
            return [0 for _ in self.holds]
        smooth = without_switches(self.law.scalars)  # friction is continuous
        grips = [
            Grip(*self._sides(i), None if hold.limit is None else smooth.call("exp", (hold.limit,)))
            for i, hold in enumerate(self.holds)
        ]
        limp = multiply(multiply(_LIMP_STRAIN, self.law.tightening), self.law.EA)
        return slip_flows(self._sticking(smooth), grips, limp, smooth, closed=self.course.closed)

    def _sides(self, i: int) -> tuple[int, int]:
        """Return the segments before and after an arc that holds."""
        return ((i - 1) % len(self.parts), i) if self.course.closed else (i, i + 1)

    def _sticking(self, smooth: Scalars) -> list[StickingSegment]:
        """Return the segments as friction sees them: with the tensions that they had without any slip."""
        law, found, flows = self.law, [], self._at_pulleys(self._driven)
        for i, (strain, part) in enumerate(zip(self.strains, self.parts, strict=True)):
            viscosity = multiply(law.EA, law.relaxation)
            if law.damping != 0:
                taut = smooth.call("max", (strain, 0))
                viscous = multiply(law.damping, divide(taut, add(taut, law.tightening)))
                viscosity = smooth.call("max", (viscosity, viscous))
            per_length = divide(viscosity, part)
            tension = add(multiply(law.EA, strain), multiply(per_length, self._growth(i, flows)))
            found.append(StickingSegment(tension, multiply(per_length, add(1, strain))))
        return found

    @cached_property
    def _stretches(self) -> list[Scalar]:
        """One plus the mean strain of both sides of each arc that holds."""
        if self.law.EA is None:
            return [1 for _ in self.holds]
        sides = [self._sides(i) for i in range(len(self.holds))]
        whole = [add(self.elastic[a], self.elastic[b]) for a, b in sides]
        return [add(1, divide(one, multiply(2, self.law.EA))) for one in whole]

    @cached_property
    def _driven(self) -> list[Scalar]:
        """The flow of unstretched rope that sticks to the rim, at each arc that holds."""
        return [divide(arc.flow, stretch) for arc, stretch in zip(self.course.held, self._stretches, strict=True)]

    @cached_property
    def _flows(self) -> list[Scalar]:
        """The flow of unstretched rope at the beginning of all segments and at the end of the last one."""
        return self._at_pulleys([add(rim, slip) for rim, slip in zip(self._driven, self._slip_flows, strict=True)])

    def _at_pulleys(self, flows: list[Scalar]) -> list[Scalar]:
        """Return flows at the beginning of all segments and at the end of the last one, from those at held arcs."""
        return self._at_ends(flows, self.first.rate, negate(self.last.rate))

    @cached_property
    def _rims(self) -> list[Scalar]:
        """The speed of the rim at the beginning of all segments and at the end of the last one."""
        return self._at_ends([arc.flow for arc in self.course.held], 0, 0)

    @cached_property
    def tensions(self) -> list[Scalar]:
        """The tension of each segment: elastic and viscous, continuous where the rope tightens, never negative."""
        if self.law.damping == 0:
            return self.elastic
        if self.hung:
            return [add(T, viscous) for T, viscous in zip(self.elastic, self.viscous, strict=True)]
        return [self._damped(i) for i in range(len(self.parts))]

    @cached_property
    def viscous(self) -> list[Scalar]:
        """The viscous tension of each segment that hangs: of the share of its rate that is not one of the sag."""
        rates = [multiply(one.tautness, self._growth(i, self._flows)) for i, one in enumerate(self.hung)]
        return [divide(multiply(self.law.damping, rate), part) for rate, part in zip(rates, self.parts, strict=True)]

    def _growth(self, i: int, flows: Sequence[Scalar]) -> Scalar:
        """Return the rate at which the path of a segment grows beyond the rope that is fed into it."""
        fed = subtract(flows[i], flows[i + 1])
        return subtract(self._length_rate(i), multiply(add(1, self.strains[i]), fed))

    def _damped(self, i: int) -> Scalar:
        law, strain = self.law, self.strains[i]
        call, compare = law.scalars.call, law.scalars.compare
        growth = self._growth(i, self._flows)
        share = divide(strain, add(call("max", (strain, 0)), law.tightening))
        viscous = multiply(multiply(law.damping, share), divide(growth, self.parts[i]))
        tension = call("max", (add(multiply(law.EA, strain), viscous), 0))
        return call("where", (compare(">", strain, 0), tension, 0))

    def _length_rate(self, i: int) -> Scalar:
        """Return the rate of the length of a segment on its path."""
        return add(self.course.segments[i].rate, subtract(self._rims[i], self._rims[i + 1]))

    @property
    def gaps(self) -> list[tuple[Scalar, Scalar]]:
        """By how much each segment is longer than its path, and the rate of that, where the rope does not stretch."""
        return [
            (
                subtract(part, segment.length),
                subtract(subtract(self._flows[i], self._flows[i + 1]), self._length_rate(i)),
            )
            for i, (part, segment) in enumerate(zip(self.parts, self.course.segments, strict=True))
        ]

    @cached_property
    def shift_rates(self) -> list[Scalar]:
        """The rates of the shifts at arcs that hold; of a closed rope without the first, which is the reference."""
        L, L0 = self.course.length, self.unstretched
        density = divide(L0, L)
        growth = add(self.first.rate, self.last.rate)
        density_rate = divide(subtract(growth, multiply(density, self.course.rate)), L)
        before: Scalar = 0
        before_rate: Scalar = 0
        found: list[Scalar] = []
        count = len(self.holds) - (1 if self.course.closed else 0)
        for i in range(count):
            segment = self.course.segments[i]
            before, before_rate = add(before, segment.length), add(before_rate, segment.rate)
            rim = subtract(before_rate, subtract(self._rims[i + 1], self._rims[0]))
            uniform = add(multiply(density_rate, before), multiply(density, rim))
            found.append(subtract(subtract(self._flows[0], self._flows[i + 1]), uniform))
        return found

    @property
    def stored(self) -> Scalar:
        """The elastic energy: T²/(2 EA) per unstretched length."""
        pairs = zip(self.elastic, self.parts, strict=True)
        return divide(total([multiply(square(T), part) for T, part in pairs]), multiply(2, self.law.EA))

    def feed_force(self, i: int) -> Scalar:
        """Return the force on a winch per unstretched length paid out, at the end of a segment: its energy included."""
        elastic, tension, EA = self.elastic[i], self.tensions[i], self.law.EA
        lasting = multiply(elastic, add(1, divide(elastic, multiply(2, EA))))
        viscous = subtract(tension, elastic)
        return add(lasting, multiply(viscous, add(1, divide(elastic, EA))))
