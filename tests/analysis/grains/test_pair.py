"""One grain and one contact against analytic results: restitution, energy, friction, rolling."""

import numpy as np
import pytest
from grain_models import DENSITY, G, last_motion, mass_of, two_grains

import gyrostat as gs

RADIUS = 0.05
MASS = mass_of(RADIUS)


def _rebound(normal, *, steps, velocity=1.0):
    """Return the speed after an impact by the speed before, with a step of so many parts of √(m/k)."""
    stiffness = 1e5
    model = two_grains(normal, velocity=velocity, radius=RADIUS, step=np.sqrt(MASS / stiffness) / steps)
    run = gs.simulate(model, 0.04, step=0.02)
    return last_motion(run, "grain")[1][0, 2] / velocity


def test_spring_and_damper_return_the_restitution_of_the_clipped_law():
    zeta = 0.2
    root = np.sqrt(1 - zeta**2)
    exact = np.exp(-zeta / root * (np.pi - np.arctan2(2 * zeta * root, 1 - 2 * zeta**2)))
    law = gs.KelvinVoigt(1e5, 2 * zeta * np.sqrt(1e5 * MASS))
    errors = [abs(_rebound(law, steps=steps) - exact) for steps in (10, 80)]
    assert errors[0] < 0.02
    assert errors[1] < 0.003


@pytest.mark.parametrize("velocity", [0.5, 2.0])
def test_hunt_crossley_returns_its_restitution_at_any_speed(velocity):
    law = gs.HuntCrossley(2e6, restitution=0.6)
    assert _rebound(law, steps=40, velocity=velocity) == pytest.approx(0.6, abs=0.004)


def test_hertz_duration_and_depth_are_those_of_elastic_spheres():
    """Depth (15 m v²/(16 E* √R))^(2/5) and duration 2.9432 depth/v (Hertz 1882; Johnson 1985, section 11.4)."""
    young, nu = 2e8, 0.3
    law = gs.Hertz(young, nu, radii=[RADIUS])
    reduced = young / (1 - nu**2) / 2
    depth = (15 * MASS / (16 * reduced * np.sqrt(RADIUS))) ** 0.4
    run = gs.simulate(two_grains(law, radius=RADIUS, step=1e-6), 0.02, step=1e-5)
    assert float(run["grain.depth"][-1]) * RADIUS == pytest.approx(depth, rel=1e-3)
    touching = float((run["grain.touching"] > 0).mean()) * 0.02
    assert touching == pytest.approx(2.9432 * depth, rel=0.02)
    assert last_motion(run, "grain")[1][0, 2] == pytest.approx(1.0, abs=1e-5)


def test_energy_balance_closes_at_the_order_of_the_step():
    """Kinetic, potential and dissipated energy of a head-on impact of two grains, one of them at rest."""
    residuals = []
    for step in (4e-5, 1e-5):
        model = gs.Model("pair")
        model.add(gs.Grains(
            "pair", RADIUS, DENSITY, [], positions=[(0, 0, 0), (0.103, 0.03, 0)], velocity=(0, 0, 0),
            normal=gs.HuntCrossley(1e5, 1.0, chi=0.3), friction=gs.GranularFriction(0.4, 0.1), step=step,
        ))  # fmt: skip
        model.add(gs.Grains(
            "shot", RADIUS, DENSITY, [], positions=[(0, 0, 0)], normal=gs.KelvinVoigt(1e5),
        ))  # fmt: skip
        run = gs.simulate(model, 1e-3, step=5e-4)
        state = dict(run.motion.grains["pair"].state)
        motion = state["motion"].copy()
        motion[0, 3] = 2.0  # the first grain flies at the second
        run.motion.grains["pair"] = _with_state(run.motion.grains["pair"], {**state, "motion": motion})
        after = gs.simulate(model, 0.02, step=1e-3, initial=run)
        energy = sum(after[f"pair.{part}"] for part in ("kinetic", "potential", "dissipated"))
        assert float(after["pair.dissipated"][-1]) > 0.05 * float(energy[0])
        residuals.append(abs(float(energy[-1] - energy[0])) / float(energy[0]))
    assert residuals[0] < 4e-3
    assert residuals[1] < residuals[0] / 2


def _with_state(record, state):
    return type(record)(
        record.name, record.radii, record.masses, record.times, record.positions, record.velocities, state
    )


def _on_incline(angle, friction):
    """Return the run of a sphere on an incline, from rest."""
    model = gs.Model("incline", gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    depth = MASS * G * np.cos(angle) / 1e5
    model.add(gs.Grains(
        "ball", RADIUS, DENSITY, ["ground"], positions=[(0, 0, RADIUS - depth)],
        normal=gs.KelvinVoigt(1e5, 50.0), friction=friction,
    ))  # fmt: skip
    return gs.simulate(model, 0.5, step=0.1)


def test_sphere_rolls_down_a_rough_incline_with_five_sevenths_of_the_drive():
    x, v, w = last_motion(_on_incline(0.3, gs.GranularFriction(0.5)), "ball")
    assert v[0, 0] == pytest.approx(5 / 7 * G * np.sin(0.3) * 0.5, rel=2e-3)
    assert w[0, 1] * RADIUS == pytest.approx(v[0, 0], rel=5e-3)
    assert x[0, 1] == pytest.approx(0, abs=1e-12)


def test_sphere_slides_where_friction_is_low():
    """Acceleration g (sin − μ cos), angular acceleration 5 μ g cos/(2 R)."""
    _, v, w = last_motion(_on_incline(0.5, gs.GranularFriction(0.05)), "ball")
    assert v[0, 0] == pytest.approx(G * (np.sin(0.5) - 0.05 * np.cos(0.5)) * 0.5, rel=2e-3)
    assert w[0, 1] == pytest.approx(2.5 * 0.05 * G * np.cos(0.5) / RADIUS * 0.5, rel=5e-3)


def test_rolling_resistance_holds_a_sphere_below_its_angle():
    """It holds where tan < μ_r, and above that g cos (tan − μ_r)·5/7 is left."""
    held = last_motion(_on_incline(np.arctan(0.09), gs.GranularFriction(0.5, 0.1)), "ball")
    assert abs(held[1][0, 0]) < 1e-4
    assert 0 < held[0][0, 0] < 2.1 * MASS * G / (2.25 * 1e5 * 0.1)  # the rolling spring and its overshoot
    rolling = last_motion(_on_incline(np.arctan(0.3), gs.GranularFriction(0.5, 0.1)), "ball")
    exact = 5 / 7 * G * np.cos(np.arctan(0.3)) * (0.3 - 0.1) * 0.5
    assert rolling[1][0, 0] == pytest.approx(exact, rel=1e-2)
