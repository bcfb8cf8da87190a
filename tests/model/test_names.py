"""Names: allowed, refused, reserved, probably meant."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gyrostat.model.names import FORMULA_WORDS, LONGEST_NAME, did_you_mean, fault_of, reserved_fault, suggestion


@pytest.mark.parametrize("name", ["a", "bar1", "_x", "Θ", "länge", "x" * LONGEST_NAME])
def test_identifiers_are_names(name):
    assert fault_of(name) is None


@pytest.mark.parametrize(
    ("name", "fact", "remedy"),
    [
        (3, "the name 3 is not text.", "Use letters, digits and underscores."),
        (None, "the name None is not text.", "Use letters, digits and underscores."),
        ("", "the name is empty.", "Use letters, digits and underscores."),
        ("x" * 101, "the name has 101 characters.", "Use at most 100."),
        ("a b", "'a b' cannot be a name.", "beginning with a letter, for example 'a_b'."),
        ("2a", "'2a' cannot be a name.", "for example '_2a'."),
        (
            "a.b",
            "'a.b' cannot be a name: dots stand between the names of an owner and of its part.",
            "for example 'a_b'.",
        ),
        ("a\u202eb", "'a\\u202eb' cannot be a name.", "for example 'a_b'."),
        ("ﬁn", "'\\ufb01n' cannot be a name.", "for example 'fin'."),
        ("e\u0301", "'e\\u0301' cannot be a name.", "for example 'é'."),
        ("***", "'***' cannot be a name.", "for example 'name'."),
        ("lambda", "'lambda' is a word of the formula language.", "Call it 'lambda_', for example."),
        ("x" * 50 + "!" * 40, "...", "for example 'x"),
        (["x" * 200], "...", "Use letters"),
    ],
)
def test_other_things_are_not(name, fact, remedy):
    found = fault_of(name)
    assert found is not None
    assert fact in found[0]
    assert remedy in found[1]
    assert len(" ".join(found)) < 250


@given(st.text(max_size=150))
@example("if!")
@example("2" * 100)
def test_suggestions_are_names(text):
    offered = suggestion(text)
    assert fault_of(offered) is None
    fault = fault_of(text)
    assert fault is None or all(line.isprintable() for line in fault)


def test_reserved_words():
    assert reserved_fault("sin", FORMULA_WORDS) == ("'sin' is a reserved word.", "Call it 'sin_1', for example.")
    assert reserved_fault("t", FORMULA_WORDS)
    assert reserved_fault("pi", FORMULA_WORDS)
    assert reserved_fault("sine", FORMULA_WORDS) is None


@pytest.mark.parametrize(
    ("name", "known", "remedy"),
    [
        ("bra", ["bar", "crank"], "Did you mean 'bar'?"),
        ("bar", ["bar1", "bar2"], "Did you mean 'bar2' or 'bar1'?"),
        ("zzz", ["crank", "bar"], "Known: bar, crank."),
        ("zzz", [], "There are none."),
        ("zzz", [f"b{i:02}" for i in range(20)], "b11, … (20 in all)."),
        ("bar_17", [f"bar{i}" for i in range(4000)], "Did you mean 'bar17' or 'bar617' or 'bar517'?"),
        ("zzz", [f"b{i}" for i in range(4000)], "(4000 in all)."),
        ("b7", [f"b{i}" for i in range(6000)], "b11 and many more."),
        ("b" * 8_000_000, ["bb"], "Known: bb."),
    ],
)
def test_what_was_probably_meant(name, known, remedy):
    assert did_you_mean(name, known).endswith(remedy)


def test_names_of_megabytes_are_not_compared(monkeypatch):
    def compare(*_, **__):
        raise AssertionError("compared")

    monkeypatch.setattr("difflib.get_close_matches", compare)
    assert did_you_mean("b" * 101, ["bb"]) == "Known: bb."
    with pytest.raises(AssertionError, match="compared"):
        did_you_mean("b" * 100, ["bb"])
