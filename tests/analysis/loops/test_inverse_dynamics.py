"""Actuator loads that produce a motion, in trees and loops."""

from pathlib import Path

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"


def four_bar(driven: bool) -> gs.Model:
    model = gs.Model("four-bar", gravity=(0, -9.81, 0))
    lengths = {"crank": 0.4, "coupler": 1.0, "rocker": 0.8}
    for name, length in lengths.items():
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.slender_rod(2 * length, length, along="x"), points=ends))
    drive = {"driven": "1 + 2*t + 0.3*sin(5*t)"} if driven else {}
    model.add(gs.Revolute("h1", "ground", "crank.a", **drive))
    model.add(gs.Revolute("h2", "crank.b", "coupler.a", initial=0.2))
    model.add(gs.Revolute("h3", "coupler.b", "rocker.b"))
    model.add(gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a", initial=2.0))
    if not driven:
        model.add(gs.Actuator("motor", "h1"))
        model.add(gs.Actuator("second", "h4"))
    return model


def test_an_actuator_does_what_a_driver_does():
    driven = gs.kinematics(gs.formulate(four_bar(True), cut=["h3"]), duration=1.0, step=0.25)
    free = gs.formulate(four_bar(False), cut=["h3"])
    names = ("h1", "h2", "h4")
    assert free.coordinate_names == names
    q, u, udot = (np.column_stack([driven[name + part].values for name in names]) for part in ("", ".rate", ".acc"))
    found = gs.actuator_loads(free, q, u, udot, actuators=["motor"])
    np.testing.assert_allclose(found["motor"], driven.driver_load("h1").values, rtol=1e-8, atol=1e-8)
    both = gs.actuator_loads(free, q, u, udot)
    assert (np.abs(both["motor"]) ** 2 + np.abs(both["second"]) ** 2 <= np.abs(found["motor"]) ** 2 + 1e-9).all()


@campaign(4)
def test_free_motion_needs_no_actuators(seed):
    closed = closed_system(seed)
    assert closed is not None
    system, q, u = closed.system, closed.q, closed.u
    assert gs.actuator_loads(system, q, u, system.forward_dynamics(q, u), actuators=[]) == {}


def test_motions_that_actuators_cannot_make_are_refused():
    system = gs.formulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"))
    with pytest.raises(
        gs.StateError, match=r"actuators 'motor' cannot produce this motion: .* lacks .* Use more actuators"
    ):
        gs.actuator_loads(system, [0.1, 0.2], [0, 0], [5.0, 5.0])
    with pytest.raises(gs.StateError, match=r"no actuator 'moter'. Did you mean 'motor'"):
        gs.actuator_loads(system, [0.1, 0.2], [0, 0], [0, 0], actuators=["moter"])
