"""The prefix that names of a scope get when its components become parts of an owner."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND


@dataclass(frozen=True)
class Prefix:
    """The naming in which every name but those on the ground begins with the name of the owner.

    >>> Prefix("left").name("axle.hub"), Prefix("left").name("ground.post")
    ('left.axle.hub', 'ground.post')
    """

    owner: str

    def name(self, name: str) -> str:
        """Return the name within the owner."""
        return name if name == GROUND or name.startswith(f"{GROUND}.") else f"{self.owner}.{name}"

    def end(self, end: End) -> End:
        """Return the end on the body within the owner."""
        return End(self.name(end.body), end.name, end.at)
