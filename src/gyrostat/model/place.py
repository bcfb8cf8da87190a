"""The path of a value while a component is read, and the faults reported for it."""

from __future__ import annotations

from typing import Final

from gyrostat.errors import Fault, ModelError

FAULT_LIMIT: Final = 500
"""The largest number of collected faults; a malicious file could have any number."""

FAULT_EXCESS: Final = Fault("", f"there are more than {FAULT_LIMIT} faults.", "Correct these first.")


class Place:
    """A path within an item; all paths of an item share one list of faults."""

    __slots__ = ("_faults", "item", "path")

    def __init__(self, item: str, path: tuple[str | int, ...] = (), faults: list[Fault] | None = None) -> None:
        self.item = item
        self.path = path
        self._faults: list[Fault] = [] if faults is None else faults

    def inside(self, step: str | int) -> Place:
        """Return the path extended by one step."""
        return Place(self.item, (*self.path, step), self._faults)

    def report(self, fact: str, remedy: str = "") -> None:
        """Add a fault at this path."""
        self._note(Fault(self.item, fact, remedy, self.path))

    def adopt(self, error: ModelError) -> None:
        """Add the faults of a separately read value as faults at this path."""
        for fault in error.faults:
            self._note(fault if fault == FAULT_EXCESS else fault.within(self.item, *self.path))

    def _note(self, fault: Fault) -> None:
        if not self.full:
            self._faults.append(FAULT_EXCESS if len(self._faults) == FAULT_LIMIT else fault)

    @property
    def full(self) -> bool:
        """Whether the limit of faults is reached, so that reading can stop."""
        return len(self._faults) > FAULT_LIMIT

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults of the item so far."""
        return tuple(self._faults)

    def raise_faults(self) -> None:
        """Raise `ModelError` if there is any fault."""
        if self._faults:
            raise ModelError(self._faults)
