"""Mass properties against integrals over the solids' volumes, surfaces and lines, by SymPy from their definitions."""

import pytest
import sympy as sp

import gyrostat as gs
from gyrostat.model.solids import (
    SOLIDS,
    box,
    cone,
    cylinder,
    disc,
    ellipsoid,
    point_mass,
    ring,
    rod,
    shell,
    slender_rod,
    sphere,
    tube,
)

m, r, R, h, a, b, c = sp.symbols("m r R h a b c", positive=True)
s, u, v, w = sp.symbols("s u v w", real=True)


def integrated(position, measure, *limits):
    """Return mass centre and inertia of a uniform body from points r(u, v, w), the measure dV and its limits."""

    def over(expression):
        result = expression * measure
        for limit in limits:
            result = sp.integrate(sp.expand(sp.expand_trig(result)), limit)
        return result

    volume = over(sp.Integer(1))
    point = sp.Matrix(position)
    com = point.applyfunc(over) / volume
    arm = point - com
    inertia = m * (arm.dot(arm) * sp.eye(3) - arm * arm.T).applyfunc(over) / volume
    return com.applyfunc(sp.simplify), inertia.applyfunc(sp.simplify)


TURN = (v, 0, 2 * sp.pi)
ROUND = (u * sp.cos(v), u * sp.sin(v))

# Bodies of revolution about z, blocks and balls: points of the body, measure, limits from the innermost integral.
BODIES = {
    "rod": (rod("m", "h", radius="r"), (*ROUND, w), u, (w, -h / 2, h / 2), (u, 0, r), TURN),
    "thin rod": (rod("m", "h"), (0, 0, w), sp.Integer(1), (w, -h / 2, h / 2)),
    "slender rod": (slender_rod("m", "h"), (0, 0, w), sp.Integer(1), (w, -h / 2, h / 2)),
    "box": (
        box("m", ("a", "b", "c")),
        (u, v, w),
        sp.Integer(1),
        (u, -a / 2, a / 2),
        (v, -b / 2, b / 2),
        (w, -c / 2, c / 2),
    ),
    "cylinder": (cylinder("m", "r", "h"), (*ROUND, w), u, (w, -h / 2, h / 2), (u, 0, r), TURN),
    "tube": (tube("m", "R", "r", "h"), (*ROUND, w), u, (w, -h / 2, h / 2), (u, r, R), TURN),
    "disc": (disc("m", "r"), (*ROUND, 0), u, (u, 0, r), TURN),
    "ring": (ring("m", "r"), (r * sp.cos(v), r * sp.sin(v), 0), r, TURN),
    "sphere": (
        sphere("m", "r"),
        (u * sp.sin(w) * sp.cos(v), u * sp.sin(w) * sp.sin(v), u * sp.cos(w)),
        u**2 * sp.sin(w),
        *((u, 0, r), (w, 0, sp.pi), TURN),
    ),
    "shell": (
        shell("m", "r"),
        (r * sp.sin(w) * sp.cos(v), r * sp.sin(w) * sp.sin(v), r * sp.cos(w)),
        r**2 * sp.sin(w),
        *((w, 0, sp.pi), TURN),
    ),
    "ellipsoid": (
        ellipsoid("m", ("a", "b", "c")),
        (a * u * sp.sin(w) * sp.cos(v), b * u * sp.sin(w) * sp.sin(v), c * u * sp.cos(w)),
        a * b * c * u**2 * sp.sin(w),
        *((u, 0, 1), (w, 0, sp.pi), TURN),
    ),
    # The base at −h/4, the apex at 3h/4; w runs from the base, where the radius is r, to the apex.
    "cone": (
        cone("m", "r", "h"),
        (u * (1 - w / h) * sp.cos(v), u * (1 - w / h) * sp.sin(v), w - h / 4),
        u * (1 - w / h) ** 2,
        *((u, 0, r), (w, 0, h), TURN),
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_mass_properties_are_the_integrals_over_the_body(name, symbols):
    solid, position, measure, *limits = BODIES[name]
    com, inertia = integrated(position, measure, *limits)
    properties = solid.mass_properties(symbols)
    assert properties.mass == m
    assert sp.Matrix(properties.com) == com
    assert (sp.Matrix(properties.inertia) - inertia).applyfunc(sp.simplify) == sp.zeros(3)


def test_every_solid_but_points_and_composites_is_integrated():
    assert {type(body[0]).tag for body in BODIES.values()} | {"point_mass", "composite"} == set(SOLIDS.tags)


def test_a_point_has_mass_only(symbols):
    properties = point_mass("m").mass_properties(symbols)
    assert (properties.mass, properties.com) == (m, (0, 0, 0))
    assert properties.inertia == ((0, 0, 0),) * 3


@pytest.mark.parametrize("make", [lambda k: rod("m", "h", along=k, radius="r"), lambda k: slender_rod("m", "h", k)])
def test_a_rod_along_another_axis_is_the_same_rod_turned(make, symbols):
    moments = {along: [make(along).mass_properties(symbols).inertia[i][i] for i in range(3)] for along in "xyz"}
    axial, transverse = moments["z"][2], moments["z"][0]
    assert axial != transverse
    assert moments == {
        "x": [axial, transverse, transverse],
        "y": [transverse, axial, transverse],
        "z": [transverse, transverse, axial],
    }


@pytest.mark.parametrize(("along", "axis"), [("x", 0), ("y", 1), ("z", 2), ("-x", 0), ("-y", 1), ("-z", 2)])
def test_a_cone_may_point_either_way_along_an_axis(along, axis, floats):
    inertia = cone(2, 0.3, 1.5, along).mass_properties(floats()).inertia
    assert inertia[axis][axis] == pytest.approx(0.3 * 2 * 0.3**2)
    assert [inertia[k][k] for k in range(3) if k != axis] == pytest.approx([3 * 2 * (4 * 0.3**2 + 1.5**2) / 80] * 2)


def test_a_slender_rod_leaves_literal_zeros_on_every_engine(symbols, floats):
    for value in (symbols, floats(m=2.0, h=3.0)):
        (xx, *first), (*second, yz), (zx, zy, zz) = slender_rod("m", "h", along="y").mass_properties(value).inertia
        for entry in (*first, *second, yz, zx, zy):
            assert entry == 0
            assert type(entry) is int
        assert xx == zz != 0


def test_equal_radii_make_a_thin_wall(symbols):
    properties = tube("m", "r", "r", "h").mass_properties(symbols)
    assert sp.simplify(properties.inertia[2][2] - m * r**2) == 0


def test_the_edges_of_a_box_are_given_together_or_singly():
    assert gs.box("m", 1, "b", 0.3) == gs.box("m", (1, "b", 0.3))
    assert gs.box("m", 1, "b", 0.3).to_plain() == {"mass": "m", "size": [1, "b", 0.3]}
    with pytest.raises(gs.ModelError, match=r"box, size\[2\]: value None is not a number or a formula"):
        gs.box("m", 1, 0.6)
