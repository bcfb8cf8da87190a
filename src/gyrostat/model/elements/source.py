"""Base of sources whose value is a formula or a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.inputs import Input, Law
from gyrostat.model.inputs.law import LawKind
from gyrostat.model.record import Component

SOURCE_LAW = LawKind(LAW)
"""The kind of a source's value: a number, a formula of time, inputs, states and signals, or a table."""


@dataclass(frozen=True)
class Source(TwoTerminal):
    """Base of the sources: a table becomes an input, `name.table`."""

    def _formula(self, law: Law) -> Formula:
        """Return the value as a formula; that of a table names the input."""
        return law if isinstance(law, Formula) else Formula.of(self.part_name("table"))

    def _table(self, law: Law) -> Iterator[Component]:
        """Yield the input that a table becomes."""
        if not isinstance(law, Formula):
            yield Input(self.part_name("table"), law=law)
