"""Conditions that a law has by other names: measures, inputs that are formulas of others, elements of networks."""

from __future__ import annotations

import math

import pytest
from block_models import block_on_a_slide

import gyrostat as gs

METHODS = [gs.DOP853(), gs.RKF45(), gs.Rodas5P(), gs.CVODE()]
ZONE = "where((x > 5) and (x < 5.1), 50, 0)"
PULSE = "exp(-((t - 5)/0.005)**2)"
"""It exceeds one half for 0.01 √(ln 2) s."""
PUSH = gs.Force("push", "block", ("law", 0, 0))

OF_STATE = {
    "measure": (gs.Measure("law", ZONE), PUSH),
    "measure of a measure": (gs.Measure("zone", ZONE), gs.Measure("law", "1*zone"), PUSH),
    "input of a measure": (gs.Measure("zone", ZONE), gs.Input("law", law="zone"), PUSH),
}
OF_TIME = {
    "condition of a measure": (gs.Measure("pulse", PULSE), gs.Measure("law", "where(pulse > 0.5, 1000, 0)")),
    "measure of an input": (gs.Input("pulse", law=PULSE), gs.Measure("law", "where(pulse > 0.5, 1000, 0)")),
    "input of an input": (gs.Input("pulse", law=PULSE), gs.Input("law", law="where(pulse > 0.5, 1000, 0)")),
    "input of an input of an input": (
        gs.Input("first", law=PULSE),
        gs.Input("pulse", law="1*first"),
        gs.Input("law", law="where(pulse > 0.5, 1000, 0)"),
    ),
}


@pytest.mark.parametrize("name", OF_STATE)
def test_a_zone_of_the_state_is_not_passed_over(name: str) -> None:
    system = gs.formulate(block_on_a_slide(*OF_STATE[name]))
    for integrator in METHODS:
        run = gs.simulate(system, duration=10, initial={"x.rate": 1.0}, integrator=integrator)
        assert float(run["x.rate"][-1]) == pytest.approx(math.sqrt(1 + 2 * 50 * 0.1), rel=1e-6)
        assert run.status.switches == 2


def test_a_zone_in_the_rate_of_a_state() -> None:
    model = block_on_a_slide(gs.Measure("zone", ZONE), gs.State("z", rate="zone"))
    for integrator in METHODS:
        run = gs.simulate(model, duration=10, initial={"x.rate": 1.0}, integrator=integrator)
        assert float(run["z"][-1]) == pytest.approx(5.0, rel=1e-6)


@pytest.mark.parametrize("name", OF_TIME)
def test_a_pulse_of_time_is_not_passed_over(name: str) -> None:
    system = gs.formulate(block_on_a_slide(*OF_TIME[name], PUSH))
    for integrator in METHODS:
        run = gs.simulate(system, duration=10, integrator=integrator)
        assert run.status.success
        assert float(run["x.rate"][-1]) == pytest.approx(1000 * 0.01 * math.sqrt(math.log(2)), rel=1e-7)


CHARGED = 50 * (1 - math.exp(-0.1 / 20))
"""Voltage of the capacitor after 0.1 s at 50 V."""

NETWORKS = {
    "source": ((gs.VoltageSource("V", "a", "g", ZONE), gs.Resistor("R", "a", "c", 1.0)), math.exp(-4.9 / 20)),
    "measure": (
        (gs.Measure("zone", ZONE), gs.VoltageSource("V", "a", "g", "zone"), gs.Resistor("R", "a", "c", 1.0)),
        math.exp(-4.9 / 20),
    ),
    "resistor": (
        (
            gs.VoltageSource("V", "a", "g", 50.0),
            gs.Resistor("R", "a", "c", "where((x > 5) and (x < 5.1), 1, 1e12)"),
        ),
        1.0,
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_elements_of_networks_with_conditions_of_the_state(name: str) -> None:
    elements, kept = NETWORKS[name]
    model = block_on_a_slide(*elements, gs.Capacitor("C", "c", "g", 20.0), gs.Datum("g"))
    system = gs.formulate(model)
    for integrator in METHODS:
        run = gs.simulate(system, duration=10, initial={"x.rate": 1.0}, integrator=integrator)
        assert float(run["C.voltage"][-1]) == pytest.approx(CHARGED * kept, rel=1e-5)
