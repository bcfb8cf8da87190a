"""Kinds of fields: each reads, writes, describes and searches its values, and says what it cannot read."""

import pickle
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
import sympy

from gyrostat.model.formula import Formula
from gyrostat.model.kinds import (
    AxisKind,
    ChoiceKind,
    End,
    EndKind,
    FlagKind,
    FormulaUse,
    FrozenMapping,
    InertiaKind,
    LabelledKind,
    ListKind,
    MappingKind,
    NamedRecordsKind,
    OptionalKind,
    QuantityKind,
    RecordKind,
    Reference,
    ReferenceKind,
    Scope,
    TaggedKind,
    TextKind,
    TurnKind,
    VectorKind,
)
from gyrostat.model.place import Place
from gyrostat.model.record import Component, Record, value
from gyrostat.model.shapes import SHAPES, Sphere

F = Formula.of


@dataclass(frozen=True)
class Dot(Record):
    tag: ClassVar[str] = "dot"
    x: Any = value(QuantityKind(), 0)


@dataclass(frozen=True)
class Wheel(Component):
    word: ClassVar[str] = "wheel"
    spin: Any = value(QuantityKind(), 0)


# kind, what is given, what is kept, what is written
READ = [
    (QuantityKind(), "l/2", F("l/2"), "l/2"),
    (QuantityKind(), sympy.Symbol("a") / 2, F("a/2"), "a/2"),
    (VectorKind(), (0, "l", 1.5), (F(0), F("l"), F(1.5)), [0, "l", 1.5]),
    (VectorKind(), np.array([1.0, 2.0, 3.0]), (F(1.0), F(2.0), F(3.0)), [1, 2, 3]),
    (AxisKind(), "z", (F(0), F(0), F(1)), "z"),
    (AxisKind(), " -y ", (F(0), F(-1), F(0)), "-y"),
    (AxisKind(), "+x", (F(1), F(0), F(0)), "x"),
    (AxisKind(), [0, 0, 1.0], (F(0), F(0), F(1)), "z"),
    (AxisKind(), (1, "a", 0), (F(1), F("a"), F(0)), [1, "a", 0]),
    (TurnKind(), [("z", "30*deg"), ((1, 1, 0), 2)], (((F(0), F(0), F(1)), F("30*deg")), ((F(1), F(1), F(0)), F(2))),
     [["z", "30*deg"], [[1, 1, 0], 2]]),
    (TurnKind(), [], (), []),
    (InertiaKind(), (1, "J", 3), ((F(1), F(0), F(0)), (F(0), F("J"), F(0)), (F(0), F(0), F(3))), [1, "J", 3]),
    (InertiaKind(), np.diag([1.0, 2.0, 3.0]), ((F(1), F(0), F(0)), (F(0), F(2), F(0)), (F(0), F(0), F(3))), [1, 2, 3]),
    (InertiaKind(), [[1, "b", 0], ["b", 2, 0], [0, 0, 3]],
     ((F(1), F("b"), F(0)), (F("b"), F(2), F(0)), (F(0), F(0), F(3))), [[1, "b", 0], ["b", 2, 0], [0, 0, 3]]),
    (EndKind(), "ground", End("ground"), "ground"),
    (EndKind(), "bar.tip", End("bar", "tip"), "bar.tip"),
    (EndKind(), ("bar", (0, "l", 0)), End("bar", None, (F(0), F("l"), F(0))), ["bar", [0, "l", 0]]),
    (EndKind(), End("bar", "tip"), End("bar", "tip"), "bar.tip"),
    (ReferenceKind("body"), "bar", "bar", "bar"),
    (ReferenceKind("coordinate"), "c.angle", "c.angle", "c.angle"),
    (ChoiceKind(("x", "y")), "y", "y", "y"),
    (TextKind(), "two\nlines\tä", "two\nlines\tä", "two\nlines\tä"),
    (FlagKind(), True, True, True),
    (OptionalKind(QuantityKind()), None, None, None),
    (OptionalKind(QuantityKind()), 3, F(3), 3),
    (ListKind(QuantityKind()), [1, "a"], (F(1), F("a")), [1, "a"]),
    (ListKind(QuantityKind()), (), (), []),
    (MappingKind(QuantityKind()), {"b": 1, "a": "c"}, FrozenMapping({"b": F(1), "a": F("c")}), {"b": 1, "a": "c"}),
    (LabelledKind(QuantityKind()), 5, FrozenMapping({"": F(5)}), 5),
    (LabelledKind(QuantityKind()), {"a.rate": 5}, FrozenMapping({"a.rate": F(5)}), {"a.rate": 5}),
    (RecordKind(Dot), {"x": 2}, Dot(2), {"x": 2}),
    (RecordKind(Dot), Dot(2), Dot(2), {"x": 2}),
    (NamedRecordsKind(Wheel), {"w": {"spin": 2}, "v": {}}, (Wheel("w", 2), Wheel("v")), {"w": {"spin": 2}, "v": {}}),
    (NamedRecordsKind(Wheel), [Wheel("w1", 2)], (Wheel("w1", 2),), {"w1": {"spin": 2}}),
    (NamedRecordsKind(Wheel), Wheel("w1", 2), (Wheel("w1", 2),), {"w1": {"spin": 2}}),
    (NamedRecordsKind(Wheel), [], (), {}),
    (NamedRecordsKind(Wheel), {}, (), {}),
    (TaggedKind(lambda: SHAPES), {"sphere": {"radius": 2}}, Sphere(2), {"sphere": {"radius": 2}}),
    (TaggedKind(lambda: SHAPES), Sphere(2), Sphere(2), {"sphere": {"radius": 2}}),
]  # fmt: skip


def name_of(item):
    return f"{type(item).__name__} {getattr(item, 'role', '')}" if type(item).__name__.endswith("Kind") else None


@pytest.mark.parametrize(("kind", "given", "kept", "written"), READ, ids=name_of)
def test_values_are_read_written_and_described(kind, given, kept, written, validator):
    place = Place("item")
    held = kind.read(given, place)
    assert place.faults == ()
    assert held == kept
    assert hash(held) == hash(kept)
    assert kind.write(held) == written
    assert kind.read(kind.write(held), place) == held
    assert kind.read(held, place) == held
    if written is not None:
        validator({"properties": {"v": kind.schema()}}).validate({"v": written})
    assert all(isinstance(use, FormulaUse | Reference) for use in kind.uses(held))


REFUSED = [
    (QuantityKind(), "1 +", (), "formula '1 +' is not a formula: invalid syntax"),
    (QuantityKind(), None, (), "value None is not a number or a formula. Give a number or text such as 'l1/2'."),
    (VectorKind(), (1, 2), (), "(1, 2) is not a vector. Give three numbers or formulas, as in (0, 'l/2', 0)."),
    (VectorKind(), "xyz", (), "'xyz' is not a vector."),
    (VectorKind(), np.float64(3), (), "is not a vector."),
    (VectorKind(), (0, "a b", 0), (1,), "formula 'a b' is not a formula"),
    (VectorKind(), list(range(99)), (), "... is not a vector."),
    (AxisKind(), "w", (), "'w' is not an axis. Use x, y, z, -x, -y, -z or three numbers."),
    (AxisKind(), (0, 0.0, 0), (), "the axis is zero. Give a direction, as in 'z' or (0, 0, 1)."),
    (AxisKind(), (0, 0), (), "(0, 0) is not a vector."),
    (TurnKind(), "z", (), "'z' is not a list of turns. Write [('z', '30*deg')]."),
    (TurnKind(), ["z"], (0,), "'z' is not a turn. Write (axis, angle), as in ('z', '30*deg')."),
    (TurnKind(), [("z", 1), ("w", 1)], (1, 0), "'w' is not an axis."),
    (TurnKind(), [("z", "?")], (0, 1), "formula '?' is not a formula"),
    (InertiaKind(), 3, (), "3 is not an inertia. Give three principal moments or three rows of three numbers."),
    (InertiaKind(), [[1, 2, 0], [3, 1, 0], [0, 0, 1]], (),
     "entries [0][1] = 2 and [1][0] = 3 differ. An inertia matrix is symmetric; give both entries the same value."),
    (InertiaKind(), [[1, 0], [0, 1, 0], [0, 0, 1]], (0,), "[1, 0] is not a vector."),
    (EndKind(), 3, (), "3 is not a place on a body. Write 'body', 'body.point' or ('body', (x, y, z))."),
    (EndKind(), "a b", (), "'a b' cannot be a name."),
    (EndKind(), "a.", (), "the name is empty."),
    (EndKind(), "a..c", (), "the name is empty."),
    (EndKind(), ("a", 3), (1,), "3 is not a vector."),
    (EndKind(), ("a b", (0, 0, 0)), (0,), "'a b' cannot be a name."),
    (ReferenceKind("body"), 3, (), "3 is not the name of a body. Write the name as text."),
    (ReferenceKind("body"), "a.b c", (), "'b c' cannot be a name."),
    (ReferenceKind("coordinate"), "a..b", (), "the name is empty."),
    (ChoiceKind(("slow", "fast")), "fats", (), "'fats' is not one of the choices. Did you mean 'fast'?"),
    (ChoiceKind(("slow", "fast")), 3, (), "3 is not one of the choices. Known: slow, fast."),
    (TextKind(), 3, (), "3 is not text. Write it in quotes."),
    (TextKind(), "a\u202eb", (), "'a\\u202eb' contains characters that cannot be printed. Remove them."),
    (FlagKind(), 1, (), "1 is neither true nor false. Write true or false."),
    (OptionalKind(FlagKind()), "no", (), "'no' is neither true nor false."),
    (ListKind(FlagKind()), "x", (), "'x' is not a list. Write [ … ]."),
    (ListKind(FlagKind()), [True, 2], (1,), "2 is neither true nor false."),
    (MappingKind(FlagKind()), [1], (), "[1] is not a mapping from names. Write {name: value, …}."),
    (MappingKind(FlagKind()), {"a b": True}, ("a b",), "'a b' cannot be a name."),
    (MappingKind(FlagKind()), {7: True}, ("7",), "the name 7 is not text."),
    (MappingKind(FlagKind(), frozenset({"rate"})), {"rate": True}, ("rate",), "'rate' is the name of an output of"),
    (MappingKind(FlagKind()), {"a": 3}, ("a",), "3 is neither true nor false."),
    (LabelledKind(FlagKind()), {"a": 3}, ("a",), "3 is neither true nor false."),
    (LabelledKind(FlagKind()), 3, (), "3 is neither true nor false."),
    (RecordKind(Dot), {"x": "?"}, ("x",), "formula '?' is not a formula"),
    (RecordKind(Dot), 3, (), "3 is not a mapping of fields. Fields: x."),
    (NamedRecordsKind(Wheel), {"a b": {}}, ("a b",), "'a b' cannot be a name."),
    (NamedRecordsKind(Wheel), {"w": {"spin": "?"}}, ("w", "spin"), "formula '?' is not a formula"),
    (NamedRecordsKind(Wheel), [Wheel("w"), 3], (1,), "3 is not a Wheel. Use Wheel(…)."),
    (NamedRecordsKind(Wheel), 3, (0,), "3 is not a Wheel."),
    (NamedRecordsKind(Wheel), [Wheel("w"), Wheel("w", 1)], (), "the name 'w' is used twice. Give each its own name."),
    (TaggedKind(lambda: SHAPES), 3, (), "3 is not a shape. Write {box: {…}}."),
    (TaggedKind(lambda: SHAPES), {"box": {}, "ring": {}}, (), "is not a shape."),
    (TaggedKind(lambda: SHAPES), {"bix": {}}, ("bix",), "there is no shape of this name. Did you mean 'box'?"),
    (TaggedKind(lambda: SHAPES), {3: {}}, ("3",), "there is no shape of this name."),
    (TaggedKind(lambda: SHAPES), {"sphere": {"radius": -1}}, ("sphere", "radius"), "-1 is not positive."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "given", "path", "message"), REFUSED, ids=name_of)
def test_what_cannot_be_read_is_reported_where_it_stands(kind, given, path, message):
    place = Place("item", ("field",))
    kind.read(given, place)
    [fault] = place.faults
    assert fault.path == ("field", *path)
    assert message in f"{fault.fact} {fault.remedy}"
    assert len(str(fault)) < 400


def test_the_search_finds_formulas_and_references_with_paths():
    def found(kind, given):
        uses = kind.uses(kind.read(given, Place("item")))
        return [(use.path, use.target if isinstance(use, Reference) else str(use.formula)) for use in uses]

    assert found(QuantityKind(), "a") == [((), "a")]
    assert found(TurnKind(), [("z", "q")])[-1] == ((0, 1), "q")
    assert found(InertiaKind(), (1, "J", 3)) == [((1, 1), "J")]  # numbers are no uses
    assert found(EndKind(), "b.tip") == [((), "b.tip")]
    assert found(EndKind(), ("b", (0, "l", 0))) == [((0,), "b"), ((1, 1), "l")]
    assert found(ReferenceKind("joint"), "a1") == [((), "a1")]
    assert found(LabelledKind(QuantityKind()), 5) == [((), "5")]
    assert found(LabelledKind(QuantityKind()), {"a": "b"}) == [(("a",), "b")]
    assert found(OptionalKind(QuantityKind()), None) == []
    assert found(NamedRecordsKind(Wheel), {"w": {"spin": "n"}}) == [(("w", "spin"), "n")]
    assert found(TaggedKind(lambda: SHAPES), {"sphere": {"radius": "r"}})[-1] == (("sphere", "radius"), "r")


def test_scopes_travel_with_formulas():
    law = Scope(time=True, system=True, variables=frozenset({"length"}))
    [use] = QuantityKind(law).uses(F("length*t"))
    assert use.scope is law
    assert law.describe() == ("parameters, t, length, coordinates, speeds, places, inputs, states and outputs by name")
    assert Scope().describe() == "parameters"
    assert {use.scope for use in VectorKind(law).uses((F(0), F(0), F("t")))} == {law}


def test_a_frozen_mapping_is_an_immutable_ordered_value():
    given = {"b": 1, "a": 2}
    mapping = FrozenMapping(given)
    given["c"] = 3
    assert list(mapping) == ["b", "a"]
    assert mapping == {"a": 2, "b": 1} == FrozenMapping({"a": 2, "b": 1})
    assert hash(mapping) == hash(FrozenMapping({"a": 2, "b": 1}))
    assert repr(mapping) == "{'b': 1, 'a': 2}"
    assert pickle.loads(pickle.dumps(mapping)) == mapping
    with pytest.raises(TypeError):
        mapping["b"] = 2


def test_places_share_their_faults():
    place = Place("item")
    place.inside("a").inside(0).report("is wrong.", "Mend it.")
    assert str(place.faults[0]) == "item, a[0]: is wrong. Mend it."
    with pytest.raises(Exception, match="is wrong"):
        place.raise_faults()
