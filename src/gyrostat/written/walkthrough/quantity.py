"""Quantities of a method, and the sections that a walkthrough arranges them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from gyrostat.scalar.latex import latex_text


@dataclass(frozen=True)
class Quantity:
    """One quantity of a method: its symbol in plain text and in LaTeX, its value, and what it is."""

    name: str
    latex_name: str
    value: Any
    """A SymPy or NumPy matrix, an expression, or a text."""
    text: str = ""


@dataclass(frozen=True)
class Section:
    """Quantities of one kind, with the equation numbers of the source and an explanation."""

    title: str
    numbers: str
    quantities: tuple[Quantity, ...]
    text: str = ""

    @property
    def heading(self) -> str:
        """The title with the numbers of the source."""
        if not self.numbers:
            return self.title
        return f"{self.title} ({self.numbers if not self.numbers[0].isdigit() else 'eq ' + self.numbers})"


def indexed(name: str, latex: str, indices: tuple[str, ...], value: Any, text: str = "") -> Quantity:
    """Return a quantity with upper indices, such as names of bodies and joints."""
    upper = " ".join(latex_text(sympy.Symbol(index)) for index in indices)
    base = f"{{{latex}}}" if "^" in latex or "_" in latex or "'" in latex else latex
    return Quantity(f"{name}^({', '.join(indices)})", f"{base}^{{({upper})}}", value, text)
