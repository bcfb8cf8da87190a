"""Limits and labels of joints: forms, files, faults."""

from __future__ import annotations

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError


def test_forms_of_limits(tmp_path):
    model = gs.Model("m", parameters={"a": 1})
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1), label="left-arm"))
    hinge = gs.Revolute("j", "ground", "b", limits=gs.Limits(-1, "a", effort=5), label="shoulder/left")
    assert hinge == gs.Revolute(
        "j", "ground", "b", limits={"lower": -1, "upper": "a", "effort": 5}, label="shoulder/left"
    )
    assert hinge.limits["angle"].upper.source == "a"
    assert hinge.to_plain()["limits"] == {"lower": -1, "upper": "a", "effort": 5}
    model.add(hinge)
    model.add(gs.Body("c", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Cylindrical("k", "b", "c", limits={"displacement": gs.Limits(0, 1)}))
    assert model["k"].to_plain()["limits"] == {"displacement": {"lower": 0, "upper": 1}}
    model.save(tmp_path / "m.yaml")
    assert gs.Model.load(tmp_path / "m.yaml") == model
    model.check()


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({"lower": 2, "upper": 1}, "the lower bound 2 is above the upper bound 1. Exchange them."),
        ({"length": gs.Limits(0, 1)}, "limits: label 'length' does not belong to this joint."),
        ({"lower": [1]}, "limits.lower"),
        (3, "limits: 3 is not a mapping of fields. Fields: lower, upper, velocity, effort."),
    ],
)
def test_faulty_limits(limits, text):
    with pytest.raises(ModelError) as error:
        gs.Revolute("j", "ground", "b", limits=limits)
    assert text in str(error.value)


def test_names_in_limits_are_checked():
    model = gs.Model("m")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("j", "ground", "b", limits=gs.Limits(upper="a")))
    with pytest.raises(ModelError, match=r"joint 'j', limits\.angle\.upper: a refers to 'a', which is not known here"):
        model.check()
