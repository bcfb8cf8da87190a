"""A still that is held in memory, for notebooks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from gyrostat.errors import PictureError
from gyrostat.results.whole_file import whole_file


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture as the bytes of a PNG file; a notebook shows it."""

    png: bytes

    def __repr__(self) -> str:
        width, height = (int.from_bytes(self.png[k : k + 4], "big") for k in (16, 20))
        return f"Picture({width} × {height} pixels)"

    def _repr_png_(self) -> bytes:
        return self.png

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the picture as a .png file; an existing file is replaced."""
        target = Path(path)
        if target.suffix.lower() != ".png":
            raise PictureError(f"{target}: this picture has pixels; choose a file name that ends in .png.")
        with whole_file(target, force=True) as temporary:
            Path(temporary).write_bytes(self.png)
        return target
