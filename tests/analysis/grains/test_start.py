"""Places of grains at the start, and refusals of what cannot be simulated."""

import numpy as np
import pytest
from grain_models import DENSITY, G, vessel

import gyrostat as gs

LAW = gs.KelvinVoigt(1e5, 20)
BOX = gs.shapes.Box((0.5, 0.4, 0.6), at=(0, 0, 0.4))


def _model(*, floor=None, **fields):
    model = gs.Model("start", gravity=(0, 0, -G), parameters={"size": -1, "r": 0.05})
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane() if floor is None else floor}))
    model.add(gs.Grains("sand", **{"radii": 0.05, "density": DENSITY, "walls": ["ground"], "normal": LAW} | fields))
    return model


def _start(**fields):
    return gs.simulate(_model(**fields), 1e-3, step=1e-3).grains("sand")


def test_box_is_filled_from_below_and_grains_stay_inside():
    found = _start(fill=BOX, count=20).position.values[0]
    assert len(found) == 20
    assert (np.abs(found[:, :2]) < [0.2, 0.15]).all()
    assert found[:, 2].min() > 0.1 + 0.049
    assert found[:, 2].max() < 0.4
    everything = _start(fill=BOX).position.values[0]
    assert len(everything) == 4 * 3 * 5


def test_radii_have_equal_shares_and_the_seed_decides():
    one = _start(radii=[0.04, 0.05], fill=BOX, count=30)
    assert (one.radius.values == 0.04).sum() == 15
    assert not np.array_equal(one.position, _start(radii=[0.04, 0.05], fill=BOX, count=30, seed=2).position)
    assert np.array_equal(one.position, _start(radii=[0.04, 0.05], fill=BOX, count=30).position)


def test_a_turned_box_turns_its_grains():
    turned = gs.shapes.Box((0.5, 0.4, 0.6), at=(0, 0, 0.6), turn=[("y", "pi/2")])
    found = _start(fill=turned, count=12).position.values[0]
    assert np.ptp(found[:, 0]) < 0.05


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"fill": BOX, "count": 100}, r"a box of 0.5 × 0.4 × 0.6 m has room for 60 grains of radius 0.05 m, 100 are"),
        ({"fill": gs.shapes.Box((0.05, 0.4, 0.6))}, "has no room for a grain of radius 0.05 m"),
        ({"positions": [(0, 0, 0.5), (0.02, 0, 0.5)]}, "grains 0 and 1 overlap by 0.08 m at the start"),
        ({"positions": [(0, 0, 0.02)]}, r"grain 0 at \(0, 0, 0.02\) overlaps a wall by 0.03 m"),
        ({"positions": [(0, 0, -0.5)]}, "overlaps a wall by 0.55 m"),
        ({"positions": [(0, 0, 0.5)], "step": 0.1}, r"step 0.1 s is too long for a stiffness of 1e\+05 N/m .* at most"),
        ({"positions": [(0, 0, 0.5)], "radii": "size"}, "a radius is -1. Give a positive number"),
    ],
)
def test_wrong_starts_are_explained(fields, message):
    model = _model(**fields)
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(model, 1e-3, step=1e-3)


@pytest.mark.parametrize(
    "solid",
    [
        gs.shapes.Box((1, 1, 1)),
        gs.shapes.Sphere(0.5),
        gs.shapes.Cylinder(0.5, 1.0),
        gs.shapes.Capsule(0.4, 0.5),
        gs.shapes.Cone(0.6, 1.0),
        gs.shapes.Polyhedron([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]),
        gs.shapes.TriangleMesh(vessel(0.5).points, [row[::-1] for row in vessel(0.5).triangles]),
    ],
)
def test_grains_inside_bodies_are_refused(solid):
    with pytest.raises(gs.StateError, match=r"grain 0 at \(0.05, 0, 0.02\) lies inside 'ground' at the start"):
        _start(floor=solid, positions=[(0.05, 0, 0.02)])


def test_grains_inside_a_vessel_are_not():
    assert len(_start(floor=vessel(0.5), positions=[(0.05, 0, 0.02)]).grain) == 1


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"radii": -0.1, "fill": BOX}, "-0.1 is not positive"),
        ({"radii": [], "fill": BOX}, "there is none"),
        ({"density": 0, "fill": BOX}, "0 is not positive"),
        ({}, "needs a place for its grains"),
        ({"fill": BOX, "positions": [(0, 0, 1)]}, "needs a place for its grains"),
        ({"positions": [(0, 1)]}, "no rows of three numbers"),
        ({"positions": [(0, 0, 1)], "count": 2}, "2 grains have 1 positions"),
        ({"fill": BOX, "normal": gs.NormalFormula("1e5*max(-gap, 0)")}, "grains have no law NormalFormula"),
        ({"fill": BOX, "walls": ["ground", "ground"]}, "'ground' is named twice"),
        ({"fill": BOX, "friction": gs.GranularFriction(0.5), "step": -1}, "-1 is not positive"),
    ],
)
def test_wrong_fields_are_explained(fields, message):
    with pytest.raises(gs.ModelError, match=message):
        _model(**fields)


def test_walls_need_surfaces_that_grains_know():
    model = gs.Model("walls")
    model.add(gs.Body("bucket", gs.point_mass(1), shape=[]))
    model.add(gs.Free("fly", "ground", "bucket"))
    model.add(gs.Grains("sand", 0.05, DENSITY, ["bucket"], fill=BOX, normal=LAW))
    with pytest.raises(gs.ModelError, match="'bucket' has no surface that grains could touch"):
        model.check()


def test_other_analyses_refuse_grains():
    model = gs.Model("cart", gravity=(0, 0, -G))
    model.add(gs.Body("cart", gs.box(10, size=(1, 1, 0.1))))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Grains("sand", 0.05, DENSITY, ["cart"], fill=BOX, normal=LAW))
    system = gs.formulate(model)
    with pytest.raises(gs.StateError, match="do not include the grains 'sand'"):
        gs.equilibrium(system)
    with pytest.raises(gs.StateError, match=r"'sand\.load\.0' is a load of grains"):
        gs.simulate(system, 0.1, inputs={"sand.load.0": 1.0})


def test_model_files_have_grains(tmp_path):
    model = _model(
        radii=[0.04, "r"], fill=BOX, count=12, friction=gs.GranularFriction(0.5, 0.1),
        wall_friction=gs.GranularFriction(0.3),
    )  # fmt: skip
    model.save(tmp_path / "sand.yaml")
    found = gs.Model.load(tmp_path / "sand.yaml")
    assert found["sand"] == model["sand"]
