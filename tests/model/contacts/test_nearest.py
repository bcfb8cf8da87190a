"""Nearest points of shapes: the normal is the gradient of the gap, and nothing on the surface is nearer."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from gyrostat.model.contacts import nearest as near
from gyrostat.model.contacts.nearest import ShapePose
from gyrostat.model.contacts.relief_distance import ball_relief, heights_of
from gyrostat.model.contacts.solid_distance import point_cone, point_hull
from gyrostat.model.formula import Formula
from gyrostat.model.shapes.hull import Hull
from gyrostat.scalar import FloatScalars

S = FloatScalars()
HEIGHTS = heights_of(Formula.of("0.2*sin(x) + 0.1*x*y"), lambda formula: formula.value(), S)
SIZES = (0.5, 0.3, 0.2)
SKEW = Hull.of([(0.6, 0.1, 0), (-0.5, 0.5, 0.1), (-0.4, -0.5, 0), (0, 0.1, 0.5), (0.1, -0.2, -0.4)])
FIELDS = {
    "plane": lambda p, at: near.point_plane(p, at),
    "sphere": lambda p, at: near.sphere_sphere(p, 0.1, at.position, 0.4, S),
    "capsule": lambda p, at: near.point_segment(p, at, 0.6, S).inflated(0.1, 0.2),
    "box": lambda p, at: near.point_box(p, at, SIZES, S),
    "cylinder": lambda p, at: near.point_cylinder(p, at, 0.5, 0.3, S),
    "cone": lambda p, at: point_cone(p, at, 0.5, 0.8, S),
    "polyhedron": lambda p, at: point_hull(p, at, SKEW, S),
    "bore": lambda p, at: near.point_bore(p, at, 1.5, S),
    "relief": lambda p, at: ball_relief(p, 0.05, at, HEIGHTS, S),
}
SOLIDS = {  # convex solids as their corners; the cone as many of them
    "cone": [(0, 0, 0.6), *((0.5 * np.cos(a), 0.5 * np.sin(a), -0.2) for a in np.linspace(0, 2 * np.pi, 400))],
    "polyhedron": SKEW.corners,
}
SURFACES = {  # points of the surface, in its own axes, from two parameters
    "plane": lambda a, b: (a, b, 0.0),
    "box": lambda a, b: tuple(np.clip((a, b, 0.2), [-0.5, -0.3, -0.2], SIZES)),
    "cylinder": lambda a, b: (0.5 * np.cos(a), 0.5 * np.sin(a), np.clip(b, -0.3, 0.3)),
    "relief": lambda a, b: (a, b, 0.2 * np.sin(a) + 0.1 * a * b),
}


def pose(rng: np.random.Generator) -> ShapePose:
    R = Rotation.random(random_state=rng).as_matrix()
    return ShapePose(tuple(rng.normal(size=3).tolist()), tuple(map(tuple, R.tolist())))


def point(rng: np.random.Generator, at: ShapePose) -> tuple[float, float, float]:
    """Return a random point, most of them near the surface, on both sides of it."""
    return at.point(tuple((rng.uniform(-1, 1, 3) * (0.8, 0.6, 0.5)).tolist()))


@pytest.mark.parametrize("shape", FIELDS)
def test_the_normal_is_the_gradient_of_the_gap(shape: str) -> None:
    rng, h = np.random.default_rng(3), 1e-6
    for _ in range(40):
        at = pose(rng)
        p = point(rng, at)
        found = FIELDS[shape](p, at)
        gradient = []
        for k in range(3):
            sides = [FIELDS[shape](tuple(np.array(p) + side * h * np.eye(3)[k]), at).gap for side in (1, -1)]
            gradient.append((sides[0] - sides[1]) / (2 * h))
        np.testing.assert_allclose(found.normal, gradient, atol=2e-5)
        assert np.linalg.norm(found.normal) == pytest.approx(1.0, rel=1e-9)
        apart = np.subtract(found.point_a, found.point_b)
        np.testing.assert_allclose(apart, found.gap * np.array(found.normal), atol=1e-9)


@pytest.mark.parametrize("shape", SURFACES)
def test_nothing_on_the_surface_is_nearer(shape: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(6):
        at = pose(rng)
        p = at.point((*rng.uniform(-0.8, 0.8, 2).tolist(), 0.9))
        found = FIELDS[shape](p, at)
        gap = found.gap + (0.05 if shape == "relief" else 0.0)

        def distance(parameters, p=p, at=at):
            return float(np.linalg.norm(np.subtract(p, at.point(SURFACES[shape](*parameters)))))

        starts = np.vstack((np.clip(at.seen(p)[:2], (-0.49, -0.29), (0.49, 0.29)), rng.uniform(-1, 1, (6, 2))))
        nearest = min(minimize(distance, start, method="Nelder-Mead", options={"xatol": 1e-10}).fun for start in starts)
        if shape == "cylinder":  # the parameters reach the mantle only
            assert gap <= nearest + 1e-9
        else:
            assert gap == pytest.approx(nearest, abs=1e-6)


@pytest.mark.parametrize("shape", SOLIDS)
def test_nothing_in_a_convex_solid_is_nearer(shape: str) -> None:
    rng, corners = np.random.default_rng(11), np.array(SOLIDS[shape])
    for _ in range(12):
        at = pose(rng)
        p = at.point(tuple((1.5 * rng.normal(size=3)).tolist()))
        seen, place = np.array(at.seen(p)), corners.mean(axis=0)  # Frank–Wolfe: the nearest point of a convex hull
        for _ in range(3000):
            step = corners[np.argmin(corners @ (place - seen))] - place
            place = place + np.clip(step @ (seen - place) / max(step @ step, 1e-30), 0, 1) * step
        nearest = np.linalg.norm(seen - place)
        found = FIELDS[shape](p, at)
        if found.gap > 0:
            assert found.gap == pytest.approx(nearest, abs=3e-3)
            assert found.gap < nearest + 1e-12


def test_nearest_points_of_segments() -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        a, b = pose(rng), pose(rng)
        found = near.segment_segment(a, 0.7, b, 0.9, S)
        s, t = np.meshgrid(np.linspace(-0.7, 0.7, 401), np.linspace(-0.9, 0.9, 401))
        along = (np.array(a.position)[:, None, None] + s * np.array(a.axis(2))[:, None, None]) - (
            np.array(b.position)[:, None, None] + t * np.array(b.axis(2))[:, None, None]
        )
        assert found.gap == pytest.approx(np.linalg.norm(along, axis=0).min(), abs=2e-5 + 3e-3 * (found.gap < 0.05))


def test_the_lowest_point_of_a_tilted_rim() -> None:
    tilt = Rotation.from_euler("x", 0.3).as_matrix()
    rim = ShapePose((0.1, 0.2, 1.0), tuple(map(tuple, tilt.tolist())))
    found = near.rim_plane(rim, 0.5, ShapePose((0, 0, 0), ((1, 0, 0), (0, 1, 0), (0, 0, 1))), S)
    assert found.gap == pytest.approx(1.0 - 0.5 * np.sin(0.3), rel=1e-12)


@pytest.mark.parametrize("text", ["0.1*exp(-(x/0.02)**2)", "0.3*sin(20*x)*cos(15*y)", "0.5*tanh(30*x) + y**2"])
def test_points_above_a_steep_relief_have_a_gap_and_points_below_none(text: str) -> None:
    """Near the surface the gap is the distance; far from it, it has the right sign and is no larger than the height."""
    rng, at = np.random.default_rng(11), ShapePose((0.0, 0.0, 0.0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    formula = Formula.of(text)
    heights = heights_of(formula, lambda one: one.value(), S)
    for _ in range(300):
        x, y = rng.uniform(-0.2, 0.2, 2)
        up = rng.choice([-1, 1]) * 10 ** rng.uniform(-6, -0.5)
        z = formula.value({"x": x, "y": y}) + up
        found = ball_relief((x, y, z), 0.0, at, heights, S)
        assert np.sign(found.gap) == np.sign(up)
        assert abs(found.gap) <= abs(up) * (1 + 1e-6)
        if abs(up) < 1e-5:  # the surface is flat over such distances
            h = heights(x, y)
            assert abs(found.gap) == pytest.approx(abs(up) / np.sqrt(1 + h.x**2 + h.y**2), rel=2e-2)
