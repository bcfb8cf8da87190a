"""Where a value stands while a component is read, and the faults found there."""

from __future__ import annotations

from typing import Final

from gyrostat.errors import Fault, ModelError

MOST_FAULTS: Final = 500
"""The largest number of faults that are collected; a hostile file could have any number."""

TOO_MANY: Final = Fault("", f"there are more than {MOST_FAULTS} faults.", "Mend these first.")


class Place:
    """A position inside an item, sharing one list of faults with all positions of that item."""

    __slots__ = ("_faults", "item", "path")

    def __init__(self, item: str, path: tuple[str | int, ...] = (), faults: list[Fault] | None = None) -> None:
        self.item = item
        self.path = path
        self._faults: list[Fault] = [] if faults is None else faults

    def inside(self, step: str | int) -> Place:
        """Return the position one step further in."""
        return Place(self.item, (*self.path, step), self._faults)

    def report(self, fact: str, remedy: str = "") -> None:
        """Note a fault here."""
        self._note(Fault(self.item, fact, remedy, self.path))

    def adopt(self, error: ModelError) -> None:
        """Note the faults of something that was read on its own as faults of this place."""
        for fault in error.faults:
            self._note(fault if fault == TOO_MANY else fault.within(self.item, *self.path))

    def _note(self, fault: Fault) -> None:
        if not self.full:
            self._faults.append(TOO_MANY if len(self._faults) == MOST_FAULTS else fault)

    @property
    def full(self) -> bool:
        """Whether no more faults are noted, so that looking further makes no sense."""
        return len(self._faults) > MOST_FAULTS

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults noted for the item so far."""
        return tuple(self._faults)

    def raise_faults(self) -> None:
        """Raise `ModelError` if there is any fault."""
        if self._faults:
            raise ModelError(self._faults)
