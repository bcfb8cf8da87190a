"""Bodies that overlap so far at the start that no law of contact holds: a warning names the depth and the size."""

from __future__ import annotations

import warnings

import pytest

import gyrostat as gs


def sunk_ball(height: float) -> gs.Model:
    model = gs.Model("sunk", gravity=(0, 0, -9.81), parameters={"r": 0.1})
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Body("ball", gs.sphere(1.0, "r")))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z", initial=height))
    model.add(gs.Contact("touch", "ball", "ground.floor", gs.HuntCrossley(1e5, restitution=0.8)))
    return model


def test_a_deep_overlap_at_the_start_is_named() -> None:
    with pytest.warns(
        gs.GyrostatWarning, match=r"'touch': ball and ground overlap by 0.15 m .* smallest .* is 0.1 m.*initial="
    ):
        gs.simulate(sunk_ball(-0.05), duration=0.01, integrator=gs.Rodas5P())
    with pytest.warns(gs.GyrostatWarning, match=r"overlap by 0.06 m .* is 0.08 m"):
        gs.simulate(sunk_ball(0.2), duration=0.01, initial={"h": 0.02}, parameters={"r": 0.08}, integrator=gs.Rodas5P())


def test_a_shallow_one_is_not() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gs.simulate(sunk_ball(0.06), duration=0.01, integrator=gs.Rodas5P())
