"""Vectors, rotations and inertia against NumPy and SciPy."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gyrostat import spatial
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import IDENTITY, UNIT, ZERO, MassProperties, plane_turn, rotation_about

floats = FloatScalars()
numbers = st.floats(-10, 10).map(lambda x: round(x, 6))
vectors = st.tuples(numbers, numbers, numbers)
matrices = st.tuples(vectors, vectors, vectors)
masses = st.floats(0.1, 10)
angles = st.floats(-7, 7)


def rotation(turn):
    return tuple(map(tuple, Rotation.from_rotvec(turn).as_matrix().tolist()))


def assert_close(found, expected):
    np.testing.assert_allclose(np.array(found, dtype=float), expected, rtol=1e-12, atol=1e-9)


@given(vectors, vectors, numbers)
def test_vectors_are_those_of_numpy(a, b, factor):
    A, B = np.array(a), np.array(b)
    assert_close(spatial.dot(a, b), A @ B)
    assert_close(spatial.cross(a, b), np.cross(A, B))
    assert_close(spatial.plus(a, b), A + B)
    assert_close(spatial.minus(a, b), A - B)
    assert_close(spatial.opposite(a), -A)
    assert_close(spatial.scale(factor, a), factor * A)
    assert_close(spatial.apply(spatial.skew(a), b), np.cross(A, B))


@given(matrices, matrices, vectors)
def test_matrices_are_those_of_numpy(A, B, a):
    assert_close(spatial.apply(A, a), np.array(A) @ a)
    assert_close(spatial.product(A, B), np.array(A) @ B)
    assert_close(spatial.transpose(A), np.array(A).T)
    assert_close(spatial.matrix_sum(A, B), np.array(A) + B)


@given(vectors, angles)
def test_rotation_about_an_axis_is_scipys(axis, angle):
    length = np.linalg.norm(axis)
    assume(length > 1e-3)
    found = spatial.rotation_about(spatial.normalised(axis, floats), angle, floats)
    assert_close(found, Rotation.from_rotvec(angle * np.array(axis) / length).as_matrix())


@pytest.mark.parametrize("name", UNIT)
def test_rotation_about_a_coordinate_axis_turns_four_entries(name):
    q = sp.Symbol("q")

    class Engine:
        def call(self, function, arguments):
            return getattr(sp, function)(*arguments)

    R = spatial.rotation_about(UNIT[name], q, Engine())
    literal = [entry for row in R for entry in row if isinstance(entry, int)]
    assert sorted(literal) == [0, 0, 0, 0, 1]
    expected = sp.Matrix(Rotation.from_rotvec(0.4 * np.array(UNIT[name])).as_matrix())
    assert (sp.Matrix(R).subs(q, 0.4) - expected).norm() < 1e-15


def test_no_angle_is_no_rotation():
    assert spatial.rotation_about((0.6, 0.8, 0), 0, floats) == IDENTITY
    assert spatial.rotation_about((0.6, 0.8, 0), 0.0, floats) is IDENTITY


@given(vectors)
def test_normalised_vectors_have_length_one_and_the_direction(a):
    assume(np.linalg.norm(a) > 1e-3)
    assert_close(spatial.normalised(a, floats), np.array(a) / np.linalg.norm(a))


@pytest.mark.parametrize(
    ("a", "unit"), [((0, 0, 3), (0, 0, 1)), ((-0.1, 0, 0), (-1, 0, 0)), ((0.0, 1e-200, 0.0), (0, 1, 0))]
)
def test_vectors_along_an_axis_are_exactly_that(a, unit):
    found = spatial.normalised(a, floats)
    assert found == unit
    assert all(type(x) is int for x in found)


@given(vectors)
def test_perpendicular_vectors_complete_a_right_handed_frame(a):
    assume(np.linalg.norm(a) > 1e-3)
    axis = spatial.normalised(a, floats)
    frame = np.array([axis, *spatial.perpendicular(axis, floats)], float)
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1)


@pytest.mark.parametrize("name", UNIT)
def test_perpendicular_to_a_coordinate_axis_is_exact(name):
    n1, n2 = spatial.perpendicular(UNIT[name], floats)
    assert spatial.cross(UNIT[name], n1) == n2
    assert all(type(x) is int for x in (*n1, *n2))


def test_perpendicular_avoids_the_axis_that_is_known_to_be_zero():
    a, b = sp.symbols("a b", positive=True)

    class Engine:
        def call(self, function, arguments):
            return getattr(sp, function)(*arguments)

    for axis in ((a, 0, b), (0, a, b), (a, b, 0)):
        _, n2 = spatial.perpendicular(axis, Engine())
        assert n2 == tuple(int(x == 0) for x in axis)


@given(vectors, matrices)
def test_conjugation_turns_symmetric_matrices(turn, A):
    R = rotation(turn)
    S = spatial.matrix_sum(A, spatial.transpose(A))
    found = spatial.conjugate(R, S)
    assert_close(found, np.array(R) @ S @ np.array(R).T)
    assert found == spatial.transpose(found)


@given(masses, vectors)
def test_inertia_of_a_point(mass, r):
    a = np.array(r)
    assert_close(spatial.point_inertia(mass, r), mass * (a @ a * np.eye(3) - np.outer(a, a)))


clouds = st.lists(st.tuples(masses, vectors), min_size=1, max_size=4)


def of_points(cloud):
    """Mass properties of point masses, from the definition with NumPy."""
    m, r = np.array([mass for mass, _ in cloud]), np.array([position for _, position in cloud])
    com = m @ r / m.sum()
    arms = r - com
    inertia = sum(mass * (a @ a * np.eye(3) - np.outer(a, a)) for mass, a in zip(m, arms, strict=True))
    return MassProperties(float(m.sum()), tuple(com.tolist()), tuple(map(tuple, inertia.tolist())))


def assert_same(found, expected):
    assert found.mass == pytest.approx(expected.mass)
    assert_close(found.com, np.array(expected.com))
    assert_close(found.inertia, np.array(expected.inertia))


@given(clouds, clouds)
def test_bodies_joined_are_the_points_of_both(one, other):
    assert_same(spatial.combined([of_points(one), of_points(other)]), of_points([*one, *other]))


@given(clouds, vectors, vectors)
def test_bodies_turned_and_moved_are_their_points_turned_and_moved(cloud, turn, move):
    R = np.array(rotation(turn))
    there = [(mass, tuple((R @ r + move).tolist())) for mass, r in cloud]
    assert_same(of_points(cloud).turned(rotation(turn)).moved(move), of_points(there))


def test_a_body_alone_keeps_its_literal_zeros():
    alone = spatial.combined([MassProperties(2.0, ZERO, ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 0)))])
    assert alone.com == ZERO
    assert [type(x) for x in alone.inertia[2]] == [int, int, int]


def test_bodies_without_mass_join_without_a_division_by_zero():
    nothing = MassProperties(0.0, (1.0, 2.0, 3.0), (ZERO, ZERO, ZERO))
    assert spatial.combined([nothing, nothing]).com == ZERO


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_tensors_turn_in_a_plane_as_they_turn_in_space(axis: str) -> None:
    """The short way for rotations about a coordinate axis against the long one, symmetric and not."""
    draw = np.random.default_rng(5)
    R = rotation_about(UNIT[axis], 0.7, FloatScalars())
    turn = plane_turn(R)
    assert turn is not None
    A = draw.normal(size=(3, 3))
    S = A + A.T
    rows = tuple(tuple(float(x) for x in row) for row in A)
    a, b, c = float(S[0, 1]), float(S[0, 2]), float(S[1, 2])
    symmetric = ((float(S[0, 0]), a, b), (a, float(S[1, 1]), c), (b, c, float(S[2, 2])))
    assert np.allclose(turn.tensor(rows), np.array(R) @ A @ np.array(R).T, atol=1e-14)
    turned = turn.tensor(symmetric)
    assert np.allclose(turned, np.array(R) @ S @ np.array(R).T, atol=1e-14)
    assert turned[0][1] is turned[1][0]
    assert turned[0][2] is turned[2][0]
    assert turned[1][2] is turned[2][1]


def test_a_rotation_about_another_axis_is_not_in_a_plane() -> None:
    assert plane_turn(rotation_about((0.6, 0.0, 0.8), 0.7, FloatScalars())) is None
    assert plane_turn(((1, 0, 0), (0, 1, 0), (0, 0, 1))) is not None


def test_what_is_alike_in_the_plane_stays_as_it_is() -> None:
    m = 2.5
    turn = plane_turn(rotation_about(UNIT["z"], 0.7, FloatScalars()))
    assert turn is not None
    assert turn.tensor(((m, 0, 0), (0, m, 0), (0, 0, m))) == ((m, 0, 0), (0, m, 0), (0, 0, m))
