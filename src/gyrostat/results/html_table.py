"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

ROW_LIMIT = 60
"""The largest number of rows shown."""


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an HTML table of text; LaTeX between dollar signs is typeset where a notebook does so.

    >>> html_table("two", ["a", "b"], [["1", "x<y"]])
    '<table><caption>two</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x&lt;y</td></tr></table>'
    """
    lines = [_row("th", head), *(_row("td", row) for row in rows[:ROW_LIMIT])]
    if len(rows) > ROW_LIMIT:
        lines.append(_row("td", [f"… and {len(rows) - ROW_LIMIT} more", *[""] * (len(head) - 1)]))
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
