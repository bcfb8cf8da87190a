"""Names in a model: those of a file of another format where they can be, similar ones otherwise."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from gyrostat.model.names import FORMULA_WORDS, GROUND, WORLD, fault_of, suggestion


class Names:
    """The names that are taken in a model."""

    def __init__(self) -> None:
        self._taken = {GROUND, WORLD, *FORMULA_WORDS}
        self.changed: dict[str, str] = {}
        """Names of the file, with their nouns, that had to be changed, and their names in the model."""

    def reserve(self, names: Iterable[str]) -> None:
        """Take names as they are."""
        self._taken.update(names)

    def take(self, name: str, noun: str, otherwise: str = "") -> str:
        """Return a free name like this one; `otherwise` is appended to one that another noun has taken."""
        found = name if fault_of(name) is None else f"{name}_" if keyword.iskeyword(name) else suggestion(name)
        if found in self._taken and otherwise:
            found = f"{found}_{otherwise}"
        free, number = found, 2
        while free in self._taken:
            free, number = f"{found}_{number}", number + 1
        self._taken.add(free)
        if free != name:
            self.changed[f"{noun} {name!r}"] = free
        return free
