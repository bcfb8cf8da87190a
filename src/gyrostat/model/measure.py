"""Measure: a formula over signals that has a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import Quantity, QuantityKind, Scope, TextKind
from gyrostat.model.record import Component, value


@dataclass(frozen=True)
class Measure(Component):
    """A quantity of interest under a name of its own: an output like others, and known to every formula.

    >>> Measure("clearance", "load.z - deck.z", unit="m").formula
    Formula(source='load.z - deck.z')
    """

    file_section: ClassVar[str] = "measures"
    word: ClassVar[str] = "measure"

    formula: Quantity = value(
        QuantityKind(Scope(time=True, system=True, derived=True)), doc="a formula of everything that has a name"
    )
    unit: str = value(TextKind(), "", doc="unit, a label only", keyword=True)
    description: str = value(TextKind(), "", doc="description", keyword=True)
