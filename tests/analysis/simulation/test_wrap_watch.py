"""Ropes whose wrap angle leaves what is followed, or which leave a pulley that holds them in the formulas: told."""

from __future__ import annotations

import warnings

import pytest

import gyrostat as gs


@pytest.fixture(scope="module")
def system() -> gs.System:
    """Return a load on a rope that runs over a peg."""
    model = gs.Model("peg", gravity=(0, -9.81, 0))
    model.add(gs.Body("load", gs.sphere(1.0, 0.05)))
    model.add(gs.Planar("p", "ground", "load", initial={"x": 0.15, "y": -2.0}))
    peg = gs.Pulley("peg", ("ground", (0, 0, 0)), 0.1, "right")
    model.add(gs.Reeving("rope", [("ground", (-1, 0, 0)), peg, "load"], 3.05, 1e4, 10))
    return gs.formulate(model)


def notes(system: gs.System, speed: float, duration: float) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = gs.simulate(system, duration, step=0.01, initial={"p.x.rate": speed})
    return " ".join(run.status.notes)


def test_a_rope_that_winds_about_a_pulley_is_told(system: gs.System) -> None:
    found = notes(system, -8.0, 1.0)
    assert "wrap angle of rope 'rope' on pulley 'peg'" in found
    assert "it is followed from −90° to 270°" in found
    assert "turns=" in found


def test_a_rope_off_a_pulley_that_does_not_let_it_lift_is_told(system: gs.System) -> None:
    found = notes(system, 9.0, 0.6)
    assert "Rope 'rope' is off pulley 'peg' at t = " in found
    assert "lifts=True" in found


def test_a_rope_on_its_pulley_has_no_note(system: gs.System) -> None:
    assert "pulley" not in notes(system, 0.3, 0.2)
