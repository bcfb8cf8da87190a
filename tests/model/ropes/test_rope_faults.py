"""Faults of ropes: paths, pulleys, winches, and positions without a path, explained with lengths."""

from __future__ import annotations

import math

import pytest

import gyrostat as gs
from gyrostat.errors import ModelError, StateError

TOP = gs.Pulley("top", "ground", 0.1, "left")
LIFTING = gs.Pulley("peg", "ground", 0.1, "left", lifts=True)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.Reeving("r", ["a"], 1, 1e5), r"path: it needs two ends\. Give both ends and the pulleys"),
        (lambda: gs.Belt("r", [TOP], 1, 1e5), r"path: it needs two pulleys\. Give a list of pulleys"),
        (lambda: gs.Reeving("r", ["a", "b", "c"], 1, 1e5), r"path\[1\]: b is no pulley\. Between the ends"),
        (lambda: gs.Belt("r", [TOP, "b"], 1, 1e5), r"path\[1\]: b is no pulley"),
        (lambda: gs.Reeving("r", ["a", TOP, TOP, "b"], 1, 1e5), r"path\[2\]: the name 'top' is used twice"),
        (lambda: gs.Reeving("r", ["a", LIFTING, gs.Pulley("q", "c", 1, "left", lifts=True), "b"], 1, 1e5),
         r"path\[1\]: the rope may leave 'peg', and a neighbour is no place at which it stays\. Give lifts"),
        (lambda: gs.Reeving("r", [LIFTING, "b"], 1, 1e5), r"the rope may leave 'peg'.*not to a drum at an end"),
        (lambda: gs.Reeving("r", ["a", "b"], 0, 1e5), r"length: 0 is not positive"),
        (lambda: gs.Reeving("r", ["a", "b"], 1, -1), r"EA: -1 is negative|EA: -1 is not positive"),
        (lambda: gs.Pulley("p", "a", 0, "left"), r"pulley 'p', radius: 0 is not positive"),
        (lambda: gs.Pulley("p", "a", 1, "top"), r"pulley 'p', side: 'top' is not one of the choices"),
        (lambda: gs.Pulley("p", "a", 1, "left", mu=-0.1), r"pulley 'p', mu: -0.1 is negative"),
        (lambda: gs.Pulley("p", "a", 1, "left", turns=-1), r"turns: -1 is not a number of whole turns"),
        (lambda: gs.Pulley("p", "a", 1, "left", mu=0.1, lifts=True),
         r"lifts: the rope may lift off, and the sheave has friction\. Leave out lifts, or the other one"),
        (lambda: gs.Pulley("p", "a", 1, "left", turns=1, lifts=True), r"may lift off, and the sheave has whole turns"),
        (lambda: gs.Winch("w", "r"), r"force 'w': it has neither a joint nor a speed\. Give joint=…"),
        (lambda: gs.Winch("w", "r", "j", 1, speed=1), r"force 'w': it has a joint and a speed"),
        (lambda: gs.Winch("w", "r", "j"), r"radius: a radius belongs to the joint of a drum\. Give both"),
        (lambda: gs.Winch("w", "r", "j", 1, layers=2), r"turns: it is missing for 2 layers\. Give turns=…"),
        (lambda: gs.Winch("w", "r", "j", 0), r"radius: 0 is not positive"),
    ],
)  # fmt: skip
def test_ropes_that_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_pulleys_in_files_need_a_name():
    pulley = {"frame": "ground", "radius": 1, "side": "left"}
    with pytest.raises(ModelError, match=r"path\[1\]: it has no name\. Write \{pulley: name, frame"):
        gs.Reeving("r", ["ground", pulley, "a"], length=1, EA=1)
    assert gs.Reeving("r", ["ground", {"pulley": "p", **pulley}, "a"], length=1, EA=1).pulleys[0].name == "p"


def hoist(pulley: gs.Pulley, *, length: float = 4.3, height: float = -2.0, **winch: object) -> gs.Model:
    """Return a weight on a rope over a pulley at the origin, fixed at the other side."""
    model = gs.Model("hoist", gravity=(0, -9.81, 0))
    model.add(gs.Body("load", gs.point_mass(1)))
    model.add(gs.Prismatic("y", ("ground", (0.1, 0, 0)), "load", axis="y", initial=height))
    model.add(gs.Reeving("rope", ["load", pulley, ("ground", (-0.1, -2, 0))], length, 1e5))
    if winch:
        model.add(gs.Body("drum", mass=1, inertia=(1, 1, 1)))
        model.add(gs.Revolute("spin", "ground", "drum", initial=winch.pop("angle")))
        model.add(gs.Winch("winch", "rope", "spin", 0.1, **winch))
    return model


def line_above_a_sheave() -> gs.Model:
    """Return a rope that runs 0.2 m above a sheave on whose top it should lie."""
    model = gs.Model("line")
    model.add(gs.Body("load", gs.point_mass(1)))
    model.add(gs.Prismatic("y", ("ground", (1, 0, 0)), "load", axis="y"))
    below = gs.Pulley("below", ("ground", (0, -0.3, 0)), 0.1, "right")
    model.add(gs.Reeving("rope", [("ground", (-1, 0, 0)), below, "load"], 2, 1e5))
    return model


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            lambda: hoist(gs.Pulley("top", "ground", 0.2, "left"), height=-0.1),
            r"'rope' penetrates the sheave of pulley 'top': load is 0\.1414 m from its axis, and the rope needs more "
            r"than 0\.2 m\. Change the radius or the place",
        ),
        (
            line_above_a_sheave,
            r"'rope' does not touch pulley 'below': on this side its wrap angle would be -\d+\.?\d*°\. Exchange side",
        ),
        (
            lambda: hoist(TOP, angle=7.0, turns=1),
            r"drum of winch 'winch' is empty: spin is 7 rad, at which 0\.7 m would be paid out, and it holds 0\.6283 m",
        ),
        (
            lambda: hoist(TOP, angle=-50.0, turns=1),
            r"'rope' has a length of -0\.7 m with what its winches have taken in",
        ),
    ],
)
def test_positions_without_a_rope_are_explained(model, message):
    with pytest.raises(StateError, match=message):
        gs.simulate(model(), duration=0.1)


def test_a_rope_that_is_too_short_is_noted_with_its_lengths():
    notes = str(gs.check(hoist(TOP, length=4.0)))
    path = 4 + 0.1 * math.pi
    assert f"rope 'rope' is too short for its path initially: 4 m for {path:.6g} m, with a tension of 7854 N." in notes
    assert "too short" not in str(gs.check(hoist(TOP, length=4.4)))


def test_a_winch_names_a_rope_of_the_model():
    model = hoist(TOP)
    model.add(gs.Winch("winch", "ropes", speed=1))
    with pytest.raises(
        ModelError, match=r"winch.*refers to rope 'ropes', which is no Reeving of the model\. Did you mean"
    ):
        model.check()
