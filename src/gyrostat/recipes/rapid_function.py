"""A function of signals of a system that may vary rapidly within a step."""

from __future__ import annotations

from typing import Any, NamedTuple

from gyrostat.model.formula import Formula


class RapidFunction(NamedTuple):
    """A part of a formula that may vary rapidly, and the arguments that its names stand for, by number."""

    source: str
    steps: tuple[tuple[Any, ...], ...]
    """The steps of the part as a formula: see `Formula`."""
    arguments: dict[str, int]
    condition: bool
    """Whether only its sign matters."""
    event: int = -1
    """The number of the event function that it is; −1 for parts of laws."""

    @property
    def formula(self) -> Formula:
        """The part as a formula."""
        return Formula(self.source, self.steps)
