"""Ropes of nodes that settle on their pulleys."""

import numpy as np
import pytest
from rope_models import hoisted, swinging_sheave

import gyrostat as gs
from gyrostat.errors import StateError


def hoist():
    return gs.formulate(hoisted("nodes", 30, gs.HuntCrossley(1e5, chi=1), EA=1e6, damping=500))


def test_a_rope_settles_in_its_equilibrium():
    """From a rope laid on the circle itself, where no contact carries; without friction, to 1e-9 m."""
    system, held = hoist(), {"hold": 9.81, "mu": 0}
    settled = gs.settle_ropes(system, gs.lay_rope(system, "rope"), parameters=held)
    point = gs.equilibrium(system, guess=gs.lay_rope(system, "rope", depth=1e-3), parameters=held)
    for name, value in zip(system.coordinate_names, point.q, strict=True):
        assert name == "axle" or settled[name] == pytest.approx(value, abs=1e-9), name
    run = gs.simulate(system, 0.2, step=0.2, initial=settled, parameters=held, integrator=gs.Rodas4(1e-6, 1e-8))
    assert np.abs(np.diff(run["heavy"].values[:, 1])).max() < 1e-6


def test_equilibria_are_found_from_ropes_that_do_not_touch_yet():
    """Newton's method alone does not find contacts that do not carry at the guess."""
    system, held = hoist(), {"hold": 9.81, "mu": 0}
    off = {name: value * 1.002 for name, value in gs.lay_rope(system, "rope").items()}
    point = gs.equilibrium(system, guess=off, parameters=held)
    outputs = system.force_outputs(point.q, point.u, parameters=held)
    carried = sum(float(outputs[f"rope.sheave.n{i}"]["force"]) > 0 for i in range(31))
    assert carried > 15


def test_what_does_not_settle_is_told():
    system = hoist()
    with pytest.raises(StateError, match=r"do not come to rest: a node still moves by .* add a force that does"):
        gs.settle_ropes(system, gs.lay_rope(system, "rope"))
    with pytest.raises(StateError, match="has no rope of nodes that could settle"):
        gs.settle_ropes(hoisted("links", 5, gs.KelvinVoigt(5e4, 500)))
    model = swinging_sheave()
    model.add(gs.Force("following", "load", ("rope.e3.force", 0, 0)))
    with pytest.raises(StateError, match=r"do not settle by themselves\. Use gs\.equilibrium"):
        gs.settle_ropes(model)


def test_a_rope_that_passes_through_a_pulley_is_told():
    """Contacts far too soft for the weight at its ends."""
    model = gs.Model("soft", gravity=(0, -9.81, 0))
    path = [("ground", (-0.5, -2, 0)), gs.Pulley("pin", "ground", 0.5, "right"), ("ground", (0.5, -2, 0))]
    rope = {"segments": 40, "length": 6.5, "density": 20, "EA": 1e6, "normal": gs.KelvinVoigt(1, 0)}
    model.add(gs.Rope("rope", path, **rope))
    system = gs.formulate(model)
    with pytest.raises(
        StateError, match=r"passed through a pulley or left it .* its angle about the pulley changed by"
    ):
        gs.settle_ropes(system, gs.lay_rope(system, "rope"))
