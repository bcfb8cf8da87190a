"""Delays of signals with jumps and kinks: none is smoothed or missed, wherever the condition stands."""

from __future__ import annotations

import numpy as np
import pytest
from block_models import block_on_a_slide

import gyrostat as gs

INTEGRATORS = [
    gs.DOP853(),
    gs.RKF45(),
    gs.Rodas4(),
    gs.Rodas5P(),
    gs.CVODE(),
    gs.CVODE(method="adams"),
    gs.RK4(step=0.05),
]
PULSE = "where((t > 1) and (t < 1.1), 50, 0)"
"""It begins at an instant at which delays of 0.5 s end a segment."""

SIGNALS = {
    "time": (gs.Delay("late", PULSE, 0.5),),
    "measure": (gs.Measure("pulse", PULSE), gs.Delay("late", "pulse", 0.5)),
    "input": (gs.Input("pulse", law=PULSE), gs.Delay("late", "pulse", 0.5)),
    "table": (
        gs.Input("pulse", law=gs.Table([0, 1, 1.1, 9], [0, 50, 0, 0], "previous")),
        gs.Delay("late", "pulse", 0.5),
    ),
    "state": (gs.Delay("late", "where((x > 1.02) and (x < 1.12), 50, 0)", 1.5),),
    "narrow zone": (gs.Delay("late", "where((x > 1.02) and (x < 1.0201), 5e4, 0)", 1.5),),
    "input of the state": (
        gs.Input("zone", law="where((x > 1.02) and (x < 1.12), 50, 0)"),
        gs.Delay("late", "zone", 1.5),
    ),
    "twice": (gs.Delay("first", PULSE, 0.5), gs.Delay("late", "first", 0.25)),
    "before the start": (gs.Delay("late", "0", 0.5, initial="where((t > -0.3) and (t < -0.29), 500, 0)"),),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_a_delayed_pulse_has_its_impulse(name: str) -> None:
    """Every integrator applies it where the condition is one of the state, which each of them locates by itself."""
    model = block_on_a_slide(*SIGNALS[name], gs.Force("push", "block", ("late", 0, 0)))
    system = gs.formulate(model)
    for integrator in INTEGRATORS if name == "state" else INTEGRATORS[::3]:
        run = gs.simulate(system, duration=4, initial={"x.rate": 1.0}, integrator=integrator)
        assert run.status.success
        assert float(run["x.rate"][-1]) == pytest.approx(6.0, abs=2e-5), integrator


def test_a_delayed_kink_of_the_state_keeps_its_place() -> None:
    model = block_on_a_slide(gs.Delay("late", "abs(x - 1.03)", 2.0), gs.State("total", "late"))
    run = gs.simulate(model, duration=4, step=0.1, initial={"x.rate": 1.0})
    t = run.time
    np.testing.assert_allclose(run["late"], np.where(t < 2.0 + 1e-9, 0, np.abs(t - 3.03)), atol=1e-8)
    assert float(run["total"][-1]) == pytest.approx(0.5 * 1.03**2 + 0.5 * 0.97**2, abs=1e-9)


def test_the_delayed_force_of_a_block_that_sticks() -> None:
    """The force of friction at rest is that of the motion: the pull t − 2, until it slides at 3 N."""
    model = block_on_a_slide(
        gs.Actuator("pull", "x"),
        gs.TorsionSpring("friction", "x", torque="-3*sign(rate)"),
        gs.Delay("late", "friction.force", 1.0),
    )
    run = gs.simulate(model, duration=6, step=0.1, inputs={"pull": "t - 2"})
    t = run.time - 1.0
    held = np.where(t < 0, 0.0, np.clip(2.0 - t, -3.0, 3.0))
    clear = np.abs(t) > 1e-9
    np.testing.assert_allclose(run["late"].values[clear], held[clear], atol=1e-8)


def test_jumps_pass_on_to_a_run_that_goes_on() -> None:
    system = gs.formulate(block_on_a_slide(*SIGNALS["state"], gs.Force("push", "block", ("late", 0, 0))))
    first = gs.simulate(system, duration=2, initial={"x.rate": 1.0})
    again = gs.simulate(system, duration=2, initial=first)
    assert float(again["x.rate"][-1]) == pytest.approx(6.0, abs=1e-6)
