"""Base of elements with two ports."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.element import NODE, NetworkElement
from gyrostat.model.record import value


@dataclass(frozen=True)
class TwoPort(NetworkElement):
    """Base of the elements with a first port from a to b and a second one from c to d.

    The ports may belong to different networks, also of different domains.
    """

    a: str = value(NODE, doc="first node of the first port")
    b: str = value(NODE, doc="second node of the first port")
    c: str = value(NODE, doc="first node of the second port")
    d: str = value(NODE, doc="second node of the second port")

    @property
    def first(self) -> str:
        """The name of the edge of the first port."""
        return self.part_name("first")

    @property
    def second(self) -> str:
        """The name of the edge of the second port."""
        return self.part_name("second")
