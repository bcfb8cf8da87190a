"""Sliding modes: relays and dry friction written as formulas, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case, value
from loop_models import four_bar
from scipy.optimize import brentq
from switching_models import slider

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

METHODS = {
    "DOP853": gs.DOP853(),
    "RKF45": gs.RKF45(rtol=1e-10, atol=1e-11),
    "Rodas5P": gs.Rodas5P(rtol=1e-10, atol=1e-11),
    "CVODE": gs.CVODE(rtol=1e-11, atol=1e-12),
    "RK4": gs.RK4(step=1e-3),
    "GaussLegendre": gs.GaussLegendre(step=1e-3),
}


@pytest.mark.parametrize("name", METHODS)
def test_the_oscillator_with_dry_friction_comes_to_rest(name: str) -> None:
    reference = case("coulomb_friction_oscillator")
    half, rest = value(reference, "half_period"), value(reference, "rest_position")
    times = [0.0, half, 2 * half, 3 * half, 5.0]
    system = slider("-k*angle - mu*g*sign(rate)", k=100.0, mu=0.2, g=9.81)
    run = gs.simulate(system, times=times, initial={"x": 0.105}, integrator=METHODS[name])
    expected = [*value(reference, "turning_points"), rest]
    assert run.q[:, 0] == pytest.approx(expected, abs=5e-9 if name == "CVODE" else 1e-10)
    assert abs(run.u[-1, 0]) < 1e-13
    assert run.status.steps < 6000


@pytest.mark.parametrize("name", METHODS)
def test_a_block_on_an_incline_sticks(name: str) -> None:
    """Static friction holds 0.9 of its limit for 100 s, from v = 0, which is on the switch."""
    system = slider("9.81*sin(25*deg) - 0.52*9.81*cos(25*deg)*sign(rate)")
    integrator = gs.RK4(step=0.1) if name == "RK4" else METHODS[name]
    integrator = gs.GaussLegendre(step=0.1) if name == "GaussLegendre" else integrator
    run = gs.simulate(system, times=[0, 50, 100], integrator=integrator)
    assert run.status.success
    assert np.abs(run.q).max() < 2e-11
    assert np.abs(run.u).max() < 1e-12
    assert run.status.steps < 2000


def test_a_block_is_released_when_the_load_exceeds_the_limit() -> None:
    run = gs.simulate(slider("t - 5*sign(rate)"), times=[0, 4.9, 7, 8])
    assert run.q[:, 0] == pytest.approx([0, 0, 2**3 / 6, 3**3 / 6], abs=1e-8)
    assert run.status.switches == 1


def stick_and_slip(end: float) -> float:
    """Return x of a mass under 6 sin t with dry friction of 5, piece by piece."""
    x, t, level = 0.0, 0.0, np.arcsin(5 / 6)
    while True:
        start = np.pi * np.ceil((t - level) / np.pi) + level  # the load exceeds the friction
        if start >= end:
            return x
        side = 1.0 if np.sin(start) > 0 else -1.0

        def speed(s: float, start: float = start, side: float = side) -> float:
            return float(6 * (np.cos(start) - np.cos(s)) - 5 * side * (s - start))

        stop = brentq(speed, start + 0.5, start + np.pi)
        upto = min(stop, end)
        x += 6 * (np.cos(start) * (upto - start) - np.sin(upto) + np.sin(start)) - 2.5 * side * (upto - start) ** 2
        t = stop
        if upto == end:
            return float(x)


@pytest.mark.filterwarnings("ignore:CVODE restarted")
@pytest.mark.parametrize("name", METHODS)
def test_stick_and_slip_under_a_harmonic_load(name: str) -> None:
    run = gs.simulate(slider("6*sin(t) - 5*sign(rate)"), times=[0, 5, 13, 30], integrator=METHODS[name])
    exact = [0.0, *(stick_and_slip(t) for t in (5.0, 13.0, 30.0))]
    assert run.q[:, 0] == pytest.approx(exact, abs=2e-6 if name == "CVODE" else 2e-8)
    assert run.status.switches == 19


def test_restarts_of_a_multistep_method_are_told() -> None:
    with pytest.warns(GyrostatWarning, match=r"CVODE restarted at order one after each of \d+ switches.*gs\.Rodas5P"):
        gs.simulate(slider("-9*angle - 0.1*sign(rate)"), times=[0, 20], initial={"x": 1.0}, integrator=gs.CVODE())


@pytest.mark.parametrize("name", METHODS)
def test_a_relay_slides_along_its_line(name: str) -> None:
    """From the line x + v = 0 on, x falls like exp(−t)."""
    run = gs.simulate(slider("-2*sign(angle + rate)"), times=[0, 2, 4], initial={"x": 1.0}, integrator=METHODS[name])
    reached = np.sqrt(2) - 1  # 1 − t² − 2 t = 0
    at = 1 - reached**2
    assert run.q[1:, 0] == pytest.approx([at * np.exp(reached - 2), at * np.exp(reached - 4)], abs=2e-8)


@pytest.mark.parametrize("name", ["DOP853", "Rodas5P", "CVODE"])
def test_curved_surfaces_are_not_left(name: str) -> None:
    system = slider("-3*sign(angle + rate + 0.1*angle**3)")
    run = gs.simulate(system, times=np.linspace(0, 5, 51), initial={"x": 1.0}, integrator=METHODS[name])
    q, u = run.q[10:, 0], run.u[10:, 0]
    assert np.abs(q + u + 0.1 * q**3).max() < 1e-8
    assert run.status.steps < 600


def test_several_frictions_stick_and_slip_together() -> None:
    """Five blocks in a row on springs of 10 N/m, friction 1 N each: a pull that grows moves one after the other."""
    model = gs.Model("row", gravity=(0, 0, 0))
    for i in range(5):
        model.add(gs.Body(f"b{i}", gs.sphere(1.0, 0.1)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"b{i}", axis="x"))
        pull = f"10*(x{i - 1} - angle)" if i else "0.01*t - 0*angle"
        back = f" + 10*(x{i + 1} - angle)" if i < 4 else ""
        model.add(gs.TorsionSpring(f"law{i}", f"x{i}", torque=f"{pull}{back} - sign(rate) - 5*rate"))
    run = gs.simulate(model, times=[0, 99, 101, 190, 490], integrator=gs.Rodas5P())
    assert np.abs(run.q[1]).max() < 1e-8  # below 1 N nothing moves
    assert run.q[2, 0] > 1e-5
    assert np.abs(run.q[2, 1:]).max() < 1e-8
    assert run.q[3] == pytest.approx([0.09, 0, 0, 0, 0], abs=5e-3)  # k x = 1.9 − 1
    assert (run.q[4, :4] > 0.01).all()
    assert run.q[4, 4] < 1e-8
    assert run.status.steps < 5000


def test_the_number_of_sliding_modes_has_no_limit() -> None:
    """66 blocks with friction come to rest one after the other, after v²/6 metres."""
    model, count = gs.Model("blocks"), 66
    speeds = 0.5 + 0.01 * np.arange(count)
    for i, speed in enumerate(speeds.tolist()):
        model.add(gs.Body(f"b{i}", gs.point_mass(1.0)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"b{i}", axis="x", initial={"displacement.rate": speed}))
        model.add(gs.TorsionSpring(f"friction{i}", f"x{i}", torque="-3*sign(rate)"))
    run = gs.simulate(model, 0.5, step=0.5)
    assert run.status.success
    assert run.status.switches == count
    np.testing.assert_allclose(run.q[-1], speeds**2 / 6, rtol=1e-10)
    assert np.abs(run.u[-1]).max() < 1e-14


def test_two_frictions_on_one_motion_share_the_load() -> None:
    model = gs.Model("brakes", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("load", "x", torque="4 + 0*rate"))
    model.add(gs.TorsionSpring("first", "x", torque="-3*sign(rate)"))
    model.add(gs.TorsionSpring("second", "x", torque="-3*sign(2*rate + 0*angle)"))
    run = gs.simulate(model, times=[0, 10])
    assert abs(run.q[-1, 0]) < 1e-9


def test_friction_in_a_closed_loop_holds_it() -> None:
    model = four_bar()
    crank = next(name for name in gs.formulate(model).coordinate_names)
    model.add(gs.TorsionSpring("brake", crank, torque="-1000*sign(rate)"))
    run = gs.simulate(model, times=[0, 5, 10], initial={crank: 0.8})
    assert run.status.success
    assert np.abs(run.q - run.q[0]).max() < 1e-9


def test_laws_that_are_not_linear_in_the_switch_are_named() -> None:
    system = slider("-3*sign(rate) + where(rate > 0, 1, 0)*sign(rate)")
    with pytest.warns(GyrostatWarning, match=r"both sides of the conditions in the laws of 'law' lead back.*tanh"):
        run = gs.simulate(system, times=[0, 1])
    assert run.status.outcome is gs.Outcome.NO_MOTION
    assert run.status.steps < 10


def test_switches_that_accumulate_end_the_run() -> None:
    """A relay on the position with dry friction: speeds fall by 1/√3 with each half oscillation, in a finite time."""
    with pytest.warns(GyrostatWarning, match=r"the conditions in the laws of 'law'"):
        run = gs.simulate(slider("-10*sign(angle) - 5*sign(rate)"), times=[0, 20], initial={"x": 1.0})
    assert run.status.outcome in (gs.Outcome.CHATTER, gs.Outcome.NO_MOTION)
    assert run.status.steps < 10_000
    assert abs(run.q[-1, 0]) < 1e-9


def test_events_and_sliding() -> None:
    """A stuck block gets a kick at t = 1 and slides to a stop: s = v²/(2 a)."""
    kick = gs.Event("kick", when="t - 1", action=gs.SetParameter("F", 5.0))
    end = gs.Event("end", when="t - 2", action=gs.SetParameter("F", 1.0))
    run = gs.simulate(slider("F - 3*sign(rate)", F=1.0), times=[0, 1, 2, 10], events=[kick, end])
    assert run.q[:, 0] == pytest.approx([0, 0, 1.0, 1.0 + 2.0**2 / (2 * 2.0)], abs=1e-8)
    assert abs(run.u[-1, 0]) < 1e-13
