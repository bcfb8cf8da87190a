"""New figures, and figures as files: written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gyrostat.errors import PictureError
from gyrostat.results.whole_file import require_writable, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".pdf", ".png")
_METADATA: dict[str, dict[str, str | None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
"""The same picture has the same file, whenever it is written."""


def checked_path(path: str | os.PathLike[str], formats: tuple[str, ...] = FORMATS, what: str = "pictures") -> Path:
    """Return a writable path whose ending is that of a known format."""
    target = Path(path)
    if target.suffix.lower() not in formats:
        listed = " or ".join((", ".join(formats[:-1]), formats[-1]))
        raise PictureError(f"{target}: {what} are written as {listed}; choose a file name that ends so.")
    require_writable(target, force=True)
    return target


def new_figure(size: tuple[float, float], *, shown: bool) -> Figure:
    """Return a new figure of a size in inches; only a figure that may be shown is registered with pyplot."""
    if shown:
        from matplotlib import pyplot

        return pyplot.figure(figsize=size, layout="constrained")
    from matplotlib import figure

    return figure.Figure(figsize=size, layout="constrained")


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> Path:
    """Write a figure in the format of the file's ending; an existing file is replaced."""
    target = checked_path(path)
    kind = target.suffix.lower()[1:]
    with whole_file(target, force=True) as temporary:
        figure.savefig(temporary, format=kind, metadata=_METADATA[kind])
    return target
