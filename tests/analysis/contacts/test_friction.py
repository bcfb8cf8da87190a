"""Friction in contacts: sticking without creep, stopping where Coulomb says, and from sliding to rolling."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from cases import case, value
from contact_models import GRAVITY, RADIUS, floor, sliding_block

import gyrostat as gs
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.friction import FrictionLaw

SLOPE = np.deg2rad(25)
LOAD = GRAVITY * np.cos(SLOPE)
SIGMA = 1e5 / LOAD, 2 * np.sqrt(1e5) / LOAD
STIFF = gs.Rodas5P(1e-7, 1e-10)


def bristle(mu: float, mu_static: float) -> gs.Bristle:
    """Return a law with 1e5 N/m, critically damped for 1 kg under the load on the incline."""
    return gs.Bristle(mu, mu_static, *SIGMA, 0.05, damping_speed=0.05)


@cache
def block() -> gs.System:
    return sliding_block(bristle(0.35, 0.5), SLOPE)


def test_a_block_in_equilibrium_on_an_incline_stays_for_a_thousand_seconds() -> None:
    at_rest = gs.equilibrium(block(), guess={"z": 0.01 - LOAD / 1e6})
    assert at_rest["z"] == pytest.approx(0.01 - LOAD / 1e6, rel=1e-12)
    assert abs(at_rest["x"]) < 1e-3
    motion = gs.simulate(block(), duration=1000, step=10, initial=at_rest, integrator=STIFF)
    assert np.abs(motion["x"].values - motion["x"].values[0]).max() < 1e-9
    holding = value(case("block_on_incline"), "holding_friction_force")
    assert motion["c.friction"].values[-1, 0] == pytest.approx(holding, rel=1e-9)


def test_a_block_thrown_uphill_stops_and_sticks() -> None:
    found = case("block_on_incline")
    initial = {"z": 0.01 - LOAD / 1e6, "x.rate": 3.0}
    motion = gs.simulate(block(), duration=50, step=0.5, initial=initial, integrator=STIFF)
    x = motion["x"].values
    # below Stribeck's speed friction rises, and the bristles give by their deflection: both shorten the way
    assert x[1] == pytest.approx(value(found, "stop_distance"), abs=3e-4)
    assert np.abs(x[2:] - x[2]).max() < 1e-10
    account = motion.energy()
    assert np.abs(account.balance).max() < 1e-4 * account.total.values[0]


def test_bristles_do_not_drift_under_a_load_that_vibrates_below_the_limit() -> None:
    limit = 0.5 * GRAVITY
    law = gs.Bristle(0.35, 0.5, 1e5 / GRAVITY, 2 * np.sqrt(1e5) / GRAVITY, 0.05)
    system = sliding_block(law, 0.0, push=f"{limit}*(0.8 + 0.15*sin(20*pi*t))")
    initial = {"z": 0.01 - GRAVITY / 1e6, "c.bristle.x": 0.8 * limit / 1e5}
    motion = gs.simulate(system, duration=20, step=0.01, initial=initial, integrator=STIFF)
    means = motion["x"].values[:2000].reshape(200, 10).mean(axis=1)  # over whole periods
    assert abs(means[-1] - means[10]) < 2e-5


def test_an_oscillator_with_friction_turns_where_coulomb_says() -> None:
    found = case("coulomb_friction_oscillator")
    given = found["parameters"]
    sigma = 1e7 / GRAVITY, 2 * np.sqrt(1e7) / GRAVITY
    law = gs.Bristle(given["mu_k"], given["mu_s"], *sigma, 0.05, damping_speed=0.01)
    system = sliding_block(law, 0.0, push=f"-{given['k']}*x")
    start = given["mu_k"] * GRAVITY / 1e7
    initial = {"x": found["initial_conditions"]["x"], "z": 0.01 - GRAVITY / 1e6, "c.bristle.x": -start}
    motion = gs.simulate(
        system, duration=1.5, step=0.1, initial=initial, integrator=gs.Rodas5P(1e-8, 1e-12),
        events=[gs.Event("turn", "x.rate", "both")],
    )  # fmt: skip
    turns = motion.at_event("turn")
    points, half = value(found, "turning_points"), value(found, "half_period")
    for k, expected in ((1, points[1]), (2, points[2])):
        near = [one.q[0] for one in turns if abs(one.time - k * half) < 0.05 * half]
        assert near[0] == pytest.approx(expected, abs=2e-5)
    assert motion["x"].values[-1] == pytest.approx(value(found, "rest_position"), abs=5e-5)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("turn", [0.0, 0.8])
def test_a_ball_that_slides_ends_up_rolling(coordinates: str, turn: float) -> None:
    model = gs.Model("ball", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("f", "ground", "ball"))
    law = gs.Bristle(0.3, 0.3, 1e4, 100, 0.05, damping_speed=0.05)
    model.add(gs.Contact("c", "ball", "ground.floor", gs.HuntCrossley(1e7, restitution=0.3), law))
    sunk = (GRAVITY / 1e7) ** (2 / 3)
    way = np.array([np.cos(turn), np.sin(turn)])
    initial = {"f.z": 0.1 - sunk, "f.v1": 2.0 * way[0], "f.v2": 2.0 * way[1]}
    motion = gs.simulate(gs.formulate(model, coordinates), duration=1.2, step=0.1, initial=initial, integrator=STIFF)
    velocity, sliding = motion["ball.velocity"].values[-1], motion["c.sliding"].values[-1]
    arm = 0.1 - sunk / 2  # friction acts between the surfaces
    assert velocity[:2] @ way == pytest.approx(2.0 / (1 + 0.4 * (0.1 / arm) ** 2), rel=1e-5)
    assert abs(velocity[0] * way[1] - velocity[1] * way[0]) < 1e-9
    assert np.linalg.norm(sliding) < 1e-4
    assert np.linalg.norm(motion["c.friction"].values[1]) == pytest.approx(0.3 * GRAVITY, rel=1e-3)


def test_friction_of_an_oblique_impact_has_the_impulse_of_sliding() -> None:
    # bristles begin as in steady sliding: those left from before are undone, and none has to be built up
    system = sliding_block(bristle(0.35, 0.35), 0.0)
    motion = gs.simulate(
        system, duration=0.22, step=0.05, initial={"z": 0.15, "x.rate": 5.0, "c.bristle.x": -1e-3}, integrator=STIFF
    )
    assert motion.status.switches == 2
    vx, vz = motion.u[-1]
    down = np.sqrt(2 * GRAVITY * (0.15 - 0.01))
    up = vz + GRAVITY * (0.22 - down / GRAVITY)  # at lift-off
    assert (5.0 - vx) / (up + down) == pytest.approx(0.35, rel=2e-3)


def test_regularised_friction_creeps_as_its_documentation_says() -> None:
    mu, w, load = 0.5, 1e-3, GRAVITY * np.sin(SLOPE)
    system = sliding_block(gs.Coulomb(mu, w), SLOPE)
    motion = gs.simulate(system, duration=20, step=1, initial={"z": 0.01 - LOAD / 1e6}, integrator=STIFF)
    creep = w * load / np.sqrt((mu * LOAD) ** 2 - load**2)
    assert motion["x"].values[-1] - motion["x"].values[10] == pytest.approx(-10 * creep, rel=1e-3)


def test_rolling_resistance_stops_a_rolling_ball() -> None:
    model = gs.Model("ball", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("f", "ground", "ball"))
    law = gs.Bristle(0.3, 0.3, 1e4, 100, 0.05, damping_speed=0.05)
    resistance = gs.RollingResistance(2e-3, speed=1e-3)
    normal = gs.HuntCrossley(1e7, restitution=0.3)
    model.add(gs.Contact("c", "ball", "ground.floor", normal, law, rolling=resistance))
    sunk = (GRAVITY / 1e7) ** (2 / 3)
    initial = {"f.z": 0.1 - sunk, "f.v1": 1.0, "f.w2": 10.0}
    motion = gs.simulate(model, duration=1.0, step=0.1, initial=initial, integrator=STIFF)
    # m a = −F, 2/5 m r² α = F r − N ρ, a = α r
    expected = -GRAVITY * 2e-3 / 0.1 / 1.4
    assert motion["ball.velocity"].values[-1, 0] - 1.0 == pytest.approx(expected, rel=2e-3)


def test_a_braked_ball_rolls_steadily_with_micro_slip() -> None:
    mu, w, brake, speed = 0.3, 0.01, 0.05, 2.0
    model = gs.Model("ball", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Body("guide", mass=0))
    model.add(gs.Body("hub", mass=0))
    model.add(gs.Prismatic("x", "ground", "guide", axis="x"))
    model.add(gs.Prismatic("z", "guide", "hub", axis="z", initial=0.1 - GRAVITY / 1e6))
    model.add(gs.Revolute("spin", "hub", "ball", axis="y"))
    model.add(gs.Contact("c", "ball", "ground.floor", gs.HuntCrossley(1e6, 1, chi=2.0), gs.Coulomb(mu, w)))
    model.add(gs.Torque("brake", "ball", (0, -brake, 0), reaction="ground"))
    model.add(gs.Input("pull"))
    model.add(gs.Force("drag", "hub", ("pull", 0, 0)))
    system, asked = gs.formulate(model), ["spin.rate", "pull"]
    point = gs.steady_motion(system, {"x.rate": speed}, solve_for=asked, guess={"spin.rate": speed / 0.1})
    arm = 0.1 - 0.5 * GRAVITY / 1e6
    force, limit = brake / arm, mu * GRAVITY
    slip = w * force / np.sqrt(limit**2 - force**2)
    assert point.inputs["pull"] == pytest.approx(force, rel=1e-9)
    assert speed - point["spin.rate"] * arm == pytest.approx(slip, rel=1e-6)
    decay = limit * w**2 / (slip**2 + w**2) ** 1.5 * (1 + 2.5 * (arm / 0.1) ** 2)
    assert np.linalg.eigvals(gs.linearize(system, point).A).real.min() == pytest.approx(-decay, rel=1e-6)


def test_bristles_that_stick_are_springs_in_a_linear_model() -> None:
    at_rest = gs.equilibrium(block(), guess={"z": 0.01 - LOAD / 1e6})
    found = np.linalg.eigvals(gs.linearize(block(), at_rest).A)
    for expected in np.roots([1.0, 2 * np.sqrt(1e5), 1e5]):  # critically damped: a double root
        assert np.abs(found - expected).min() < 1e-2 * abs(expected)


def _thrown_ball(normal: NormalLaw, friction: FrictionLaw) -> gs.Model:
    model = gs.Model("ball", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("guide", mass=0))
    model.add(gs.Body("ball", gs.sphere(1.0, RADIUS)))
    model.add(gs.Prismatic("x", "ground", "guide", axis="x"))
    model.add(gs.Prismatic("z", "guide", "ball", axis="z"))
    model.add(gs.Contact("c", "ball", "ground.floor", normal, friction))
    return model


def test_bristles_under_a_damper_that_jumps_at_touch_bring_no_energy() -> None:
    bristle = gs.Bristle(0.3, 0.4, stiffness=1e4, damping=30, speed=0.05, damping_speed=0.05)
    model = _thrown_ball(gs.KelvinVoigt(1e5, 50), bristle)
    motion = gs.simulate(model, 0.5, step=5e-4, initial={"z": 0.5, "x.rate": 3.0}, integrator=gs.Rodas5P(1e-10, 1e-13))
    assert motion["c.force"].values.max() > 500
    assert np.abs(motion.energy().balance).max() < 1e-8


@pytest.mark.parametrize(
    "friction", [gs.Coulomb(0.5, 0.01), gs.Bristle(0.3, 0.4, stiffness=1e4, damping=30, speed=0.05)]
)
def test_a_formula_that_pulls_is_no_load_of_friction(friction: FrictionLaw) -> None:
    model = _thrown_ball(gs.NormalFormula("-100*gap"), friction)
    motion = gs.simulate(model, 0.5, step=0.01, initial={"z": 0.12, "x.rate": 1.0}, integrator=gs.Rodas5P(1e-8, 1e-10))
    pulled = motion["c.gap"].values > 0
    assert pulled.sum() > 4
    np.testing.assert_array_equal(np.abs(motion["c.friction"].values[pulled, 0]), 0)
    assert motion["x.rate"].values.max() <= 1.0
    assert motion["x.rate"].values[-1] < 0.95
