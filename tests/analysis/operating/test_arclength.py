"""Pseudo-arclength continuation on curves that are known in closed form."""

from enum import Enum

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gyrostat.analysis.operating.arclength import Follower, StopReason, VectorCurve


class Test(Enum):
    __test__ = False
    FOLD = "fold"


FOLD = {Test.FOLD: lambda station: float(station.tangent[-1])}


def curve(g, dx, dp, step):
    """Return the curve g(x, p) = 0 of one unknown."""
    return VectorCurve(lambda z: np.array([g(*z)]), lambda z: np.array([[dx(*z)]]), lambda z: np.array([dp(*z)]), step)


def between(low, high):
    return lambda point: low if point.z[-1] < low else high if point.z[-1] > high else None


def circle(step=0.1):
    return curve(lambda x, p: x * x + p * p - 1, lambda x, p: 2 * x, lambda x, p: 2 * p, step)


def test_a_circle_closes_after_two_folds():
    found = circle()
    trail = Follower(found, between(-2, 2), FOLD).follow(found.station(np.array([1.0, 0.0]), np.array([0.0, 1.0])), 500)
    assert trail.stop is StopReason.CLOSED
    z = np.array([station.point.z for station in trail.stations])
    assert_allclose((z**2).sum(axis=1), 1.0, atol=1e-12)
    assert [crossing.kind for crossing in trail.crossings] == [Test.FOLD, Test.FOLD]
    assert_allclose([crossing.station.point.z[-1] for crossing in trail.crossings], [1.0, -1.0], atol=1e-12)
    assert_allclose([crossing.station.point.z[0] for crossing in trail.crossings], [0.0, 0.0], atol=1e-9)


def test_a_bound_is_met_exactly():
    found = circle()
    trail = Follower(found, between(-0.5, 0.5), FOLD).follow(
        found.station(np.array([1.0, 0.0]), np.array([0, 1.0])), 500
    )
    assert trail.stop is StopReason.BOUND
    assert trail.crossings == ()
    assert_allclose(trail.stations[-1].point.z, [np.sqrt(0.75), 0.5], atol=1e-12)


def test_the_number_of_steps_is_limited():
    found = circle()
    trail = Follower(found, between(-2, 2)).follow(found.station(np.array([1.0, 0.0])), 7)
    assert trail.stop is StopReason.LIMIT
    assert len(trail.stations) == 8


def test_a_corner_stops_the_follower():
    corner = curve(lambda x, p: x - abs(p), lambda x, p: 1.0, lambda x, p: -np.sign(p), 0.1)
    trail = Follower(corner, between(-2, 2)).follow(corner.station(np.array([1.0, -1.0]), np.array([-1.0, 1.0])), 500)
    assert trail.stop is StopReason.NO_STEP
    assert_allclose(trail.stations[-1].point.z, [0.0, 0.0], atol=1e-4)


@pytest.mark.parametrize("step", [0.05, 0.2])
def test_a_curve_that_continues_as_its_mirror_image_ends_there(step):
    """x (x² − p) = 0 along the parabola: fold and branch point coincide at the origin."""

    class Pair(Enum):
        FOLD = 1
        BRANCH = 2

    pitchfork = curve(lambda x, p: x**3 - p * x, lambda x, p: 3 * x * x - p, lambda x, p: -x, step)
    tests = {
        Pair.FOLD: lambda station: float(station.tangent[-1]),
        Pair.BRANCH: lambda station: float(np.linalg.det(np.vstack([station.point.jacobian, station.tangent]))),
    }
    follower = Follower(pitchfork, between(-1, 1), tests, mirror=(Pair.FOLD, Pair.BRANCH))
    trail = follower.follow(pitchfork.station(np.array([0.5, 0.25]), np.array([-1.0, -1.0])), 500)
    assert trail.stop is StopReason.MIRRORED
    assert_allclose(trail.stations[-1].point.z, [0.0, 0.0], atol=1e-2)
