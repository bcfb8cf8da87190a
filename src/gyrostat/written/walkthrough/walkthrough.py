"""A method step by step: its quantities in the order of its source, under the source's names and equation numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy

from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.scalar.latex import latex_text
from gyrostat.written.walkthrough.quantity import Quantity, Section


class Walkthrough(ABC):
    """Sections of quantities with names, equation numbers and values, which print and render.

    `walk["B"]` is the value of a quantity by its printed name; `walk.names` lists all of them.
    """

    @property
    @abstractmethod
    def title(self) -> str:
        """The method, and where it is published."""

    @abstractmethod
    def _sections(self) -> Iterator[Section]:
        """Yield the sections in the order of the source."""

    @property
    def _closing(self) -> tuple[str, str]:
        """The result of the method as text and as LaTeX; empty where the sections have it."""
        return "", ""

    @abstractmethod
    def _write_latex(self, value: Any) -> str:
        """Return a value as LaTeX."""

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All quantities in the order of the source."""
        return tuple(self._sections())

    @cached_property
    def _by_name(self) -> dict[str, Quantity]:
        return {quantity.name: quantity for section in self.sections for quantity in section.quantities}

    @property
    def names(self) -> tuple[str, ...]:
        """The printed names of all quantities."""
        return tuple(self._by_name)

    def __getitem__(self, name: str) -> Any:
        """Return the value of a quantity by its printed name, as in walk["K^(bar1, bar2)"]."""
        if name not in self._by_name:
            raise StateError(f"There is no quantity {name!r}. {did_you_mean(name, self._by_name)}")
        return self._by_name[name].value

    def __str__(self) -> str:
        lines: list[str] = []
        for section in self.sections:
            lines.append(section.heading)
            lines.extend(f"  {line}" for line in ([section.text] if section.text else []))
            lines.extend(
                f"  {quantity.name} = {_plain(quantity.value)}{_note(quantity)}" for quantity in section.quantities
            )
        return "\n".join([*lines, *([self._closing[0]] if self._closing[0] else [])])

    def latex(self) -> str:
        """Return the walk as LaTeX text with a heading for each section."""
        parts: list[str] = []
        for section in self.sections:
            parts.append(f"\\paragraph{{{_escaped(section.heading)}}}")
            parts.extend([_escaped(section.text)] if section.text else [])
            parts.extend(self._displayed(quantity) for quantity in section.quantities)
        return "\n".join([*parts, *([self._closing[1]] if self._closing[1] else [])])

    def latex_of(self, quantity: Quantity) -> str:
        """Return the equation of a quantity, with its note."""
        note = f"\\quad\\text{{{_escaped(quantity.text)}}}" if quantity.text else ""
        return f"{quantity.latex_name} = {self._latex_of(quantity.value)}{note}"

    def _displayed(self, quantity: Quantity) -> str:
        return f"\\[ {self.latex_of(quantity)} \\]"

    def _latex_of(self, value: Any) -> str:
        return f"\\text{{{_escaped(value)}}}" if isinstance(value, str) else self._write_latex(value)

    def _repr_markdown_(self) -> str:
        parts = [f"**{self.title}**"]
        for section in self.sections:
            parts.append(f"#### {section.heading}")
            parts.extend([section.text] if section.text else [])
            for quantity in section.quantities:
                note = f" — {quantity.text}" if quantity.text else ""
                parts.append(f"$\\displaystyle {quantity.latex_name} = {self._latex_of(quantity.value)}${note}")
        return "\n\n".join(parts)


def numbers_as_latex(value: Any) -> str:
    """Return an array or a number as LaTeX, with six digits; matrices of a graph are SymPy's."""
    if isinstance(value, sympy.MatrixBase):
        return latex_text(value)
    array = np.atleast_1d(np.asarray(value))
    if array.ndim == 1 and array.size == 1 and np.ndim(value) == 0:
        return f"{array[0]:.6g}"
    rows = array[:, None] if array.ndim == 1 else array
    lines = (" & ".join(f"{entry:.6g}" for entry in row) for row in rows)
    return "\\left[\\begin{matrix}" + "\\\\".join(lines) + "\\end{matrix}\\right]"


def _plain(value: Any) -> str:
    if isinstance(value, sympy.MatrixBase):
        return str(value.tolist() if value.cols != 1 else list(value))
    if isinstance(value, np.ndarray):
        array = value[:, 0] if value.ndim == 2 and value.shape[1] == 1 else value
        return str(_rounded(array.tolist())).replace("'", "")
    return str(value)


def _rounded(values: Any) -> Any:
    """Return numbers with six digits, in nested lists."""
    return [_rounded(each) for each in values] if isinstance(values, list) else f"{values:.6g}"


def _note(quantity: Quantity) -> str:
    return f"  ({quantity.text})" if quantity.text else ""


_GREEK = {
    "χ": r"$\chi$",
    "λ": r"$\lambda$",
    "π": r"$\pi$",
    "Φ": r"$\Phi$",
    "γ": r"$\gamma$",
    "′": "'",
    "″": "''",
    "_": r"\_",
}


def _escaped(title: str) -> str:
    return "".join(_GREEK.get(character, character) for character in title)
