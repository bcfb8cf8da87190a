"""Current source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Role
from gyrostat.model.elements.source import SOURCE_LAW, Source
from gyrostat.model.inputs import Law
from gyrostat.model.record import Component, value


@dataclass(frozen=True)
class CurrentSource(Source):
    """A current source: the through variable is a number, a formula of time, inputs and signals, or a table.

    >>> CurrentSource("E1", "a", "g", "5*sin(100*t)").edges()[0].role.name
    'THROUGH_DRIVER'
    """

    current: Law = value(SOURCE_LAW, doc="current (A)")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge."""
        formula = self._formula(self.current)
        return (
            Edge(
                *(self.name, self.a, self.b, Role.THROUGH_DRIVER),
                through=Linear(constant=laws.of(formula)),
                supplies=True,
            ),
        )

    def parts(self) -> Iterator[Component]:
        """Yield the input that a table becomes."""
        return self._table(self.current)
