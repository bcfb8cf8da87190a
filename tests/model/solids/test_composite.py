"""Composites against sums over their parts, worked out with NumPy."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gyrostat.errors import ModelError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.place import Place
from gyrostat.model.solids import Part, box, composite, cone, point_mass, rod, slender_rod, sphere, tube
from gyrostat.scalar import FloatScalars

VALUE = Evaluator(FloatScalars(), {"m": 2.0, "l": 0.8}.__getitem__)


def arrays(solid):
    properties = solid.mass_properties(VALUE)
    return float(properties.mass), np.array(properties.com, float), np.array(properties.inertia, float)


def summed(*parts):
    """Add up (mass, com, inertia about com, position, rotation) by the parallel-axis theorem about the origin."""
    total = sum(mass for mass, *_ in parts)
    moment = sum(mass * (r + R @ com) for mass, com, _, r, R in parts)
    centre = moment / total
    about_origin = np.zeros((3, 3))
    for mass, com, inertia, r, R in parts:
        p = r + R @ com
        about_origin += R @ inertia @ R.T + mass * (p @ p * np.eye(3) - np.outer(p, p))
    return total, centre, about_origin - total * (centre @ centre * np.eye(3) - np.outer(centre, centre))


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_an_angle_of_two_rods_has_the_textbook_values():
    # Two slender rods, mass m and length l each, from the common corner along x and y.
    m, length = 2.0, 0.8
    half = length / 2
    angle = composite([Part(rod("m", "l", "x"), at=("l/2", 0, 0)), Part(rod("m", "l", "y"), at=(0, "l/2", 0))])
    mass, com, inertia = arrays(angle)
    assert mass == 2 * m
    np.testing.assert_allclose(com, [half / 2, half / 2, 0])
    about_corner = m * length**2 / 3
    np.testing.assert_allclose(inertia[2, 2], 2 * about_corner - 2 * m * 2 * (half / 2) ** 2)
    np.testing.assert_allclose(inertia[0, 1], 2 * m * (half / 2) ** 2)  # −Σ m x y about the corner is zero


def test_a_dumbbell_has_no_inertia_about_its_axis(symbols):
    m, length = sp.symbols("m l", positive=True)
    bell = composite([Part(point_mass("m"), at=("l/2", 0, 0)), Part(point_mass("m"), at=("-l/2", 0, 0))])
    properties = bell.mass_properties(symbols)
    assert sp.simplify(properties.com[0]) == 0
    assert properties.inertia[0][0] == 0
    assert type(properties.inertia[0][1]) is int
    assert sp.simplify(properties.inertia[1][1] - m * length**2 / 2) == 0


def test_turns_follow_one_another_about_turned_axes():
    turn = [("z", "30*deg"), ("x", 0.4), ((1, 1, 0), "-pi/5")]
    part = Part(cone(1.5, 0.2, 0.9, "x"), at=(0.1, "l", -0.3), turn=turn)
    R = Rotation.from_euler("ZX", [np.pi / 6, 0.4]) * Rotation.from_rotvec(
        -np.pi / 5 * np.array([1, 1, 0]) / np.sqrt(2)
    )
    mass, com, inertia = arrays(part.solid)
    expected = summed((mass, com, inertia, np.array([0.1, 0.8, -0.3]), R.as_matrix()))
    assert_same(arrays(composite([part])), expected)


def test_a_composite_of_composites_is_the_sum_of_all():
    inner = composite([Part(box(3, (1, 2, 3)), at=(0, 1, 0)), Part(tube(1, 0.5, 0.4, 2, "x"), turn=[("y", 0.3)])])
    outer = composite([Part(inner, at=(2, 0, 0), turn=[("z", 1.1)]), Part(sphere(4, 0.5), at=(0, 0, -1))])
    R_inner, R_outer = (Rotation.from_euler(axis, angle).as_matrix() for axis, angle in (("y", 0.3), ("z", 1.1)))
    move = np.array([2.0, 0, 0])
    expected = summed(
        (*arrays(box(3, (1, 2, 3))), move + R_outer @ [0, 1, 0], R_outer),
        (*arrays(tube(1, 0.5, 0.4, 2, "x")), move, R_outer @ R_inner),
        (*arrays(sphere(4, 0.5)), np.array([0, 0, -1.0]), np.eye(3)),
    )
    assert_same(arrays(outer), expected)


def test_a_box_is_the_sum_of_its_halves():
    halves = composite([Part(box(2, (1, 2, 3)), at=(0.5, 0, 0)), Part(box(2, (1, 2, 3)), at=(-0.5, 0, 0))])
    assert_same(arrays(halves), arrays(box(4, (2, 2, 3))))


lengths = st.floats(0.01, 10)
places = st.tuples(*[st.floats(-5, 5)] * 3)
turns = st.lists(st.tuples(st.sampled_from(["x", "-y", "z"]), st.floats(-7, 7)), max_size=3)
solids = st.one_of(
    st.builds(rod, lengths, lengths, st.sampled_from("xyz"), st.one_of(st.just(0), lengths)),
    st.builds(box, lengths, st.tuples(lengths, lengths, lengths)),
    st.builds(sphere, lengths, lengths),
    st.builds(point_mass, lengths),
    st.builds(slender_rod, lengths, lengths, st.sampled_from("xyz")),
)


@given(st.lists(st.builds(Part, solids, places, turns), min_size=1, max_size=4))
def test_any_composite_is_a_possible_body(parts):
    mass, _, inertia = arrays(composite(parts))
    moments = np.linalg.eigvalsh(inertia)
    slack = 1e-12 * (1 + moments[-1])
    assert mass > 0
    assert moments[0] >= -slack
    assert moments[0] + moments[1] >= moments[2] - slack


def test_shapes_stand_where_the_parts_are():
    inner = composite([Part(cone(1, 0.2, 0.9, "-y"), at=(0, 1, 0))])
    [drawn] = [d for s in composite([Part(inner, at=(2, 0, 0), turn=[("z", "pi/2")])]).shapes() for d in s.drawn(VALUE)]
    assert drawn.shape == "cone"
    assert drawn.dimensions == {"radius": 0.2, "length": 0.9}
    np.testing.assert_allclose(np.array(drawn.placement.r_BS_B, float), [1, 0, 0], atol=1e-15)
    # The cone's own z points along −y of its part, which the quarter turn leads to +x.
    np.testing.assert_allclose(np.array(drawn.placement.R_BS, float)[:, 2], [1, 0, 0], atol=1e-15)


def test_faults_of_parts_are_found_with_their_paths():
    with pytest.raises(ModelError) as error:
        composite([{"solid": {"rod": {"mass": 1, "length": -1}}}, 3, {"solid": {"brick": {}}}])
    assert [str(fault) for fault in error.value.faults] == [
        "composite, parts[0].solid.rod.length: -1 is not positive. Give a value above zero.",
        "composite, parts[1]: 3 is not a mapping of fields. Fields: solid, at, turn.",
        "composite, parts[2].solid.brick: there is no solid of this name. "
        "Known: box, composite, cone, cylinder, disc, ellipsoid, point_mass, ring, rod, shell, slender_rod, sphere, … "
        "(13 in all).",
    ]


def test_an_empty_composite_is_refused():
    with pytest.raises(
        ModelError, match=r"composite, parts: a composite without parts has no mass\. Give at least one part\."
    ):
        composite([])


def test_limits_are_checked_inside_parts_with_values():
    whole = composite([Part(sphere(1, 1)), Part(composite([Part(tube("m", 1, "r", 2))]))])
    place = Place("body 'b'", ("properties", "composite"))
    whole.check_limits(Evaluator(FloatScalars(), {"m": -2.0, "r": 3.0}.__getitem__), place)
    inside = "body 'b', properties.composite.parts[1].solid.composite.parts[0].solid.tube"
    assert [str(fault) for fault in place.faults] == [
        f"{inside}.mass: m = -2 is negative. Give a value of zero or more.",
        f"{inside}.inner_radius: r = 3 exceeds outer_radius, 1. Make outer_radius the larger one, or exchange the two.",
    ]
