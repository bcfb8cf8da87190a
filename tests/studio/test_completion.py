"""Completion in the editor, in texts that are not complete."""

from __future__ import annotations

from pathlib import Path

import pytest

import gyrostat as gs
from gyrostat.studio.completion import completions
from gyrostat.studio.cursor import Cursor

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
MODEL = gs.Model.load(EXAMPLES / "double_pendulum.yaml")


def offered(text: str) -> list[str]:
    """Return the labels at the mark | of a text."""
    place = text.index("|")
    return [option["label"] for option in completions(text.replace("|", ""), place, MODEL)["options"]]


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("|", ["gyrostat", "joints"], ["type"]),
        ("gyrostat: 1\nna|", ["name"], ["gyrostat"]),
        ("joints:\n  a: {type: |", ["Revolute", "Weld"], ["Actuator"]),
        ("joints:\n  a: {type: Revolute, |", ["parent", "axis"], ["type", "pitch"]),
        ("joints:\n  a:\n    |\n    type: Screw\n", ["pitch", "parent"], ["type"]),
        ("joints:\n  a:\n    type: Revolute\n    axis: |", ["x", "-z"], ["bar1"]),
        ("joints:\n  a: {type: Revolute, parent: |}", ["ground", "bar1.tip", "bar2"], ["m1"]),
        ("joints:\n  a: {type: Revolute, parent: bar1.t|, child: bar2.top}", ["bar1.tip"], ["axis"]),
        ("forces:\n  m: {type: Actuator, joint: |", ["a1", "a2"], ["bar1"]),
        ("bodies:\n  b:\n    properties: {|", ["rod", "box"], ["mass"]),
        ("bodies:\n  b:\n    properties: {rod: {mass: |", ["m1", "l2"], ["rod"]),
        ("bodies:\n  b:\n    properties: {rod: {mass: m1, |", ["length", "along"], ["mass", "rod"]),
        ("bodies:\n  b:\n    # a comment: {with brackets\n    |", ["mass", "points"], ["type"]),
        ("bodies:\n  b: {mass: 1}\n|", ["joints"], ["bodies", "mass"]),
    ],
)
def test_what_fits_is_offered(text: str, some: list[str], none: list[str]) -> None:
    found = offered(text)
    assert set(some) <= set(found)
    assert set(none).isdisjoint(found)


def test_keys_have_descriptions_and_say_whether_they_are_required() -> None:
    text = "joints:\n  a: {type: Revolute, "
    options = {one["label"]: one for one in completions(text, len(text), None)["options"]}
    assert options["parent"]["detail"] == "required"
    assert options["axis"]["detail"] == ""
    assert "axis of rotation" in options["axis"]["info"]
    assert options["axis"]["apply"] == "axis: "
    assert completions('{"joi', 5, None, json=True)["options"][0]["apply"].startswith('"')


@pytest.mark.parametrize("name", ["four_bar", "vehicle_on_springs", "quick_return"])
def test_any_place_of_any_text_has_an_answer(name: str) -> None:
    text = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
    for place in range(0, len(text), 23):
        found = completions(text, place, MODEL)
        assert 0 <= found["length"] <= place
        cursor = Cursor.at(text[:place], place)
        assert text[:place].endswith(cursor.word)
