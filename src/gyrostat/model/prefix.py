"""The prefix that names of a scope get when its components become parts of an owner."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, SEEN_FROM


@dataclass(frozen=True)
class Prefix:
    """The naming in which every name but those on the ground begins with the name of the owner.

    >>> Prefix("left").name("axle.hub"), Prefix("left").name("ground.post")
    ('left.axle.hub', 'ground.post')
    >>> Prefix("left").name("load.seen_from.boom.tip.x")
    'left.load.seen_from.left.boom.tip.x'
    """

    owner: str

    def name(self, name: str) -> str:
        """Return the name within the owner; of a relative motion both places are within it."""
        if SEEN_FROM in name:
            return SEEN_FROM.join(self.name(part) for part in name.split(SEEN_FROM))
        return name if name == GROUND or name.startswith(f"{GROUND}.") else f"{self.owner}.{name}"

    def end(self, end: End) -> End:
        """Return the end on the body within the owner."""
        return End(self.name(end.body), end.name, end.at)
