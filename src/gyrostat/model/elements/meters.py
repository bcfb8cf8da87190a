"""Voltmeter and ammeter."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.edge import Edge, Linear, Role
from gyrostat.model.elements.element import TwoTerminal


@dataclass(frozen=True)
class Voltmeter(TwoTerminal):
    """An ideal voltmeter: it carries no current; in other domains it measures the across variable."""

    def edges(self) -> tuple[Edge, ...]:
        """Return the open edge."""
        return (Edge(self.name, self.a, self.b, Role.THROUGH_DRIVER, through=Linear()),)


@dataclass(frozen=True)
class Ammeter(TwoTerminal):
    """An ideal ammeter, a short circuit; in other domains it measures the through variable."""

    def edges(self) -> tuple[Edge, ...]:
        """Return the short circuit."""
        return (Edge(self.name, self.a, self.b, Role.ACROSS_DRIVER, across=Linear()),)
