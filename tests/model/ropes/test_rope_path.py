"""Paths of ropes: tangent points, lengths, wrap angles, and forces that are the gradient of the length."""

from __future__ import annotations

import math

import numpy as np
import pytest
from campaign import campaign
from scipy.spatial.transform import Rotation

from gyrostat.model.forces import PointMotion
from gyrostat.model.kinds import End
from gyrostat.model.ropes import Station, span_between
from gyrostat.model.ropes.course import Course, CourseStop, course_of
from gyrostat.scalar.floats import FloatScalars

FLOATS = FloatScalars()


def station(place, turn=(0.0, 0.0, 0.0), radius=0.0, sense=0, twist=None):
    """Return a station with a position, a rotation vector, and a velocity and angular velocity."""
    velocity, omega = ((0.0,) * 3, (0.0,) * 3) if twist is None else twist
    R = Rotation.from_rotvec(turn).as_matrix()
    motion = PointMotion(tuple(place), tuple(velocity), tuple(map(tuple, R.tolist())), tuple(omega))
    return Station(End("body"), motion, radius, sense)


def moved(one: Station, by: float) -> Station:
    """Return a station after it has moved with its velocity and angular velocity for a time."""
    R = Rotation.from_rotvec(np.array(one.motion.omega) * by).as_matrix() @ np.array(one.motion.rotation)
    place = np.array(one.motion.position) + by * np.array(one.motion.velocity)
    motion = PointMotion(tuple(place.tolist()), one.motion.velocity, tuple(map(tuple, R.tolist())), one.motion.omega)
    return Station(one.end, motion, one.radius, one.sense)


def course(stations, closed=False, holds=False) -> Course:
    """Return the course over stations."""
    return course_of([CourseStop(f"p{i}", one, holds) for i, one in enumerate(stations)], FLOATS, closed=closed)


def test_tangents_of_two_circles_in_a_plane_have_the_textbook_lengths():
    """Open and crossed belt: √(c² − (R − r)²) and √(c² − (R + r)²)."""
    left = station((0, 0, 0), radius=0.3, sense=1)
    same, other = (station((1, 0, 0), radius=0.1, sense=sense) for sense in (1, -1))
    assert span_between(left, same, FLOATS).length == pytest.approx(math.sqrt(1 - 0.2**2), rel=1e-15)
    assert span_between(left, other, FLOATS).length == pytest.approx(math.sqrt(1 - 0.4**2), rel=1e-15)


def test_an_open_belt_has_its_textbook_length():
    """2 √(c² − (R − r)²) + π (R + r) + 2 (R − r) asin((R − r)/c)."""
    pair = [station((0, 0, 0), radius=0.3, sense=1), station((1, 0, 0), radius=0.1, sense=1)]
    found = course(pair, closed=True)
    expected = 2 * math.sqrt(1 - 0.04) + math.pi * 0.4 + 0.4 * math.asin(0.2)
    assert found.length == pytest.approx(expected, rel=1e-14)
    assert found.wraps["p0"] == pytest.approx(math.pi + 2 * math.asin(0.2), rel=1e-14)
    assert course(pair, closed=True, holds=True).length == pytest.approx(expected, rel=1e-14)


def test_antiparallel_axes_of_sheaves_in_one_plane_are_the_same_tangent():
    """A sheave whose axis points back lies on the other side."""
    first = station((0, 0, 0), radius=0.3, sense=1)
    turned = station((1, 0, 0), turn=(math.pi, 0, 0), radius=0.1, sense=-1)
    plain = station((1, 0, 0), radius=0.1, sense=1)
    a, b = (span_between(first, one, FLOATS) for one in (plain, turned))
    assert b.length == pytest.approx(a.length, rel=1e-14)
    assert b.b == pytest.approx(a.b, abs=1e-14)


def random_stations(rng, tilt):
    """Return an end, three sheaves tilted by random rotations, and an end."""
    places = [(0.1, -2, 0.1), (0, 0, 0), (1.5, -1.2, 0.1), (3, 0.2, -0.1), (3.2, -2, 0.2)]
    kinds = [(0, 0), (0.3, -1), (0.2, 1), (0.4, -1), (0, 0)]
    return [
        station(
            np.array(place) + 0.1 * rng.normal(size=3),
            tilt * rng.normal(size=3),
            radius,
            sense,
            (rng.normal(size=3).tolist(), rng.normal(size=3).tolist()),
        )
        for place, (radius, sense) in zip(places, kinds, strict=True)
    ]


@campaign(60)
def test_forces_are_the_gradient_of_the_length(seed):
    """The power of unit tension is minus the rate of length, also with sheaves that tilt and turn."""
    stations = random_stations(np.random.default_rng(seed), tilt=0.1)
    found, h = course(stations), 1e-5
    ahead, back = (course([moved(one, by) for one in stations]).length for by in (h, -h))
    assert found.rate == pytest.approx((ahead - back) / (2 * h), rel=1e-7, abs=1e-7)
    assert max(abs(one) for leg in found.legs for one in leg.mismatch) < 1e-11


@campaign(60)
def test_a_drum_at_an_end_counts_its_arc_from_the_x_axis(seed):
    """The rate of length includes rope that winds on a drum that turns."""
    stations = random_stations(np.random.default_rng(seed), tilt=0.1)[1:4]
    found, h = course(stations), 1e-5
    ahead, back = (course([moved(one, by) for one in stations]).length for by in (h, -h))
    assert len(found.segments) == 1
    assert found.rate == pytest.approx((ahead - back) / (2 * h), rel=1e-7, abs=1e-7)


@campaign(60)
def test_loads_on_a_free_path_balance(seed):
    """All forces of a rope are internal: their sum and their moment vanish."""
    forces = [one for leg in course(random_stations(np.random.default_rng(seed), tilt=0.2)).legs for one in leg.forces]
    assert np.sum([one.force for one in forces], axis=0) == pytest.approx(np.zeros(3), abs=1e-13)
    moments = [np.cross(one.point, one.force) for one in forces]
    assert np.sum(moments, axis=0) == pytest.approx(np.zeros(3), abs=1e-12)


@campaign(60)
def test_segments_between_holding_sheaves_grow_by_stretch_and_rims(seed):
    """Rate of a segment's length on its path = stretch between rims + rims that pass its ends."""
    stations = random_stations(np.random.default_rng(seed), tilt=0.1)
    found, h = course(stations, holds=True), 1e-5
    ahead, back = (course([moved(one, by) for one in stations], holds=True) for by in (h, -h))
    rims = [0.0, *(arc.flow for arc in found.held), 0.0]
    for i, segment in enumerate(found.segments):
        rate = (ahead.segments[i].length - back.segments[i].length) / (2 * h)
        assert segment.rate + rims[i] - rims[i + 1] == pytest.approx(rate, rel=1e-6, abs=1e-6)


def test_a_span_between_sheaves_at_right_angles_is_tangent_to_both():
    """The rope runs along the line in which both planes meet."""
    first = station((0, 0, 0), radius=0.2, sense=-1)  # leaves at (0.2, 0, 0) downwards
    second = station((0.2, -3, 0.3), turn=(0, math.pi / 2, 0), radius=0.3, sense=-1)
    span = span_between(first, second, FLOATS)
    assert span.a == pytest.approx((0.2, 0, 0), abs=1e-9)
    assert span.unit == pytest.approx((0, -1, 0), abs=1e-9)
    assert abs(span.mismatch) < 1e-9


def test_a_drum_has_a_quarter_of_its_rope_between_the_x_axis_and_the_top():
    """The rope leaves the top of a drum to the left: r π/2 lie on it."""
    drum, end = station((0, 0, 0), radius=0.4, sense=1), station((-3, 0.4, 0))
    found = course([drum, end])
    assert found.wraps["p0"] == pytest.approx(math.pi / 2, rel=1e-14)
    assert found.length == pytest.approx(3 + 0.2 * math.pi, rel=1e-14)
    assert course([end, station((0, 0, 0), radius=0.4, sense=-1)]).length == pytest.approx(3 + 0.2 * math.pi, rel=1e-14)
