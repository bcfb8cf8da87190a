"""The contract of an element of a network: its edges and terminal equations, over abstract scalars."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.domain import WORDS
from gyrostat.model.elements.edge import Edge, Relation
from gyrostat.model.inputs import Input
from gyrostat.model.kinds import FormulaUse, ReferenceKind
from gyrostat.model.record import Component, value
from gyrostat.model.registry import Registry

NODE = ReferenceKind("node")
"""The kind of a field that names a node."""


@dataclass(frozen=True)
class NetworkElement(Component):
    """Base of all elements of networks. A subclass declares its nodes and values and defines `edges`.

    An edge of an element with one edge has the name of the element; others are named `element.edge`. The across
    variable is that of the tail minus that of the head, and the through variable is positive from tail to head, so that
    their product is the power that the element receives.
    """

    file_section: ClassVar[str] = "networks"
    word: ClassVar[str] = "element"
    suffixes: ClassVar[frozenset[str]] = WORDS | {"power", "energy"}
    only_domain: ClassVar[str | None] = None
    """The only domain in which the element occurs; None for all."""

    @abstractmethod
    def edges(self) -> tuple[Edge, ...]:
        """Return the edges with their terminal equations, in order."""

    def relations(self) -> tuple[Relation, ...]:
        """Return further equations, those of coupled edges."""
        return ()

    @property
    def outer_names(self) -> frozenset[str]:
        """The names in its formulas that are no variables of its own; a table counts as the input that it becomes."""
        uses = (use for use in self.all_uses if isinstance(use, FormulaUse))
        names = {name for use in uses for name in use.formula.names - use.scope.variables}
        return frozenset(names | {part.name for part in self.parts() if isinstance(part, Input)})

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of outputs and edges within this element, by the word after the dot."""
        names = (edge.name.removeprefix(f"{self.name}.") for edge in self.edges() if edge.name != self.name)
        return {**super().inner_names(), **{name: f"edge {name!r}" for name in names}}


@dataclass(frozen=True)
class TwoTerminal(NetworkElement):
    """Base of the elements with one edge, from node `a` to node `b`."""

    a: str = value(NODE, doc="node where the through variable enters")
    b: str = value(NODE, doc="node where it leaves; the across variable is that of a minus that of b")


ELEMENTS: Registry[NetworkElement] = Registry("element", NetworkElement)
