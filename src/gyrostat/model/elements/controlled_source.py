"""Controlled sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Role, Side, Variable
from gyrostat.model.elements.ports import TwoPort
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value


@dataclass(frozen=True)
class ControlledSource(TwoPort):
    """Base of the sources from a to b whose value is a gain times the voltage or current from c to d.

    A controlling voltage is measured by an open edge, a controlling current by a short circuit. The edges are
    `name.first`, the source, and `name.second`, the control.
    """

    output: ClassVar[Side]
    control: ClassVar[Side]
    gain: Quantity = value(QuantityKind(LAW), doc="gain, the source's value per controlling value")

    def edges(self) -> tuple[Edge, ...]:
        """Return the source and its control."""
        law = Linear(((Variable(self.second, self.control), laws.of(self.gain)),))
        if self.output is Side.ACROSS:
            source = Edge(self.first, self.a, self.b, Role.ACROSS_DRIVER, across=law, supplies=True)
        else:
            source = Edge(self.first, self.a, self.b, Role.THROUGH_DRIVER, through=law, supplies=True)
        if self.control is Side.ACROSS:
            return source, Edge(self.second, self.c, self.d, Role.THROUGH_DRIVER, through=Linear())
        return source, Edge(self.second, self.c, self.d, Role.ACROSS_DRIVER, across=Linear())


@dataclass(frozen=True)
class VoltageControlledVoltageSource(ControlledSource):
    """A voltage source whose voltage is a gain times the voltage from c to d (SPICE: E)."""

    output: ClassVar[Side] = Side.ACROSS
    control: ClassVar[Side] = Side.ACROSS


@dataclass(frozen=True)
class CurrentControlledCurrentSource(ControlledSource):
    """A current source whose current is a gain times the current from c to d, a short circuit (SPICE: F)."""

    output: ClassVar[Side] = Side.THROUGH
    control: ClassVar[Side] = Side.THROUGH


@dataclass(frozen=True)
class VoltageControlledCurrentSource(ControlledSource):
    """A current source whose current is a conductance times the voltage from c to d (SPICE: G)."""

    output: ClassVar[Side] = Side.THROUGH
    control: ClassVar[Side] = Side.ACROSS


@dataclass(frozen=True)
class CurrentControlledVoltageSource(ControlledSource):
    """A voltage source whose voltage is a resistance times the current from c to d, a short circuit (SPICE: H)."""

    output: ClassVar[Side] = Side.ACROSS
    control: ClassVar[Side] = Side.THROUGH
