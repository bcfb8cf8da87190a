"""Conditions of the state in laws: steps end at switches, on all integrators, and runs can be repeated."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from switching_models import falling_ball, slider

import gyrostat as gs
from gyrostat.analysis.simulation.state_switches import StateSwitches, may_switch

ADAPTIVE = (gs.DOP853, gs.RKF45, gs.Rodas5P, gs.CVODE)


def bilinear(t: float) -> float:
    """Return x(t) of ẍ = −x for x > 0, −9 x for x < 0, from x = 1 at rest: half periods π and π/3."""
    t = np.fmod(t + 0.5 * np.pi, 4 * np.pi / 3)
    return float(np.sin(t)) if t < np.pi else float(-np.sin(3 * (t - np.pi)) / 3)


@pytest.mark.parametrize("law", ["where(angle < 0, 1e4*(-angle)**1.5, 0)", "1e4*max(-angle, 0)**1.5"])
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_ball_never_falls_through(law: str, method: type) -> None:
    system = falling_ball(law)
    depth = (9.81 * 1.0 * 2.5 / 1e4) ** 0.4  # without gravity during contact; with it a little more
    for tolerance in 10.0 ** -np.arange(3, 11, 1 if method is gs.DOP853 else 3):
        run = gs.simulate(system, times=np.linspace(0, 3, 301), integrator=method(rtol=tolerance, atol=tolerance))
        assert run.status.success
        assert run.status.switches == 6
        assert -1.1 * depth < run.q.min() < -0.9 * depth


@pytest.mark.parametrize(
    ("method", "order", "largest", "slack"),
    [
        (gs.DOP853, 8, 0.4, 0.5),  # switches lie anywhere in steps, of which there are few
        (gs.RKF45, 5, 0.1, 0.1),
        (gs.Rodas5P, 5, 0.1, 0.1),
        (gs.RK4, 4, 0.1, 0.1),
        (gs.GaussLegendre, 4, 0.2, 0.1),
        (gs.RK2, 2, 0.02, 0.05),
        (gs.Euler, 1, 0.004, 0.05),
    ],
)
def test_the_order_is_kept_over_switches(method: type, order: int, largest: float, slack: float) -> None:
    assert _slope_of_errors(method, order, largest) > order - slack


def test_the_order_is_lost_where_steps_pass_over_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stiffness jumps, so that an error of h³ arises in a step over a switch."""
    monkeypatch.setattr(StateSwitches, "of", staticmethod(lambda *_, **__: None))
    assert _slope_of_errors(gs.RKF45, 5, 0.1) < 3.0


def _slope_of_errors(method: type, order: int, largest: float) -> float:
    """Return the power of the step with which the root mean square of errors falls, over six switches."""
    system, times = slider("-where(angle > 0, 1, 9)*angle"), np.linspace(0, 9.7, 30)
    exact = np.array([bilinear(t) for t in times])
    steps, errors = largest / np.geomspace(1, 4 if order == 8 else 8, 12), []
    for h in steps.tolist():
        run = gs.simulate(system, times=times, initial={"x": 1.0}, integrator=method(step=h))
        errors.append(np.sqrt(np.mean((run.q[:, 0] - exact) ** 2)))
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


@pytest.mark.parametrize("method", [*ADAPTIVE, gs.RK4, gs.GaussLegendre])
def test_all_integrators_agree_with_the_exact_motion(method: type) -> None:
    system = slider("-where(angle > 0, 1, 9)*angle")
    fixed = method in (gs.RK4, gs.GaussLegendre)
    integrator = method(step=2e-3) if fixed else method(rtol=1e-10, atol=1e-11)
    times = np.linspace(0, 12, 50)
    run = gs.simulate(system, times=times, initial={"x": 1.0}, integrator=integrator)
    assert run.status.switches == 6
    assert np.abs(run.q[:, 0] - [bilinear(t) for t in times]).max() < (2e-6 if method is gs.CVODE else 2e-8)


def test_rejected_steps_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    system = slider("-where(angle > 0, 1, 100)*angle - where(angle < -0.05, 50, 0)*(angle + 0.05)")
    locked = gs.simulate(system, times=[0, 30], initial={"x": 1.0}).status
    monkeypatch.setattr(StateSwitches, "of", staticmethod(lambda *_, **__: None))
    unlocked = gs.simulate(system, times=[0, 30], initial={"x": 1.0}).status
    assert locked.rejected < 0.5 * unlocked.rejected
    assert locked.evaluations < 0.5 * unlocked.evaluations


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_zone_shorter_than_a_step_is_noticed(method: type) -> None:
    """A force of 100 N over 1 mm at x = 50 m, passed at 10 m/s within a step: speed √(v² + 2·100·1e-3)."""
    system = slider("where((angle > 50) and (angle < 50.001), 100, 0)")
    run = gs.simulate(system, times=[0, 10], initial={"x.rate": 10.0}, integrator=method(rtol=1e-8, atol=1e-8))
    assert run.status.switches == 2
    assert run.u[-1, 0] == pytest.approx(np.sqrt(100.2), abs=1e-5)


def test_absolute_values_and_dead_zones() -> None:
    """abs(x): ẍ = −|x| falls for ever from x = 0 with growing speed; the dead zone is passed at constant speed."""
    run = gs.simulate(slider("-abs(angle)"), times=[0, 2.0], initial={"x": 1.0})
    after = 2.0 - 0.5 * np.pi  # at x = 0 with speed −1
    assert run.q[-1, 0] == pytest.approx(-np.sinh(after), abs=1e-8)
    run = gs.simulate(slider("-max(angle - 1, 0) + max(-1 - angle, 0)"), times=[0, 0.5 * np.pi + 2], initial={"x": 2.0})
    assert run.q[-1, 0] == pytest.approx(-1.0, abs=1e-8)
    assert run.u[-1, 0] == pytest.approx(-1.0, abs=1e-8)


def test_whole_numbers() -> None:
    """A staircase potential: the load −floor(x) is constant between whole numbers."""
    run = gs.simulate(slider("-floor(angle) + 0*ceil(angle)"), times=[0, 2], initial={"x": 1.5, "x.rate": 1.5})
    reference = solve_ivp(lambda t, y: [y[1], -np.floor(y[0])], (0, 2), [1.5, 1.5], rtol=1e-6, atol=1e-9, max_step=1e-3)
    assert run.q[-1, 0] == pytest.approx(reference.y[0, -1], abs=2e-3)
    energy = 0.5 * run.u[-1, 0] ** 2 + _staircase(run.q[-1, 0])
    assert energy == pytest.approx(0.5 * 1.5**2 + _staircase(1.5), abs=1e-8)


def _staircase(x: float) -> float:
    """Return ∫ floor."""
    n = np.floor(x)
    return float(n * (n - 1) / 2 + n * (x - n))


def test_nested_conditions() -> None:
    law = "where(angle > 0, where(rate > 0, -1, where(angle > 0.5, -2, -3)), min(4, max(1, -10*angle)))"
    run = gs.simulate(slider(law), times=np.linspace(0, 20, 101), initial={"x": 1.0})

    def rates(t: float, y: np.ndarray) -> list[float]:
        x, v = y
        inner = -1 if v > 0 else (-2 if x > 0.5 else -3)
        return [v, inner if x > 0 else min(4, max(1, -10 * x))]

    reference = solve_ivp(rates, (0, 20), [1.0, 0.0], rtol=1e-8, atol=1e-10, max_step=2e-3, t_eval=run.time)
    assert np.abs(reference.y[0] - run.q[:, 0]).max() < 1e-3
    assert run.status.switches > 20


def test_hundreds_of_switching_functions() -> None:
    """A cart over 240 plates, each with its own friction: the work is known."""
    count = 240
    law = " + ".join(f"where((angle > {i}) and (angle < {i + 0.5}), {-(i % 7)}*1e-3, 0)" for i in range(count))
    system = slider(law)
    switches = StateSwitches.of(system, {}, momenta=False)
    assert switches is not None
    assert len(switches.owners) == 2 * count
    run = gs.simulate(system, times=[0, 50], initial={"x": -0.25, "x.rate": 5.0})
    work = sum(-(i % 7) * 1e-3 * (min(run.q[-1, 0], i + 0.5) - i) for i in range(count) if run.q[-1, 0] > i)
    assert run.status.success
    assert 0.5 * run.u[-1, 0] ** 2 == pytest.approx(12.5 + work, abs=1e-7)
    assert run.status.steps < 4 * run.status.switches


@pytest.mark.parametrize("method", [gs.DOP853(), gs.Rodas5P(), gs.RK4(step=0.01), gs.GaussLegendre(step=0.01)])
def test_parts_are_repeated_with_their_modes(method: gs.Integrator, tmp_path) -> None:
    system = slider("6*sin(t) - 5*sign(rate) - 3*angle - 100*max(angle - 0.2, 0)")
    times = np.linspace(0, 10, 201)
    run = gs.simulate(system, times=times, integrator=method)
    assert run.status.switches > 10
    assert np.abs(run.at(times[37::40]).q - run.q[37::40]).max() < 1e-14
    run.save(tmp_path / "run.nc")
    read = gs.load(tmp_path / "run.nc")
    assert read.status == run.status
    assert np.array_equal(read.at(times[37::40]).q, run.at(times[37::40]).q)


def test_pauses_change_no_number() -> None:
    system = slider("6*sin(t) - 5*sign(rate) - 3*angle - 100*max(angle - 0.2, 0)")
    whole = gs.simulate(system, times=[0, 10])
    function = gs.simulate(system, times=[0, 10], most_steps=whole.status.steps)  # chunks of other lengths
    assert np.array_equal(whole.q, function.q)


def test_systems_without_conditions_of_the_state_have_no_switches() -> None:
    smooth = slider("-angle + where(t > 1, 1, 0) + abs(k)", k=-2.0)
    assert not may_switch(smooth, {})
    assert StateSwitches.of(smooth, {}, momenta=False) is None
    assert may_switch(slider("-angle*abs(rate)"), {})


def test_conditions_in_inputs_and_of_other_inputs() -> None:
    model = gs.Model("cart", gravity=(0, 0, 0))
    model.add(gs.Body("cart", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Actuator("push", "x"))
    model.add(gs.TorsionSpring("aid", "x", torque="where(push > 0.5, 1, 0)"))
    system = gs.formulate(model)
    run = gs.simulate(
        system, times=[0, 10], inputs={"push": "where((x > 1) and (x < 1.01), 10, 0)"}, initial={"x.rate": 1.0}
    )
    assert run.u[-1, 0] == pytest.approx(np.sqrt(1 + 2 * 11 * 0.01), abs=1e-7)
    run = gs.simulate(system, times=[0, 10], inputs={"push": "where((t > 5) and (t < 5.01), 1, 0)"})
    assert run.u[-1, 0] == pytest.approx(0.02, abs=1e-9)
    ramp = gs.Table([0, 4, 10], [0, 1, 1])
    run = gs.simulate(system, times=[0, 10], inputs={"push": ramp})
    assert run.u[-1, 0] == pytest.approx(2 + 6 + 8, abs=1e-6)


def test_events_among_switches() -> None:
    system = slider("-where(angle > 0, 1, 9)*angle")
    crossing = gs.Event("middle", when="x", direction="rising")
    turn = gs.Event("turn", when="x.rate")
    run = gs.simulate(system, times=[0, 10], initial={"x": 1.0}, events=[crossing, turn])
    times = [one.time for one in run.at_event("middle")]
    assert times == pytest.approx([np.pi / 2 + np.pi / 3, np.pi / 2 + np.pi / 3 + 4 * np.pi / 3], abs=1e-8)
    turns = [one.time for one in run.at_event("turn")]
    assert turns[:2] == pytest.approx([np.pi / 2 + np.pi / 6, np.pi / 2 + np.pi / 3 + np.pi / 2], abs=1e-8)


def test_a_law_that_leaves_its_domain_is_told() -> None:
    system = slider("where(angle > 2, 1, 0)*rate - sqrt(angle)")
    with pytest.warns(UserWarning, match="leaves its domain|no finite value"):
        run = gs.simulate(system, times=[0, 10], initial={"x": 1.0})
    assert run.status.outcome is gs.Outcome.NON_FINITE
    assert 0.0 <= run.q[-1, 0] < 1e-6


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(), gs.RKF45(), gs.Rodas5P(), gs.CVODE()], ids=lambda i: type(i).__name__
)
def test_conditions_in_rates_of_states_are_watched(integrator: gs.Integrator) -> None:
    """A cart passes a light barrier of 0.1 mm at 1 m/s; a relay holds a state at its level."""
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.State("seen", rate="where((x > 0.5) and (x < 0.5001), 1000, 0)"))
    model.add(gs.State("level", rate="-sign(level - 0.3)"))
    run = gs.simulate(model, duration=2, initial={"x.rate": 1.0}, integrator=integrator)
    assert run["seen"].values[-1] == pytest.approx(0.1, abs=1e-9)
    assert run["level"].values[-1] == pytest.approx(0.3, abs=1e-12)
    assert run.status.switches == 3
    assert run.status.steps < 100
