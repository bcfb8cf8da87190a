"""Simulations of blocks against closed forms, published numbers and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from block_models import block_on_a_slide, motor_servo
from cases import at_times, case
from scipy.integrate import simpson
from scipy.signal import lsim

import gyrostat as gs

TIGHT = gs.DOP853(rtol=1e-11, atol=1e-12)


def test_a_servo_with_a_motor_and_pi_control() -> None:
    motion = gs.simulate(motor_servo(), times=[0, 1, 2], integrator=TIGHT)
    names = ("a", "a.rate", "controller.integral", "motor.current")
    found = [float(motion[name][-1]) for name in names]
    np.testing.assert_allclose(found, [0.60040675, -0.00137846, 0.03335489, 0.55435436], atol=6e-9)
    voltage = 8 * (0.6 - motion["a"].values) + 20 * motion["controller.integral"].values
    np.testing.assert_allclose(motion["controller"], voltage, rtol=1e-12)
    np.testing.assert_allclose(motion["motor.voltage"], voltage, rtol=1e-12)
    np.testing.assert_allclose(motion["motor.torque"], motion["motor.current"], rtol=1e-14)
    np.testing.assert_allclose(motion["motor.power"], motion["motor.current"] * motion["a.rate"], rtol=1e-14)
    assert motion["controller"].attrs["units"] == "V"


def test_the_energy_account_of_a_motor() -> None:
    motion = gs.simulate(motor_servo(), duration=0.2, step=1e-4, integrator=TIGHT)
    account, i = motion.energy(), motion["motor.current"].values
    assert np.abs(account["balance"]).max() < 1e-10
    np.testing.assert_allclose(account["stored"].sel(store="motor"), 0.5 * 0.002 * i**2, rtol=1e-12)
    supplied = simpson(motion["motor.voltage"].values * i, x=motion.time)
    assert float(account["supplied"].sel(supplier="motor")[-1]) == pytest.approx(supplied, rel=1e-6)
    lost = simpson(1.2 * i**2, x=motion.time)
    assert float(account["dissipated"].sel(damper="motor")[-1]) == pytest.approx(lost, rel=1e-6)


def test_step_response_of_a_dc_motor() -> None:
    known = case("dc_motor_step")
    model = gs.Model("motor", parameters=dict(known["parameters"]))
    model.add(gs.Body("rotor", mass=1, inertia=("J", "J", "J")))
    model.add(gs.Revolute("shaft", "ground", "rotor"))
    model.add(gs.DCMotor("motor", "shaft", "R", "L", "Kt", voltage="U"))
    model.add(gs.TorsionSpring("bearing", "shaft", damping="b"))
    expected = at_times(known, "i,omega")
    motion = gs.simulate(model, times=[0, *expected], integrator=TIGHT)
    found = np.column_stack([motion["motor.current"], motion["shaft.rate"]])[1:]
    np.testing.assert_allclose(found, list(expected.values()), rtol=1e-9)


def test_stick_slip_with_lugre_friction() -> None:
    law = gs.LuGre(mu=1, mu_static=1.5, stiffness=1e5, damping=316.2, speed=1e-3, viscous=0.4)
    pull = gs.TorsionSpring("pull", "x", torque="2*(0.1*t - angle)")
    model = block_on_a_slide(pull, gs.JointFriction("friction", "x", law))
    motion = gs.simulate(model, times=[0, 5, 10, 15, 20], integrator=gs.Rodas5P(rtol=1e-8, atol=1e-12))
    expected = [1.64591888e-5, 0.627583186, 0.918279280, 1.27259660]
    np.testing.assert_allclose(motion["x"].values[1:], expected, rtol=6e-9)


def test_bristles_hold_under_vibration_where_lugre_drifts_and_coulomb_creeps() -> None:
    coefficients = {"mu": 3.5, "mu_static": 5.0, "stiffness": 1e6, "damping": 2000.0, "speed": 0.05}
    shaken = gs.TorsionSpring("load", "x", torque="5*(0.6 + 0.2*sin(20*pi*t))")
    travelled = {}
    for law in (gs.Bristle(**coefficients), gs.LuGre(**coefficients), gs.Coulomb(5.0, 1e-3)):
        model = block_on_a_slide(shaken, gs.JointFriction("f", "x", law))
        initial = {"f.bristle": 3e-6} if law.has_bristle else {}
        motion = gs.simulate(
            model, times=[0, 2, 4], integrator=gs.Rodas5P(rtol=1e-8, atol=1e-12), initial={"x": 0.0, **initial}
        )
        travelled[type(law).__name__] = float(motion["x"][-1] - motion["x"][-2])
    assert abs(travelled["Bristle"]) < 1e-11
    assert travelled["LuGre"] > 1e-7
    assert 1e-3 < travelled["Coulomb"] < 4e-3


def test_regularised_coulomb_friction_creeps_with_the_speed_of_its_smoothing() -> None:
    load, friction = gs.TorsionSpring("load", "x", torque=0.3), gs.JointFriction("f", "x", gs.Coulomb(0.5, 1e-4))
    motion = gs.simulate(block_on_a_slide(load, friction), times=[0, 10, 20], integrator=gs.Rodas5P())
    speed = 1e-4 * 0.3 / math.sqrt(0.5**2 - 0.3**2)
    assert float(motion["x"][2] - motion["x"][1]) == pytest.approx(10 * speed, rel=1e-6)
    account = motion.energy()
    kept = 0.5 * float(motion["x.rate"][-1]) ** 2
    lost = float(account["dissipated"].sel(damper="f")[-1])
    assert lost == pytest.approx(0.3 * float(motion["x"][-1]) - kept, rel=1e-7)


def test_pid_against_its_closed_form() -> None:
    model = block_on_a_slide(gs.PID("u", "1 + 2*t", 3, 4, 0.5, 0.1, initial=0.2, initial_filtered=0.4))
    motion = gs.simulate(model, duration=2, step=0.25, integrator=TIGHT)
    t = motion.time
    filtered = 1 + 2 * (t - 0.1) + (0.4 - 0.8) * np.exp(-t / 0.1)
    expected = 3 * (1 + 2 * t) + 4 * (0.2 + t + t**2) + 0.5 * (1 + 2 * t - filtered) / 0.1
    np.testing.assert_allclose(motion["u"], expected, rtol=1e-9)
    np.testing.assert_allclose(motion["u.filtered"], filtered, rtol=1e-9)


def test_a_controller_at_its_limit_does_not_wind_up() -> None:
    model = block_on_a_slide(gs.PI("u", "1 - 2*(t > 3)", 2, 5, limits=(-3, 3)), gs.PI("free", "1", 2, 5))
    motion = gs.simulate(model, duration=4, step=0.01, integrator=TIGHT)
    t, u = motion.time, motion["u"].values
    assert (np.abs(u) <= 3).all()
    before = t <= 3
    limit = (t >= 0.2) & before  # where 2 + 5 ∫ passes 3; then 5 ∫′ = 5 + (3 − 2 − 5 ∫) 5/2
    settled = 1 / 5 + 2 / 5 * (1 - np.exp(-2.5 * (t - 0.2)))
    np.testing.assert_allclose(motion["u.integral"].values[limit], settled[limit], rtol=1e-7)
    np.testing.assert_allclose(motion["free.integral"], t, rtol=1e-9)
    leaves = float(t[(t > 3) & (u < 3)][0])
    assert leaves == pytest.approx(3.01, abs=1e-9)


@pytest.mark.parametrize(
    ("numerator", "denominator"),
    [((2, 1, 5), (1, 2, 5, 6)), ((2, 1, 5), (2, 2, 5)), ((0, 3), (1, 4)), ((3,), (2,))],
    ids=["strictly proper", "feedthrough", "leading zero", "gain"],
)
def test_transfer_functions_against_scipy(numerator: tuple[float, ...], denominator: tuple[float, ...]) -> None:
    model = block_on_a_slide(gs.TransferFunctionBlock("y", "t*sin(3*t)", numerator, denominator))
    motion = gs.simulate(model, duration=2, step=0.1, integrator=TIGHT)
    t = np.linspace(0, 2, 4001)
    if len(denominator) == 1:
        expected = np.polyval(numerator, 0) / denominator[0] * t * np.sin(3 * t)
    else:
        _, expected, _ = lsim((np.trim_zeros(numerator, "f"), denominator), t * np.sin(3 * t), t)
    np.testing.assert_allclose(motion["y"], expected[::200], atol=1e-6)


def test_a_state_space_block_is_its_transfer_function() -> None:
    block = gs.StateSpaceBlock(
        "s", ("sin(3*t)", "t"), [[0, 1], [-5, -2]], [[0, 0], [1, 0]], [[5, 1], [0, 0]], [[0, 0], [0, 3]]
    )
    model = block_on_a_slide(block, gs.TransferFunctionBlock("y", "sin(3*t)", (1, 5), (1, 2, 5)))
    motion = gs.simulate(model, duration=2, step=0.1, integrator=TIGHT)
    np.testing.assert_allclose(motion["s.y1"], motion["y"], atol=1e-10)
    np.testing.assert_allclose(motion["s.y2"], 3 * motion.time, rtol=1e-14)


def test_a_rate_limiter_rises_falls_and_settles() -> None:
    model = block_on_a_slide(gs.RateLimiter("y", "where(t < 2, 1, 0)", 0.8, 0.01, falling=0.5))
    motion = gs.simulate(model, times=[0, 0.5, 1.0, 2.0, 3.0, 4.5], integrator=TIGHT)
    assert motion["y"].values[:3] == pytest.approx([0, 0.4, 0.8], rel=1e-9)
    assert motion["y"].values[3:] == pytest.approx([1, 0.5, 0], abs=1e-9)


def test_a_lag_answers_a_step() -> None:
    motion = gs.simulate(
        block_on_a_slide(gs.Lag("y", "2", 0.5, gain=3, initial=1)), duration=1, step=0.5, integrator=TIGHT
    )
    np.testing.assert_allclose(motion["y"], 6 - 5 * np.exp(-motion.time / 0.5), rtol=1e-9)


def test_events_and_actuators_see_outputs_of_blocks() -> None:
    model = block_on_a_slide(gs.PI("u", "1 - x", 4, 1), gs.Actuator("push", "x"), gs.TorsionSpring("d", "x", damping=3))
    event = gs.Event("full", "u - 3.8")
    motion = gs.simulate(model, duration=2, inputs={"push": "u"}, events=[event], integrator=TIGHT)
    (happened,) = [one for one in motion.events if one.event == "full"][:1]
    found = 4 * (1 - happened.q[0]) + happened.z[0]
    assert found == pytest.approx(3.8, abs=1e-9)
