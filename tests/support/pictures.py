"""Helpers of tests of pictures: parsing of files, and positions of elements."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np


def assert_parses(path: Path) -> None:
    """Check that a file is what its ending says."""
    data = path.read_bytes()
    match path.suffix:
        case ".svg":
            assert ElementTree.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg"
        case ".png":
            assert data.startswith(b"\x89PNG\r\n\x1a\n")
            assert np.ptp(pixels(path)) > 0
        case ".pdf":
            assert data.startswith(b"%PDF-")
            assert data.rstrip().endswith(b"%%EOF")
        case ".gif":
            assert data.startswith(b"GIF89a")
        case _:
            raise AssertionError(f"{path} has an ending that nobody writes")


def pixels(path: Path) -> np.ndarray:
    """Return red, green and blue of a picture, (height, width, 3)."""
    from PIL import Image

    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), dtype=float)
