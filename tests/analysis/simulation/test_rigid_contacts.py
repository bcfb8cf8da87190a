"""Rigid contacts: modes located as events, loads from accelerations, against closed forms and properties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rigid_contact_models as models

import gyrostat as gs

FINE = gs.DOP853(rtol=1e-11, atol=1e-12)


def times_of(run: gs.Trajectory, event: str) -> np.ndarray:
    return np.array([one.time for one in run.events if one.event == event])


@pytest.mark.parametrize("integrator", [FINE, gs.Rodas5P(rtol=1e-10, atol=1e-11), gs.RK4(step=1e-3)])
def test_a_sliding_ball_begins_to_roll_at_five_sevenths_of_its_speed(integrator: gs.Integrator) -> None:
    run = gs.simulate(models.ball_on_a_floor(0.3), duration=0.5, initial={"p.x.rate": 1.0}, integrator=integrator)
    (rolling,) = times_of(run, "c.stick")
    assert abs(rolling - 2 / (7 * 0.3 * models.G)) < 1e-8
    assert abs(run["p.x.rate"].values[-1] - 5 / 7) < 1e-8
    assert np.allclose(run["c.friction"].values[1], (-0.3 * models.G, 0, 0), atol=1e-9)
    assert np.abs(run["c.sliding"].values[-1]).max() < 1e-11
    assert np.allclose(run["c.force"], models.G)


def test_a_ball_in_space_turns_while_it_slides_and_then_rolls() -> None:
    model = gs.Model("ball", gravity=(0, 0, -models.G))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("p", "ground", "ball", initial={"z": 0.1}))
    model.add(gs.RigidContact("c", "ball", "ground", mu=0.3, shape_b=gs.shapes.Plane()))
    start = {"p.v1": 1.0, "p.v2": 0.4, "p.w1": 3.0, "p.w2": -2.0, "p.w3": 5.0}
    run = gs.simulate(model, duration=1, initial=start, integrator=FINE)
    slip = np.array([1.0 + 0.1 * 2.0, 0.4 + 0.1 * 3.0])  # v + ω × (−r z)
    assert abs(times_of(run, "c.stick")[0] - 2 * np.hypot(*slip) / (7 * 0.3 * models.G)) < 1e-8
    assert np.allclose(run["ball.velocity"].values[-1], [1.0 - 2 / 7 * 1.2, 0.4 - 2 / 7 * 0.7, 0], atol=1e-9)


def test_stick_slip_has_the_period_of_the_closed_form() -> None:
    mu_s, mu, v, k = 0.4, 0.25, 0.2, 10.0
    run = gs.simulate(models.block_on_a_belt(mu_s, mu, v, k), duration=12, integrator=FINE)
    # x − μ g/k = A cos(ω t − φ) in slip, which ends where ẋ = v again; the spring is stretched by v t in stick
    omega, a = np.sqrt(k), (mu_s - mu) * models.G / k
    period = (np.pi + 2 * np.arctan2(v / omega, a)) / omega + 2 * a / v
    slips = times_of(run, "c.slip")
    assert abs(slips[0] - mu_s * models.G / (k * v)) < 1e-9
    assert len(slips) == 4
    assert np.abs(np.diff(slips) - period).max() < 1e-9


def test_a_block_sticks_on_an_incline_and_slides_at_the_exact_acceleration() -> None:
    run = models.simulate_quietly(models.block_on_an_incline(25, 0.5), duration=100)
    assert abs(run["p.x"].values[-1]) < 1e-11
    assert [one.event for one in run.events] == ["l.touch", "r.touch"]
    ratios = [np.abs(run[f"{foot}.friction"].values[:, 0]) / run[f"{foot}.force"].values for foot in "lr"]
    assert np.allclose(ratios, np.tan(np.radians(25)))
    slope = np.radians(35)
    run = models.simulate_quietly(models.block_on_an_incline(35, 0.5), duration=1)
    exact = 0.5 * models.G * (np.sin(slope) - 0.5 * np.cos(slope))
    assert abs(run["p.x"].values[-1] - exact) < 1e-12


def test_friction_at_rest_holds_up_to_its_own_coefficient() -> None:
    model = models.ball_on_a_floor(0.3, mu_static=0.5)
    model.add(gs.Force("pull", "ball", ("t", 0, 0)))
    model.add(gs.Torque("hold", "ball", (0, 0, "0.1*t")))  # keeps the ball from rolling while it sticks
    run = gs.simulate(model, duration=6, integrator=FINE)
    assert abs(times_of(run, "c.slip")[0] - 0.5 * models.G) < 1e-9
    assert abs(run["p.x"].sel(time=4.5, method="nearest")) < 1e-12


def test_a_ball_bounces_by_its_restitution_until_it_rests() -> None:
    run = gs.simulate(models.ball_on_a_floor(0.0, restitution=0.5), duration=4, initial={"p.y": 1.1})
    touches = times_of(run, "c.touch")
    fall = np.sqrt(2 / models.G)
    assert np.abs(touches[:4] - fall * np.array([1, 2, 2.5, 2.75])).max() < 1e-9
    assert abs(touches[-1] - 3 * fall) < 1e-6  # the sum of the series
    assert run["p.y"].values[-1] == pytest.approx(0.1, abs=1e-15)
    assert run["c.gap"].values.min() >= 0.0
    assert abs(run.energy().balance.values).max() < 1e-9


def test_lift_off_is_where_the_load_is_zero() -> None:
    """A ball that rolls frictionless over the top of a cylinder leaves it at cos θ = 2/3."""
    model = gs.Model("top", gravity=(0, -models.G, 0))
    model.add(gs.Body("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), points={"o": (0, 0, 0)}))
    model.add(gs.Planar("p", "ground", "ball", initial={"y": 1.0, "x.rate": 0.01}))
    model.add(gs.RigidContact("c", "ball.o", "ground", shape_b=gs.shapes.Sphere(1.0)))
    run = gs.simulate(model, duration=3, integrator=FINE)
    leave = next(one for one in run.events if one.event == "c.lift_off")
    height = 2 / 3 + 0.01**2 / (3 * models.G)  # v² = v0² + 2 g (1 − y), N = g y − v²
    assert abs(leave.q[1] - height) < 1e-9


def test_a_plank_comes_to_rest_on_two_corners() -> None:
    system = gs.formulate(models.plank("mu", "e"))
    for start in ({"p.angle": 0.0}, {"p.angle": -0.7, "p.x.rate": 1.0}):
        run = models.simulate_quietly(system, duration=5, initial=start, step=0.05)
        assert run.status.success
        assert min(run[f"{end}.gap"].values.min() for end in "ab") > -1e-14
        assert [run[f"{end}.force"].values[-1] for end in "ab"] == pytest.approx([models.G / 2] * 2, abs=1e-9)
        energy = run.energy()
        assert np.diff(energy.total.values).max() < 1e-12
        assert abs(energy.balance.values).max() < 1e-9


def test_indeterminate_loads_of_a_chair_are_named_and_shared() -> None:
    with pytest.warns(match="contacts 'l00', 'l01', 'l10', 'l11' are statically indeterminate"):
        run = gs.simulate(models.chair(), duration=2)
    loads = [run[f"l{i}{j}.force"].values[-1] for i in (0, 1) for j in (0, 1)]
    shift = 10.0 * 0.45 / (2 * 0.4)  # moment of the push about the floor
    mean = 5 * models.G / 4
    assert np.allclose(loads, [mean - shift, mean - shift, mean + shift, mean + shift], atol=1e-6)
    frictions = np.array([run[f"l{i}{j}.friction"].values[-1] for i in (0, 1) for j in (0, 1)])
    assert np.allclose(frictions.sum(axis=0), (-10, 0, 0), atol=1e-9)
    assert np.abs(run["chair"].values[-1] - (0, 0, 0.45)).max() < 1e-11


def test_impacts_pass_through_a_cradle_one_after_the_other() -> None:
    run = gs.simulate(models.cradle(), duration=1, initial={"x0.rate": 1.0})
    assert [(one.event, round(one.time, 12)) for one in run.events] == [
        (f"c{i}.touch", round(0.01 * (i + 1), 12)) for i in range(4)
    ]
    assert [run[f"x{i}.rate"].values[-1] for i in range(5)] == pytest.approx([0, 0, 0, 0, 1], abs=1e-14)


def test_a_woodpecker_has_a_limit_cycle() -> None:
    tight = gs.DOP853(rtol=1e-9, atol=1e-11)
    run = gs.simulate(models.woodpecker(), duration=2.2, integrator=tight, initial={"b.rate": -7.46})
    pecks = times_of(run, "beak.touch")
    periods = np.diff(pecks)
    assert abs(periods[-1] / periods[-2] - 1) < 1e-6
    cycles = [
        [one.event for one in run.events if a <= one.time < b] for a, b in zip(pecks[-3:], pecks[-2:], strict=False)
    ]
    assert cycles[0] == cycles[1]
    assert {"low.stick", "low.slip", "high.touch"} <= set(cycles[0])  # it descends and stops on the way
    energy = run.energy()
    assert np.diff(energy.total.values).max() < 1e-11
    assert min(run[f"{name}.gap"].values.min() for name in ("beak", "low", "high")) > -1e-14


def test_dominoes_fall_one_after_the_other() -> None:
    run = models.simulate_quietly(models.dominoes(3), duration=0.4)
    assert run.status.success
    firsts = [times_of(run, f"h{i}.touch")[0] for i in range(2)]
    assert (np.diff(firsts) > 0.005).all()
    assert np.diff(run.energy().total.values).max() < 1e-13
    assert min(run[name + ".gap"].values.min() for name in run.system.model.forces) > -1e-14


def test_a_box_rests_on_its_face() -> None:
    """Eight corners of a flat shape, four of them closed."""
    run = models.simulate_quietly(models.tumbling_box(), duration=1, initial={"p.z": 0.15}, step=0.5)
    assert run["c.force"].values[-1] == pytest.approx(models.G)
    assert np.allclose(run["c.point"].values[-1], 0, atol=1e-6)
    assert sorted({one.event for one in run.events}) == [f"c.p{i}.touch" for i in (2, 4, 6, 8)] or len(run.events) == 4


def test_loops_keep_closed_while_a_contact_rests() -> None:
    """A hinged rod that rests on its end has half its weight there, in joint and in absolute coordinates."""
    model = gs.Model("arm", gravity=(0, -models.G, 0))
    model.add(gs.Body("arm", gs.slender_rod(2.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Revolute("hinge", "ground", "arm.a", initial=0.3))
    floor = gs.shapes.Plane(along="y", at=(0, -0.2, 0))
    model.add(gs.RigidContact("c", "arm.b", "ground", shape_b=floor))
    for coordinates in ("joint", "absolute"):
        run = gs.simulate(gs.formulate(model, coordinates=coordinates), duration=2)
        assert run["arm.b.y"].values[-1] == pytest.approx(-0.2, abs=1e-12)
        assert run["c.force"].values[-1] == pytest.approx(models.G, abs=1e-9)
        assert np.allclose(run["hinge.force"].values[-1], (0, models.G, 0), atol=1e-9)


def test_outputs_between_and_files_keep_the_modes(tmp_path: Path) -> None:
    run = gs.simulate(models.ball_on_a_floor(0.3), duration=0.5, initial={"p.x.rate": 1.0})
    again = run.at(np.array([0.05, 0.3]))
    assert np.allclose(again["c.friction"].values[:, 0], (-0.3 * models.G, 0), atol=1e-9)
    path = tmp_path / "run.nc"
    run.save(path)
    loaded = gs.load(path)
    assert np.allclose(loaded["c.force"].values, run["c.force"].values)
    assert [one.event for one in loaded.events] == [one.event for one in run.events]
    assert np.allclose(loaded.at(np.array([0.05]))["c.friction"].values[:, 0], -0.3 * models.G)


def test_a_sweep_follows_contacts() -> None:
    model = models.ball_on_a_floor("mu")
    simulation = gs.Simulation(0.5, outputs=["p.x.rate"], initial={"p.x.rate": 1.0})
    result = gs.sweep(model, {"mu": [0.02, 0.3]}, simulation)
    assert np.allclose(result["p.x.rate"].values[:, -1], [1 - 0.02 * models.G * 0.5, 5 / 7], atol=1e-8)


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_an_overlap_at_the_start_is_refused() -> None:
    with pytest.raises(
        gs.StateError, match=r"contact 'c': the surfaces overlap by 0\.05 m\. Move 'ball' out of 'ground'"
    ):
        gs.simulate(models.ball_on_a_floor(), duration=1, initial={"p.y": 0.05})


def test_painleve_is_told_by_name() -> None:
    """A rod that slides on its end with much friction jams: Painlevé's paradox."""
    model = gs.Model("rod", gravity=(0, -models.G, 0))
    model.add(gs.Body("rod", gs.slender_rod(1.0, 2.0, along="x"), points={"tip": (-1, 0, 0)}))
    slope = np.radians(49)  # the tip slides ahead of the mass centre's foot
    start = {"x": np.cos(slope), "y": np.sin(slope), "angle": slope, "x.rate": -1.0}
    model.add(gs.Planar("p", "ground", "rod", initial=start))
    model.add(gs.RigidContact("tip", "rod.tip", "ground", mu=1.6, shape_b=gs.shapes.Plane(along="y")))
    with pytest.raises(gs.StateError, match=r"contact 'tip': no contact loads .* \(Painlevé's paradox\)"):
        gs.simulate(model, duration=1)


@pytest.mark.parametrize("integrator", [gs.CVODE(), gs.GaussLegendre(step=0.01)])
def test_integrators_without_contact_loads_are_refused(integrator: gs.Integrator) -> None:
    with pytest.raises(gs.StateError, match=f"Contact 'c' is rigid.*{type(integrator).__name__}.*Rodas5P"):
        gs.simulate(models.ball_on_a_floor(), duration=1, integrator=integrator)


def test_restitution_of_events_and_switching_laws_are_refused() -> None:
    wall = gs.Event("wall", "ball.x - 1", "rising", gs.Restitution(0.5))
    with pytest.raises(gs.StateError, match="'c' is rigid, and event 'wall' has the action Restitution"):
        gs.simulate(models.ball_on_a_floor(), duration=1, events=[wall])
    model = models.ball_on_a_floor()
    model.add(gs.TorsionSpring("stop", "p.x", torque="100*max(angle - 1, 0)"))
    with pytest.raises(gs.StateError, match="law of 'stop' has conditions of the state"):
        gs.simulate(model, duration=1)


def test_contact_loads_cannot_be_given() -> None:
    with pytest.raises(gs.StateError, match=r"'c\.normal' follows from the equations of motion"):
        gs.simulate(models.ball_on_a_floor(), duration=1, inputs={"c.normal": 1.0})
    assert "inputs" not in str(gs.formulate(models.ball_on_a_floor()))


def test_impacts_in_models_with_states() -> None:
    """A state variable beside a ball that drops: its impact did not know the state, and the run ended there."""
    model = gs.Model("ball", gravity=(0, -9.81, 0))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Planar("p", "ground", "ball", initial={"y": 0.4}))
    model.add(gs.RigidContact("soil", "ball", "ground", mu=0.3, restitution=0.5, shape_b=gs.shapes.Plane(along="y")))
    model.add(gs.State("lagged", "p.y - lagged", initial=1.0))
    run = gs.simulate(model, duration=0.3, step=0.1)
    assert run.status.success
    fall = np.sqrt(2 * 0.3 / 9.81)
    assert run.state["p.y.rate"] == pytest.approx(0.5 * 9.81 * fall - 9.81 * (0.3 - fall), rel=1e-9)
