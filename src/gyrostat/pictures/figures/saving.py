"""Figures as files: written whole or not at all."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gyrostat.errors import PictureError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".pdf", ".png")


def checked_path(path: str | os.PathLike[str], formats: tuple[str, ...] = FORMATS, what: str = "pictures") -> Path:
    """Return a path whose ending says a format that is known."""
    target = Path(path)
    if target.suffix.lower() not in formats:
        raise PictureError(f"{target}: {what} are written as {_listed(formats)}; choose a file name that ends so.")
    return target


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> Path:
    """Write a figure in the format that the file's ending says."""
    target = checked_path(path)
    kind = target.suffix.lower()[1:]
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    temporary = beside(target)
    try:
        figure.savefig(temporary, format=kind, metadata=dated)
        os.replace(temporary, target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return target


def beside(target: Path) -> Path:
    """Return a name in the same folder for a file that is not complete yet."""
    return target.with_name(f".{target.stem[:40]}-{uuid.uuid4().hex}{target.suffix}")


def cannot_write(target: Path, error: OSError) -> PictureError:
    """Return the error of a file that cannot be written."""
    return PictureError(
        f"{target}: the picture cannot be written ({error.strerror or error}); "
        "choose a folder that exists and can be written to."
    )


def _listed(formats: tuple[str, ...]) -> str:
    return " or ".join((", ".join(formats[:-1]), formats[-1])) if len(formats) > 1 else formats[0]
