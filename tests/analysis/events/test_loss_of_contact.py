"""Constraint loads and reactions as events, inputs and outputs, in joint and absolute coordinates and in loops."""

from __future__ import annotations

import numpy as np
import pytest

import gyrostat as gs

G = 9.81
COORDINATES = pytest.mark.parametrize("coordinates", ["joint", "absolute"])


def _wall() -> gs.Model:
    """Return a mass of 2 kg pressed on the plane x = 0 by 5 cos t newtons, and a cart beside it."""
    model = gs.Model("wall")
    model.add(gs.Body("mass", mass=2, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Planar("p", "ground", "mass", initial={"y.rate": 0.3}))
    model.add(gs.PointOnPlane("wall", "mass", "ground", normal="x"))
    model.add(gs.Force("push", "mass", ("-5*cos(t)", 0, 0)))
    model.add(gs.Body("cart", gs.point_mass(4.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Actuator("motor", "x"))
    return model


@COORDINATES
@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.CVODE(), gs.Rodas5P()], ids=lambda one: type(one).__name__)
def test_a_mass_leaves_a_wall_where_its_load_vanishes(coordinates: str, integrator: gs.Integrator) -> None:
    leaves = gs.Event("leaves", "wall.force", "falling", gs.Stop())
    run = gs.simulate(gs.formulate(_wall(), coordinates), 3, events=[leaves], integrator=integrator)
    assert [one.event for one in run.events] == ["leaves"]
    assert run.events[0].time == pytest.approx(np.pi / 2, abs=1e-12)


@COORDINATES
@pytest.mark.parametrize("form", ["formula", "function", "measure"])
def test_an_input_reads_the_load_of_a_constraint(coordinates: str, form: str) -> None:
    """The cart is pushed with the load of the wall: 4 v = 5 sin t."""
    model = _wall()
    model.add(gs.Measure("pressure", "wall.force", unit="N"))
    law = {"formula": "wall.force", "function": lambda t, state: state["wall.force"], "measure": "pressure"}[form]
    run = gs.simulate(gs.formulate(model, coordinates), 1.5, step=0.3, inputs={"motor": law})
    np.testing.assert_allclose(run["motor"], 5 * np.cos(run.time), atol=1e-12)
    np.testing.assert_allclose(run["pressure"], run["wall.force"], atol=1e-12)
    np.testing.assert_allclose(run["x.rate"], 5 / 4 * np.sin(run.time), atol=1e-7)


@COORDINATES
def test_an_input_may_not_read_the_load_that_it_changes(coordinates: str) -> None:
    model = _wall()
    model.add(gs.Input("counter", unit="N"))
    model.replace(gs.Force("push", "mass", ("counter - 5", 0, 0)))
    with pytest.raises(gs.StateError, match=r"of input 'counter' depends on its own value .* by 'wall\.force'"):
        gs.simulate(gs.formulate(model, coordinates), 1, inputs={"counter": "0.5*wall.force"})


def _dome(*, hinged: bool) -> gs.Model:
    """Return a bead that slides from the top of a circle of 1 m; or the same on an arm without mass."""
    model = gs.Model("dome", gravity=(0, -G, 0))
    model.add(gs.Body("bead", mass=0.5, inertia=(1e-3, 1e-3, 1e-3), points={"centre": (0, -1, 0)}))
    if hinged:
        model.replace(gs.Body("bead", gs.point_mass(0.5), points={"centre": (0, -1, 0)}))
        model.add(gs.Revolute("arm", "ground", "bead.centre", initial={"angle": -0.1}))
    else:
        place = {"x": float(np.sin(0.1)), "y": float(np.cos(0.1))}
        model.add(gs.Planar("p", "ground", "bead", initial=place))
        model.add(gs.PointOnCurve("hoop", "bead", "ground", ["hypot(x, y) - 1"]))
    return model


@COORDINATES
@pytest.mark.parametrize("hinged", [False, True], ids=["constraint", "joint"])
def test_a_bead_leaves_a_dome(coordinates: str, hinged: bool) -> None:
    """From rest at θ₀, the normal force vanishes where cos θ = ⅔ cos θ₀."""
    force = "arm.reaction.force.x*bead.x + arm.reaction.force.y*bead.y" if hinged else "hoop.force"
    leaves = gs.Event("leaves", force, "falling", gs.Stop())
    tight = gs.DOP853(rtol=1e-12, atol=1e-12)
    run = gs.simulate(gs.formulate(_dome(hinged=hinged), coordinates), 5, events=[leaves], integrator=tight)
    assert [one.event for one in run.events] == ["leaves"]
    assert run["bead.y"].values[-1] == pytest.approx(2 / 3 * np.cos(0.1), abs=1e-10)


@COORDINATES
def test_a_platform_on_two_cranks_lifts_off_its_pins(coordinates: str) -> None:
    """The load of both pins along the cranks vanishes where g cos θ = l θ̇²; θ̇ follows from the energy."""
    platform, crank, start = 3.0, 0.8, 0.1
    model = gs.Model("parallelogram", gravity=(0, -G, 0))
    for i, x in ((1, 0.0), (2, 1.0)):
        model.add(
            gs.Body(
                f"crank{i}",
                mass=crank,
                inertia=(crank / 12, 0, crank / 12),
                points={"foot": (0, -0.5, 0), "head": (0, 0.5, 0)},
            )
        )
        model.add(gs.Revolute(f"a{i}", ("ground", (x, 0, 0)), f"crank{i}.foot", initial={"angle": -start}))
    model.add(gs.Body("platform", mass=platform, inertia=(1, 1, 1), points={"p1": (-0.5, 0, 0), "p2": (0.5, 0, 0)}))
    for i in (1, 2):
        model.add(gs.Revolute(f"b{i}", f"crank{i}.head", f"platform.p{i}", initial={"angle": start}))
    axis = "(crank1.head.{0} - crank1.foot.{0})"
    force = " + ".join(f"(b1.reaction.force.{k} + b2.reaction.force.{k})*{axis.format(k)}" for k in "xy")
    leaves = gs.Event("leaves", force, "falling", gs.Stop())
    tight = gs.DOP853(rtol=1e-12, atol=1e-12)
    run = gs.simulate(gs.formulate(model, coordinates), 5, events=[leaves], integrator=tight)
    assert [one.event for one in run.events] == ["leaves"]
    k = 2 * (platform + crank) / (platform + 2 / 3 * crank)
    assert run["crank1.head.y"].values[-1] == pytest.approx(k * np.cos(start) / (1 + k), abs=1e-9)
