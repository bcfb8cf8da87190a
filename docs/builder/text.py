"""Docstrings and defaults as Markdown."""

from __future__ import annotations

import re
from dataclasses import MISSING
from typing import Any


def markdown_of(docstring: str, *, doctests: bool = True) -> str:
    """Return a docstring as Markdown: doctests become blocks of code, or are left out.

    Lists of fields and outputs are left out: pages have tables of them.
    """
    paragraphs = re.split(r"\n\s*\n", docstring)
    shown = []
    for part in paragraphs:
        if part.startswith(("Fields:\n", "Outputs:")) or (not doctests and part.startswith("Example:")):
            continue
        if not part.startswith(">>>"):
            shown.append(part)
        elif doctests:
            shown.append(f"```pycon\n{part}\n```")
    return "\n\n".join(shown)


def default_text(default: Any) -> str:
    """Return the default of a field for a table."""
    shown = "required" if default is MISSING else f"`{default!r}`"
    return shown if len(shown) < 40 and "\n" not in shown and "|" not in shown else ""
