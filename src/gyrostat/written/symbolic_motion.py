"""A motion of exact symbols, at which the laws of a network's elements are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from gyrostat.errors import GyrostatError
from gyrostat.model.forces import PointMotion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import ExactRing, ExactScalars, SympyWriter, plain_symbol

Formed = TypeVar("Formed")


class SymbolicMotion:
    """Every name is a symbol of the exact engine; `written` converts to SymPy, with other texts for some names."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.ring = ExactRing([], list(texts))
        self.scalars = ExactScalars(self.ring)

    def quantity(self, name: str) -> Scalar:
        """Return the symbol of a name."""
        return self.ring.symbol(name)

    coordinate = input = quantity

    def speed(self, name: str) -> Scalar:
        """Return the symbol of a rate."""
        return self.quantity(f"{name}.rate")

    def end(self, end: End) -> PointMotion:
        """Refuse: laws of networks do not depend on places of bodies."""
        raise GyrostatError(f"The law of an element of a network depends on the place {end}. Use a signal by its name.")

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms."""
        return form()

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula."""
        return formula.evaluate(self.scalars, lambda name: variables.get(name, self.ring.symbol(name)))

    def written(self, value: Scalar) -> Any:
        """Return a value as a SymPy expression."""
        names = (name for name in self.ring.names if name not in self.ring.definitions)
        symbols = {name: plain_symbol(self.texts.get(name, name.replace(".", "_"))) for name in names}
        return SympyWriter(self.ring, symbols)(value)
