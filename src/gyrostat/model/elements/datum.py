"""The datum of a network."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.domain import DOMAINS
from gyrostat.model.elements.edge import Edge
from gyrostat.model.elements.element import NetworkElement
from gyrostat.model.kinds import ChoiceKind
from gyrostat.model.record import value


@dataclass(frozen=True)
class Datum(NetworkElement):
    """The node from which the across variables of a network are measured; its name is that of the node.

    Its domain gives the words and units of all outputs of the network: voltage and current, pressure and flow, ….

    >>> Datum("tank", domain="hydraulic").domain
    'hydraulic'
    """

    domain: str = value(ChoiceKind(tuple(DOMAINS)), "electrical", doc="the physical domain of the network")

    def edges(self) -> tuple[Edge, ...]:
        """Return no edges."""
        return ()
