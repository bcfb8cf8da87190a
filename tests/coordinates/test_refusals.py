"""Refusals of invalid choices of trees, by the names of joints and bodies."""

from __future__ import annotations

import pytest
from coordinate_models import slider_crank

import gyrostat as gs


@pytest.mark.parametrize(
    ("translation", "rotation", "message"),
    [
        (
            ["h8", "h9", "h10", "s11"],
            None,
            "The translation tree 'h8', 'h9', 'h10', 's11' is not a tree: 'h8', 'h9', 'h10', 's11' close a circuit. "
            "Leave out one of them.",
        ),
        (
            ["h8", "h9", "h10"],
            ["h8", "m1", "h10", "s11"],
            "The rotation tree 'h8', 'm1', 'h10', 's11' is not a tree: 'h8', 'm1' close a circuit.",
        ),
        (
            ["h8", "h9", "h10"],
            ["h8", "h10"],
            "The rotation tree 'h8', 'h10' leaves 'm2', 'm3' without orientation. Add one of 'm2', 'm3', 'h9', 's11'.",
        ),
        (
            ["h8", "h9"],
            None,
            "The translation tree 'h8', 'h9' leaves 'm3' without position. Add one of 'm3', 'h10', 's11'.",
        ),
        ([], None, "leaves 'm1', 'm2', 'm3' without position"),
        (
            ["h8", "pin", "h10"],
            None,
            "The translation tree names 'pin', which is no joint or body. Known: 'h8', 'h9', 'h10', 's11', 'm1', ",
        ),
        (["ground", "h8", "h9", "h10"], None, "names 'ground', which is no joint or body"),
    ],
)
def test_sets_that_are_no_trees(translation: list[str], rotation: list[str] | None, message: str) -> None:
    with pytest.raises(gs.TopologyError) as refusal:
        gs.formulate(slider_crank(), gs.Trees(translation, rotation))
    assert message in str(refusal.value)


def test_one_text_is_no_list_of_names() -> None:
    with pytest.raises(gs.TopologyError, match=r"translation='h8' is one text\. Give a list of names: translation=\["):
        gs.Trees("h8")


@pytest.mark.parametrize("choice", ["polar", None, ["h8"]])
def test_unknown_choices(choice: str) -> None:
    with pytest.raises(gs.TopologyError, match=r"are not known\. Use 'joint', 'absolute', 'branch', or gs\.Trees"):
        gs.formulate(slider_crank(), choice)


def _screw() -> gs.Model:
    model = gs.Model("screw")
    model.add(gs.Body("nut", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Screw("thread", "ground", "nut", pitch=0.1))
    return model


@pytest.mark.parametrize("trees", [gs.Trees(["thread"], ["nut"]), gs.Trees(["nut"], ["thread"])])
def test_a_screw_is_in_both_trees_or_in_none(trees: gs.Trees) -> None:
    with pytest.raises(gs.TopologyError, match=r"Screw 'thread' is in one of the trees only\..*put it into both or"):
        gs.formulate(_screw(), trees)


@pytest.mark.parametrize("choice", ["absolute", "branch"])
def test_a_mechanism_in_space_is_not_planar(choice: str) -> None:
    with pytest.raises(gs.TopologyError, match=r"The model 'screw' is not planar across one of the axes x, y, z"):
        gs.formulate(_screw(), choice, planar=True)


@pytest.mark.parametrize("choice", ["absolute", gs.Trees(["h"], ["b"])])
def test_a_rotor_with_the_name_of_a_coordinate_of_its_body(choice: str | gs.Trees) -> None:
    model = gs.Model("rotor")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("angle", "z", 0.1, free=True)]))
    model.add(gs.Revolute("h", "ground", "b"))
    assert gs.formulate(model).coordinate_names == ("h", "b.angle")
    with pytest.raises(gs.TopologyError, match=r"Rotor 'angle' of body 'b' has the name of a coordinate of the body\."):
        gs.formulate(model, choice)


def _gimbal() -> gs.Model:
    model = gs.Model("gimbal", gravity=(0, 0, -9.81))
    model.add(gs.Body("top", gs.box(1, (1, 2, 3)), points={"tip": (0, 0, -1)}))
    model.add(gs.Spherical("j", "ground", "top.tip", angles="zxz"))
    return model


@pytest.mark.parametrize("choice", ["joint", gs.Trees(["j"])])
def test_a_choice_that_is_singular_at_the_initial_position_is_told_by_names(choice: str | gs.Trees) -> None:
    message = "The coordinates of 'j' are singular at this position: 'j.angle1.rate' and 'j.angle3.rate' together move"
    assert message in str(gs.assemble(gs.formulate(_gimbal(), choice)))
    assert message in str(gs.check(_gimbal(), choice))
    assert message not in str(gs.assemble(gs.formulate(_gimbal(), choice), {"j.angle2": 0.5}))


@pytest.mark.parametrize("choice", ["absolute", "branch"])
def test_other_coordinates_of_the_same_mechanism_are_not_singular(choice: str) -> None:
    assert "singular" not in str(gs.check(_gimbal(), choice))
    assert gs.simulate(gs.formulate(_gimbal(), choice), duration=0.05).status.success
