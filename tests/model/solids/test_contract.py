"""The contract of all registered solids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyrostat.errors import ModelError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.place import Place
from gyrostat.model.record import kinds_of
from gyrostat.model.solids import SOLIDS, Part, composite, rod, sphere, tube
from gyrostat.scalar import FloatScalars

SAMPLES = {
    "rod": {"mass": "m", "length": "l", "along": "y", "radius": 0.1},
    "slender_rod": {"mass": 1, "length": 2, "along": "x"},
    "box": {"mass": 1, "size": [1, 2, "l"]},
    "cylinder": {"mass": 1, "radius": 0.5, "length": "l"},
    "tube": {"mass": 1, "outer_radius": 0.5, "inner_radius": 0.25, "length": "l", "along": "x"},
    "sphere": {"mass": 1, "radius": "l"},
    "shell": {"mass": 1, "radius": "l"},
    "disc": {"mass": 1, "radius": "l", "along": "y"},
    "ring": {"mass": 1, "radius": "l", "along": "y"},
    "ellipsoid": {"mass": 1, "semi_axes": [1, 2, "l"]},
    "cone": {"mass": 1, "radius": 0.5, "length": "l", "along": "-y"},
    "point_mass": {"mass": "m"},
    "composite": {
        "parts": [
            {"solid": {"rod": {"mass": 1, "length": 2}}},
            {"solid": {"sphere": {"mass": 1, "radius": 2}}, "at": [0, "l", 0], "turn": [["x", "30*deg"]]},
        ]
    },
}
EVERY = pytest.mark.parametrize("tag", SOLIDS.tags)


def sample(tag):
    place = Place("test")
    solid = SOLIDS.get(tag).from_plain(SAMPLES[tag], place)
    assert place.faults == ()
    return solid


@EVERY
def test_plain_form_round_trips(tag):
    solid = sample(tag)
    assert solid.to_plain() == SAMPLES[tag]
    assert type(solid).from_plain(solid.to_plain(), Place("again")) == solid
    assert hash(solid) == hash(sample(tag))


@EVERY
def test_schema_accepts_the_plain_form_and_nothing_foreign(tag, validator):
    check = validator(SOLIDS.get(tag).schema())
    check.validate(SAMPLES[tag])
    assert not check.is_valid({**SAMPLES[tag], "colour": "red"})
    assert not check.is_valid({})


@EVERY
def test_fields_are_described(tag):
    assert all("description" in field for field in SOLIDS.get(tag).schema()["properties"].values())


@EVERY
def test_formulas_are_found(tag):
    names = {name for use in sample(tag).uses() for name in use.formula.names}
    text = repr(SAMPLES[tag])
    assert names == {name for name in ("m", "l") if f"'{name}'" in text}


@EVERY
def test_limits_name_fields(tag):
    cls = SOLIDS.get(tag)
    fields = set(kinds_of(cls))
    assert {*cls.positive, *cls.not_negative, *(f for pair in cls.ordered for f in pair)} <= fields
    if tag != "composite":
        assert "mass" in (*cls.positive, *cls.not_negative)
        # every dimension has a limit
        assert fields - {"along"} == {*cls.positive, *cls.not_negative}


@EVERY
def test_drawn_shapes_have_positive_dimensions(tag, floats):
    value = floats(m=1.0, l=0.7)
    for shape in sample(tag).shapes():
        for drawn in shape.drawn(value):
            assert all(np.all(np.array(d) > 0) for d in drawn.dimensions.values())
            R = np.array(drawn.placement.R_BS, float)
            np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
            assert np.linalg.det(R) == pytest.approx(1)


@EVERY
@given(data=st.data())
def test_inertia_is_possible_for_any_dimensions(tag, data):
    sizes = st.floats(1e-3, 1e3)
    cls = SOLIDS.get(tag)
    if tag == "composite":
        solid = composite([Part(rod(data.draw(sizes), data.draw(sizes)), at=(data.draw(sizes), 0, 0))])
    else:
        given_fields = {
            name: (data.draw(sizes), data.draw(sizes), data.draw(sizes))
            if name in ("size", "semi_axes")
            else data.draw(sizes)
            for name in kinds_of(cls)
            if name != "along"
        }
        if tag == "tube":
            given_fields["outer_radius"] += given_fields["inner_radius"]
        solid = cls(**given_fields)
    properties = solid.mass_properties(Evaluator(FloatScalars(), {}.__getitem__))
    moments = np.linalg.eigvalsh(np.array(properties.inertia, float))
    slack = 1e-9 * moments[-1]
    assert properties.mass > 0
    assert moments[0] >= -slack
    assert moments[0] + moments[1] >= moments[2] - slack


@EVERY
def test_negative_dimensions_are_refused_with_a_remedy(tag):
    cls = SOLIDS.get(tag)
    for field in (*cls.positive, *cls.not_negative):
        vector = field in ("size", "semi_axes")
        wrong = {**SAMPLES[tag], field: [1, -2, 3] if vector else -2}
        with pytest.raises(ModelError) as error:
            cls(**wrong)
        fact = (
            "is not positive. Give a value above zero."
            if field in cls.positive
            else "is negative. Give a value of zero or more."
        )
        assert f"{tag}, {field}{'[1]' if vector else ''}: -2 {fact}" in [str(fault) for fault in error.value.faults]


def test_zero_is_refused_only_where_it_means_nothing():
    assert rod(0, 1).mass == Formula.of(0)
    with pytest.raises(ModelError, match="rod, length: 0 is not positive"):
        rod(1, 0)


def test_all_faults_come_in_one_run():
    with pytest.raises(ModelError) as error:
        tube(-1, -2, -3, -4)
    assert [fault.path for fault in error.value.faults] == [
        ("outer_radius",),
        ("mass",),
        ("inner_radius",),
        ("length",),
    ]


def test_a_tube_is_hollow_from_the_inside():
    with pytest.raises(
        ModelError,
        match=r"tube, inner_radius: 2 exceeds outer_radius, 1\. Make outer_radius the larger one, or exchange",
    ):
        tube(1, 1, 2, 3)
    assert tube(1, 2, 2, 3)


def test_formulas_are_checked_when_their_values_are_known(floats):
    ball = sphere("m", "r1 - r2")
    place = Place("body 'b'", ("properties", "sphere"))
    ball.check_limits(lambda formula: None, place)
    assert place.faults == ()
    ball.check_limits(floats(m=1.0, r1=1.0, r2=1.5), place)
    [fault] = place.faults
    assert str(fault) == "body 'b', properties.sphere.radius: r1 - r2 = -0.5 is not positive. Give a value above zero."


def test_unknown_axes_are_refused():
    with pytest.raises(ModelError, match=r"rod, along: 'w' is not one of the choices\. Known: x, y, z\."):
        rod(1, 2, "w")


def test_lower_case_names_are_the_registered_solids():
    from gyrostat.model import solids

    assert {tag: getattr(solids, tag) for tag in SOLIDS.tags} == {cls.tag: cls for cls in SOLIDS}
