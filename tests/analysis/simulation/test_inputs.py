"""Inputs of a simulation: numbers, formulas, tables, arrays, Python functions."""

from __future__ import annotations

import re
import sys
import traceback
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import xarray
from random_trees import Floats
from scipy.interpolate import CubicSpline
from simulations import TIGHT, double_pendulum, oscillator

import gyrostat as gs
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.program.warning import GyrostatWarning

START = {"a1": 0.4, "a2": -0.9}
KNOTS = np.array([0.0, 0.3, 0.35, 1.1, 1.7, 2.0])
VALUES = np.array([0.0, 2.0, -3.0, 1.0, 4.0, -1.0])
KINDS = ["linear", "cubic", "previous"]


@cache
def _pendulum() -> gs.System:
    return gs.formulate(double_pendulum())


def _run(motor: Any, times: Any = None, initial: Any = None, integrator: gs.Integrator = TIGHT) -> gs.Trajectory:
    given = np.linspace(0, 2, 21) if times is None else times
    return gs.simulate(
        _pendulum(), times=given, initial=initial or START, inputs={"motor": motor}, integrator=integrator
    )


@pytest.mark.parametrize(
    ("motor", "formula"),
    [
        (0.5, "0.5"),
        (lambda t: 0.5 * np.sin(3 * t), "0.5*sin(3*t)"),
        (lambda t, state: -0.3 * state["a1.rate"] + state["a2"], "-0.3*a1.rate + a2"),
        (lambda t, gain=0.5: gain * t, "0.5*t"),
        (np.sin, "sin(t)"),
        (([0, 2], [1, -1]), "1 - t"),
        (gs.Table([-1, 0.5, 3], [2, 0.5, -2], "cubic"), "1 - t"),
        (xarray.DataArray([1.0, 0.0, -1.0], coords={"time": [0.0, 1.0, 2.0]}, dims="time"), "1 - t"),
        (1 - np.linspace(0, 2, 21), "1 - t"),
        ((1 - np.linspace(0, 2, 21)).tolist(), "1 - t"),
    ],
)
def test_ways_to_say_the_same(motor: Any, formula: str) -> None:
    found, expected = _run(motor), _run(formula)
    np.testing.assert_allclose(found.q, expected.q, atol=1e-12)
    np.testing.assert_allclose(found["motor"], expected["motor"], atol=1e-12)
    assert np.abs(found.energy().balance).max() < 1e-11


def test_formulas_see_everything_that_has_a_name() -> None:
    found = _run("-0.1*bar2.tip.velocity.x + 0.2*a1.rate*m1")
    seen = -0.1 * found["bar2.tip.velocity.x"] + 0.2 * found["a1.rate"] * 1.2
    np.testing.assert_allclose(found["motor"], seen.values, atol=1e-12)
    again = _run(lambda t, s: 0.24 * s["a1.rate"] - 0.1 * _tip_velocity(s))
    np.testing.assert_allclose(again.q, found.q, atol=1e-11)
    by_name = _run(lambda t, s: 0.2 * s["a1.rate"] * s["m1"] - 0.1 * s["bar2.tip.velocity.x"] + s.get("none", 0))
    np.testing.assert_allclose(by_name.q, found.q, atol=1e-11)


def _tip_velocity(s: Any) -> float:
    turn = s["a1"] + s["a2"]
    return float(np.cos(s["a1"]) * s["a1.rate"] + np.cos(turn) * (s["a1.rate"] + s["a2.rate"]))


def _piece(kind: str, i: int) -> Any:
    """Return the function of one piece of the table, for a run that knows this piece only."""
    if kind == "previous":
        return float(VALUES[i])
    if kind == "linear":
        slope = (VALUES[i + 1] - VALUES[i]) / (KNOTS[i + 1] - KNOTS[i])
        return f"{VALUES[i]!r} + {slope!r}*(t - {KNOTS[i]!r})".replace("np.float64", "")
    return CubicSpline(KNOTS, VALUES)


@pytest.mark.parametrize(
    ("kind", "integrator"),
    [*((kind, TIGHT) for kind in KINDS), ("linear", gs.RK4(step=0.013)), ("previous", gs.RK4(step=0.013))],
    ids=str,
)
def test_tables_jump_and_bend_exactly_at_their_knots(kind: str, integrator: gs.Integrator) -> None:
    # steps of fixed length end at the knots as well, except at those of a smooth table
    whole = _run(gs.Table(KNOTS, VALUES, kind), times=KNOTS, integrator=integrator)
    state, expected = dict(START), []
    for i, (begin, end) in enumerate(pairwise(KNOTS)):
        piece = _run(_piece(kind, i), times=[begin, end], initial=state, integrator=integrator)
        state = piece.state
        expected.append([*piece.q[-1], *piece.u[-1]])
    np.testing.assert_allclose(np.hstack((whole.q, whole.u))[1:], expected, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_work_of_a_table_closes_the_account(kind: str) -> None:
    motion = _run(gs.Table(KNOTS, VALUES, kind), times=np.linspace(0, 2, 57))
    account = motion.energy()
    assert np.ptp(account.supplied.values) > 0.1
    assert np.abs(account.balance).max() < (1e-10 if kind != "cubic" else 1e-9)


def test_values_between_knots() -> None:
    t = np.linspace(0, 2, 200)
    assert np.allclose(gs.Table(KNOTS, VALUES).at(t), np.interp(t, KNOTS, VALUES))
    assert np.allclose(gs.Table(KNOTS, VALUES, "cubic").at(t), CubicSpline(KNOTS, VALUES)(t))
    previous: Floats = VALUES[np.searchsorted(KNOTS, t, side="right") - 1]
    assert np.allclose(gs.Table(KNOTS, VALUES, "previous").at(t), previous)
    assert np.allclose(gs.Table([0, 1], [3, 5], "cubic").at([0.5]), [4])


def test_two_tables_with_knots_of_their_own() -> None:
    model = oscillator()
    model.add(gs.Actuator("other", "x"))
    one, two = gs.Table([0, 0.5, 2], [0, 1, 3], "previous"), gs.Table([-1, 0.7, 2.5], [4, 0, 2])
    run = gs.simulate(model, 2, step=0.1, inputs={"motor": one, "other": two}, integrator=TIGHT)
    np.testing.assert_allclose(run["other"], two.at(run.time), atol=1e-14)
    law = gs.simulate(model, 2, step=0.1, inputs={"motor": lambda t: one.at(t) + two.at(t)}, integrator=gs.RK4(1e-3))
    np.testing.assert_allclose(run["x"], law["x"], atol=2e-3)
    exact = [
        gs.simulate(model, 2, step=0.1, inputs={name: t}, integrator=TIGHT)
        for name, t in (("motor", one), ("other", two))
    ]
    np.testing.assert_allclose(run["x"], exact[0]["x"] + exact[1]["x"], atol=1e-12)


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RK4(step=0.01)], ids=["DOP853", "RK4"])
def test_a_function_that_raises_is_traced_back_with_the_motion_so_far(integrator: gs.Integrator) -> None:
    def runs_dry(t: float) -> float:
        if t > 1:
            raise ValueError("no more oil")
        return 0.1

    with pytest.raises(ValueError, match="no more oil") as caught:
        _run(runs_dry, integrator=integrator)
    assert "runs_dry" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    (note,) = caught.value.__notes__
    assert re.match(r"Raised by the function of input 'motor' in the simulation of '.*' after t = 1 s\. The attr", note)
    motion = caught.value.trajectory  # type: ignore[attr-defined]
    assert motion.status.outcome is gs.Outcome.INPUT_FAILED
    assert motion.status.message == "the function of input 'motor' failed: ValueError: no more oil"
    assert np.isclose(motion.status.time, 1, atol=0.011)
    expected = _run(0.1, integrator=integrator)
    np.testing.assert_allclose(motion.q[:10], expected.q[:10], atol=1e-6)
    np.testing.assert_allclose(motion.at([0.42, 0.93]).q, expected.at([0.42, 0.93]).q, atol=1e-6)


@pytest.mark.parametrize(
    ("motor", "message"),
    [
        (lambda t: 1 / 0, "the function of input 'motor' failed: ZeroDivisionError: division by zero"),
        (
            lambda t: "full",
            "the function of input 'motor' failed: ValueError: could not convert string to float: 'full'",
        ),
        (
            lambda t, s: s["bar2.tpi.x"],
            "function of input 'motor' failed: StateError: Signal 'bar2.tpi.x' is not known. Did you mean 'bar2.t",
        ),
        (lambda t, s: s["bar2.tip"], "failed: StateError: Signal 'bar2.tip' is a vector. Use a component: bar2.tip.x"),
        (
            lambda t, s: s["a1.acc"],
            "failed: StateError: Signal 'a1.acc' depends on the input 'motor', which is given by a Python function",
        ),
    ],
)
def test_a_function_that_fails_at_once(motor: Any, message: str) -> None:
    with pytest.raises((ArithmeticError, ValueError, gs.StateError)) as caught:
        _run(motor)
    motion = caught.value.trajectory  # type: ignore[union-attr]
    assert motion.status.outcome is gs.Outcome.INPUT_FAILED
    assert message in motion.status.message
    assert motion.time.tolist() == [0]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_function_whose_value_is_not_finite(value: float) -> None:
    with pytest.warns(GyrostatWarning, match=f"the function of input 'motor' gave {value} at t = 0"):
        motion = _run(lambda t: value)
    assert motion.status.outcome is gs.Outcome.INPUT_FAILED
    assert motion.time.tolist() == [0]


def test_a_function_that_ends_the_process() -> None:
    with pytest.raises(SystemExit) as caught:
        _run(lambda t: sys.exit(3) if t > 1 else 0.1)
    assert caught.value.code == 3
    assert caught.value.trajectory.time[-1] == pytest.approx(1, abs=0.01)  # type: ignore[attr-defined]


def test_a_function_that_fails_in_a_step_that_is_tried_again_does_no_harm() -> None:
    failed = []

    def nervous(t: float) -> float:
        if len(failed) < 2 and t > 1:
            failed.append(t)
            raise ValueError("not yet")
        return 0.1

    motion = _run(nervous)
    assert len(failed) == 2
    assert motion.status.outcome is gs.Outcome.COMPLETED
    np.testing.assert_allclose(motion.q, _run(0.1).q, atol=1e-10)


def test_ctrl_c_in_a_function() -> None:
    calls = []

    def interrupted(t: float) -> float:
        calls.append(t)
        if len(calls) == 2000:
            raise KeyboardInterrupt
        return 0.1

    with pytest.warns(GyrostatWarning, match="interrupted by the user"):
        motion = _run(interrupted, times=[0, 1, 2, 1000])
    assert motion.status.outcome is gs.Outcome.INTERRUPTED
    assert 0 < motion.status.time < 1000
    assert motion.time[-1] == motion.status.time
    assert len(calls) < 2100


def test_ctrl_c_while_outputs_are_formed() -> None:
    def motor(t: float) -> float:
        raise KeyboardInterrupt if t > 1 else ValueError("no more")

    system, times = _pendulum(), np.array([0.5, 1.5])
    plan = InputPlan.of({"motor": motor}, system, times, {})
    rows = np.zeros((2, system.program("rates").input_size))
    rows[:, 0] = times
    assert np.isnan(input_values(system, plan, rows[:1])[0, system.inputs.index("motor")])
    with pytest.raises(KeyboardInterrupt):
        input_values(system, plan, rows)


def test_ctrl_c_while_progress_is_shown() -> None:
    told: list[float] = []

    def progress(fraction: float) -> None:
        told.append(fraction)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.warns(GyrostatWarning, match="interrupted by the user"):
        motion = gs.simulate(
            _pendulum(), 1000, step=0.01, initial=START, integrator=gs.RK4(step=1e-4), progress=progress
        )
    assert motion.status.outcome is gs.Outcome.INTERRUPTED
    assert 0 < motion.status.time < 1000
    assert told[0] < told[1] < 1
    assert motion.time[-1] == motion.status.time
    half = motion.at(motion.status.time / 2)
    assert np.isfinite(half.q).all()


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"moter": 1}, "There is no input 'moter'. Did you mean 'motor'"),
        ({"motor": "2*speed"}, "'speed'"),
        ({"motor": ([0, 1], [1, 1])}, "is given from t = 0 to 1; the simulation goes from 0 to 2. Give values for all"),
        ({"motor": ([0.5, 3], [1, 1])}, "is given from t = 0.5 to 3; the simulation goes from 0 to 2"),
        ({"motor": np.ones(5)}, "has 5 values; the simulation has 21 output times. Give one value for each"),
        ({"motor": xarray.DataArray([1.0, 2.0], dims="x")}, "is an array without a 'time' coordinate. Give it one."),
        ({"motor": ([0, 2, 1], [1, 1, 1])}, "A table's times must rise; 2 is followed by 1. Sort them"),
        ({"motor": ([0, 2], [1, np.nan])}, "A table has times or values that are not finite numbers"),
        ({"motor": ([0, 1, 2], [1, 1])}, r"A table has times of shape \(3,\) and values of shape \(2,\)"),
    ],
)
def test_faults_of_inputs_are_named(inputs: Any, message: str) -> None:
    with pytest.raises(gs.GyrostatError, match=message):
        gs.simulate(_pendulum(), 2, step=0.1, inputs=inputs)


def test_tables_know_four_interpolations() -> None:
    with pytest.raises(gs.StateError, match=r"is 'spline'\. Use 'linear', 'cubic', 'quintic' or 'previous'\."):
        gs.Table([0, 1], [0, 1], "spline")


def test_inputs_of_a_model_without_inputs() -> None:
    model = gs.Model("none")
    model.add(gs.Body("b", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "b", axis="x"))
    with pytest.raises(gs.StateError, match=r"There is no input 'motor'\. The model has no inputs\."):
        gs.simulate(model, 1, inputs={"motor": 1})
