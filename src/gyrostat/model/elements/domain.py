"""Physical domains of networks: words and units of their across and through variables."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.edge import Side


@dataclass(frozen=True)
class Domain:
    """The words and units of a domain; the elements are the same in all of them."""

    name: str
    across: str
    across_unit: str
    through: str
    through_unit: str

    def word(self, side: Side) -> str:
        """Return the word by which outputs name a variable."""
        return self.across if side is Side.ACROSS else self.through

    def unit(self, side: Side) -> str:
        """Return the unit of a variable."""
        return self.across_unit if side is Side.ACROSS else self.through_unit


DOMAINS = {
    domain.name: domain
    for domain in (
        Domain("electrical", "voltage", "V", "current", "A"),
        Domain("hydraulic", "pressure", "Pa", "flow", "m³/s"),
        Domain("thermal", "temperature", "K", "heat", "W"),
        Domain("translational", "velocity", "m/s", "force", "N"),
        Domain("rotational", "speed", "rad/s", "torque", "N·m"),
    )
}
"""The domains by name. In mechanics a mass is a capacitor to the datum and a spring is an inductor of 1/stiffness."""

WORDS = frozenset(word for domain in DOMAINS.values() for word in (domain.across, domain.through))
"""The suffixes of outputs of elements and nodes."""
