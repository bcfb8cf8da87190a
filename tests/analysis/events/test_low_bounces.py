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
