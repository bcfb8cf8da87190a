"""Equilibria of bodies that bristles hold: as far as the limit of friction at rest, and no farther."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from contact_models import GRAVITY, floor

import gyrostat as gs

SLOPE = np.deg2rad(25)
LOAD = GRAVITY * np.cos(SLOPE)
SUNK = {"p.z": 0.01 - LOAD / 1e6}


@cache
def block() -> gs.System:
    """Return a block of 1 kg on an incline whose coefficient of friction at rest is a parameter."""
    model = gs.Model("block", gravity=(-GRAVITY * np.sin(SLOPE), 0, -GRAVITY * np.cos(SLOPE)), parameters={"mu_s": 0.5})
    model.add(floor())
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Translation("p", "ground", "block"))
    law, bristle = gs.HuntCrossley(1e6, 1, chi=0.3), gs.Bristle(0.2, "mu_s", 1e5 / LOAD, 30 / LOAD, 0.05)
    model.add(gs.Contact("c", "block", "ground.floor", law, bristle, shape_a=gs.shapes.Sphere(0.01)))
    return gs.formulate(model)


@pytest.mark.parametrize(("share", "holds"), [(1.001, True), (0.999, False), (0.5, False)])
def test_an_incline_holds_a_block_up_to_the_angle_of_friction(share: float, holds: bool) -> None:
    limit = {"mu_s": share * np.tan(SLOPE)}
    if holds:
        at_rest = gs.equilibrium(block(), SUNK, parameters=limit)
        assert at_rest["c.friction"][0] == pytest.approx(GRAVITY * np.sin(SLOPE), rel=1e-9)
        return
    with pytest.raises(
        gs.StateError, match=rf"friction of 'c' would have to be {1 / share:.4g} times its limit at rest"
    ):
        gs.equilibrium(block(), SUNK, parameters=limit)


def test_a_pendulum_falls_where_its_bearing_does_not_hold_it() -> None:
    model = gs.Model("pendulum", gravity=(0, -GRAVITY, 0), parameters={"most": 1.0})
    model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top"))
    model.add(gs.JointFriction("bearing", "a", gs.Bristle("most", "most", 1e4, 60, 0.05)))
    system = gs.formulate(model)
    assert abs(gs.equilibrium(system, {"a": 0.3})["a"]) < 1e-6
    held = gs.equilibrium(system, {"a": 0.3}, parameters={"most": 20.0})
    assert held["a"] > 0.1
    assert held["bearing.force"] == pytest.approx(GRAVITY * np.sin(held["a"]), rel=1e-6)
