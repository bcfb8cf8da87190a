"""The contract of a compound: a component that consists of parts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.record import Component
from gyrostat.model.registry import Registry


@dataclass(frozen=True)
class Compound(Component):
    """Base of all compounds. A subclass declares its fields and defines `parts`, which replace it in a frozen model."""

    file_section: ClassVar[str] = "compounds"
    word: ClassVar[str] = "compound"

    @abstractmethod
    def parts(self) -> Iterable[Component]:
        """Return the parts, in order, with names of `part_name`."""


COMPOUNDS: Registry[Compound] = Registry("compound", Compound)
