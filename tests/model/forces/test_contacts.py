"""Contacts of many pairs in a model: lists of bodies, laws, shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from many_contacts import LAW, balls, loose

import gyrostat as gs

BRISTLE = gs.Bristle(0.5, 0.6, stiffness=1e5, damping=10, speed=0.1)
PLAIN: dict[str, Any] = {"among": ["a", "b"], "normal": LAW}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"among": None}, "it needs bodies, either among a list or between two"),
        ({"between": [["a"], ["b"]]}, "it needs bodies, either among a list or between two"),
        ({"among": ["a"]}, "among: it has fewer than two bodies"),
        ({"among": ["a", "b", "a"]}, "body 'a' is named twice"),
        ({"among": None, "between": [["a"]]}, "between: it is not two lists of bodies"),
        ({"normal": gs.Adhesion(LAW, force=1, range=0.1)}, "normal: adhesion acts between bodies that do not touch"),
        ({"most": 0}, "most: 0 is not a number of things"),
    ],
)
def test_faults_of_fields(change: Mapping[str, Any], message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        gs.Contacts("c", **{**PLAIN, **change})


def test_slots_are_states_of_laws_that_remember() -> None:
    assert not gs.Contacts("c", **PLAIN).state_variables
    remembering = gs.Contacts("c", **{**PLAIN, "normal": gs.HuntCrossley(1e6, restitution=0.5), "most": 2})
    assert [one.name for one in remembering.state_variables[5:7]] == ["c.slot2.point", "c.slot2.approach"]
    assert len(gs.Contacts("c", **PLAIN, friction=BRISTLE).state_variables) == 5 * 12


def _with(solid: object) -> gs.Model:
    model = loose({"a": gs.sphere(1, 0.1), "b": solid})
    model.add(gs.Contacts("c", among=["ground", "a", "b"], normal=LAW))
    return model


def test_faults_of_shapes() -> None:
    with pytest.raises(gs.ModelError, match="body 'b' has the shape 'tube', which contacts of many pairs do not know"):
        gs.formulate(_with(gs.tube(1, 0.2, 0.1, 1)))
    with pytest.raises(gs.ModelError, match="body 'b' has no shape that could touch others"):
        gs.formulate(_with(gs.point_mass(1)))
    drums = loose({"a": gs.cylinder(1, 0.2, 1)}, on_floor=False)
    relief = gs.shapes.HeightField([0, 1], [0, 1], [[0, 0], [0, 0]])
    drums.add(gs.Body("ground", surfaces={"relief": relief}))
    drums.add(gs.Contacts("c", among=["ground", "a"], normal=LAW))
    with pytest.raises(gs.ModelError, match=r"'height_field', and 'a', 'cylinder', have no contact here. Describe one"):
        gs.formulate(drums)


@pytest.mark.parametrize(("third", "told"), [(False, "do not touch each other here."), (True, "so it is with all its")])
def test_contacts_of_joined_bodies_alone_are_refused(third: bool, told: str) -> None:
    model = loose({"a": gs.sphere(1, 0.1)}, on_floor=False)
    names = ["b", "c"] if third else ["b"]
    for name in names:
        model.add(gs.Body(name, gs.sphere(1, 0.1)))
        model.add(gs.Revolute(f"hinge_{name}", "a", name))
    model.add(gs.Contacts("rub", between=(["a"], names), normal=LAW))
    with pytest.raises(gs.ModelError) as error:
        gs.formulate(model)
    assert f"joint 'hinge_{names[-1]}' connects 'a' and '{names[-1]}', and joined bodies" in str(error.value)
    assert told in str(error.value)
    assert (
        "Give joined=True, or use JointLimit or, for shapes that it knows, gs.Contact('rub', 'a', "
        f"'{names[-1]}', …)" in str(error.value)
    )


def test_one_box_touches_no_other() -> None:
    """A single box beside balls has no pair with itself."""
    assert gs.formulate(_with(gs.box(1, 1, 1, 1))).inputs


def test_files_keep_lists_and_laws(tmp_path: Any) -> None:
    model = balls([0.1, 0.2], friction=gs.Coulomb(0.3, speed=0.01))
    model.add(gs.Contacts("d", between=[["ground"], ["b1"]], normal=gs.KelvinVoigt(1e5, 10)))
    model.save(tmp_path / "balls.yaml")
    assert gs.Model.load(tmp_path / "balls.yaml") == model
