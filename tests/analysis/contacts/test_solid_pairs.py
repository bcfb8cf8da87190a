"""Points of contact of convex solids and of surfaces, against independent computations."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from gyrostat.analysis.kernels.face_patch import find_points
from gyrostat.analysis.kernels.separation import separate
from gyrostat.analysis.kernels.solid_tables import Patch
from gyrostat.analysis.kernels.surface_points import find_surface_points
from gyrostat.analysis.simulation.solid_arrays import solids_of, surfaces_of
from gyrostat.model.contacts.core import Ball, Block, Facets, Segment, Surface
from gyrostat.model.contacts.features import Feature, FeatureMode, feature_touch
from gyrostat.model.contacts.nearest import ShapePose
from gyrostat.model.shapes.height_field import HeightField
from gyrostat.model.shapes.hull import Hull
from gyrostat.model.shapes.triangle_mesh import TriangleMesh
from gyrostat.scalar import FloatScalars

SHALLOW = 1e-3


def _frame(rng: np.random.Generator, reach: float) -> np.ndarray:
    rotation = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix()
    return np.concatenate((rng.uniform(-reach, reach, 3), rotation.ravel(), np.zeros(6)))


def _solid(rng: np.random.Generator) -> Block | Facets:
    if rng.random() < 0.5:
        return Block(tuple(rng.uniform(0.2, 0.6, 3)))
    hull = Hull.of(rng.normal(size=(int(rng.integers(5, 12)), 3)) * 0.4)
    assert hull is not None
    return Facets(hull)


def _corners(solids, frame: np.ndarray, k: int) -> np.ndarray:
    own = solids.corners[solids.first_corner[k] : solids.first_corner[k + 1]]
    return own @ frame[3:12].reshape(3, 3).T + frame[:3]


def _pose(frame: np.ndarray) -> ShapePose:
    rows = frame[3:12].reshape(3, 3)
    return ShapePose(tuple(frame[:3]), tuple(tuple(row) for row in rows))


@campaign(1000, few=(*range(0, 1000, 20), 945))  # 945: the best edges lie along a face, others do not
def test_separation_is_that_of_the_difference_of_both_bodies(seed: int) -> None:
    """The depth of an overlap is the distance of the origin from the faces of the hull of differences of corners."""
    rng = np.random.default_rng(seed)
    cores = [_solid(rng), _solid(rng)]
    solids, a, b = solids_of(cores), _frame(rng, 0.3), _frame(rng, 0.3)
    patch = Patch.of(20, 8, 64)
    found = separate(solids, patch, a, b, 0, 1)
    p, q = _corners(solids, a, 0), _corners(solids, b, 1)
    offsets = ConvexHull((p[:, None] - q[None]).reshape(-1, 3)).equations[:, 3]
    depth = -offsets.max()
    if depth > 0:
        assert found == pytest.approx(-depth, abs=1e-9)
    else:
        assert found >= -1e-12
    a[:3] += a[3:12].reshape(3, 3) @ patch.axis[:3] * (-SHALLOW - patch.axis[3])
    if -SHALLOW < separate(solids, patch, a, b, 0, 1) < -0.1 * SHALLOW:
        _check_points(solids, patch, a, b)


def _check_points(solids, patch: Patch, a: np.ndarray, b: np.ndarray) -> None:
    """Points have unit normals; those that overlap lie within both bodies, up to the depth of the overlap."""
    gaps = []
    find_points(solids, patch, a, b, 0, 1)
    for k in range(patch.number[0]):
        feature = Feature.of(patch.features[k].tolist())
        touch = feature_touch(FeatureMode(int(patch.modes[k])), feature, _pose(a), _pose(b), FloatScalars())
        assert np.linalg.norm(touch.normal) == pytest.approx(1, abs=1e-9)
        gaps.append(touch.gap)
        if touch.gap < 0:
            for frame, shape in ((a, 0), (b, 1)):
                inside = frame[3:12].reshape(3, 3).T @ (np.array(touch.middle) - frame[:3])
                faces = solids.faces[solids.first_face[shape] : solids.first_face[shape + 1]]
                assert (faces[:, :3] @ inside - faces[:, 3]).max() < 2 * SHALLOW
    assert min(gaps) < 0
    assert patch.weights[: patch.number[0]].sum() == pytest.approx(4 if patch.number[0] > 2 else patch.number[0])


@campaign(500)
def test_distance_of_a_capsule_from_a_polyhedron(seed: int) -> None:
    """With a rounding, the separation is the distance: compared with a dense sample of the segment."""
    rng = np.random.default_rng(seed)
    segment = Segment(rng.uniform(0.2, 0.6), 0.1)
    hull = Hull.of(rng.normal(size=(8, 3)) * 0.4)
    assert hull is not None
    solids, a, b = solids_of([segment, Facets(hull)]), _frame(rng, 1.2), _frame(rng, 0.1)
    found = separate(solids, Patch.of(20, 8, 64), a, b, 0, 1)
    ends = (_corners(solids, a, 0) - b[:3]) @ b[3:12].reshape(3, 3)
    points = ends[0] + np.linspace(0, 1, 2001)[:, None] * (ends[1] - ends[0])
    normals, offsets = np.array([f.normal for f in hull.faces]), np.array([f.offset for f in hull.faces])
    if (points @ normals.T - offsets).max(axis=1).min() < 0.01:
        return
    sampled = min(_distance(hull, x) for x in points[::25])
    assert found == pytest.approx(sampled, abs=2e-3)
    assert found <= sampled + 1e-9


def _distance(hull: Hull, x: np.ndarray) -> float:
    """Return the distance of a point from a polyhedron, over triangles of its faces."""
    corners, best = np.array(hull.corners), np.inf
    for face in hull.faces:
        for k in range(1, len(face.corners) - 1):
            best = min(best, _to_triangle(x, *corners[[face.corners[0], face.corners[k], face.corners[k + 1]]]))
    return best


def _to_triangle(x: np.ndarray, p: np.ndarray, q: np.ndarray, r: np.ndarray) -> float:
    n = np.cross(q - p, r - p)
    n /= np.linalg.norm(n)
    sides = ((p, q), (q, r), (r, p))
    if all(np.cross(v - u, x - u) @ n >= 0 for u, v in sides):
        return abs(float((x - p) @ n))
    parts = [(u, v, np.clip((x - u) @ (v - u) / ((v - u) @ (v - u)), 0, 1)) for u, v in sides]
    return min(float(np.linalg.norm(x - u - t * (v - u))) for u, v, t in parts)


def _surface_points(core: Surface, centre: np.ndarray, radius: float) -> Patch:
    cores = [Ball(radius), core]
    frames = [np.concatenate((at, np.eye(3).ravel(), np.zeros(6))) for at in (centre, np.zeros(3))]
    patch = Patch.of(20, 8, 64)
    find_surface_points(solids_of(cores), surfaces_of(cores), patch, frames[0], frames[1], 0, 1, 10 * radius)
    return patch


@campaign(300)
def test_distance_of_a_ball_from_a_mesh(seed: int) -> None:
    """The gap is the distance to the nearest triangle, negative inside."""
    rng = np.random.default_rng(seed)
    field = HeightField(np.arange(6.0), np.arange(5.0), rng.normal(size=(6, 5)) * 0.5).surface
    centre = np.array([rng.uniform(1, 4), rng.uniform(1, 3), rng.uniform(-1, 2)])
    patch = _surface_points(Surface(field), centre, 0.4)
    corners = field.corners[field.triangles]
    nearest = min(_to_triangle(centre, *triangle) for triangle in corners)
    ray = [t for t in corners if _above(t, centre)]
    below = any(centre[2] < _height(t, centre) for t in ray)
    assert patch.axis[3] == pytest.approx((-1 if below else 1) * nearest - 0.4, abs=1e-9)


def _above(triangle: np.ndarray, x: np.ndarray) -> bool:
    p, q, r = triangle[:, :2]
    return all((v - u)[0] * (x[:2] - u)[1] - (v - u)[1] * (x[:2] - u)[0] >= 0 for u, v in ((p, q), (q, r), (r, p)))


def _height(triangle: np.ndarray, x: np.ndarray) -> float:
    n = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    return float(triangle[0][2] - (n[0] * (x[0] - triangle[0][0]) + n[1] * (x[1] - triangle[0][1])) / n[2])


def test_a_flat_mesh_carries_as_a_plane() -> None:
    """Edges and corners between triangles of one plane add nothing: weights sum to one wherever the ball is."""
    grid = np.linspace(-1, 1, 5)
    flat = Surface(HeightField(grid, grid, np.zeros((5, 5))).surface)
    for x, y in ((0.1, 0.2), (0.5, 0.1), (0.5, 0.5), (0.25, 0.25)):
        patch = _surface_points(flat, np.array([x, y, 0.09]), 0.1)
        assert patch.weights[: patch.number[0]].sum() == pytest.approx(1)


def test_a_ball_in_a_valley_touches_both_sides() -> None:
    valley = Surface(HeightField([-1, 0, 1], [-1, 1], [[1, 1], [0, 0], [1, 1]]).surface)
    patch = _surface_points(valley, np.array([0.0, 0.1, 0.1 * np.sqrt(2) - 0.01]), 0.1)
    assert patch.number[0] == 2
    np.testing.assert_allclose(patch.weights[:2], 1, atol=1e-9)


def test_weights_are_continuous_across_a_valley() -> None:
    valley = Surface(HeightField([-1, 0, 1], [-1, 1], [[0.3, 0.3], [0, 0], [0.3, 0.3]]).surface)
    sums = []
    for x in np.linspace(-0.05, 0.05, 401):
        patch = _surface_points(valley, np.array([x, 0.1, 0.1]), 0.12)
        depths = 0.12 - patch.distances[: patch.number[0], 0]
        sums.append(float(patch.weights[: patch.number[0]] @ depths))
    assert np.abs(np.diff(sums)).max() < 2e-3


def test_a_ball_beside_a_closed_mesh_does_not_see_its_far_side() -> None:
    cube = ConvexHull(np.array([(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 0.1)]))
    triangles = [t if np.cross(*(cube.points[t[1:]] - cube.points[t[0]])) @ n > 0 else t[::-1]
                 for t, n in zip(cube.simplices, cube.equations[:, :3], strict=True)]  # fmt: skip
    plate = Surface(TriangleMesh(cube.points, triangles).surface)
    patch = _surface_points(plate, np.array([0.5, 0.4, 0.25]), 0.2)
    assert patch.axis[3] == pytest.approx(0.25 - 0.1 - 0.2)
    assert patch.weights[: patch.number[0]].sum() == pytest.approx(1)
    assert patch.features[0, 12] == pytest.approx(1)
