"""Convex polyhedra: faces and edges of hulls, and meshes that are refused."""

from itertools import product

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.shapes import Polyhedron

CUBE = [tuple(float(x) for x in corner) for corner in product((-1, 1), repeat=3)]
TRIANGLES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
TRIANGLES += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def test_triangles_in_a_plane_are_one_face() -> None:
    hull = Polyhedron(CUBE).hull
    assert sorted(face.normal for face in hull.faces) == sorted(
        tuple(x) for x in np.vstack((np.eye(3), -np.eye(3))).tolist()
    )
    assert [len(face.corners) for face in hull.faces] == [4] * 6
    assert len(hull.edges) == 12
    for face in hull.faces:
        corners = np.array([hull.corners[i] for i in face.corners])
        turn = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        assert turn @ np.array(face.normal) > 0  # anticlockwise from outside


@pytest.mark.parametrize("seed", range(5))
def test_faces_and_edges_obey_euler(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(14, 3))
    hull = Polyhedron((points / np.linalg.norm(points, axis=1)[:, None]).tolist()).hull
    assert len(hull.corners) == 14
    assert len(hull.corners) - len(hull.edges) + len(hull.faces) == 2


def test_mass_properties_are_those_of_a_box_and_of_samples() -> None:
    corners = np.array(CUBE) * (0.1, 0.2, 0.3) + (1.0, 2.0, 3.0)
    hull = Polyhedron(corners.tolist()).hull
    np.testing.assert_allclose(hull.centroid, (1, 2, 3), rtol=1e-12)
    squares = np.array([0.2, 0.4, 0.6]) ** 2
    np.testing.assert_allclose(hull.inertia(2.0), np.diag(2.0 / 12 * (squares.sum() - squares)), atol=1e-13)
    skew = Polyhedron([(0.6, 0.1, 0), (-0.5, 0.5, 0.1), (-0.4, -0.5, 0), (0, 0.1, 0.5), (0.1, -0.2, -0.4)]).hull
    points = np.random.default_rng(1).uniform(-0.6, 0.6, (400_000, 3))
    inside = np.all([points @ np.array(face.normal) < face.offset for face in skew.faces], axis=0)
    points = points[inside]
    np.testing.assert_allclose(skew.centroid, points.mean(axis=0), atol=3e-3)
    about = np.cov(points.T)
    np.testing.assert_allclose(skew.inertia(1.0), np.trace(about) * np.eye(3) - about, atol=5e-4)


def test_meshes_become_polyhedra() -> None:
    found = Polyhedron.from_mesh(np.array([*CUBE, (9, 9, 9)]), np.array(TRIANGLES), at=(0, 0, 1))
    assert found.hull == Polyhedron(CUBE).hull
    assert found.at[2].number == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Polyhedron([*CUBE, (0, 0, 0.5)]),
            "it is not convex: point 8 lies 0.5 m inside the hull of the others.",
        ),
        (lambda: Polyhedron(CUBE[:4]), "points: its 4 points enclose no volume. Give four corners or more"),
        (lambda: Polyhedron(CUBE[:3]), "points: its 3 points enclose no volume."),
        (lambda: Polyhedron([*CUBE, ("l", 0, 0)]), "a corner is given by a formula. Give numbers"),
        (
            lambda: Polyhedron.from_mesh(CUBE, TRIANGLES[:-1]),
            "mesh: it is not closed: 3 edges are not between two triangles of one sense, as 1 to 3.",
        ),
        (
            lambda: Polyhedron.from_mesh([*CUBE[:7], (0.2, 0.2, 0.2)], TRIANGLES),
            "mesh: it is not convex: point 7 lies",
        ),
        (lambda: Polyhedron.from_mesh(CUBE, [(0, 1, 2), (0, 2, 1)]), "mesh: it encloses no volume."),
    ],
)
def test_meshes_that_are_refused(make, message: str) -> None:
    with pytest.raises(ModelError) as error:
        make()
    assert message in str(error.value)


def test_it_is_a_public_shape() -> None:
    assert gs.shapes.Polyhedron is Polyhedron
