"""A rope without mass over pulleys."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from gyrostat.model.forces.force_element import CoordinateLoad, Load, Motion
from gyrostat.model.forces.rope_element import RopeElement
from gyrostat.model.forces.winch import Winch
from gyrostat.model.record import Component
from gyrostat.model.ropes.material import Feed
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, negate, total

_FIRST, _LAST = "first", "last"


@dataclass(frozen=True)
class Reeving(RopeElement):
    """An elastic rope without mass, straight between the pulleys of its path and on arcs of their sheaves.

    `path` is a list of an end, pulleys and an end. An end is a place on a body; where it is a `Pulley`, the rope lies
    on that drum from the x axis of its frame on. A `Winch` pays out rope at an end. The tension is EA times the strain,
    with damping in proportion to the rate of strain; a slack rope has no tension. It is uniform up to pulleys with
    `mu`, `loss` or `grip`, on which a state, `name.pulley.shift`, tells how far the rope is from a uniform tension.

    >>> import gyrostat as gs
    >>> wheel = gs.Pulley("top", "ground", radius=0.1, side="right")
    >>> rope = Reeving("rope", ["a", wheel, "b"], length=4, EA=1e6)
    """

    supplies_power: ClassVar[bool] = True
    winches: tuple[Winch, ...] = dataclasses.field(default=(), kw_only=True, repr=False)
    """The winches of the model that pay out this rope."""

    def resolved(self, components: Mapping[str, Component]) -> Self:
        """Return the rope with the winches that pay it out."""
        found = (one for one in components.values() if isinstance(one, Winch) and one.rope == self.name)
        return dataclasses.replace(self, winches=tuple(found))

    def feeds(self, motion: Motion) -> tuple[Feed, Feed]:
        """Return the rope paid out at both ends."""
        return self._feed(motion, _FIRST), self._feed(motion, _LAST)

    def _feed(self, motion: Motion, at: str) -> Feed:
        feeds = [one.feed(motion) for one in self.winches if one.at == at]
        return Feed(total([one.length for one in feeds]), total([one.rate for one in feeds]))

    def _winch_force(self, motion: Motion, winch: Winch) -> Scalar:
        return self.material(motion).feed_force(0 if winch.at == _FIRST else -1)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the tensions at ends and sheaves, and the loads on drums."""
        yield from super().loads(motion)
        for winch in self.winches:
            if winch.joint is not None:
                load = multiply(self._winch_force(motion, winch), winch.lever(motion))
                yield CoordinateLoad(winch.joint, load)

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the power of winches that pay out at a given speed."""
        given = [one for one in self.winches if one.joint is None]
        powers = [multiply(self._winch_force(motion, one), one.feed(motion).rate) for one in given]
        return negate(total(powers))
