"""Definitions of auxiliary symbols."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gyrostat.scalar.exact.element import Element


PI = "pi"
"""The name of the symbol π."""


class GeneratorKind(Enum):
    """Kind of a generator of the ring."""

    SYMBOL = "symbol"
    ROOT = "root"
    INVERSE = "inverse"
    FUNCTION = "function"


@dataclass(frozen=True)
class Definition:
    """An auxiliary symbol: function(arguments), where a root is `sqrt` and an inverse `inverse` of one argument."""

    kind: GeneratorKind
    function: str
    arguments: tuple[Any, ...]

    def __str__(self) -> str:
        inside = ", ".join(str(argument) for argument in self.arguments)
        return f"1/({inside})" if self.kind is GeneratorKind.INVERSE else f"{self.function}({inside})"


class Generator(NamedTuple):
    """A symbol of the ring; `index` is its place among the variables of the coefficients."""

    index: int  # type: ignore[assignment]  # not the method of tuples
    name: str
    definition: Definition | None = None

    @property
    def kind(self) -> GeneratorKind:
        """The kind of the generator."""
        return GeneratorKind.SYMBOL if self.definition is None else self.definition.kind


@dataclass(frozen=True)
class Angle:
    """Argument of cos and sin: an element with coefficient one divided by an integer."""

    index: int
    group: int
    argument: Element
    divisor: int
