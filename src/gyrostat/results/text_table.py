"""Tables as plain text, and plain text in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

_STYLE = "font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; line-height: 1.3"


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: the first column to the left, the others to the right.

    >>> text_table(("name", "Hz"), [("a", "1.5"), ("long", "20")])
    ['name   Hz', 'a     1.5', 'long   20']
    """
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]


def spread_indices(count: int, most: int) -> list[int]:
    """Return numbers from 0 to count − 1, spread evenly where there are more than `most`.

    >>> spread_indices(3, 5), spread_indices(101, 5)
    ([0, 1, 2], [0, 25, 50, 75, 100])
    """
    return [int(k) for k in np.unique(np.linspace(0, count - 1, min(count, most)).round())]


def complex_text(value: ArrayLike) -> str:
    """Return a complex number with four digits.

    >>> complex_text(-0.5 + 2j), complex_text(3.0)
    ('-0.5 + 2i', '3')
    """
    z = complex(np.asarray(value).item())
    if abs(z.imag) <= 1e-12 * max(1.0, abs(z.real)):
        return f"{z.real:.4g}"
    return f"{z.real:.4g} {'+' if z.imag >= 0 else '-'} {abs(z.imag):.4g}i"


def monospaced(text: str) -> str:
    """Return plain text as HTML in which columns stay below each other."""
    return f'<pre style="{_STYLE}">{escape(text)}</pre>'


class NotebookText:
    """Mixin of results that a notebook shows as their text, in a monospaced font."""

    def _repr_html_(self) -> str:
        return monospaced(str(self))
