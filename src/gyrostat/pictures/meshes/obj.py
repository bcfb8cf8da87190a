"""Wavefront OBJ: vertices and faces; all else is left out."""

from __future__ import annotations

import numpy as np

from gyrostat.pictures.meshes.mesh import Mesh


def read_obj(content: bytes) -> Mesh:
    """Return the mesh of a file's content; raise `ValueError` with the reason where it is malformed.

    Faces of more than three vertices are divided from their first one.
    """
    vertices: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(content.splitlines(), start=1):
        kind, *items = line.split(maxsplit=4) if line.startswith(b"v ") else line.split()[:1000] or (b"",)
        if kind == b"v":
            if len(items) < 3:
                raise ValueError(f"line {number} has a vertex without three coordinates")
            vertices.append((float(items[0]), float(items[1]), float(items[2])))
        elif kind == b"f":
            places = [_place(item, len(vertices), number) for item in items]
            triangles += [(places[0], places[i], places[i + 1]) for i in range(1, len(places) - 1)]
    return Mesh(np.array(vertices, dtype=float).reshape(-1, 3), np.array(triangles, dtype=np.int64).reshape(-1, 3))


def _place(item: bytes, known: int, number: int) -> int:
    """Return the place of a vertex, which a file counts from one, or backwards from the last one before it."""
    given = int(item.partition(b"/")[0])
    place = given - 1 if given > 0 else known + given
    if given == 0 or not 0 <= place < known:
        raise ValueError(f"line {number} has a face with vertex {given}, of {known} before it")
    return place
