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
    across_symbol: str
    through_symbol: str

    def word(self, side: Side) -> str:
        """Return the word by which outputs name a variable."""
        return self.across if side is Side.ACROSS else self.through

    def unit(self, side: Side) -> str:
        """Return the unit of a variable."""
        return self.across_unit if side is Side.ACROSS else self.through_unit

    def symbol(self, side: Side) -> str:
        """Return the letter of a variable in written equations."""
        return self.across_symbol if side is Side.ACROSS else self.through_symbol


DOMAINS = {
    domain.name: domain
    for domain in (
        Domain("electrical", "voltage", "V", "current", "A", "v", "i"),
        Domain("hydraulic", "pressure", "Pa", "flow", "m³/s", "p", "q"),
        Domain("thermal", "temperature", "K", "heat", "W", "T", "Q"),
        Domain("translational", "velocity", "m/s", "force", "N", "v", "F"),
        Domain("rotational", "speed", "rad/s", "torque", "N·m", "omega", "tau"),
    )
}
"""The domains by name. In mechanics a mass is a capacitor to the datum and a spring is an inductor of 1/stiffness."""

WORDS = frozenset(word for domain in DOMAINS.values() for word in (domain.across, domain.through))
"""The suffixes of outputs of elements and nodes."""
