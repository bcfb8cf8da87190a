"""JSON with places."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.errors import ModelFileError, Position
from gyrostat.model.documents import read_json, write_json

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(PLAIN, st.sampled_from([None, 0, 2]))
def test_reads_what_python_reads(data, indent):
    assert read_json(json.dumps(data, indent=indent)).data == data


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), PLAIN, max_size=4))
def test_written_text_comes_back(data):
    text = write_json(data)
    assert text.endswith("\n")
    assert read_json(text).data == data


def test_places():
    document = read_json('{"a": 1,\n "b": [2, {"c": 3}],\n\t"d": null}')
    places = {(): (1, 1), ("a",): (1, 7), ("b",): (2, 7), ("b", 0): (2, 8), ("b", 1, "c"): (2, 17), ("d",): (3, 7)}
    for path, place in places.items():
        assert document.position(path) == Position(*place)
        assert document.holds(path)
    for path, place in {("b", 7): (2, 7), ("b", 1, "x", 3): (2, 11), ("a", "x"): (1, 7), ("x",): (1, 1)}.items():
        assert document.position(path) == Position(*place)
        assert not document.holds(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"the file is empty\. A model file begins with"),
        (" \n ", r"the file is empty\."),
        ("{", r"line 1, column 2: this is not JSON: a key in double quotes is expected here\. Check brackets, commas"),
        ('{"a" 1}', r"line 1, column 6: this is not JSON: ':' is expected here"),
        ('{"a": 1 "b": 2}', r"line 1, column 9: this is not JSON: ',' is expected here"),
        ('{"a": 1,}', r"line 1, column 9: this is not JSON: a key in double quotes is expected here"),
        ('{a: 1}', r"a key in double quotes is expected here"),
        ('{1: 1}', r"a key in double quotes is expected here"),
        ('{[[1]]: 1}', r"a key in double quotes is expected here"),
        ("{" + "[" * 100_000, r"a key in double quotes is expected here"),
        ("[1,\n 2,,]", r"line 2, column 4: this is not JSON: expecting value"),
        ("[1 2]", r"line 1, column 4: this is not JSON: ',' is expected here"),
        ("[1]]", r"line 1, column 4: this is not JSON: there is text after the end of the model"),
        ("[01]", r"',' is expected here"),
        ("[tru]", r"line 1, column 2: this is not JSON: expecting value"),
        ("['a']", r"expecting value"),
        ('["a\nb"]', r"line 1, column 4: this is not JSON: invalid control character\. "),
        ('["a', r"unterminated string starting\. "),
        ('["\\x"]', r"this is not JSON: invalid \\escape"),
        ("[" + "1" * 401 + "]", r"line 1, column 2: this is not JSON: a number has 401 digits\."),
        ("[1e" + "1" * 400 + "]", r"a number has 402 digits\."),
        ("[" * 102 + "]" * 102, r"line 1, column 102: lists and mappings are nested more than 100 levels deep\. Model"),
        ("[" + "1," * 400_000 + "1]", r"the file holds more than 400,000 values after expansion of its aliases\."),
        ("[" + "1,\n" * 500_001 + "1]", r"the file has more than 1,000,000 commas and lines\."),
    ],
)  # fmt: skip
def test_texts_that_are_refused(text, message):
    with pytest.raises(ModelFileError, match=message):
        read_json(text)


def test_the_deepest_nesting_is_read():
    assert read_json("[" * 25 + "]" * 25).data
    assert read_json("[" + "1" * 400 + "]").data == [int("1" * 400)]


def test_keys_that_stand_twice_are_noted_and_the_first_holds():
    document = read_json('{"a": 1,\n "a": [2, 3], "b": {"c": 1, "c": 2}}')
    assert document.data == {"a": 1, "b": {"c": 1}}
    assert [str(fault) for fault in document.faults] == [
        "line 2, column 2: the key 'a' occurs twice. Keep one of them; names are unique.",
        "line 2, column 29: the key 'c' occurs twice. Keep one of them; names are unique.",
    ]
