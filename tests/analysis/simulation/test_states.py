"""Simulations of systems with state variables: published numbers, all integrators, loops, events, files, sweeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from cases import at_times, case
from owned_models import owned
from scipy.integrate import simpson
from simulations import TIGHT, ball, columns
from state_models import dc_motor, driven_four_bar, servo, stick_slip

import gyrostat as gs
from gyrostat.analysis.integrators import Integrator
from gyrostat.model.forces import CoordinateLoad, ForceElement, Load, Motion
from gyrostat.model.kinds import Quantity, QuantityKind, ReferenceKind
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, subtract

STIFF = gs.Rodas5P(rtol=1e-10, atol=1e-12)

each_integrator = pytest.mark.parametrize(
    ("integrator", "tolerance"),
    [
        (gs.Euler(step=2e-6), 4e-3),
        (gs.RK2(step=1e-5), 1e-5),
        (gs.RK4(step=1e-5), 1e-11),
        (gs.RKF45(rtol=1e-11, atol=1e-13), 1e-9),
        (gs.DOP853(rtol=1e-11, atol=1e-13), 1e-9),
        (gs.CVODE(rtol=1e-11, atol=1e-13), 1e-8),
        (STIFF, 1e-9),
    ],
    ids=lambda one: "" if isinstance(one, float) else type(one).__name__,
)


@each_integrator
def test_step_response_of_a_dc_motor(integrator: Integrator, tolerance: float) -> None:
    expected = at_times(case("dc_motor_step"), "i,omega")
    motion = gs.simulate(dc_motor(), times=[0, *expected], integrator=integrator)
    found = columns(motion, "current", "shaft.rate")[1:]
    np.testing.assert_allclose(found, list(expected.values()), rtol=tolerance)
    assert motion["current.rate"].values[0] == pytest.approx(12.0 / 0.002, rel=1e-15)
    assert (motion["current"].attrs["units"], motion["current.rate"].attrs["units"]) == ("A", "A/s")


def test_stick_slip_with_a_bristle() -> None:
    motion = gs.simulate(stick_slip(), times=[0, 5, 10, 15, 20], integrator=gs.Rodas5P(rtol=1e-8, atol=1e-12))
    expected = [1.64591888e-5, 0.627583186, 0.918279280, 1.27259660]
    np.testing.assert_allclose(motion["x"].values[1:], expected, rtol=6e-9)


def test_a_servo_with_integral_control() -> None:
    motion = gs.simulate(servo(), times=[0, 2], integrator=STIFF)
    found = columns(motion, "a", "a.rate", "integral", "current")[-1]
    np.testing.assert_allclose(found, [0.60040675, -0.00137846, 0.03335489, 0.55435436], atol=6e-9)


def test_states_of_parts_have_names_with_dots() -> None:
    alone = gs.simulate(servo(), times=[0, 0.1], integrator=STIFF)
    run = gs.simulate(owned(servo().model, "left", "arm"), times=[0, 0.1], integrator=STIFF)
    assert run.system.state_names == ("left.arm.integral", "left.arm.current")
    np.testing.assert_allclose(run["left.arm.current.rate"].values, alone["current.rate"].values, rtol=1e-9)


def test_states_in_a_closed_loop_are_left_alone_by_projections() -> None:
    system, times = driven_four_bar(algebraic=False), np.linspace(0, 1.5, 7)
    explicit, implicit, multistep = (
        gs.simulate(system, times=times, integrator=one, most_steps=20_000)
        for one in (TIGHT, STIFF, gs.CVODE(rtol=1e-10, atol=1e-12))
    )
    for other, tolerance in ((implicit, 2e-7), (multistep, 2e-6)):
        np.testing.assert_allclose(columns(other, "c", "i"), columns(explicit, "c", "i"), atol=tolerance)
    assert float(explicit.residuals()["position"].max()) < 1e-12
    # L di/dt from the recorded current alone: a projection that moved it would show
    fine = explicit.at(np.linspace(0.5, 0.5 + 4e-5, 5))
    i, weights = fine["i"].values, np.array([1, -8, 0, 8, -1]) / (12 * 1e-5)
    assert weights @ i == pytest.approx(float(fine["i.rate"].values[2]), rel=1e-8)
    embedded = gs.embedded_motion(system, times=[0.0, 0.05])
    np.testing.assert_allclose(embedded["i"].values[1], explicit.at(0.05)["i"].values[0], atol=1e-7)


def test_events_read_and_set_states() -> None:
    reset = gs.Event("surge", "current - 5", "falling", action=gs.SetState("current", "2*R"))
    motion = gs.simulate(dc_motor(), duration=0.06, step=0.01, events=[reset], integrator=TIGHT)
    first, *_ = motion.at_event("surge")
    assert (first.z[0], first.z_after[0]) == (pytest.approx(5.0, abs=1e-12), 2.4)
    assert first.changed
    assert first.u_after[0] == first.u[0]
    assert float(motion.at(first.time + 1e-9)["current"].values[0]) == pytest.approx(2.4, abs=1e-4)
    impact = gs.Event("stop", "shaft - 1", action=gs.Restitution(0.5))
    bounced = gs.simulate(dc_motor(), duration=0.04, events=[impact]).at_event("stop")[0]
    assert bounced.z_after[0] == bounced.z[0] > 0 > bounced.u_after[0]


def test_a_contact_that_comes_to_rest_leaves_states_alone() -> None:
    model = ball()
    model.add(gs.State("work", "where(z.rate < 0, -z.rate, 0)"))
    floor = gs.Event("floor", "z", "falling", action=gs.Restitution(0.5))
    with pytest.warns(gs.GyrostatWarning, match="From there the contact rests"):
        run = gs.simulate(model, duration=2.5, step=0.5, initial={"z": 1.0}, events=[floor])
    assert run["work"].values[-1] == pytest.approx(1.0 + 0.25 / (1 - 0.25), rel=1e-6)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (gs.SetState("curent", 1), "Event 'e' sets 'curent', which is not a state. Did you mean 'current'?"),
        (gs.SetState("current", "2*Q"), "Event 'e' uses 'Q', which is not a parameter."),
    ],
)
def test_actions_on_states_that_cannot_be(action: gs.SetState, message: str) -> None:
    with pytest.raises(gs.StateError) as error:
        gs.simulate(dc_motor(), 0.1, events=[gs.Event("e", "shaft - 1", action=action)])
    assert message in str(error.value)


def test_initial_values_by_name() -> None:
    motion = gs.simulate(dc_motor(), times=[0, 1e-3], initial={"current": "U/R", "shaft.rate": 1.0})
    assert motion.z[0, 0] == 10.0
    assert motion.state.keys() == {"shaft", "shaft.rate", "current"}
    with pytest.raises(gs.StateError, match=r"There is no coordinate, speed or state 'amps' for an initial value\."):
        gs.simulate(dc_motor(), 1, initial={"amps": 1})
    assert gs.assemble(dc_motor(), {"current": 3}).state["current"] == 3.0


def test_numeric_methods_take_states() -> None:
    system = dc_motor()
    assert (system.state_names, system.initial_states.tolist()) == (("current",), [0.0])
    at = {"q": [0.0], "u": [10.0]}
    np.testing.assert_allclose(system.forward_dynamics(**at, z={"current": 3.0}), [(0.05 * 3 - 2e-4) / 1e-4])
    np.testing.assert_allclose(system.forward_dynamics(**at), [-2e-4 / 1e-4])
    many = system.state_rates([0.0], [10.0], z=[[0.0], [2.0]], parameters={"U": 1.0})
    np.testing.assert_allclose(many, [[(1 - 0.5) / 0.002], [(1 - 2.4 - 0.5) / 0.002]])
    np.testing.assert_allclose(system.forward_dynamics_derivatives(**at)["z"], [[0.05 / 1e-4]])
    with pytest.raises(gs.StateError, match=r"There is no state 'i'\. Known: current\."):
        system.forward_dynamics(**at, z={"i": 1.0})


def test_formulas_and_functions_of_inputs_read_states() -> None:
    model = servo().model.copy()
    model.add(gs.Actuator("brake", "a"))
    system = gs.formulate(model)
    formula = gs.simulate(
        system, times=[0, 0.3], inputs={"brake": "-0.1*current + 0.001*current.rate"}, integrator=TIGHT
    )
    python = gs.simulate(
        system,
        times=[0, 0.3],
        inputs={"brake": lambda t, state: -0.1 * state["current"] + 0.001 * state["current.rate"]},
        integrator=gs.DOP853(rtol=1e-11, atol=1e-12),
    )
    np.testing.assert_allclose(columns(python, "a", "current"), columns(formula, "a", "current"), atol=1e-8)


# --- files, sweeps ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algebraic", [False, True], ids=["rates", "equations"])
def test_save_load_and_resume_bit_by_bit(algebraic: bool, tmp_path: Path) -> None:
    system, times = driven_four_bar(algebraic=algebraic), np.linspace(0, 0.4, 5)
    events = [gs.Event("kick", "t - 0.15", action=gs.SetState("i", 0.5))]
    run = gs.simulate(system, times=times, integrator=gs.Rodas5P(), events=events)
    run.save(tmp_path / "run.nc")
    loaded = gs.load(tmp_path / "run.nc")
    for old, new in zip((*run.states, run.rows), (*loaded.states, loaded.rows), strict=True):
        assert (old == new).all()
    assert (loaded.at([0.07, 0.23]).z == run.at([0.07, 0.23]).z).all()
    assert (loaded.events[0].z_after == run.events[0].z_after).all()
    again, straight = (
        gs.simulate(system, times=[0.4, 0.6], initial=one.state, integrator=gs.Rodas5P()) for one in (loaded, run)
    )
    assert (again.rows == straight.rows).all()
    assert again.z[0, 0] == run.z[-1, 0]
    np.testing.assert_allclose(again.z[0], run.z[-1], rtol=1e-12)


def test_sweeps_of_initial_states_give_the_runs_bit_by_bit() -> None:
    values, outputs = [0.0, 1.5, -2.0], {"run": "current", "steepest": gs.Maximum("current.rate")}
    for integrator in (gs.RK4(step=1e-4), gs.DOP853(), gs.Rodas5P()):
        runs = [
            gs.simulate(dc_motor(), 0.01, initial={"current": start}, parameters={"U": 6.0}, integrator=integrator)
            for start in values
        ]
        expected = np.array([run["current"].values for run in runs])
        for batched, tolerance in ((False, 0.0), (True, 1e-15)):
            analysis = gs.Simulation(duration=0.01, outputs=outputs, integrator=integrator, batched=batched)
            found = gs.sweep(dc_motor(), {"current": values, "U": [6.0]}, analysis, workers=1).dataset
            np.testing.assert_allclose(found["run"].values.reshape(3, -1), expected, rtol=0, atol=tolerance)
            steepest = [float(run["current.rate"].max()) for run in runs]
            np.testing.assert_allclose(found["steepest"].values.ravel(), steepest, rtol=1e-12)


def test_a_driven_mechanism_integrates_its_states() -> None:
    model = gs.Model("generator", parameters={"R": 2.0, "L": 0.5, "K": 0.3, "w": 3.0})
    model.add(gs.Body("rotor", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("shaft", "ground", "rotor", driven="w*t"))
    model.add(gs.State("i", "(K*shaft.rate - R*i)/L", unit="A"))
    found = gs.kinematics(model, times=[0, 0.2, 0.7])
    np.testing.assert_allclose(found["i"].values, 0.45 * (1 - np.exp(-4 * found.time)), atol=1e-9)


# --- components with states -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Motor(ForceElement):
    """A motor on a joint, with its inductance and its source, for the test's sake."""

    stores_energy: ClassVar[bool] = True
    supplies_power: ClassVar[bool] = True
    joint: str = value(ReferenceKind("coordinate"), doc="a joint")
    voltage: Quantity = value(QuantityKind(), doc="voltage (V)")

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        return (StateVariable(f"{self.name}.current", "A", "current"),)

    def state_rates(self, motion: Motion) -> dict[str, Scalar]:
        i, w = motion.quantity(f"{self.name}.current"), motion.speed(self.joint)
        drop = multiply(1.2, i) + multiply(0.05, w)
        return {f"{self.name}.current": divide(subtract(motion.evaluate(self.voltage), drop), 0.002)}

    def loads(self, motion: Motion) -> Iterator[Load]:
        yield CoordinateLoad(self.joint, multiply(0.05, motion.quantity(f"{self.name}.current")))

    def potential(self, motion: Motion) -> Scalar:
        i = motion.quantity(f"{self.name}.current")
        return multiply(0.001, multiply(i, i))

    def supplied_power(self, motion: Motion) -> Scalar:
        return multiply(motion.evaluate(self.voltage), motion.quantity(f"{self.name}.current"))


def test_a_force_element_with_a_state_and_its_energy_account() -> None:
    model = gs.Model("motor", parameters={"U": 12.0})
    model.add(gs.Body("rotor", mass=1, inertia=(1e-4, 1e-4, 1e-4)))
    model.add(gs.Revolute("shaft", "ground", "rotor"))
    model.add(Motor("motor", "shaft", "U"))
    model.add(gs.TorsionSpring("bearing", "shaft", damping=2e-5))
    run = gs.simulate(model, times=[0, 0.005, 0.02, 0.1], integrator=TIGHT)
    expected = [row[0] for row in at_times(case("dc_motor_step"), "i,omega").values()]
    np.testing.assert_allclose(run["motor.current"].values[1:], expected, rtol=1e-11)
    account = run.energy()
    assert float(np.abs(account["balance"]).max()) < 1e-11 * float(account["supplied"].max())
    i, w = columns(run, "motor.current", "shaft.rate")[-1]
    assert float(account["stored"].sel(store="motor")[-1]) == pytest.approx(0.001 * i * i, rel=1e-12)
    assert float(account["kinetic"][-1]) == pytest.approx(0.5e-4 * w * w, rel=1e-12)
    heat, source = account["dissipated"].sel(damper="motor")[-1], account["supplied"].sel(supplier="motor")[-1]
    assert 0 < float(heat) < float(source)
    fine = gs.simulate(model, duration=0.1, step=1e-4, integrator=TIGHT)["motor.current"].values
    assert float(heat) == pytest.approx(simpson(1.2 * fine**2, dx=1e-4), rel=1e-6)
