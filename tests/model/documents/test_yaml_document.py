"""YAML with places, safely."""

import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.errors import ModelFileError, Position
from gyrostat.model.documents import read_yaml, write_yaml
from gyrostat.model.documents.document import Node

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"], include_characters="\n\t"), max_size=12)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | st.sampled_from(
        ["on", "1e3", "null", "~", "", "0x1", "1_0", "<<", "=", "2020-01-01", "a: b", "#", "- a", "1:30"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(TEXT, PLAIN, max_size=4))
def test_written_text_comes_back(data):
    assert read_yaml(write_yaml(data)).data == data


@settings(deadline=None)
@given(st.dictionaries(TEXT, PLAIN, max_size=4))
def test_other_readers_see_the_same(data):
    assert yaml.safe_load(write_yaml(data)) == data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-012", -12),
        ("+3", 3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-.inf", -math.inf),
        (".INF", math.inf),
        ("1e999", math.inf),
        ("~", None),
        ("", None),
        ("Null", None),
        ("true", True),
        ("FALSE", False),
        ("on", "on"),
        ("yes", "yes"),
        ("y", "y"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("1e5e", "1e5e"),
    ],
)
def test_scalars_by_the_core_schema(text, value):
    found = read_yaml(f"a: {text}").data["a"]
    assert found == value
    assert type(found) is type(value)


def test_nan_is_read():
    assert math.isnan(read_yaml("a: .NaN").data["a"])


def test_places():
    document = read_yaml("a: 1\nb:\n  - 2\n  - {c: 3,\n     d: 4}\ne: &x [5]\nf: *x\n")
    places = {
        (): (1, 1),
        ("a",): (1, 4),
        ("b",): (3, 3),
        ("b", 1, "c"): (4, 9),
        ("b", 1, "d"): (5, 9),
        ("f", 0): (6, 8),
    }
    for path, place in places.items():
        assert document.position(path) == Position(*place)
        assert document.holds(path)
    assert document.position(("b", 9)) == Position(3, 3)
    assert not document.holds(("b", 9))


def bomb(levels):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]" for i in range(levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"the file is empty\. A model file begins with 'gyrostat: 1'\."),
        ("# only a comment", r"the file is empty"),
        ("a: [1, 2", r"line \d, column \d+: this is not YAML: .*\. Check indentation, brackets and quotes\."),
        ("a: 1\n b: 2", r"line 2, column 3: this is not YAML: mapping values are not allowed in this context"),
        ("a:\n\tb: 1", r"line 2, column 1: this is not YAML: found character that cannot start any token"),
        ("a: 'x", r"this is not YAML: found unexpected end of stream"),
        ("a: \0", r"this is not YAML: .*not allowed"),
        ("a: \x07", r"this is not YAML: .*not allowed"),
        ('a: "\\ud800"', r"this is not YAML: "),
        ("a: !!python/object/apply:os.system [ls]", r"line 1, column 4: the tag 'tag:yaml\.org,2002:python/object"),
        ("!!python/name:os.system x: 1", r"the tag .* is not allowed\. Model files hold plain data; remove the tag\."),
        ("a: !!str 1", r"the tag 'tag:yaml\.org,2002:str' is not allowed"),
        ("a: ! 1", r"the tag '!' is not allowed"),
        ("a: !own [1]", r"the tag '!own' is not allowed"),
        ("a: *b", r"line 1, column 4: the alias '\*b' has no complete anchor before it\. Define the anchor first\."),
        ("a: &a [*a]", r"line 1, column 8: the alias '\*a' has no complete anchor before it"),
        ("a: &a 1\nb: &a [*a]", r"line 2, column 8: the alias '\*a' has no complete anchor before it"),
        ("a: &a {b: {c: *a}}", r"the alias '\*a' has no complete anchor before it"),
        ("a: 1\n---\nb: 2", r"line 2, column 1: the file holds more than one document\. Keep one model per file\."),
        ("true: 1", r"line 1, column 1: a key is not a name\. Use names as keys; quote words such as 'true'\."),
        ("~: 1", r"a key is not a name"),
        ("[a]: 1", r"a key is not a name"),
        ("{a: b}: 1", r"a key is not a name"),
        ("a: " + "1" * 401, r"line 1, column 4: a number has 401 digits\. Write fewer\."),
        ("a: " + "[" * 101 + "]" * 101, r"line 1, column 103: lists and mappings are nested more than 100 levels deep"),
        ("- " * 130 + "a", r"nested more than 100 levels deep"),
        (bomb(9), r"line 6, column \d+: the file holds more than 400,000 values after expansion of its aliases"),
        ("a: &a " + "x" * 100_000 + "\nb: [" + "*a, " * 100 + "]", r"more than 400,000 values after expansion"),
        ("a: [" + "1, " * 1_000_001 + "]", r"the file has more than 1,000,000 commas and lines"),
    ],
)  # fmt: skip
def test_texts_that_are_refused(text, message):
    with pytest.raises(ModelFileError, match=message):
        read_yaml(text)


def test_a_small_bomb_is_just_a_list():
    assert read_yaml(bomb(2)).data["a2"][8][8] == ["x"] * 9


def test_merge_keys_merge_nothing():
    assert read_yaml("a: &a {x: 1}\nb: {<<: *a, y: 2}").data["b"] == {"<<": {"x": 1}, "y": 2}


def test_keys_that_stand_twice_are_noted_and_the_first_holds():
    document = read_yaml("a: 1\nb: {c: 1, c: [2, 3]}\na: {x: 1}\n1: x\n'1': y")
    assert document.data == {"a": 1, "b": {"c": 1}, "1": "x"}
    assert [str(fault.position) for fault in document.faults] == [
        "line 2, column 11",
        "line 3, column 1",
        "line 5, column 1",
    ]
    assert str(document.faults[1]).endswith("the key 'a' occurs twice. Keep one of them; names are unique.")


def test_without_libyaml_the_same_is_read(monkeypatch):
    text = "a: {b: [1, 'x', 2.5]}\nc: &c on\nd: *c\n"
    expected = read_yaml(text)
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert read_yaml(text) == expected
    with pytest.raises(ModelFileError, match=r"line \d, column \d+: this is not YAML"):
        read_yaml("a: [1, 2")


def test_a_node_forgets_its_places():
    assert Node({"a": Node([Node(1, 1, 1)], 1, 1)}, 1, 1).plain() == {"a": [1]}
