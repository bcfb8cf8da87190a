"""Notebooks of pages: their text, code and printed results, which the tests compare with what the code prints."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from builder.figures import written_files

_FENCE = re.compile(r"^```(python|text)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
_ROLE = re.compile(r"\{[\w:]+\}`([^`<]+?)(?: <[^>]*>)?`")


def with_notebook(path: Path, text: str, figures: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield a page with a link to its notebook, and the notebook; a page without code is left as it is.

    `figures` are the files that the code writes; pictures stand below it in the notebook.
    """
    if "```python" not in text:
        yield str(path), text
        return
    title, _, rest = text.partition("\n")
    link = f"{{download}}`Notebook <{path.stem}.ipynb>`"
    yield str(path), f"{title}\n\n{link}\n{rest}"
    yield str(path.with_suffix(".ipynb")), json.dumps(notebook_of(text, figures), ensure_ascii=False, indent=1)


def notebook_of(text: str, figures: Mapping[str, bytes]) -> dict[str, Any]:
    """Return a notebook with the page's text and code; what a block prints stands below it."""
    cells: list[dict[str, Any]] = []
    end = 0
    for block in _FENCE.finditer(text):
        between = text[end : block.start()]
        end = block.end()
        if block[1] == "text":
            if cells and cells[-1]["cell_type"] == "code" and not between.strip():
                cells[-1]["outputs"].insert(0, {"output_type": "stream", "name": "stdout", "text": block[2]})
            else:
                cells.append(_markdown(between + block[0]))
            continue
        if between.strip():
            cells.append(_markdown(between))
        code = block[2].rstrip("\n")
        shown = [_displayed(name, figures[name]) for name in written_files(code) if name in figures]
        outputs = [output for output in shown if output]
        cells.append({"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": outputs, "source": code})
    if text[end:].strip():
        cells.append(_markdown(text[end:]))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _displayed(name: str, data: bytes) -> dict[str, Any] | None:
    """Return a picture as the output of a cell; a page is none."""
    if name.endswith(".svg"):
        return {"output_type": "display_data", "data": {"image/svg+xml": data.decode()}, "metadata": {}}
    if name.endswith(".png"):
        return {"output_type": "display_data", "data": {"image/png": b64encode(data).decode()}, "metadata": {}}
    return None


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _ROLE.sub(r"`\1`", text).strip()}
