"""Refusals of linear models, certificates and pictures: reason and remedy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

EXAMPLES = Path("examples")


def slide(law: str) -> gs.System:
    """Return a mass on a straight guide with a law of force."""
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("body", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "body", axis="x"))
    model.add(gs.TorsionSpring("law", "x", torque=law))
    return gs.formulate(model)


def three_cranks() -> gs.System:
    """Return a beam on three equal cranks, one more than it needs."""
    model = gs.Model("three cranks", gravity=(0, -9.81, 0))
    model.add(gs.Body("beam", gs.rod(1, 2, along="x"), points={f"p{i}": (i - 1, 0, 0) for i in range(3)}))
    for i in range(3):
        model.add(gs.Body(f"crank{i}", gs.rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
        model.add(gs.Revolute(f"h{i}", ("ground", (i, 0, 0)), f"crank{i}.a", initial=1.0))
        model.add(gs.Revolute(f"g{i}", f"crank{i}.b", f"beam.p{i}", initial=-1.0))
    return gs.formulate(model)


def on_ropes(count: int) -> gs.System:
    """Return a ball in a plane, on ropes between the same points."""
    model = gs.Model("ropes", gravity=(0, "-g", 0), parameters={"g": 9.81} | {f"L{i}": 1.0 for i in range(count)})
    model.add(gs.Body("car", gs.point_mass(1)))
    model.add(gs.Body("ball", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "car", axis="x", initial=0.6))
    model.add(gs.Prismatic("y", "car", "ball", axis="y", initial=-0.8))
    for i in range(count):
        model.add(gs.Distance(f"rope{i}", "ground", "ball", length=f"L{i}"))
    return gs.formulate(model)


def driven_cart() -> gs.System:
    """Return a pendulum on a cart that a driver holds."""
    model = gs.Model("cart", gravity=(0, -9.81, 0))
    model.add(gs.Body("cart", gs.point_mass(1)))
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Prismatic("s", "ground", "cart", axis="x", driven="0*t"))
    model.add(gs.Revolute("a1", "cart", "bar.top"))
    return gs.formulate(model)


def pendulum() -> gs.System:
    """Return a hanging bar with a motor."""
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(1, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    model.add(gs.Actuator("motor", "a1"))
    return gs.formulate(model)


def test_a_singular_position() -> None:
    """With all cranks in one line the beam may also turn against them."""
    system = three_cranks()
    assert system.rank.redundant
    flat = gs.operating_point(system, dict.fromkeys(system.coordinate_names, 0.0))
    with pytest.raises(gs.StateError, match=r"The position of 'three cranks' is singular: its constraints are fewer"):
        gs.linearize(system, flat, frozen=True)


def test_an_input_that_other_constraints_hold_fast() -> None:
    system = on_ropes(2)
    with pytest.raises(
        gs.StateError, match=r"A constraint cannot follow one of the inputs.* Leave out inputs that other"
    ):
        gs.linearize(system, gs.equilibrium(system), inputs=["L0"])


def test_an_input_that_does_not_move_along() -> None:
    """A push along an axis of the world, on a disc that rolls round in a circle."""
    system = gs.formulate(gs.Model.load(EXAMPLES / "rolling_disc.yaml"))
    with pytest.raises(gs.StateError, match=r"The input 'disc\.force\.x' does not act in the same way at all instants"):
        gs.linearize(system, inputs=["disc.force.x"])


def test_parts_of_the_stiffness_of_what_rolls() -> None:
    linear = gs.linearize(gs.formulate(gs.Model.load(EXAMPLES / "rolling_disc.yaml")))
    with pytest.raises(gs.StateError, match=r"rolls or glides: it has 3 speeds for 5 positions, .* Use \.A\."):
        _ = linear.conservative


def test_certificates() -> None:
    driven = gs.linearize(driven_cart(), {"a1": 0.0}, inputs=["s.acc"], outputs=["a1"])
    with pytest.raises(gs.StateError, match=r"Certificates are of free motions\. Linearize without accelerations of"):
        driven.certificate()
    away = gs.linearize(slide("angle/sqrt(0.01 - angle**2)"), {"x": 0.0})
    with (
        pytest.warns(GyrostatWarning, match="ended at t"),
        pytest.raises(gs.StateError, match=r"A small motion ended at t = 1\.\d+ s: the step became too small\. Give a"),
    ):
        away.certificate(duration=3.0)


def test_a_driver_does_not_jump() -> None:
    linear = gs.linearize(driven_cart(), {"a1": 0.0}, inputs=["s.acc"], outputs=["a1"])
    with pytest.raises(
        gs.StateError, match=r"A driver cannot jump: there is no nonlinear simulation of a step of 's\.acc'"
    ):
        linear.step_response("s.acc", 1.0, nonlinear=True)


def test_pictures_of_modes(tmp_path: Path) -> None:
    modes = gs.linearize(pendulum(), {"a1": 0.0}).modes()
    with pytest.raises(gs.StateError, match="The amplitude of a mode is -1; it must be a positive number"):
        modes.animate(0, tmp_path / "mode.gif", amplitude=-1)
    with pytest.raises(gs.PictureError, match=r"mode\.txt: animations are written as \.html, \.gif or \.mp4"):
        modes.animate(0, tmp_path / "mode.txt")


def test_symbolic_values() -> None:
    with pytest.raises(gs.StateError, match=r"The value of 'a1' is 'sin\('\. Give a number or a formula\."):
        gs.linearize(pendulum(), {"a1": "sin("}, symbolic=True)
    with pytest.raises(gs.StateError, match=r"closed loops are those about rest\. Set all speeds to zero"):
        gs.linearize(on_ropes(1), {"x": 0, "y": "-L0", "x.rate": 1}, symbolic=True)


def test_symbolic_choices_that_leave_others_open() -> None:
    """Where the rope hangs straight down, the height follows from nothing that it allows."""
    model = gs.Model("rope", gravity=(0, "-g", 0), parameters={"g": 9.81})
    model.add(gs.Body("car", gs.point_mass(1)))
    model.add(gs.Body("ball", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "car", axis="x", initial=0.6))
    model.add(gs.Prismatic("y", "car", "ball", axis="y", initial=-0.8))
    model.add(gs.Distance("rope", "ground", "ball", length=1))
    with pytest.raises(gs.StateError, match=r"^y cannot be independent: at the given position x would be left open\."):
        gs.linearize(model, {"x": 0, "y": -1}, coordinates=["y"], symbolic=True)
    assert gs.linearize(model, {"x": 0, "y": -1}, coordinates=["x"], symbolic=True).coordinates == ("x",)


def test_a_branch_that_begins_at_a_fold() -> None:
    """The motor just holds the bar level: with any more of it there is no equilibrium."""
    level = {"a1": np.pi / 2}
    with pytest.raises(
        gs.StateError, match=r"At motor = 4\.905 the branch has no continuation: it is a fold, or 'motor' has no"
    ):
        gs.continuation(pendulum(), "motor", 20.0, inputs={"motor": 9.81 / 2}, guess=level)


def test_a_driven_coordinate_is_not_fixed() -> None:
    with pytest.raises(gs.StateError, match=r"The coordinate 's' cannot be fixed: it is driven\. Leave it out\."):
        gs.equilibrium(driven_cart(), fixed={"s": 1.0})


def test_periods_that_cannot_be_followed() -> None:
    fall = slide("-1/(1 + angle)**2")
    with (
        pytest.warns(GyrostatWarning, match="ended at t"),
        pytest.raises(gs.StateError, match="The motion over one period could not be integrated: the step fell below"),
    ):
        gs.floquet(fall, {"x": 0.0}, 3.0)
    with pytest.raises(
        gs.StateError, match=r"Disturbances change too fast over 6 s for 8192 steps\. Is the period too long"
    ):
        gs.floquet(slide("-1e6*angle"), {"x": 0.0}, 6.0)


def test_functions_as_inputs_need_an_integrator_that_asks() -> None:
    with pytest.raises(gs.StateError, match="Input 'motor' is a Python function, which GaussLegendre cannot use"):
        gs.simulate(pendulum(), 0.1, inputs={"motor": lambda t: t}, integrator=gs.GaussLegendre(step=0.01))
