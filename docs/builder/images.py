"""Pictures of the site: as small as they may be."""

from __future__ import annotations

from pathlib import Path

from PIL import Image


def shrink(path: Path, width: int) -> None:
    """Make a picture smaller: at most as wide as this in pixels, with 256 colours."""
    with Image.open(path) as image:
        small = image.convert("RGB")
    small.thumbnail((width, width))
    small.quantize(256, kmeans=1).save(path, optimize=True)
