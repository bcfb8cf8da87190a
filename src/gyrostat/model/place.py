"""Where a value stands while a component is read, and the faults found there."""

from __future__ import annotations

from gyrostat.errors import Fault, ModelError


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
        self._faults.append(Fault(self.item, fact, remedy, self.path))

    def adopt(self, error: ModelError) -> None:
        """Note the faults of something that was read on its own as faults of this place."""
        self._faults.extend(fault.within(self.item, *self.path) for fault in error.faults)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults noted for the item so far."""
        return tuple(self._faults)

    def raise_faults(self) -> None:
        """Raise `ModelError` if there is any fault."""
        if self._faults:
            raise ModelError(self._faults)
