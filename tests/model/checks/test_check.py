"""The check as a whole: reports, notes, everything at once."""

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError
from gyrostat.model.checks import structural_faults

SOLID = gs.sphere("m", "r")


def test_a_sound_model_is_reported(built):
    model = built(
        gs.Body("b", SOLID), gs.Free("j", "ground", "b"), gravity=(0, 0, "-g"), parameters={"m": 1, "r": 2, "g": 9.81}
    )
    report = model.check()
    assert report.notes == ()
    assert str(report) == "Model 'test': 1 body, 1 joint, 0 forces, 3 parameters. No faults found."


def test_notes_name_what_may_be_an_oversight(built):
    body, joint = gs.Body("b", SOLID), gs.Free("j", "ground", "b")
    report = built(body, joint, parameters={"m": 1, "r": None, "k": "2*r", "c": 5}).check()
    assert str(report).splitlines()[1:] == [
        "Note: without a value: r, k; checks that need a value were skipped.",
        "Note: not used: k, c.",
        "Note: there is no gravity.",
    ]


def test_long_notes_are_cut(built):
    notes = built(parameters={f"p{i}": 1 for i in range(20)}).check().notes
    assert notes[0] == "not used: p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11 and 8 more."


def test_an_empty_model_is_sound(built):
    assert built().check().summary == "Model 'test': 0 bodies, 0 joints, 0 forces, 0 parameters"


def test_every_kind_of_fault_in_one_run(built):
    model = built(
        gs.Body("loose", mass=1, inertia=(1, 1, 1)),
        gs.Body("negative", mass="-m", inertia=(1, 1, 1)),
        gs.Body("impossible", mass=1, inertia=(1, 1, 5)),
        gs.Body("massless", mass=0),
        gs.Weld("self_", "negative", "negative"),
        gs.Weld("w1", "ground", "negative"),
        gs.Weld("w2", "ground", "impossible.tip"),
        gs.Revolute("a1", "ground", "massless", axis=("zero", 0, 0)),
        gs.Revolute("a2", "ground", "massless", driven="x*t"),
        gs.Revolute("a3", "negative", "massles", driven="t"),
        gs.Actuator("motor", "a9"),
        gs.Actuator("motor2", "a3"),
        gs.Force("push", "ground", (1, 0, 0)),
        gs.SpringDamper("spring", "negative", "negative", damping="1/zero"),
        gravity=(0, 0, "-G"),
        parameters={"m": 1, "zero": 0, "p": "q", "q": "p", "r": "1/zero"},
    )
    with pytest.raises(ModelError) as error:
        model.check()
    found = {(fault.item, fault.path, fault.fact.partition(":")[0]) for fault in error.value.faults}
    assert found == {
        ("joint 'a2'", ("driven", "angle"), "x*t refers to 'x', which is not known here."),
        ("force 'spring'", ("damping",), "1/zero has no value"),
        ("parameter 'p'", (), "it depends on itself"),
        ("parameter 'r'", (), "1/zero has no value"),
        ("model", ("gravity", 2), "-G refers to 'G', which is not known here."),
        ("joint 'a1'", ("axis",), "the axis is zero."),
        ("joint 'w2'", ("child",), "refers to 'impossible.tip', but body 'impossible' has no point or frame 'tip'."),
        ("joint 'a3'", ("child",), "refers to body 'massles', which is not in the model."),
        ("force 'motor'", ("joint",), "refers to joint 'a9', which is not in the model."),
        ("joint 'self_'", ("child",), "it connects body 'negative' to itself."),
        ("body 'loose'", (), "no chain of joints connects it to the ground."),
        ("force 'push'", (), "it acts on the ground, which does not move."),
        ("force 'spring'", (), "it acts between negative and itself."),
        ("body 'negative'", ("mass",), "its mass is -1."),
        (
            "body 'impossible'",
            ("inertia",),
            "its inertia violates the triangle inequality (principal moments 1, 1, 5).",
        ),
        (
            "force 'motor2'",
            ("joint",),
            "'a3' is driven as a function of time, so an actuator on it has no effect.",
        ),
    }
    assert all(fault.remedy for fault in error.value.faults)


def test_faults_are_bounded(built):
    faults = structural_faults(built(*(gs.Body(f"b{i}", mass=1) for i in range(700))))
    assert len(faults) == 501
    assert str(faults[-1]) == "there are more than 500 faults. Correct these first."


def test_checking_changes_nothing(built):
    model = built(gs.Body("b", SOLID), gs.Free("j", "ground", "b"), parameters={"m": 1, "r": 1})
    before = model.copy()
    model.check()
    assert model == before
