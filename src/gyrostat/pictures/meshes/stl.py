"""STL, binary and ASCII."""

from __future__ import annotations

import re

import numpy as np

from gyrostat.pictures.meshes.mesh import Mesh

_HEADER = 84
"""Bytes before the triangles of a binary file: a title, and their number."""
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])
_VERTEX = re.compile(rb"\bvertex\s+(\S{1,40})\s+(\S{1,40})\s+(\S{1,40})")


def read_stl(content: bytes) -> Mesh:
    """Return the mesh of a file's content; raise `ValueError` with the reason where it is malformed."""
    count = int.from_bytes(content[80:_HEADER], "little") if len(content) >= _HEADER else 0
    if len(content) == _HEADER + count * _TRIANGLE.itemsize and len(content) >= _HEADER:
        records = np.frombuffer(content, dtype=_TRIANGLE, offset=_HEADER)
        vertices = records["corners"].astype(np.float64).reshape(-1, 3)
    elif content.lstrip()[:5].lower() == b"solid":
        vertices = np.array([[float(x) for x in found] for found in _VERTEX.findall(content)]).reshape(-1, 3)
    else:
        raise ValueError(
            f"its header promises {count:,} triangles, {_HEADER + count * _TRIANGLE.itemsize:,} bytes, but it has "
            f"{len(content):,}"
        )
    if len(vertices) % 3:
        raise ValueError(f"it has {len(vertices):,} vertices, no whole number of triangles")
    return Mesh(vertices, np.arange(len(vertices), dtype=np.int64).reshape(-1, 3))
