"""Outputs while conditions of laws slide: dry friction holds a block with the force that balances its load."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from loop_models import four_bar

import gyrostat as gs

METHODS = {
    "DOP853": gs.DOP853(),
    "Rodas5P": gs.Rodas5P(rtol=1e-9, atol=1e-10),
    "CVODE": gs.CVODE(rtol=1e-10, atol=1e-11),
}
MASS, INCLINE = 3.0, np.radians(25)
HOLDING = -MASS * 9.81 * np.sin(INCLINE)
"""The friction that holds the block."""


def incline(friction: str = "-mu*m*g*cos(incline)*sign(rate)") -> gs.Model:
    """Return a block on an inclined plane along x, under gravity g."""
    parameters = {"m": MASS, "g": 9.81, "mu": 0.52, "incline": INCLINE}
    model = gs.Model("incline", gravity=("g*sin(incline)", "-g*cos(incline)", 0), parameters=parameters)
    model.add(gs.Body("block", gs.sphere("m", 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("friction", "x", torque=friction))
    return model


def pulled(law: str = "-5*sign(rate)") -> gs.Model:
    """Return a mass on a spring that a harmonic load moves now and then against dry friction of 5 N."""
    model = gs.Model("pulled", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", stiffness=0.5))
    model.add(gs.TorsionSpring("load", "x", torque="6*sin(t) + 0*angle"))
    model.add(gs.TorsionSpring("friction", "x", torque=law))
    return model


@pytest.mark.parametrize("name", METHODS)
def test_friction_holds_a_block_on_an_incline(name: str) -> None:
    run = gs.simulate(incline(), duration=2, step=0.1, integrator=METHODS[name])
    assert run["friction.force"].values == pytest.approx(HOLDING, rel=1e-9)
    assert np.abs(run["x.acc"].values).max() < 1e-9
    between = run.at([0.0, 0.123, 1.0, 2.0])
    assert between["friction.force"].values == pytest.approx(HOLDING, rel=1e-9)
    # the plane takes the weight across it; the friction is a load of the joint's coordinate, part of its reaction
    assert run["x.reaction.force"].values[-1] == pytest.approx([HOLDING, MASS * 9.81 * np.cos(INCLINE), 0], abs=1e-8)


@pytest.mark.filterwarnings("ignore:CVODE restarted")
@pytest.mark.parametrize("name", METHODS)
def test_stick_and_slip_in_outputs_and_energy(name: str, tmp_path: Path) -> None:
    run = gs.simulate(pulled(), duration=20, step=0.05, integrator=METHODS[name])
    force, acceleration = run["friction.force"].values, run["x.acc"].values
    total = 6 * np.sin(run.time) - 0.5 * run.q[:, 0] + force
    assert acceleration == pytest.approx(total, abs=1e-9)
    sticks = np.abs(run.u[:, 0]) < 1e-9
    assert 50 < sticks.sum() < 350
    assert np.abs(force).max() <= 5 + 1e-9
    assert np.abs(acceleration[sticks]).max() < 1e-6
    assert np.abs(force[~sticks]) == pytest.approx(5.0, abs=1e-12)
    energy = run.energy()
    exchanged = np.abs(np.diff(energy.kinetic.values)).sum()
    assert run.status.switches > 10
    assert np.abs(energy.balance.values).max() < 1e-6 * exchanged
    again = run.at(run.time)
    tolerance = 1e-6 if name == "CVODE" else 1e-12  # a multistep method is not repeated exactly
    assert again["friction.force"].values == pytest.approx(force, abs=tolerance)
    run.save(tmp_path / "run.nc")
    loaded = gs.load(tmp_path / "run.nc")
    assert np.array_equal(loaded["friction.force"].values, force)
    assert np.array_equal(loaded["x.acc"].values, acceleration)
    assert np.array_equal(loaded.at(run.time[3:9])["x.acc"].values, run.at(run.time[3:9])["x.acc"].values)


def test_inputs_that_stick_have_the_value_that_holds() -> None:
    model = pulled("0*angle")
    model.add(gs.Actuator("motor", "x"))
    by_input = gs.simulate(model, duration=3, step=0.1, inputs={"motor": "-5*sign(x.rate)"})
    by_law = gs.simulate(pulled(), duration=3, step=0.1)
    assert by_input["motor"].values == pytest.approx(by_law["friction.force"].values, abs=1e-9)
    assert by_input["x.acc"].values == pytest.approx(by_law["x.acc"].values, abs=1e-9)


def test_conditions_may_change_with_events() -> None:
    """Inputs with another number of conditions from t = 1 on, and an end by an event while the block sticks."""
    model = pulled("0*angle")
    model.add(gs.Actuator("motor", "x"))
    change = gs.Event("change", when="t - 1", action=gs.SetInput("motor", "-3*sign(x.rate) - 4*sign(x.rate + 0*x)"))
    stop = gs.Event("stop", when="t - 2.05", action=gs.Stop())
    run = gs.simulate(model, duration=3, step=0.1, inputs={"motor": "-7*sign(x.rate)"}, events=[change, stop])
    assert run.time[-1] == pytest.approx(2.05)
    assert run["motor"].values == pytest.approx(-6 * np.sin(run.time), abs=1e-8)
    assert np.abs(run["x.acc"].values).max() < 1e-8


def test_sweeps_measure_the_force_that_holds() -> None:
    simulation = gs.Simulation(0.5, step=0.1, outputs=("last(friction.force)", "x.acc"))
    found = gs.sweep(incline(), {"mu": [0.6, 0.8]}, simulation, workers=1)
    assert found["last(friction.force)"].values == pytest.approx(HOLDING, rel=1e-9)
    assert np.abs(found["x.acc"].values).max() < 1e-9


def test_friction_in_a_closed_loop_balances_the_weight() -> None:
    model = four_bar()
    crank = next(name for name in gs.formulate(model).coordinate_names)
    model.add(gs.TorsionSpring("brake", crank, torque="-1000*sign(rate)"))
    run = gs.simulate(model, times=[0, 0.5, 1], initial={crank: 0.8})
    # the mass centres of the parallelogram rise by sin(a)/2, sin(a) and sin(a)/2
    assert run["brake.force"].values == pytest.approx(2 * 9.81 * np.cos(0.8), abs=1e-8)
    assert np.abs(run[f"{crank}.acc"].values).max() < 1e-8


def test_files_without_modes_have_conditions_as_written(tmp_path: Path) -> None:
    run = gs.simulate(incline(), duration=0.5, step=0.1)
    replace(run, modes=np.empty((len(run.time), 0))).save(tmp_path / "old.nc")
    force = gs.load(tmp_path / "old.nc")["friction.force"].values
    assert force[0] == 0.0
    assert np.abs(force - HOLDING).min() > 1.0


@pytest.mark.filterwarnings("ignore:CVODE restarted")
@pytest.mark.parametrize("name", METHODS)
def test_events_see_the_force_that_holds(name: str) -> None:
    """The friction passes −3 N at sin(t) = 1/2, while the block sticks; an acceleration follows the slip at 5 N."""
    load = gs.Event("load", when="friction.force + 3", action=gs.Record())
    slip = gs.Event("slip", when="x.acc - 0.5", action=gs.Record())
    run = gs.simulate(pulled(), duration=2, step=0.1, events=[load, slip], integrator=METHODS[name])
    first = run.at_event("load")[0]
    assert first.time == pytest.approx(np.arcsin(0.5), abs=1e-9)
    assert run.at_event("slip")[0].time > np.arcsin(5 / 6)
    assert run.at(run.at_event("slip")[0].time)["x.acc"].values == pytest.approx(0.5, abs=1e-9)
    assert [one.event for one in run.events] == ["load", "slip", "slip"]


def test_actions_of_events_on_the_force_that_holds() -> None:
    """The push grows by 4 N/s until the friction has taken 2 N of it, and stays then."""
    model = gs.Model("pushed", gravity=(0, 0, 0), parameters={"rate_of_push": 4.0, "push": 0.0})
    model.add(gs.Body("block", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("load", "x", torque="push + rate_of_push*t + 0*angle"))
    model.add(gs.TorsionSpring("friction", "x", torque="-5*sign(rate)"))
    hold = gs.Event(
        "hold", "friction.force + 2", action=(gs.SetParameter("rate_of_push", 0), gs.SetParameter("push", 2.5))
    )
    run = gs.simulate(model, duration=1, step=0.125, events=[hold])
    assert [one.time for one in run.events] == [pytest.approx(0.5, abs=1e-12)]
    assert run["friction.force"].values == pytest.approx([*-4 * run.time[:5], *[-2.5] * 4], abs=1e-9)


def test_a_force_that_holds_from_the_start_is_no_event() -> None:
    """As written, the friction would be 0 at the start; it is −12.4 N throughout."""
    run = gs.simulate(incline(), duration=1, step=0.5, events=[gs.Event("load", "friction.force + 5")])
    assert run.events == ()


@pytest.mark.parametrize("after", [3.0, 9.0])
@pytest.mark.parametrize("name", METHODS)
def test_outputs_at_a_jump_of_the_load(name: str, after: float) -> None:
    """A push jumps from 1 N at t = 1: to 3 N, which friction of 5 N holds, or to 9 N, which it does not."""
    model = gs.Model("pushed", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.Actuator("push", "x"))
    model.add(gs.TorsionSpring("friction", "x", torque="-5*sign(rate)"))
    for push in (gs.Table([0, 1, 3], [1, after, after], "previous"), f"where(t > 1, {after}, 1)"):
        run = gs.simulate(model, times=[0, 0.5, 1, 1.5], inputs={"push": push}, integrator=METHODS[name])
        expected = -np.minimum(run["push"].values, 5.0)
        assert run["friction.force"].values == pytest.approx(expected, abs=1e-9)
        assert run["x.acc"].values == pytest.approx(run["push"].values + expected, abs=1e-9)
        assert run.at([0.5, 1.0, 1.5])["friction.force"].values == pytest.approx(expected[1:], abs=1e-9)
