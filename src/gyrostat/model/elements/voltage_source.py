"""Voltage source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Role
from gyrostat.model.elements.source import SOURCE_LAW, Source
from gyrostat.model.inputs import Law
from gyrostat.model.record import Component, value


@dataclass(frozen=True)
class VoltageSource(Source):
    """A voltage source: the across variable is a number, a formula of time, inputs and signals, or a table.

    >>> VoltageSource("E1", "a", "g", "5*sin(100*t)").edges()[0].role.name
    'ACROSS_DRIVER'
    """

    voltage: Law = value(SOURCE_LAW, doc="voltage (V)")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge."""
        formula = self._formula(self.voltage)
        return (
            Edge(
                *(self.name, self.a, self.b, Role.ACROSS_DRIVER),
                across=Linear(constant=laws.of(formula)),
                supplies=True,
            ),
        )

    def parts(self) -> Iterator[Component]:
        """Yield the input that a table becomes."""
        return self._table(self.voltage)
