"""Fields of constraints: what they ask for, how they are written, which faults are found before any motion."""

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.constraints import CONSTRAINTS
from gyrostat.model.place import Place

MADE = {
    "Distance": gs.Distance("c", "ground", "b.tip", "l0 + 0.1*sin(t)"),
    "PointOnLine": gs.PointOnLine("c", "b.tip", "ground", (1, "k", 0)),
    "PointOnPlane": gs.PointOnPlane("c", "b", ("ground", (0, "h", 0)), "y"),
    "PointOnCurve": gs.PointOnCurve("c", "b.tip", "ground", ["y - h*x**2", "z"]),
    "Gear": gs.Gear("c", "a1", "a2", "-r1/r2", "10*deg"),
    "RackPinion": gs.RackPinion("c", "a1", "s.displacement", 0.1),
    "Cable": gs.Cable("c", ["ground", "b.tip", ("b", (0, "l", 0))], "l0"),
    "PointDriver": gs.PointDriver("c", "b.tip", {"z": "0.1*t", "x": 0}, "b"),
    "OrientationDriver": gs.OrientationDriver("c", "b", [("z", "t"), ("x", "30*deg")]),
    "Equation": gs.Equation("c", "a1 - 2*a2 + b.tip.x"),
    "RollingDisc": gs.RollingDisc("c", "b", "r", "y"),
    "RollingSphere": gs.RollingSphere("c", "b", "r", "ground", "y"),
    "KnifeEdge": gs.KnifeEdge("c", "b.tip", "y"),
}
EVERY = pytest.mark.parametrize("tag", CONSTRAINTS.tags)


@EVERY
def test_plain_form_round_trips_and_fits_the_schema(tag, validator):
    constraint = MADE[tag]
    plain = constraint.to_plain()
    place = Place("again")
    assert type(constraint).from_plain(plain, place, name="c") == constraint
    assert place.faults == ()
    check = validator(type(constraint).schema())
    check.validate(plain)
    assert not check.is_valid({**plain, "colour": 1})
    assert not check.is_valid({})


@EVERY
def test_fields_are_described(tag):
    assert all("description" in field for field in CONSTRAINTS.get(tag).schema()["properties"].values())


@EVERY
def test_public_names(tag):
    assert getattr(gs, tag) is CONSTRAINTS.get(tag)


def test_written_forms():
    assert MADE["Distance"].to_plain() == {"a": "ground", "b": "b.tip", "length": "l0 + 0.1*sin(t)"}
    assert MADE["PointDriver"].to_plain() == {"point": "b.tip", "position": {"x": 0, "z": "0.1*t"}, "relative_to": "b"}
    assert gs.PointDriver("c", "b", ("t", 0, 0)).to_plain() == {"point": "b", "position": ["t", 0, 0]}
    assert MADE["OrientationDriver"].to_plain() == {"body": "b", "turn": [["z", "t"], ["x", "30*deg"]]}
    assert MADE["Cable"].to_plain() == {"points": ["ground", "b.tip", ["b", [0, "l", 0]]], "length": "l0"}
    assert MADE["RollingDisc"].to_plain() == {"disc": "b", "radius": "r", "axis": "y"}


def model_with(*constraints: gs.Constraint, **parameters: float) -> gs.Model:
    model = gs.Model("bars", gravity=(0, -9.81, 0), parameters=parameters)
    for i in (1, 2):
        model.add(gs.Body(f"bar{i}", mass=1, inertia=(1, 1, 1), points={"tip": (0, -0.5, 0)}))
    model.add(gs.Revolute("a1", "ground", "bar1"))
    model.add(gs.Spherical("a2", "bar1.tip", "bar2"))
    for constraint in constraints:
        model.add(constraint)
    return model


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.Distance("c", "a", "b", 0), "length: 0 is not positive. Give a value above zero."),
        (lambda: gs.RollingDisc("c", "b", -1), "radius: -1 is not positive."),
        (lambda: gs.RollingSphere("c", "b", 0.0), "radius: 0.0 is not positive."),
        (lambda: gs.RackPinion("c", "a1", "s", -0.1), "radius: -0.1 is not positive."),
        (lambda: gs.PointOnLine("c", "b", "ground", (0, 0, 0)), "direction: the axis is zero."),
        (lambda: gs.PointOnPlane("c", "b", "ground", "w"), "normal: 'w' is not an axis."),
        (lambda: gs.Gear("c", "a1", "a1", 2), "b: it connects 'a1' to itself. Connect two different coordinates."),
        (lambda: gs.Gear("c", "a1", "a2", 0), "ratio: the ratio is zero, so b could not move."),
        (lambda: gs.Cable("c", ["b"], 1), "points: a cable needs two points or more."),
        (lambda: gs.Cable("c", ["b", "b"], 1), "points[1]: b comes twice in a row. Leave one of them out."),
        (lambda: gs.Cable("c", ["a", "b"], -2), "length: -2 is not positive."),
        (lambda: gs.PointOnCurve("c", "b", "ground", []), "equations: it has 0 equations."),
        (lambda: gs.PointOnCurve("c", "b", "ground", ["k"]), "equations[0]: k does not depend on x, y or z."),
        (lambda: gs.PointDriver("c", "b", {"w": 1}), "position: {'w': 1} is not a position."),
        (lambda: gs.PointDriver("c", "b", (1, 2)), "position: (1, 2) is not a position."),
        (lambda: gs.OrientationDriver("c", "b", "z"), "turn: 'z' is not a list of turns."),
        (lambda: gs.Equation("c", 3), "residual: 3 contains no coordinate or position."),
    ],
)
def test_faults_when_made(make, message):
    with pytest.raises(ModelError) as error:
        make()
    assert f"constraint 'c', {message}" in str(error.value)


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (gs.Distance("c", "ground", "bar3", 1), "b: refers to body 'bar3', which is not in the model."),
        (gs.Distance("c", "ground", "bar1.tap", 1), "b: refers to 'bar1.tap', but body 'bar1' has no point or frame"),
        (gs.Distance("c", "bar1", "bar1", 1), "constraint 'c': it acts between bar1 and itself."),
        (gs.Distance("c", "ground", ("ground", (1, 0, 0)), 1), "'c': it acts on the ground, which does not move."),
        (gs.Distance("c", "ground", "bar1", "k - 2"), "length: k - 2 = -1 is not positive."),
        (gs.Distance("c", "ground", "bar1", "a1"), "length: a1 refers to 'a1', which is not known here."),
        (gs.PointOnLine("c", "bar1", "ground", ("k - 1", 0, 0)), "direction: the axis is zero."),
        (gs.Gear("c", "a1", "a3", 2), "b: refers to joint 'a3', which is not in the model."),
        (gs.Gear("c", "a1", "a2.e1", 2), "the speeds of joint 'a2' are not rates of its coordinates"),
        (gs.PointOnCurve("c", "bar1", "ground", ["x - t"]), "equations[0]: x - t uses time, which is not allowed"),
        (gs.Equation("c", "a1.rate - 1"), "residual: a1.rate - 1 refers to 'a1.rate', which is not known here."),
        (gs.Equation("c", "a2.e1"), "a2.e1 refers to 'a2.e1', which is not known here."),
        (gs.Equation("c", "bar1.tip - 1"), "coordinates and components of positions by name."),
        (gs.Cable("c", ["ground", "bar1", "wall"], 3), "points[2]: refers to body 'wall', which is not in the model."),
    ],
)
def test_faults_in_the_model(constraint, message):
    with pytest.raises(ModelError) as error:
        model_with(constraint, k=1.0).check()
    assert message in str(error.value)


def test_models_with_constraints_count_them():
    model = model_with(gs.Equation("c", "a1 - k*bar2.tip.x"), k=1.0)
    assert str(model.check()) == (
        "Model 'bars': 2 bodies, 2 joints, 0 forces, 1 constraint, 1 parameter. No faults found."
    )
    assert list(model.constraints) == ["c"]
    assert "Equation" in model._repr_html_()


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_files_hold_constraints(suffix, tmp_path):
    model = gs.Model("all", parameters=dict.fromkeys(("l0", "k", "h", "r1", "r2", "l", "r"), 1.0))
    for i, (tag, constraint) in enumerate(MADE.items()):
        model.add(type(constraint).from_plain(constraint.to_plain(), Place(tag), name=f"c{i}"))
    path = tmp_path / f"all.{suffix}"
    model.save(path)
    assert gs.Model.load(path) == model


def test_faults_in_files_have_their_places(tmp_path):
    path = tmp_path / "faulty.yaml"
    path.write_text(
        "gyrostat: 1\nname: faulty\nconstraints:\n"
        "  rod: {type: Distanse, a: ground, b: bar, length: 1}\n"
        "  gear: {type: Gear, a: a1, b: a2, ratio: 0}\n",
        encoding="utf-8",
    )
    with pytest.raises(ModelError) as error:
        gs.Model.load(path)
    assert [str(fault) for fault in error.value.faults] == [
        "line 4, column 15: constraint 'rod', type: 'Distanse' is not a kind of constraint. Did you mean 'Distance'?",
        "line 5, column 43: constraint 'gear', ratio: the ratio is zero, so b could not move. "
        "Give r_a/r_b with its sign.",
    ]
