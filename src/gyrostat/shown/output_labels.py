"""Labels of outputs in pictures: the symbols of the model where there are any, else the names."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.once import cached_property
from gyrostat.pictures.symbol_text import math_symbol, math_words, plain_symbol
from gyrostat.system import System
from gyrostat.written.symbols import dotted, with_owners

_QUANTITIES = {
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s²": "angular acceleration",
    "m": "length",
    "m/s": "velocity",
    "m/s²": "acceleration",
    "N": "force",
    "N·m": "moment",
    "J": "energy",
    "kg·m/s": "momentum",
}
"""Quantity measured in a unit, as the label of a panel with several outputs."""


@dataclass(frozen=True)
class OutputLabels:
    """The labels of a system's outputs."""

    system: System

    @cached_property
    def symbols(self) -> dict[str, str]:
        """The symbols that joints give to their coordinates, and those of rates and accelerations, by name."""
        found: dict[str, str] = {}
        for joint in self.system.model.joints.values():
            for label, given in joint.symbol.items():
                name, symbol = joint.full_name(label), with_owners(given, joint.name)
                rate = dotted(symbol)
                found |= {name: symbol, f"{name}.rate": rate, f"{name}.acc": dotted(rate)}
        return found

    def math(self, name: str) -> str:
        """Return the label of an output in matplotlib's text."""
        return math_symbol(self.symbols[name]) if name in self.symbols else math_words(name)

    def plain(self, name: str) -> str:
        """Return the label of an output in plain text."""
        return plain_symbol(self.symbols[name]) if name in self.symbols else name


def quantity(unit: str, names: list[str]) -> str:
    """Return the label of a panel with outputs in one unit: its quantity, or the names.

    >>> quantity("rad", ["a1", "a2"]), quantity("", ["motor", "brake"]), quantity("", ["motor"])
    ('angle', 'motor, brake', 'motor')
    """
    if len(names) == 1:
        return names[0]
    return _QUANTITIES.get(unit, ", ".join(names) if len(names) < 4 else "")


def with_unit(text: str, unit: str) -> str:
    """Return a label with its unit: nothing is added for a pure number.

    >>> with_unit("angle", "rad"), with_unit("e0", "1"), with_unit("", "J")
    ('angle (rad)', 'e0', '(J)')
    """
    return text if unit in ("", "1") else f"{text} ({unit})".strip()
