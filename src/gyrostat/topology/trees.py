"""A choice of trees: the joints and bodies of the translational and of the rotational tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gyrostat.errors import TopologyError


@dataclass(frozen=True, init=False)
class Trees:
    """The names of the joints and bodies of the translational and of the rotational tree (McPhee 2002, part 3).

    A body in a tree has coordinates of its own, relative to the ground; a joint has those of its coordinates that give
    the position, or the orientation, of its child. Welds and arms of flexible bodies may be left out: they are always
    taken. Without `rotation` both trees are the same.

    >>> Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]).rotation
    ('h8', 'h10', 's11')
    """

    translation: tuple[str, ...]
    rotation: tuple[str, ...]

    def __init__(self, translation: Iterable[str], rotation: Iterable[str] | None = None) -> None:
        object.__setattr__(self, "translation", _names(translation, "translation"))
        chosen = self.translation if rotation is None else _names(rotation, "rotation")
        object.__setattr__(self, "rotation", chosen)


def _names(given: Iterable[str], tree: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise TopologyError(f"{tree}={given!r} is one text. Give a list of names: {tree}=[{given!r}].")
    return tuple(given)
