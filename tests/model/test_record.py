"""Records: reading, writing, checking, describing themselves."""

import pickle
from dataclasses import FrozenInstanceError, dataclass
from typing import Any, ClassVar

import pytest

from gyrostat.errors import ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FlagKind, ListKind, MappingKind, QuantityKind, RecordKind, TextKind, VectorKind
from gyrostat.model.place import Place
from gyrostat.model.record import Component, Record, kinds_of, value


@dataclass(frozen=True)
class Spring(Record):
    tag: ClassVar[str] = "spring"
    stiffness: Any = value(QuantityKind(), doc="stiffness (N/m)")
    at: Any = value(VectorKind(), (0, 0, "l"), doc="where")
    note: Any = value(TextKind(), "", keyword=True)
    marks: Any = value(MappingKind(VectorKind()), {}, doc="named marks", keyword=True)
    remembered: int = 0  # not a field of the model file

    def validate(self, place):
        if self.stiffness.number == 0:
            place.inside("stiffness").report("is zero.", "Leave the spring out.")


@dataclass(frozen=True)
class Axle(Component):
    word: ClassVar[str] = "axle"
    springs: Any = value(ListKind(RecordKind(Spring)), ())
    rigid: Any = value(FlagKind(), False, keyword=True)


def test_fields_are_read_by_their_kinds():
    spring = Spring("k", (1, 2, 3), note="soft")
    assert spring.stiffness == Formula.of("k")
    assert spring.at == (Formula.of(1), Formula.of(2), Formula.of(3))
    assert list(kinds_of(Spring)) == ["stiffness", "at", "note", "marks"]


def test_records_are_frozen_values():
    assert Spring(1) == Spring("1")
    assert hash(Spring(1)) == hash(Spring(1))
    assert Spring(1) != Spring(2)
    assert pickle.loads(pickle.dumps(Spring("k", marks={"a": (1, 2, 3)}))) == Spring("k", marks={"a": (1, 2, 3)})
    with pytest.raises(FrozenInstanceError):
        Spring(1).stiffness = 2


def test_defaults_are_read_too_and_never_shared():
    assert Spring(1).at == (Formula.of(0), Formula.of(0), Formula.of("l"))
    assert dict(Spring(1).marks) == {}
    with pytest.raises(TypeError):
        Spring(1).marks["a"] = 1


def test_keyword_fields_must_be_named():
    with pytest.raises(TypeError):
        Spring(1, (0, 0, 0), 0, "note")


def test_only_what_differs_from_the_defaults_is_written():
    assert Spring("k").to_plain() == {"stiffness": "k"}
    assert Spring("k", (0, 0, "l")).to_plain() == {"stiffness": "k"}
    assert Spring("k", (0, 0, 1), note="x").to_plain() == {"stiffness": "k", "at": [0, 0, 1], "note": "x"}


def test_plain_form_round_trips():
    axle = Axle("front", [Spring("k", note="left"), Spring(2)], rigid=True)
    place = Place("again")
    assert Axle.from_plain(axle.to_plain(), place, name="front") == axle
    assert place.faults == ()


def test_all_faults_are_raised_at_once_with_their_paths():
    with pytest.raises(ModelError) as error:
        Spring("1 +", (1, "x[0]"), note=3)
    assert [(fault.item, fault.path) for fault in error.value.faults] == [
        ("spring", ("stiffness",)),
        ("spring", ("at",)),
        ("spring", ("note",)),
    ]


def test_validation_runs_only_on_fields_that_were_read():
    with pytest.raises(ModelError, match=r"^spring, stiffness: is zero\. Leave the spring out\.$"):
        Spring(0)
    with pytest.raises(ModelError, match="is not a vector") as error:
        Spring(0, 7)
    assert len(error.value.faults) == 1


@pytest.mark.parametrize(
    ("plain", "messages"),
    [
        (3, ["x: 3 is not a mapping of fields. Fields: stiffness, at, note, marks."]),
        ({}, ["x: 'stiffness' is missing. stiffness (N/m)"]),
        (
            {"stifness": 1},
            [
                "x, stifness: is not a field here. Did you mean 'stiffness'?",
                "x: 'stiffness' is missing. stiffness (N/m)",
            ],
        ),
        ({"stiffness": 1, "remembered": 2}, ["x, remembered: is not a field here. Known: at, marks, note, stiffness."]),
        ({"stiffness": 1, 7: 2}, ["x, 7: is not a field here. Known: at, marks, note, stiffness."]),
        ({"stiffness": "*", "note": 1}, ["x, stiffness: formula '*' is not a formula", "x, note: 1 is not text."]),
        ({"stiffness": 0}, ["x, stiffness: is zero. Leave the spring out."]),
    ],
)
def test_faults_of_a_plain_form_are_reported_in_place(plain, messages):
    place = Place("x")
    assert Spring.from_plain(plain, place) is None
    assert len(place.faults) == len(messages)
    for fault, message in zip(place.faults, messages, strict=True):
        assert str(fault).startswith(message)


def test_faults_inside_lists_have_the_whole_path():
    place = Place("model", ("axles", "front"))
    plain = {"springs": [{"stiffness": 1}, {"stiffness": 1, "at": [0, 0, "?"]}]}
    assert Axle.from_plain(plain, place, name="front") is None
    assert [fault.path for fault in place.faults] == [("axles", "front", "springs", 1, "at", 2)]
    assert place.faults[0].item == "model"


def test_a_given_field_may_not_be_written_in_the_plain_form():
    place = Place("x")
    assert Axle.from_plain({"name": "rear"}, place, name="front") is None
    assert [str(fault) for fault in place.faults] == ["x, name: is not a field here. Known: rigid, springs."]


def test_uses_lead_to_every_formula_but_not_to_numbers_in_vectors():
    axle = Axle("front", [Spring("k", (0, "2*l", 0))])
    assert {use.path: str(use.formula) for use in axle.uses()} == {
        ("springs", 0, "stiffness"): "k",
        ("springs", 0, "at", 1): "2*l",
    }


def test_the_schema_describes_the_plain_form(validator):
    schema = Axle.schema()
    assert "required" not in schema
    spring = schema["properties"]["springs"]["items"]
    assert spring["required"] == ["stiffness"]
    assert spring["properties"]["stiffness"]["description"] == "stiffness (N/m)"
    assert "remembered" not in spring["properties"]
    check = validator(schema)
    check.validate(Axle("front", [Spring("k", note="left")], rigid=True).to_plain())
    assert not check.is_valid({"springs": [{}]})
    assert not check.is_valid({"springs": [{"stiffness": [1]}]})


def test_a_component_needs_a_name():
    for name in ("a b", "", 3, "if"):
        with pytest.raises(ModelError, match=r"^axle "):
            Axle(name)
    assert Axle("front").describe() == "axle 'front'"
    assert Spring(1).describe() == "spring"
