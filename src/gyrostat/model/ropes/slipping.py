"""The flows of rope that slip on the sheaves that hold it by friction.

A rope that slips on a sheave keeps its tensions on both sides at the ratio ρ = e^limit; one that sticks has a smaller
ratio. Slip s_i forward on sheave i draws rope out of the segment before it, whose viscous tension grows by B s_i, into
the segment after it, whose tension falls:

    T_i = A_i + B_i (s_i − s_(i−1)),

with A_i the tension without any slip. Where sheave i slips forward, T_(i+1) = ρ T_i; backward, T_i = ρ T_(i+1). Rope
that slips from a slack part keeps a small tension, lest its strain have no sign.

Taut ropes have one solution: their tensions minimise the convex function Σ (T_i − A_i log T_i)/B_i under
|log T_(i+1)/T_i| ≤ log ρ, and the slips are its multipliers. Each slip is a weighted mean of those beside it, plus what
its own tensions ask for. Sweeps along the rope and back find the sheaves that slip, and linear equations their slips.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract

_COUPLING = 1 - 1e-9
"""The weight of the neighbours' slips together: below one, lest the equations of a closed rope be singular."""


class StickingSegment(NamedTuple):
    """A segment while no sheave slips."""

    tension: Scalar
    """The tension A, elastic and viscous."""
    resistance: Scalar
    """The viscous tension B per flow of unstretched rope out of it (N·s/m)."""


class Grip(NamedTuple):
    """A sheave between two segments."""

    before: int
    """The index of the segment before it."""
    after: int
    ratio: Scalar | None
    """The largest ratio of tensions; None where the rope never slips."""


class Share(NamedTuple):
    """The slip of one sheave as a linear function of its neighbours' slips."""

    own: Scalar
    by_previous: Scalar
    by_next: Scalar


_NO_SLIP = Share(0, 0, 0)


def slip_flows(
    segments: Sequence[StickingSegment], grips: Sequence[Grip], limp: Scalar, scalars: Scalars, *, closed: bool
) -> list[Scalar]:
    """Return the flow of unstretched rope by slip on each sheave (m/s), positive along the path.

    `scalars` forms conditions that are no switches of the law.
    """
    chain = _Chain(segments, grips, limp, scalars, closed)
    order = [i for i, one in enumerate(grips) if one.ratio is not None]
    slips = chain.swept([0 for _ in grips], order)
    for turn in (reversed(order), order, order) if len(order) > 1 else ():
        slips = chain.swept(chain.solved(chain.shares(slips)), turn)
    return slips


class _Chain(NamedTuple):
    segments: Sequence[StickingSegment]
    grips: Sequence[Grip]
    limp: Scalar
    scalars: Scalars
    closed: bool

    def _neighbours(self, i: int, slips: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
        """Return the slips on the sheaves before and after one; at ends of an open rope there is none."""
        count = len(slips)
        if count == 1:
            return 0, 0
        before = slips[i - 1] if i > 0 or self.closed else 0
        return before, slips[(i + 1) % count] if i < count - 1 or self.closed else 0

    def _sides(self, i: int, slips: Sequence[Scalar]) -> tuple[StickingSegment, StickingSegment]:
        """Return the segments on both sides of a sheave that sticks while its neighbours slip."""
        before, after = self.segments[self.grips[i].before], self.segments[self.grips[i].after]
        previous, following = self._neighbours(i, slips)
        return (
            before._replace(tension=subtract(before.tension, multiply(before.resistance, previous))),
            after._replace(tension=add(after.tension, multiply(after.resistance, following))),
        )

    def _to_ratio(self, i: int, low: StickingSegment, high: StickingSegment) -> Scalar:
        """Return the slip towards the higher tension at which both have the ratio."""
        excess = subtract(high.tension, multiply(self.grips[i].ratio, low.tension))
        return divide(excess, self._softness(i, low, high))

    def _softness(self, i: int, low: StickingSegment, high: StickingSegment) -> Scalar:
        return add(high.resistance, multiply(self.grips[i].ratio, low.resistance))

    def _pull(self, i: int, low: StickingSegment, high: StickingSegment) -> Scalar:
        """Return the slip towards the higher tension, negative where rope sticks: to the ratio, or until it is limp."""
        to_limp = divide(subtract(high.tension, self.limp), high.resistance)
        return self.scalars.call("min", (self._to_ratio(i, low, high), to_limp))

    def _pulls(self, i: int, slips: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
        """Return the pulls forward and backward on a sheave while its neighbours slip."""
        before, after = self._sides(i, slips)
        return self._pull(i, before, after), self._pull(i, after, before)

    def swept(self, slips: Sequence[Scalar], order: Iterable[int]) -> list[Scalar]:
        """Return slips of which each agrees with its neighbours at its turn."""
        found = list(slips)
        for i in order:
            forward, backward = (self.scalars.call("max", (one, 0)) for one in self._pulls(i, found))
            found[i] = subtract(forward, backward)
        return found

    def shares(self, slips: Sequence[Scalar]) -> list[Share]:
        """Return how the slips of all sheaves follow from those of their neighbours, in the modes at given slips."""
        rough = [i for i, grip in enumerate(self.grips) if grip.ratio is not None]
        pulls = {i: self._pulls(i, slips) for i in rough}
        held = self._held(pulls) if self.closed and len(rough) == len(self.grips) else {}
        return [self._share(i, *pulls[i], held.get(i)) if i in pulls else _NO_SLIP for i in range(len(self.grips))]

    def _held(self, pulls: dict[int, tuple[Scalar, Scalar]]) -> dict[int, Scalar]:
        """Return by sheave of a closed rope whether it is taken to stick since all would slip, which they cannot.

        It is the one that is farthest from its limit while all stick.
        """
        call, compare = self.scalars.call, self.scalars.compare
        least = call("min", tuple(call("max", pair) for pair in pulls.values()))
        alone = {i: call("max", self._pulls(i, [0 for _ in self.grips])) for i in pulls}
        farthest = call("min", tuple(alone.values()))
        all_slip = compare(">", least, 0)
        return {i: self.scalars.logic("and", (all_slip, compare("<=", one, farthest))) for i, one in alone.items()}

    def _share(self, i: int, forward: Scalar, backward: Scalar, held: Scalar | None) -> Share:
        """Return the share of a sheave that slips forward, backward, or not at all."""
        call, compare = self.scalars.call, self.scalars.compare
        before, after = self.segments[self.grips[i].before], self.segments[self.grips[i].after]
        own = self._to_ratio(i, before, after), self._to_ratio(i, after, before)
        ahead = multiply(_COUPLING, divide(after.resistance, self._softness(i, before, after)))
        behind = multiply(_COUPLING, divide(before.resistance, self._softness(i, after, before)))
        modes = (
            (forward, Share(own[0], subtract(_COUPLING, ahead), ahead)),
            (backward, Share(negate(own[1]), behind, subtract(_COUPLING, behind))),
        )
        found = _NO_SLIP
        for pull, share in modes:
            slips = compare(">", pull, 0)
            found = Share(*(call("where", (slips, *pair)) for pair in zip(share, found, strict=True)))
        return found if held is None else Share(*(call("where", (held, 0, one)) for one in found))

    def solved(self, shares: Sequence[Share]) -> list[Scalar]:
        """Return the slips that agree with the shares of all sheaves."""
        if not self.closed:
            return _eliminated(shares)[0]
        first, *rest = shares
        own, per_first = _eliminated(rest)
        loop = add(multiply(first.by_previous, per_first[-1]), multiply(first.by_next, per_first[0]))
        ends = add(multiply(first.by_previous, own[-1]), multiply(first.by_next, own[0]))
        whole = divide(add(first.own, ends), subtract(1, loop))
        return [whole, *(add(x, multiply(y, whole)) for x, y in zip(own, per_first, strict=True))]


def _eliminated(shares: Sequence[Share]) -> tuple[list[Scalar], list[Scalar]]:
    """Return the slips of a row of sheaves for no slip beyond it, and those per slip of one that closes the row."""
    forward: list[tuple[Scalar, Scalar, Scalar]] = []
    own: Scalar = 0
    per_first: Scalar = 1
    per_next: Scalar = 0
    for share in shares:
        pivot = subtract(1, multiply(share.by_previous, per_next))
        own = divide(add(share.own, multiply(share.by_previous, own)), pivot)
        per_first = divide(multiply(share.by_previous, per_first), pivot)
        per_next = divide(share.by_next, pivot)
        forward.append((own, per_first, per_next))
    found: list[tuple[Scalar, Scalar]] = [(0, 1)]
    for own, per_first, per_next in reversed(forward):
        after = found[-1]
        found.append((add(own, multiply(per_next, after[0])), add(per_first, multiply(per_next, after[1]))))
    rows = found[:0:-1]
    return [row[0] for row in rows], [row[1] for row in rows]
