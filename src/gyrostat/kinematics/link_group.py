"""Groups of links that share coordinates: the sections and stations of a flexible body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.kinematics.link import Link
from gyrostat.kinematics.mechanism import GROUND_INDEX


@dataclass(frozen=True)
class LinkGroup:
    """Links whose modes refer to the same places in u, and the link that all of them hang on."""

    places: tuple[int, ...]
    base: int
    """The outermost link that carries every link of the group."""
    links: tuple[int, ...]


def link_groups(links: Sequence[Link]) -> tuple[LinkGroup, ...]:
    """Return the groups of links that share places in u, in the order of their first links."""
    users: dict[tuple[int, ...], list[int]] = {}
    for i, link in enumerate(links):
        places = tuple(place for place in link.layout.speeds if isinstance(place, int))
        if places:
            users.setdefault(places, []).append(i)
    shared = {places: found for places, found in users.items() if len(found) > 1}
    return tuple(LinkGroup(places, _base(links, found), tuple(found)) for places, found in shared.items())


def _base(links: Sequence[Link], group: Sequence[int]) -> int:
    """Return the outermost link on the paths from all links of a group, themselves excluded, to the ground."""
    common = _inward(links, links[group[0]].parent)
    for i in group[1:]:
        path = set(_inward(links, links[i].parent))
        common = [index for index in common if index in path]
    assert common, "a group hangs on a link: its joints connect parts of one body"
    return common[0]


def _inward(links: Sequence[Link], index: int) -> list[int]:
    """Return a link and those between it and the ground."""
    path: list[int] = []
    while index != GROUND_INDEX:
        path.append(index)
        index = links[index].parent
    return path
