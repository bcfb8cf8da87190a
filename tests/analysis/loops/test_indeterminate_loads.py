"""Statically indeterminate joint loads are flagged, and determinate ones are correct."""

from pathlib import Path

import numpy as np
import pytest
from loop_models import four_bar

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"


def door():
    model = gs.Model("door", gravity=(0, 0, -9.81))
    points = {"low": (-0.4, 0, -0.8), "high": (-0.4, 0, 0.8)}
    model.add(gs.Body("leaf", gs.box(20, (0.8, 0.04, 2.0)), points=points))
    model.add(gs.Revolute("lower", "ground", "leaf.low"))
    model.add(gs.Revolute("upper", ("ground", (0, 0, 1.6)), "leaf.high"))
    return model


def test_a_door_with_two_hinges():
    run = gs.simulate(door(), duration=1, step=0.1, initial={"lower.rate": 2.0})
    found = {name: run.reaction(name) for name in ("lower", "upper")}
    for name, loads in found.items():
        assert loads.attrs["indeterminate"].startswith("force x, force y, force z, moment x, moment y of joint")
        assert name in loads.attrs["indeterminate"]
    together = found["lower"]["force"].values + found["upper"]["force"].values
    angle = run["lower"].values
    inward = -20 * 0.4 * 2.0**2 * np.column_stack((np.cos(angle), np.sin(angle), 0 * angle))
    np.testing.assert_allclose(together - inward, np.tile((0, 0, 20 * 9.81), (len(angle), 1)), atol=1e-6)
    assert "loads of joints 'upper', 'lower' do not follow from the motion" in str(gs.check(door()))


def test_all_joints_of_bricards_mechanism():
    model = gs.Model.load(EXAMPLES / "bricard.yaml")
    run = gs.simulate(model, duration=0.2, step=0.1)
    for i in range(1, 7):
        assert (
            "do not follow from the motion: constraints are redundant" in run.reaction(f"a{i}").attrs["indeterminate"]
        )
    notes = str(gs.check(model))
    assert all(f"'a{i}'" in notes for i in range(1, 7))
    assert "do not follow from the motion alone" in notes


def test_in_a_plane_only_loads_across_it():
    run = gs.simulate(four_bar(0.4, 1.0, 0.8, 1.0), duration=0.2, step=0.1)
    for name in ("h1", "h2", "h3", "h4"):
        assert run.reaction(name).attrs["indeterminate"].startswith("force z, moment x, moment y of joint")


def test_trees_are_determinate():
    model = gs.Model.load(EXAMPLES / "double_pendulum.yaml")
    run = gs.simulate(model, duration=0.2, step=0.1)
    assert all("indeterminate" not in run.reaction(name).attrs for name in model.joints)


def test_equal_hinges_bear_equal_weights_whichever_closes_the_loop():
    for cut in ("lower", "upper"):
        system = gs.formulate(door(), cut=[cut])
        start = gs.assemble(system)
        loads = system.reactions(start.q, start.u, udot=np.zeros(1))
        for name in ("lower", "upper"):
            assert loads[name].force[2] == pytest.approx(20 * 9.81 / 2, rel=1e-8)
        # forces ±f and two equal moments m hold the leaf upright: f a + 2 m = w with least 2 f² + 2 (m/L)²
        a, L, w = 1.6, system.model_size, 20 * 9.81 * 0.4
        assert loads["upper"].force[0] == pytest.approx(-w * a / (a**2 + 4 * L**2), rel=1e-7)
        assert loads["lower"].moment[1] == pytest.approx(-2 * w * L**2 / (a**2 + 4 * L**2), rel=1e-7)
