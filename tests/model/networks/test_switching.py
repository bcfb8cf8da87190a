"""Switches of networks: steps end where they change, and algebraic unknowns jump with them."""

from __future__ import annotations

import numpy as np
import pytest
from networks import network
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gyrostat as gs

FREQUENCY, DUTY = 20e3, 0.37


def converter(closed: str) -> gs.Model:
    """Return a buck converter whose switch is closed while a condition holds."""
    return network(
        gs.VoltageSource("supply", "a", "g", 24),
        gs.Switch("S", "a", "s", closed, on=0.01),
        gs.Diode("D", "g", "s", saturation=1e-9),
        gs.Inductor("L", "s", "o", 200e-6),
        gs.Capacitor("C", "o", "g", 50e-6),
        gs.Resistor("load", "o", "g", 5),
        parameters={"f": FREQUENCY, "duty": DUTY},
    )


def by_hand(end: float) -> tuple[float, float]:
    """Return current and voltage by intervals between the switching times, the node's voltage by bisection."""

    def rates(t: float, y: np.ndarray, r: float) -> list[float]:
        def surplus(v: float) -> float:
            return (24 - v) / r + 1e-9 * np.expm1(-v / 0.02585) - y[0]

        node = brentq(surplus, -1.0, 60.0, xtol=1e-14)
        return [(node - y[1]) / 200e-6, (y[0] - y[1] / 5) / 50e-6]

    y, t, period = np.zeros(2), 0.0, 1 / FREQUENCY
    for k in range(round(end * FREQUENCY)):
        for stop, r in ((k + DUTY) * period, 0.01), ((k + 1) * period, 1e6):
            y = solve_ivp(rates, (t, stop), y, method="Radau", args=(r,), rtol=1e-9, atol=1e-11).y[:, -1]
            t = stop
    return float(y[0]), float(y[1])


@pytest.mark.parametrize("closed", ["f*t - floor(f*t) < duty", "f*t - floor(f*t) - duty < 0"])
def test_buck_converter_switches_exactly(closed: str) -> None:
    end = 5 / FREQUENCY
    run = gs.simulate(converter(closed), times=[0, end], integrator=gs.Rodas5P(rtol=1e-8, atol=1e-9))
    assert run.status.outcome is gs.Outcome.COMPLETED
    found = [run[name].values[-1] for name in ("L.current", "C.voltage")]
    np.testing.assert_allclose(found, by_hand(end), rtol=1e-6)
    assert run.status.steps < 150


def test_switch_by_a_state() -> None:
    """From 2 V on a resistance is in parallel with a capacitor that a current charges."""
    model = network(
        gs.CurrentSource("J", "g", "a", 1e-3),
        gs.Capacitor("C", "a", "g", 1e-3),
        gs.Switch("S", "a", "g", "C.voltage >= 2", on=4000, off=1e9),
    )
    run = gs.simulate(model, times=[0, 1.5, 10], integrator=gs.DOP853(rtol=1e-10, atol=1e-12))
    expected = 4 - 2 * np.exp(-8 / 4)
    np.testing.assert_allclose(run["C.voltage"].values, [0, 1.5, expected], rtol=1e-5)
    assert run.status.switches == 1


def test_a_switch_that_chatters_is_named() -> None:
    """A load that a comparator connects while the voltage is above 2 V, which the load lowers."""
    model = network(
        gs.VoltageSource("E", "a", "g", "5*sin(40*t)"),
        gs.Resistor("R", "a", "b", 2.0),
        gs.Diode("D", "b", "c", 1e-9),
        gs.Capacitor("C", "c", "g", 5e-3),
        gs.Switch("comparator", "c", "d", "C.voltage > 2", on=0.1),
        gs.Resistor("load", "d", "g", 20.0),
    )
    with pytest.warns(gs.GyrostatWarning, match="conditions in the laws of 'comparator'"):
        run = gs.simulate(model, 0.5, step=0.5, integrator=gs.Rodas5P())
    assert not run.status.success
