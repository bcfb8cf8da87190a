"""Parts of arrays by name, formed when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

Part = TypeVar("Part")


class PartsByName(Mapping[str, Part], Generic[Part]):
    """A mapping whose values are formed from the places of their names: as long to make for many names as for few.

    It is pickled as a dictionary.

    >>> PartsByName({"a": 0, "b": 1}, [2.0, 3.0].__getitem__)
    {'a': 2.0, 'b': 3.0}
    """

    __slots__ = ("_part_at", "_places")

    def __init__(self, places: Mapping[str, Any], part_at: Callable[[Any], Part]) -> None:
        self._places, self._part_at = places, part_at

    def __getitem__(self, name: str) -> Part:
        return self._part_at(self._places[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[type[dict[str, Part]], tuple[dict[str, Part]]]:
        return dict, (dict(self),)
