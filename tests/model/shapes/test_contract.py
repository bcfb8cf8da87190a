"""The contract of all registered shapes, and their placement."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gyrostat.errors import ModelError
from gyrostat.model import shapes
from gyrostat.model.place import Place
from gyrostat.model.shapes import SHAPES, AxialShape, Placement
from gyrostat.pictures.scene import ShapeKind

SAMPLES = {
    "box": {"size": [1, 2, "l"]},
    "cylinder": {"radius": 0.5, "length": "l"},
    "tube": {"outer_radius": 0.5, "inner_radius": 0.25, "length": "l"},
    "sphere": {"radius": "l"},
    "ellipsoid": {"semi_axes": [1, 2, "l"]},
    "cone": {"radius": 0.5, "length": "l"},
    "ring": {"radius": 2, "wire_radius": "l"},
    "capsule": {"radius": 0.5, "length": "l"},
    "plane": {"size": "l"},
    "relief": {"height": "l*sin(x) + y**2"},
    "line": {"points": [[0, 0, 0], [1, "l", 0], [1, 1, 1]], "radius": 0.1},
    "polyhedron": {"points": [[0, 0, 1], [1, 0, 0], [-1, 1, 0], [-1, -1, 0]]},
    "mesh": {"file": "arm.stl", "scale": [1, 2, "l"]},
    "triangle_mesh": {
        "points": [[0, 0, 1], [1, 0, 0], [-1, 1, 0], [-1, -1, 0]],
        "triangles": [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
    },
    "height_field": {"x": [0, 1], "y": [0, 1, 2], "heights": [[0, 0, 1], [0, 1, 0]]},
    "group": {
        "shapes": [{"sphere": {"radius": 1}}, {"group": {"shapes": [{"cylinder": {"radius": 1, "length": "l"}}]}}]
    },
}
EVERY = pytest.mark.parametrize("tag", SHAPES.tags)


def sample(tag, **more):
    place = Place("test")
    shape = SHAPES.get(tag).from_plain({**SAMPLES[tag], **more}, place)
    assert place.faults == ()
    return shape


@EVERY
def test_plain_form_round_trips(tag):
    placed = {"at": [0, "l", 0], "turn": [["z", "30*deg"], [[1, 0, "l"], 1]]}
    for more in ({}, placed):
        shape = sample(tag, **more)
        assert shape.to_plain() == {**SAMPLES[tag], **more}
        assert type(shape).from_plain(shape.to_plain(), Place("again")) == shape


@EVERY
def test_schema_accepts_the_plain_form_and_nothing_foreign(tag, validator):
    check = validator(SHAPES.get(tag).schema())
    check.validate({**SAMPLES[tag], "at": [0, 0, "l"], "turn": [["z", "30*deg"]]})
    assert not check.is_valid({**SAMPLES[tag], "turn": [["z"]]})
    assert not check.is_valid({**SAMPLES[tag], "colour": "red"})
    required = SHAPES.get(tag).schema().get("required", [])
    assert check.is_valid({}) == (not required)


def valued(plain):
    """Return a plain value with 0.75 in place of l."""
    if isinstance(plain, list):
        return [valued(part) for part in plain]
    return 0.75 if plain == "l" else plain


@pytest.mark.parametrize("tag", [tag for tag in SHAPES.tags if tag not in ("group", "relief", "mesh")])
def test_dimensions_are_values_of_the_fields(tag, floats):
    dimensions = sample(tag).dimensions(floats(l=0.75))
    assert set(dimensions) == set(SAMPLES[tag])
    for name, plain in SAMPLES[tag].items():
        np.testing.assert_array_equal(np.array(dimensions[name], float), np.array(valued(plain), float))


@EVERY
def test_drawn_shapes_are_placed(tag, floats):
    turn = [["z", "30*deg"], ["x", 0.5]]
    plain, placed = (sample(tag, **more).drawn(floats(l=0.75)) for more in ({}, {"at": [1, 2, 3], "turn": turn}))
    R = Rotation.from_euler("ZX", [np.pi / 6, 0.5]).as_matrix()
    assert (
        len(plain)
        == len(placed)
        == {"group": 2, "capsule": 3, "relief": 0, "polyhedron": 4, "triangle_mesh": 4, "height_field": 5}.get(tag, 1)
    )
    for before, after in zip(plain, placed, strict=True):
        assert before.shape in {kind.value for kind in ShapeKind}
        assert (before.shape, before.dimensions) == (after.shape, after.dimensions)
        np.testing.assert_allclose(np.array(after.placement.R_BS), R @ np.array(before.placement.R_BS), atol=1e-15)
        moved = [1, 2, 3] + R @ np.array(before.placement.r_BS_B)
        np.testing.assert_allclose(np.array(after.placement.r_BS_B), moved, atol=1e-15)


@pytest.mark.parametrize("tag", [cls.tag for cls in SHAPES if issubclass(cls, AxialShape)])
@pytest.mark.parametrize("along", ["x", "y", "z", "-x", "-y", "-z"])
def test_the_axis_of_a_round_shape_is_z_of_its_frame(tag, along, floats):
    R = np.array(sample(tag, along=along).placement(floats()).R_BS)
    unit = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}[along[-1]]
    np.testing.assert_array_equal(R[:, 2], -np.array(unit) if along[0] == "-" else unit)
    np.testing.assert_array_equal(R @ R.T, np.eye(3))
    assert np.linalg.det(R) == pytest.approx(1)


@EVERY
def test_negative_dimensions_are_refused(tag):
    cls = SHAPES.get(tag)
    for field in (*cls.positive, *cls.not_negative):
        vector = isinstance(SAMPLES[tag][field], list)
        with pytest.raises(ModelError, match=f"{tag}, {field}.*: -1 is (negative|not positive)\\. Give a value"):
            cls(**{**SAMPLES[tag], field: [-1, 1, 1] if vector else -1})


def test_placements_follow_one_another():
    rng = np.random.default_rng(5)
    outer, inner = (
        Placement(tuple(map(tuple, R.as_matrix().tolist())), tuple(rng.normal(size=3).tolist()))
        for R in Rotation.random(2, random_state=rng)
    )

    def homogeneous(placement):
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = placement.R_BS, placement.r_BS_B
        return matrix

    np.testing.assert_allclose(homogeneous(outer.then(inner)), homogeneous(outer) @ homogeneous(inner), atol=1e-14)


def test_groups_in_groups_place_their_members(floats):
    ball = shapes.Sphere(1, at=(1, 0, 0))
    inner = shapes.Group([ball], at=(0, 1, 0), turn=[("z", "pi/2")])
    outer = shapes.Group([inner, ball], at=(10, 0, 0), turn=[("x", "pi/2")])
    deep, shallow = outer.drawn(floats())
    np.testing.assert_allclose(np.array(deep.placement.r_BS_B), [10, 0, 2], atol=1e-15)
    np.testing.assert_allclose(np.array(shallow.placement.r_BS_B), [11, 0, 0], atol=1e-15)


def test_what_has_no_thickness_is_drawn_thin(floats):
    value = floats(l=2.0)
    assert shapes.Cylinder(0, "l").dimensions(value) == {"radius": 0.05, "length": 2.0}
    assert shapes.Cylinder("l", 0).dimensions(value) == {"radius": 2.0, "length": 0.1}
    assert shapes.Ring("l").dimensions(value) == {"radius": 2.0, "wire_radius": 0.05}


def test_a_line_has_two_points():
    with pytest.raises(ModelError, match=r"line, points: a line has at least two points, not 1\. Add points\."):
        shapes.Line([(0, 0, 0)])


def test_a_ring_is_open_in_the_middle():
    with pytest.raises(ModelError, match=r"ring, wire_radius: 2 exceeds radius, 1\."):
        shapes.Ring(1, 2)


def test_limits_of_a_groups_members_are_checked_with_values(floats):
    group = shapes.Group([shapes.Sphere(1), shapes.Group([shapes.Cylinder("l", 1)])])
    place = Place("body 'b'", ("shape", 0, "group"))
    group.check_limits(floats(l=-2.0), place)
    [fault] = place.faults
    assert str(fault) == (
        "body 'b', shape[0].group.shapes[1].group.shapes[0].cylinder.radius: l = -2 is negative. "
        "Give a value of zero or more."
    )


def test_place_is_given_by_keyword():
    with pytest.raises(TypeError):
        shapes.Sphere(1, (0, 0, 0))
