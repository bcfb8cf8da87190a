"""Joints that close loops of flexible bodies: the effort of a motion does not depend on which body is the parent."""

from functools import partial

import numpy as np
import pytest

import gyrostat as gs

HINGE = partial(gs.Revolute, axis="y")
KINDS = {
    "spherical": (HINGE, gs.Spherical),
    "universal": (gs.Spherical, gs.Universal),
    "revolute": (gs.Spherical, HINGE),
    "cylindrical": (HINGE, partial(gs.Cylindrical, axis="y")),
}
"""The joint at the crank, and the one that closes the loop."""


def four_bar(at_crank, closing, ends):
    """Return a four-bar in the plane of x and z with a wire for a coupler and a crank at constant speed."""
    model = gs.Model("four-bar with a wire", gravity=(0, 0, 9.81))
    model.add(gs.Body("crank", mass=0.1, inertia=(1e-4, 1e-4, 1e-4), points={"pin": (0.1, 0, 0)}))
    wire = {"section": gs.sections.Circle(0.002), "E": 2e11, "G": 8e10, "density": 7800}
    model.add(gs.Beam("wire", length=0.4, terms={"v": 1, "w": 1, "phi": 1}, **wire))
    model.add(gs.Body("rocker", mass=0.3, inertia=(1e-3, 1e-3, 1e-3), points={"pin": (0.2, 0, 0)}))
    model.add(HINGE("a", "ground", "crank", driven="40*t + 0.5"))
    model.add(at_crank("b", "crank.pin", "wire"))
    model.add(HINGE("c", ("ground", (0.4, 0, 0)), "rocker", initial={"angle": 1.6}))
    model.add(closing("closing", *ends))
    return gs.formulate(model, cut=["closing"])


@pytest.mark.parametrize(("at_crank", "closing"), KINDS.values(), ids=KINDS)
def test_steps_do_not_depend_on_which_end_comes_first(at_crank, closing):
    """With levers of open loops, or unlike directions in a row, each position looked singular: 85 times as many.

    Steps near singular positions have all their stages projected, with a Jacobian along the constraints only.
    """
    ends, duration = ("wire.tip", "rocker.pin"), 0.15
    systems = [four_bar(at_crank, closing, order) for order in (ends, ends[::-1])]
    for method in (gs.Rodas4, gs.Rodas5P):
        integrator = method(rtol=1e-3, atol=1e-4)
        runs = [gs.simulate(system, duration, step=duration, integrator=integrator) for system in systems]
        assert all(run.status.success for run in runs)
        steps = [run.status.steps for run in runs]
        assert max(steps) <= 2 * min(steps), steps
        np.testing.assert_allclose(runs[0]["wire.tip"][-1], runs[1]["wire.tip"][-1], atol=1e-5)


def slider_crank(ends):
    """Return a spatial slider-crank with a thin rod that is free to spin, closed at the slider."""
    model = gs.Model("slider-crank with a thin rod", gravity=(1, -3, 4))
    model.add(gs.Body("crank", mass=0.2, inertia=(1e-3, 1e-3, 1e-3), points={"pin": (0.1, 0, 0)}))
    rod = {"section": gs.sections.Circle(0.002), "E": 2e11, "G": 8e10, "density": 7800}
    model.add(gs.Beam("rod", length=0.4, terms={"v": 2, "w": 2}, damping=1e-3, **rod))
    model.add(gs.Body("slider", mass=0.3, inertia=(1e-3, 1e-3, 1e-3)))
    model.add(gs.Revolute("a", "ground", "crank", driven="28*t + 0.3"))
    model.add(gs.Spherical("b", "crank.pin", "rod"))
    model.add(gs.Prismatic("s", ("ground", (0, -0.04, 0.08)), "slider", axis="x", initial=0.45))
    model.add(gs.Spherical("closing", *ends))
    return gs.formulate(model, cut=["closing"])


def test_the_force_of_a_chord_does_not_spin_a_thin_rod():
    """Within a step its points are apart; applied at the other's point it did, with steps a quarter as long."""
    ends = ("rod.tip", "slider")
    for order in (ends, ends[::-1]):
        run = gs.simulate(slider_crank(order), 0.1, step=0.1, integrator=gs.Rodas5P(rtol=1e-5, atol=1e-6))
        assert run.status.success
        assert run.status.steps < 100
