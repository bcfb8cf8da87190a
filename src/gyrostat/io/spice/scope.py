"""The names that the cards of a circuit or subcircuit know: nodes, parameters, device models, subcircuits."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Final

from gyrostat.io.names import Names
from gyrostat.io.spice.netlist import CardError, Circuit
from gyrostat.io.spice.semiconductors import DeviceModel
from gyrostat.io.spice.values import formula
from gyrostat.model.formula import Formula

GROUND: Final = "gnd"
"""The datum: nodes 0 and gnd of every subcircuit."""


@dataclass
class Scope:
    """The names of one circuit; those of the circuits around it are known as well, but for nodes."""

    names: Names
    prefix: str = ""
    """Prefix of the names of elements and nodes, as in `X1_`."""
    nodes: dict[str, str] = field(default_factory=dict)
    parameters: MutableMapping[str, str] = field(default_factory=ChainMap)
    models: MutableMapping[str, DeviceModel] = field(default_factory=ChainMap)
    subcircuits: MutableMapping[str, Circuit] = field(default_factory=ChainMap)
    depth: int = 0
    elements: set[str] = field(default_factory=set)
    after_control: dict[str, str] = field(default_factory=dict)
    """The nodes after the short circuits of elements that a current controls, by element."""

    def inner(self, name: str) -> Scope:
        """Return the scope of a subcircuit."""
        return Scope(
            self.names,
            f"{self.prefix}{name.upper()}_",
            {},
            ChainMap({}, self.parameters),
            ChainMap({}, self.models),
            ChainMap({}, self.subcircuits),
            self.depth + 1,
        )

    def node(self, name: str) -> str:
        """Return the node of the model with this name in the netlist."""
        key = name.lower()
        if key in ("0", GROUND):
            return GROUND
        if key not in self.nodes:
            wanted = f"{self.prefix}n{key}" if key.isdigit() else f"{self.prefix}{key}"
            self.nodes[key] = self.names.take(wanted, "node")
        return self.nodes[key]

    def element(self, name: str) -> str:
        """Return a free name for an element; two elements of one name are refused."""
        if name.lower() in self.elements:
            raise CardError(f"there are two elements {name!r}.", "Rename one of them.")
        self.elements.add(name.lower())
        return self.names.take(f"{self.prefix}{name.upper()}", "element")

    def parameter(self, name: str) -> str:
        """Return a free name for a parameter, which later expressions know."""
        key = name.lower()
        self.parameters[key] = self.names.take(f"{self.prefix}{key}", "parameter")
        return self.parameters[key]

    def value(self, text: str) -> Formula:
        """Return a value as a formula over the parameters of the model."""
        return formula(text, self.parameters)
