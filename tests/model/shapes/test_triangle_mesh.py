"""Meshes and height fields: which are refused, and how they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.model.shapes import HeightField, TriangleMesh

POINTS = [(0, 0, 1), (1, 0, 0), (-1, 1, 0), (-1, -1, 0)]
TRIANGLES = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]


@pytest.mark.parametrize(
    ("points", "triangles", "message"),
    [
        (POINTS, TRIANGLES[:3], "it is open: 3 edges belong to one triangle only, as 1 to 2. Close it"),
        (POINTS, [*TRIANGLES[:3], (1, 2, 3)], "triangles at 3 edges have opposite senses, or are more than two"),
        (POINTS, [*TRIANGLES[:3], (1, 3, 7)], "7 is no number of a point; there are 4. Points are counted from 0"),
        ([*POINTS[:3], (0.5, 0, 0.5)], TRIANGLES, "2 triangles have no area, such as number"),
        (POINTS, [(0, 1)], "it has no points and triangles of three numbers each"),
    ],
)
def test_faults_of_meshes(points: list[object], triangles: list[object], message: str) -> None:
    if message.startswith("2 triangles"):
        triangles = [(0, 3, 1), (1, 3, 0)]
    with pytest.raises(gs.ModelError, match=message):
        TriangleMesh(points, triangles)


def test_an_open_mesh_is_allowed_on_request() -> None:
    assert len(TriangleMesh(POINTS, TRIANGLES[:3], closed=False).surface.triangles) == 3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (([0, 0], [0, 1], np.zeros((2, 2))), "x: it is not two rising places or more"),
        (([0, 1], [0], np.zeros((2, 1))), "y: it is not two rising places or more"),
        (([0, 1], [0, 1], np.zeros((2, 3))), r"heights: there are 2 × 3 heights for a grid of 2 × 2"),
    ],
)
def test_faults_of_height_fields(fields: tuple[object, ...], message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        HeightField(*fields)


def test_triangles_of_a_height_field_face_upwards() -> None:
    rng = np.random.default_rng(1)
    field = HeightField([0, 1, 3], [0, 0.5, 2, 3], rng.normal(size=(3, 4)))
    assert len(field.surface.triangles) == 12
    assert (field.surface.normals[:, 2] > 0).all()
