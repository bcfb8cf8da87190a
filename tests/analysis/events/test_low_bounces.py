"""Bounces that become as low as rounding errors: nothing passes through a contact, no impact fails or loses its law."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs


def hanging_rods(a1: float, a2: float) -> gs.Model:
    """Return a double pendulum of two rods, the example of Kane's paradox."""
    model = gs.Model("two rods", gravity=(0, -9.81, 0))
    for name in ("r1", "r2"):
        ends = {"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}
        model.add(gs.Body(name, gs.slender_rod(1.0, 1.0, along="y"), points=ends))
    model.add(gs.Revolute("a1", "ground", "r1.top", initial=a1))
    model.add(gs.Revolute("a2", "r1.tip", "r2.top", initial=a2))
    return model


def plank(tilt: float) -> gs.Model:
    """Return a slender plank in the plane, 1 m above a floor that its ends touch."""
    model = gs.Model("plank", gravity=(0, -9.81, 0))
    model.add(gs.Body("plank", gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "plank", initial={"y": 1.0, "angle": tilt}))
    return model


@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")
@campaign(150, few=(7,))
def test_a_rod_that_bounces_lower_and_lower_stays_above_the_floor(seed: int) -> None:
    draw = np.random.default_rng(seed)
    a1, a2 = draw.uniform(-1.0, 1.0, 2)
    rates = dict(zip(("a1.rate", "a2.rate"), draw.normal(0.0, 3.0, 2), strict=True))
    level = -np.cos(a1) - np.cos(a1 + a2)
    model, method = hanging_rods(a1, a2), [gs.DOP853(), gs.RKF45(), gs.Rodas5P()][seed % 3]
    for law in ("newton", "poisson", "stronge"):
        for mu in (0.2, 0.5, 1.0):
            bounce = gs.Restitution(draw.uniform(0.0, 1.0), friction=mu, law=law)
            floor = gs.Event("hit", f"r2.tip.y - ({level:.17g})", "falling", bounce)
            run = gs.simulate(model, duration=0.3, initial=rates, events=[floor], integrator=method)
            assert run.status.success
            assert (run["r2.tip.y"].values - level).min() > -1e-10
            total = run.energy().total.values
            assert np.diff(total).max() < 1e-7 * np.abs(total).max()


@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")
@pytest.mark.parametrize(
    ("method", "e", "tilt"), [(gs.RKF45(), 0.3, 1e-9), (gs.RKF45(), 0.7, 0.1), (gs.Rodas4(), 0.0, 0.1)]
)
def test_a_plank_that_rests_on_one_end_lands_on_the_other(method: gs.Integrator, e: float, tilt: float) -> None:
    ends = [gs.Event.height(end, f"plank.{end}", action=gs.Restitution(e, friction=0.3)) for end in "ab"]
    run = gs.simulate(plank(tilt), duration=2, events=ends, integrator=method)
    assert run.status.success
    assert not any("reduced" in note for note in run.status.notes)
    assert min(run[f"plank.{end}.y"].values.min() for end in "ab") > -1e-12


def driven_cart() -> gs.Model:
    """Return a cart with a rod below, driven by a motor in a circuit with a controller, on a rail with a soft stop."""
    model = gs.Model("cart", gravity=(0, -9.81, 0))
    model.add(gs.Body("cart", mass=1.0, inertia=(1, 1, 1)))
    ends = {"top": (0, 0.4, 0), "tip": (0, -0.4, 0)}
    model.add(gs.Body("rod", gs.slender_rod(0.5, 0.8, along="y"), points=ends))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", initial=-0.08527311636497786))
    model.add(gs.Revolute("a", "cart", "rod.top", initial=0.20629630010312372))
    model.add(gs.TorsionSpring("spring", "x", stiffness=15.773147575483398, damping=0.35803731480178264))
    model.add(gs.TorsionSpring("stopper", "x", torque="-200*max(x - 0.25, 0)**1.5"))
    model.add(gs.PI("aim", "0.1 - x", proportional=2, integral=3, limits=(-3, 3)))
    model.add(gs.VoltageSource("E", "n1", "g", "2*max(sin(5*t), 0) + aim"))
    model.add(gs.Resistor("R", "n1", "n2", 1.2))
    model.add(gs.Inductor("L", "n2", "n3", 0.05))
    model.add(gs.Motor("M", "n3", "g", "x", 0.5))
    model.add(gs.Datum("g"))
    return model


@pytest.mark.filterwarnings("ignore::gyrostat.program.warning.GyrostatWarning")
def test_an_approach_below_the_accuracy_of_friction_does_not_pass() -> None:
    """The tip slides at 0.03 m/s when its approach is 2e-16 m/s: impulses are less accurate than that."""
    hit = gs.Event("tip", "rod.tip.y + 0.75", "falling", gs.Restitution(0.023928961020837494, friction=0.3))
    methods = (gs.DOP853(1e-10, 1e-11), gs.RKF45(1e-10, 1e-11))
    model = driven_cart()
    runs = [gs.simulate(model, duration=1.5, step=0.05, events=[hit], integrator=method) for method in methods]
    np.testing.assert_allclose(runs[1].q[-1], runs[0].q[-1], atol=1e-8)
