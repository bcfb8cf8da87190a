"""Names, labels and written forms of joints."""

import pytest

from gyrostat.errors import ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.joints import (
    JOINTS,
    Cylindrical,
    Free,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Translation,
    Universal,
    Weld,
)
from gyrostat.model.kinds import End
from gyrostat.model.place import Place

EULER = ("e0", "e1", "e2", "e3")
MADE = {
    "Revolute": Revolute("j", "ground", "b.tip", "y", symbol="theta", initial=0.5),
    "Prismatic": Prismatic("j", "ground", ("b", (0, "l", 0)), (1, 1, 0), driven="sin(t)", symbol="s"),
    "Cylindrical": Cylindrical("j", "ground", "b", symbol="z", initial={"angle": 1, "displacement.rate": "v"}),
    "Screw": Screw("j", "ground", "b", pitch="p", initial={"rate": 2}),
    "Universal": Universal("j", "ground", "b", driven={"angle1": "2*t"}, initial={"angle2": "30*deg"}),
    "Spherical": Spherical("j", "ground", "b", angles="zxz", initial={"angle1": 1}),
    "Planar": Planar("j", "ground", "b", symbol={"x": "X"}),
    "Translation": Translation("j", "ground", "b", initial={"z": "h"}),
    "Free": Free("j", "ground", "b", initial={"x": 1, "w3": 2}),
    "Weld": Weld("j", "ground", "b"),
}
EVERY = pytest.mark.parametrize("tag", JOINTS.tags)


@EVERY
def test_plain_form_round_trips_and_fits_the_schema(tag, validator):
    joint = MADE[tag]
    plain = joint.to_plain()
    place = Place("again")
    assert type(joint).from_plain(plain, place, name="j") == joint
    assert place.faults == ()
    schema = validator(type(joint).schema())
    schema.validate(plain)
    assert not schema.is_valid({**plain, "colour": 1})
    assert not schema.is_valid({key: held for key, held in plain.items() if key != "child"})


@pytest.mark.parametrize(
    ("joint", "coordinates", "speeds"),
    [
        (MADE["Revolute"], ["j"], ["j.rate"]),
        (MADE["Prismatic"], ["j"], ["j.rate"]),
        (MADE["Cylindrical"], ["j.angle", "j.displacement"], ["j.angle.rate", "j.displacement.rate"]),
        (MADE["Screw"], ["j"], ["j.rate"]),
        (MADE["Universal"], ["j.angle1", "j.angle2"], ["j.angle1.rate", "j.angle2.rate"]),
        (MADE["Spherical"], ["j.angle1", "j.angle2", "j.angle3"], [f"j.angle{i}.rate" for i in (1, 2, 3)]),
        (Spherical("j", "ground", "b"), [f"j.{e}" for e in EULER], ["j.w1", "j.w2", "j.w3"]),
        (MADE["Translation"], ["j.x", "j.y", "j.z"], ["j.x.rate", "j.y.rate", "j.z.rate"]),
        (MADE["Planar"], ["j.x", "j.y", "j.angle"], ["j.x.rate", "j.y.rate", "j.angle.rate"]),
        (
            MADE["Free"],
            [f"j.{c}" for c in ("x", "y", "z", *EULER)],
            [f"j.{s}" for s in ("w1", "w2", "w3", "v1", "v2", "v3")],
        ),
        (MADE["Weld"], [], []),
    ],
)
def test_names_of_coordinates_and_speeds_follow_the_contract(joint, coordinates, speeds):
    assert list(joint.coordinate_names) == coordinates
    assert list(joint.speed_names) == speeds


def test_a_single_value_belongs_to_the_only_coordinate():
    hinge = MADE["Revolute"]
    assert dict(hinge.initial) == {"angle": Formula.of(0.5)}
    assert dict(hinge.symbol) == {"angle": "theta"}
    assert hinge.to_plain() == {"parent": "ground", "child": "b.tip", "symbol": "theta", "initial": 0.5, "axis": "y"}


def test_rate_alone_is_the_rate_of_the_only_coordinate():
    both = Revolute("j", "ground", "b", initial={"angle": 1, "rate": 2})
    assert dict(both.initial) == {"angle": Formula.of(1), "angle.rate": Formula.of(2)}
    assert both.to_plain()["initial"] == {"angle": 1, "angle.rate": 2}


def test_one_symbol_is_numbered_over_several_coordinates():
    assert dict(MADE["Cylindrical"].symbol) == {"angle": "z_1", "displacement": "z_2"}


def test_defaults_are_not_written():
    assert Revolute("j", "ground", "b").to_plain() == {"parent": "ground", "child": "b"}


def test_ends_are_read_and_written():
    slide = MADE["Prismatic"]
    assert slide.child == End("b", None, (Formula.of(0), Formula.of("l"), Formula.of(0)))
    assert slide.to_plain()["child"] == ["b", [0, "l", 0]]
    assert str(slide.child) == "b at (0, l, 0)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Revolute("j", "ground", "b", initial={"angel": 1}),
         r"joint 'j', initial: label 'angel' does not belong to this joint\. Did you mean 'angle'\?"),
        (lambda: Cylindrical("j", "ground", "b", initial=1),
         r"joint 'j', initial: a single value does not belong to this joint\. Known: angle, angle\.rate, "),
        (lambda: Cylindrical("j", "ground", "b", driven="t"),
         r"joint 'j', driven: a single value does not belong to this joint\. Known: angle, displacement\."),
        (lambda: Revolute("j", "ground", "b", driven={"rate": "t"}),
         r"joint 'j', driven: label 'rate' does not belong to this joint\."),
        (lambda: Weld("j", "ground", "b", symbol="x"),
         r"joint 'j', symbol: a single value does not belong to this joint\. It has no coordinates\."),
        (lambda: Revolute("j", "ground", "b", driven="t", initial=1),
         r"joint 'j', initial: 'j' is driven and has an initial value as well\. Leave one of them out\."),
        (lambda: Revolute("j", "ground", "b", driven="t", initial={"rate": 1}),
         r"joint 'j', initial: 'j\.rate' is driven and has an initial value as well\."),
        (lambda: Universal("j", "ground", "b", driven={"angle2": "t"}, initial={"angle2": 1}),
         r"joint 'j', initial: 'j\.angle2' is driven and has an initial value as well\."),
        (lambda: Free("j", "ground", "b", driven={"x": "t"}),
         r"joint 'j', driven: its coordinates are Euler parameters, which cannot be driven individually\. Use "),
        (lambda: Revolute("j", "ground", "b", symbol="2theta"),
         r"joint 'j', symbol\.angle: '2theta' cannot be a name\."),
        (lambda: Spherical("j", "ground", "b", angles="xxz"),
         r"joint 'j', angles: 'xxz' is not a sequence of three axes\. Write zxz, xyz or the like; neighbours"),
        (lambda: Spherical("j", "ground", "b", angles="xy"), r"'xy' is not a sequence of three axes"),
        (lambda: Spherical("j", "ground", "b", angles="xyw"), r"'xyw' is not a sequence of three axes"),
        (lambda: Spherical("j", "ground", "b", angles="xyy"), r"'xyy' is not a sequence of three axes"),
        (lambda: Revolute("j", "ground", "b", (0, 0, 0)),
         r"joint 'j', axis: the axis is zero\. Give a direction, as in 'z' or \(0, 0, 1\)\."),
        (lambda: Revolute("j", 3, "b"),
         r"joint 'j', parent: 3 is not a place on a body\. Write 'body', 'body\.point' or \('body', \(x, y, z\)\)\."),
        (lambda: Revolute("a b", "ground", "c"), r"joint 'a b': 'a b' cannot be a name\. .* for example 'a_b'\."),
        (lambda: Revolute("lambda", "ground", "c"), r"joint 'lambda': 'lambda' is a word of the formula language\."),
    ],
)  # fmt: skip
def test_faults_name_the_joint_and_the_remedy(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_all_faults_of_a_joint_come_at_once():
    with pytest.raises(ModelError) as error:
        Revolute("j", "gro und", 7, (0, 0, 0), initial="1 +", driven={"angle": "t[0]"})
    assert [fault.path for fault in error.value.faults] == [
        ("parent",),
        ("child",),
        ("driven", "angle"),
        ("initial",),
        ("axis",),
    ]


def test_formulas_and_references_are_found_with_their_paths():
    uses = {use.path: getattr(use, "target", None) or str(use.formula) for use in MADE["Cylindrical"].uses()}
    assert uses == {
        ("parent",): "ground",
        ("child",): "b",
        ("initial", "angle"): "1",
        ("initial", "displacement.rate"): "v",
    }


def test_driven_formulas_may_use_time_and_initial_values_may_not():
    scopes = {use.path[0]: use.scope.time for use in MADE["Universal"].uses() if hasattr(use, "scope")}
    assert scopes == {"driven": True, "initial": False}


def test_a_foreign_joint_is_read_from_its_plain_form():
    place = Place("joint 'j'")
    assert Screw.from_plain({"parent": "ground", "child": "b", "ptich": 1}, place, name="j") is None
    assert [str(fault) for fault in place.faults] == [
        "joint 'j', ptich: is not a field here. Did you mean 'pitch'?",
        "joint 'j': 'pitch' is missing. advance in metres per turn",
    ]
