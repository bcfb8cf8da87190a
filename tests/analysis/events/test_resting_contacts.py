"""Contacts that come to rest stay closed until their load vanishes."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from simulations import TIGHT, ball

import gyrostat as gs
from gyrostat.analysis.simulation.accumulation import Accumulation
from gyrostat.program.warning import GyrostatWarning

G = 9.81


def test_a_bouncing_ball_comes_to_rest_and_stays(tmp_path: Path) -> None:
    floor = gs.Event("hit", "ball.z", "falling", gs.Restitution(0.7))
    with pytest.warns(GyrostatWarning, match=r"each interval 0\.7 times the last.*From there the contact rests"):
        run = gs.simulate(ball(), 6, step=0.1, initial={"z": 1.0}, events=[floor])
    assert run.status.outcome is gs.Outcome.COMPLETED
    end = np.sqrt(2 / G) * (1 + 0.7) / (1 - 0.7)
    assert f"accumulate at t = {end:.7g}"[:-1] in run.status.notes[0]
    resting = run.time > end
    assert np.abs(run["z"].values[resting]).max() < 1e-10
    np.testing.assert_allclose(run["z.acc"], np.where(resting, 0.0, -G), atol=1e-12)
    np.testing.assert_allclose(run.at([4.05, 5.55])["z.acc"], 0, atol=1e-12)
    assert np.abs(run.energy().balance).max() < 1e-10
    run.save(tmp_path / "run.nc")
    read = gs.load(tmp_path / "run.nc")
    np.testing.assert_allclose(read.at([0.2, 5.55])["z.acc"], [-G, 0], atol=1e-12)


@pytest.mark.parametrize("restitution", [0.3, 0.7, 0.9])
@pytest.mark.parametrize("method", ["bdf", "adams"])
def test_the_ratio_is_that_of_bounces_that_are_resolved(restitution: float, method: str) -> None:
    """CVODE does not resolve bounces below its tolerance; their intervals are irregular."""
    floor = gs.Event("hit", "ball.z", "falling", gs.Restitution(restitution))
    duration = 1 + np.sqrt(2 / G) * (1 + restitution) / (1 - restitution)
    with pytest.warns(GyrostatWarning, match=rf"each interval {restitution} times the last"):
        gs.simulate(ball(), duration, step=0.1, initial={"z": 1.0}, events=[floor], integrator=gs.CVODE(method=method))


def test_intervals_that_are_no_series_have_no_ratio() -> None:
    accumulation, gaps = Accumulation(1.0), [0.5, 1e-3, *(1e-9 * np.array([7, 5, 6, 1, 4, 2, 3, 1.5]))]
    found = "".join(accumulation.add(["hit"], float(t)) for t in np.cumsum(gaps))
    assert "recurs at shrinking intervals" in found
    assert "times the last" not in found


def test_a_table_that_falls_faster_than_the_ball_releases_it() -> None:
    """Table at A cos wt: the load m (g − A w² cos wt) vanishes where cos wt = g/(A w²); then the ball flies freely."""
    table = gs.Event("table", "ball.z - A*cos(w*t)", "falling", gs.Restitution(0))
    run = gs.simulate(ball(A=0.5, w=5.0), 1.2, step=0.01, initial={"z": 0.5}, events=[table], integrator=TIGHT)
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert len(run.events) == 1
    leaves = (2 * np.pi - np.arccos(G / 12.5)) / 5
    height, speed = 0.5 * np.cos(5 * leaves), -2.5 * np.sin(5 * leaves)
    t = run.time
    rests = (t > run.events[0].time) & (t < leaves)
    np.testing.assert_allclose(run["z"].values[rests], 0.5 * np.cos(5 * t[rests]), atol=1e-12)
    np.testing.assert_allclose(run["z.acc"].values[rests], -12.5 * np.cos(5 * t[rests]), atol=1e-9)
    free = t > leaves
    s = t[free] - leaves
    np.testing.assert_allclose(run["z"].values[free], height + speed * s - 0.5 * G * s**2, atol=1e-11)


def test_a_ball_slides_down_an_incline() -> None:
    model = gs.Model("slide", gravity=(0, -G, 0))
    model.add(gs.Body("ball", gs.sphere(2.0, 0.1)))
    model.add(gs.Planar("p", "ground", "ball", initial={"y": 1.0}))
    slope = gs.Event("slope", "ball.y + ball.x/2", "falling", gs.Restitution(0))
    run = gs.simulate(model, 1.0, step=0.05, events=[slope], integrator=TIGHT)
    lands = np.sqrt(2 / G)
    along = np.array([2.0, -1.0]) / np.sqrt(5)
    speed = G * lands / np.sqrt(5)  # what remains of the speed, along the slope
    s = 1.0 - lands
    way = speed * s + 0.5 * G / np.sqrt(5) * s**2
    np.testing.assert_allclose([run.state["p.x"], run.state["p.y"]], way * along, atol=1e-11)


def _plank(push: str) -> gs.Model:
    model = gs.Model("plank", gravity=(0, -G, 0))
    model.add(gs.Body("plank", gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "plank"))
    model.add(gs.Force("lift", "plank.b", (0, push, 0)))
    return model


def test_a_plank_rests_on_both_ends_and_tilts_about_one() -> None:
    """From t = 0.5 a force of 8 N at one end lifts it; the other rests until the motion takes its load away."""
    events = [gs.Event.height(end, f"plank.{end}", action=gs.Restitution(0.5)) for end in "ab"]
    run = gs.simulate(_plank("where(t > 0.5, 8, 0)"), 0.6, step=0.05, events=events, integrator=TIGHT)
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert not run.events
    assert np.abs(run["plank.a.y"]).max() < 1e-12
    assert np.abs(run["plank.b.y"].values[run.time < 0.51]).max() < 1e-12
    turning = (8.0 - 0.5 * G) * 3  # moment about the end over m l²/3
    assert run.at([0.5 + 1e-9])["p.angle.acc"].item() == pytest.approx(turning, rel=1e-6)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_tilted_plank_comes_to_rest(e: float) -> None:
    events = [gs.Event.height(end, f"plank.{end}", action=gs.Restitution(e)) for end in "ab"]
    with pytest.warns(GyrostatWarning) if e else nullcontext():
        run = gs.simulate(_plank("0"), 4, step=0.05, initial={"p.y": 1.0, "p.angle": 0.1}, events=events)
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert min(run["plank.a.y"].values.min(), run["plank.b.y"].values.min()) > -1e-10
    assert max(abs(run.state[name]) for name in ("p.y", "p.angle", "p.y.rate", "p.angle.rate")) < 1e-10


def test_a_ball_on_a_rope_rests_on_a_floor() -> None:
    """The constraint of the rope and the contact determine both loads."""
    model = gs.Model("rope", gravity=(0, -G, 0))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.01)))
    model.add(gs.Planar("p", "ground", "ball", initial={"x": 1.0}))
    model.add(gs.Distance("rope", "ground", "ball", 1.0))
    floor = gs.Event("floor", "ball.y + 0.8", "falling", gs.Restitution(0))
    run = gs.simulate(model, 2, step=0.1, events=[floor])
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert (run.state["p.x"], run.state["p.y"]) == pytest.approx((0.6, -0.8), abs=1e-9)
    assert run["rope.force"].values[-1] == pytest.approx(0.0, abs=1e-8)


def test_a_ball_that_falls_on_a_resting_one() -> None:
    model = gs.Model("two", gravity=(0, 0, -G))
    for name in "ab":
        model.add(gs.Body(name, gs.sphere(1.0, 0.1)))
        model.add(gs.Prismatic(f"z{name}", "ground", name, axis="z"))
    events = [
        gs.Event("floor", "za", "falling", gs.Restitution(0.4)),
        gs.Event("gap", "zb - za - 0.2", "falling", gs.Restitution(0.4)),
    ]
    with pytest.warns(GyrostatWarning, match="contact rests"):
        run = gs.simulate(model, 3, step=0.05, initial={"zb": 1.2}, events=events)
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert run.events[0].event == "gap"
    assert (run.state["za"], run.state["zb"]) == pytest.approx((0.0, 0.2), abs=1e-10)
    assert run["za"].values.min() > -1e-10


@pytest.mark.parametrize("height", [0.0, -1e-15, -1e-17])
def test_a_method_of_momenta_lets_a_ball_rest(height: float) -> None:
    """GaussLegendre follows no constraints: another method takes its place while the contact is closed."""
    floor = gs.Event("hit", "ball.z", "falling", gs.Restitution(0.5))
    model = ball()
    model.add(gs.Force("lift", "ball", (0, 0, "where(t > 0.5, 2*9.81, 0)")))
    run = gs.simulate(model, 1, step=0.1, initial={"z": height}, events=[floor], integrator=gs.GaussLegendre(step=0.01))
    assert run.status.success
    np.testing.assert_allclose(run["z"].values[:6], 0.0, atol=2e-15)
    assert run["z"].values[-1] == pytest.approx(9.81 * 0.5**2 / 2, rel=1e-9)
    assert np.abs(run.at([0.25, 0.75])["z"].values - [0.0, 9.81 * 0.25**2 / 2]).max() < 1e-9


def test_a_method_of_momenta_lets_bounces_accumulate() -> None:
    floor = gs.Event("hit", "ball.z", "falling", gs.Restitution(0.5))
    with pytest.warns(GyrostatWarning, match="each interval 0.5 times the last.* the contact rests"):
        run = gs.simulate(
            ball(), 2, step=0.1, initial={"z": 0.5}, events=[floor], integrator=gs.GaussLegendre(step=0.01)
        )
    assert run.status.success
    assert run.state["z"] == pytest.approx(0.0, abs=1e-14)
