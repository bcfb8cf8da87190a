"""Loops of capacitors and cutsets of inductors with sources of all kinds: their relations are differentiated once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from networks import network

import gyrostat as gs

FINE = gs.DOP853(rtol=1e-11, atol=1e-13)
TIMES = np.linspace(0, 0.01, 6)
LOOP = (gs.Capacitor("C2", "a", "b", 3e-6), gs.Capacitor("C1", "b", "g", 2e-6), gs.Resistor("R", "a", "b", 400))
CUTSET = (gs.Inductor("L1", "a", "b", 0.2), gs.Resistor("R", "b", "g", 400), gs.Inductor("L2", "b", "g", 0.3))
WAVE = "sin(700*t)"


def loop(voltage: Any, *more: Any) -> gs.Model:
    """Return a source in a loop of two capacitors."""
    return network(gs.VoltageSource("E", "a", "g", voltage), *LOOP, *more)


def cutset(current: Any, *more: Any) -> gs.Model:
    """Return a source in a cutset of two inductors."""
    return network(gs.CurrentSource("J", "g", "a", current), *CUTSET, *more)


@pytest.mark.parametrize(
    ("model", "name"), [(loop, "C2.current"), (cutset, "L1.voltage")], ids=["capacitors", "inductors"]
)
def test_inputs_and_tables_equal_formulas_of_time(model: Any, name: str) -> None:
    """An input has its rate as a further input; the rate of a table is that of its spline."""
    expected = gs.simulate(model(WAVE), times=TIMES, integrator=FINE)[name].values
    by_law = model("U", gs.Input("U", law=WAVE))
    np.testing.assert_allclose(gs.simulate(by_law, times=TIMES, integrator=FINE)[name].values, expected, rtol=1e-9)
    system = gs.formulate(model("2*U", gs.Input("U")))
    assert system.inputs == ("U", "U.rate", "U.acc")
    run = gs.simulate(system, times=TIMES, inputs={"U": f"{WAVE}/2"}, integrator=FINE)
    np.testing.assert_allclose(run[name].values, expected, rtol=1e-9)
    times = np.linspace(0, 0.01, 401)
    for interpolation, tolerance in (("cubic", 1e-6), ("linear", 2e-2)):
        table = gs.Table(times, np.sin(700 * times), interpolation)
        run = gs.simulate(model(table), times=TIMES, integrator=FINE)
        np.testing.assert_allclose(run[name].values, expected, atol=tolerance * np.abs(expected).max())


def test_frequency_response_counts_the_rate_of_the_input() -> None:
    system = gs.formulate(loop("U", gs.Input("U")))
    linear = gs.linearize(system, gs.equilibrium(system), inputs=["U"], outputs=["C1.voltage"])
    s = 700j
    found = linear.frequency_response([700 / (2 * np.pi)]).values.values.squeeze()
    assert complex(found) == pytest.approx((1 + s * 3e-6 * 400) / (1 + s * 5e-6 * 400), rel=1e-9)


def test_coordinate_as_source() -> None:
    """A potentiometer that charges a capacitor: the current is that of the rate of the angle."""
    model = loop("3*a1")
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a1", "ground", "arm", axis="z"))
    model.add(gs.TorsionSpring("spring", "a1", stiffness=900))
    run = gs.simulate(model, times=TIMES, initial={"a1": 0.2}, integrator=FINE)
    rate = 3 * run["a1.rate"].values - run["C1.voltage.rate"].values
    np.testing.assert_allclose(run["C2.current"].values, 3e-6 * rate, atol=1e-12)


def test_controlled_source_that_charges_a_capacitor() -> None:
    """The rate of the controlling voltage is that of a state; here also by a resistive divider and a diode."""
    follower = network(
        gs.VoltageSource("E", "e", "g", WAVE),
        gs.Resistor("R", "e", "a", 1000),
        gs.Capacitor("C1", "a", "g", 1e-6),
        gs.VoltageControlledVoltageSource("V", "b", "g", "a", "g", 2),
        gs.Capacitor("C2", "b", "g", 3e-6),
    )
    assert gs.formulate(follower).state_names == ("C1.voltage",)
    run = gs.simulate(follower, times=TIMES, integrator=FINE)
    np.testing.assert_allclose(run["C2.current"].values, 6e-6 * run["C1.voltage.rate"].values, atol=1e-15)
    junction = network(
        gs.VoltageSource("E", "e", "g", f"1 + {WAVE}"),
        gs.Resistor("R", "e", "a", 1000),
        gs.Diode("D", "a", "g"),
        gs.VoltageControlledVoltageSource("V", "b", "g", "a", "g", 2),
        gs.Capacitor("C2", "b", "g", 3e-6),
    )
    fine = gs.Rodas5P(rtol=1e-10, atol=1e-12)
    run = gs.simulate(junction, times=np.linspace(0.001, 0.00101, 11), integrator=fine)
    rate = np.gradient(run["a.voltage"].values, run.time)[3:-3]
    np.testing.assert_allclose(run["C2.current"].values[3:-3], 6e-6 * rate, rtol=1e-4)


def test_source_controlled_by_the_current_of_its_own_capacitor() -> None:
    """v = r i with i = C v̇ determines the current: the capacitor keeps its state."""
    model = network(
        gs.Capacitor("C", "a", "x", 1e-3, 2.0), gs.CurrentControlledVoltageSource("H", "a", "g", "x", "g", -50)
    )
    run = gs.simulate(model, times=[0, 0.1], integrator=FINE)
    np.testing.assert_allclose(run["C.voltage"].values, [2, 2 * np.exp(-0.1 / 0.05)], rtol=1e-9)


def test_source_that_jumps_is_refused() -> None:
    message = r"'E\.voltage' jumps by 5 at t = 0\.003 s, in a loop with capacitors .* Give the source a ramp, or put"
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(loop("where(t > 0.003, 5, 0)"), times=TIMES)
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(loop("U", gs.Input("U")), times=TIMES, inputs={"U": "where(t > 0.003, 5, 0)"})
    ramp = gs.simulate(loop("where(t > 0.003, 5000*(t - 0.003), 0)"), times=TIMES, integrator=FINE)
    late = TIMES[2:] - 0.003
    expected = 5000 * (late - 400 * 2e-6 * (1 - np.exp(-late / (400 * 5e-6))))
    np.testing.assert_allclose(ramp["C1.voltage"].values[2:], expected, rtol=1e-8)


@pytest.mark.parametrize(
    ("course", "message"),
    [
        (lambda t: t, r"The rate of input 'U' enters a network; that of a Python function is not known"),
        (gs.Table([0, 1], [0, 1], "previous"), r"with previous interpolation it jumps .* Use interpolation='linear'"),
        ("C1.voltage", r"its formula is one of time and parameters; it uses 'C1\.voltage'\. Put a resistance between"),
    ],
)
def test_inputs_without_rates_are_refused(course: Any, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(loop("U", gs.Input("U")), times=TIMES, inputs={"U": course})


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (gs.Table([0, 1], [0, 1], "previous"), r"input 'U', law: its rate enters a network, and its table jumps"),
        ("C1.voltage", r"its rate enters a network, so that its law is one of time and parameters; it uses 'C1\.volt"),
    ],
)
def test_laws_without_rates_are_refused(law: Any, message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        gs.formulate(loop("U", gs.Input("U", law=law)))


def test_sources_without_rates_are_named() -> None:
    message = (
        r"element 'C2': in a loop of capacitors and sources, its voltage follows from 'E', whose rate is not known"
    )
    with pytest.raises(gs.ModelError, match=message):
        loop("x", gs.State("x", rate="1")).check()
    motor = network(gs.Motor("M", "a", "g", "shaft", 1), gs.Capacitor("C", "a", "g", 1))
    motor.add(gs.Body("rotor", mass=1, inertia=(1, 1, 1)))
    motor.add(gs.Revolute("shaft", "ground", "rotor", axis="z"))
    with pytest.raises(
        gs.ModelError, match=r"element 'C': .* follows from 'M', whose rate is not known\. .* resistance"
    ):
        motor.check()


def test_initial_values_contradict_sources() -> None:
    fault = r"'C': its initial voltage 3 contradicts that of 'E', from which 5 follows"
    with pytest.raises(gs.ModelError, match=fault):
        network(gs.VoltageSource("E", "a", "g", "5*cos(t)"), gs.Capacitor("C", "a", "g", 1, 3)).check()
    with pytest.raises(gs.ModelError, match=r"'C': its initial voltage 3 contradicts that of 'A', from which 0"):
        network(gs.Resistor("R", "a", "g", 1), gs.Ammeter("A", "a", "b"), gs.Capacitor("C", "a", "b", 1, 3)).check()
    network(gs.VoltageSource("E", "a", "g", "5*cos(t)"), gs.Capacitor("C", "a", "g", 1, 5)).check()
