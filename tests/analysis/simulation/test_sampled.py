"""Sampled control: exact stops, the held value, memory, failures, files, sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from block_models import block_on_a_slide

import gyrostat as gs

PERIOD = 0.1
LAW = "-4*x - 3*x.rate - 0.5*u.sum"
SUM = {"sum": "u.sum + 0.1*x"}


def model(law: object = LAW, **options: object) -> gs.Model:
    """Return a double integrator with sampled control that has a memory."""
    given = {"memory": {"sum": 0.2}, **({"update": SUM} if isinstance(law, str) else {}), **options}
    return block_on_a_slide(gs.Sampled("u", "T", law, **given), gs.Force("f", "block", ("u", 0, 0)), T=PERIOD)


def exact(steps: int) -> np.ndarray:
    """Return x, x.rate, u and the memory after each period, before the sample there."""
    state, total = np.array([1.0, 0.0]), 0.2
    rows = []
    for _ in range(steps):
        u = -4 * state[0] - 3 * state[1] - 0.5 * total
        total += 0.1 * state[0]
        state = np.array([[1, PERIOD], [0, 1]]) @ state + u * np.array([PERIOD**2 / 2, PERIOD])
        rows.append([*state, u, total])
    return np.array(rows)


def values(motion: gs.Trajectory) -> np.ndarray:
    return np.column_stack([motion[name] for name in ("x", "x.rate", "u", "u.sum")])


@pytest.mark.parametrize(
    "integrator",
    [gs.RK4(step=0.03), gs.RKF45(), gs.DOP853(), gs.Rodas5P(), gs.CVODE(rtol=1e-9, atol=1e-12)],
    ids=lambda one: type(one).__name__,
)
def test_a_double_integrator_is_the_exact_discrete_system(integrator: gs.RK4) -> None:
    motion = gs.simulate(model(), duration=2, step=PERIOD, initial={"x": 1}, integrator=integrator)
    tolerance = 1e-6 if isinstance(integrator, gs.CVODE) else 1e-12
    np.testing.assert_allclose(values(motion)[1:], exact(20), atol=tolerance)


def test_outputs_do_not_change_the_samples() -> None:
    motion = gs.simulate(model(), times=[0, 0.05, 0.43, 1.0, 2.0], initial={"x": 1})
    rows = exact(20)
    np.testing.assert_allclose(values(motion)[[3, 4]], rows[[9, 19]], atol=1e-12)
    assert float(motion["u"][1]) == pytest.approx(rows[0, 2])
    assert float(motion["u"][2]) == pytest.approx(rows[4, 2])
    between = motion.at([0.05, 0.35])
    assert float(between["u"][1]) == pytest.approx(rows[3, 2])


def law(t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
    """The law as a Python function."""
    u = -4 * signals["x"] - 3 * signals["block.velocity.x"] - 0.5 * memory["sum"]
    memory["sum"] += 0.1 * signals["x"]
    return u


def test_a_python_function_sees_signals_and_its_memory() -> None:
    motion = gs.simulate(model(law), duration=2, step=PERIOD, initial={"x": 1})
    np.testing.assert_allclose(values(motion)[1:], exact(20), atol=1e-12)


def test_a_run_goes_on_where_it_ended() -> None:
    first = gs.simulate(model(law), duration=1, step=PERIOD, initial={"x": 1})
    state = {name: float(first[name][-1]) for name in ("x", "x.rate", "u", "u.sum")}
    second = gs.simulate(model(law), times=first.time[-1] + PERIOD * np.arange(11), initial=state)
    np.testing.assert_allclose(values(second)[1:], exact(20)[10:], atol=1e-12)


def test_blocks_act_in_their_order() -> None:
    first, second = gs.Sampled("a", 0.5, "a + 1"), gs.Sampled("b", 0.25, "a")
    motion = gs.simulate(block_on_a_slide(first, second), times=[0, 0.3, 0.6])
    assert motion["a"].values.tolist() == [1, 1, 2]
    assert motion["b"].values.tolist() == [1, 1, 2]
    motion = gs.simulate(block_on_a_slide(second, first), times=[0, 0.3, 0.6])
    assert motion["b"].values.tolist() == [0, 1, 1]


def test_an_event_at_a_sample_time_comes_before_the_sample() -> None:
    clock = gs.Event("tick", "t - 0.3", action=gs.SetState("y", 5))
    system = gs.formulate(block_on_a_slide(gs.State("y", 0), gs.Sampled("u", 0.1, "u + y")))
    motion = gs.simulate(system, times=[0, 0.29, 0.35, 0.45], events=[clock])
    assert motion["u"].values.tolist() == [0, 0, 5, 10]


def test_a_sample_that_triggers_an_event_happens_once() -> None:
    system = gs.formulate(block_on_a_slide(gs.State("y", 0), gs.Sampled("u", 0.1, "u + 1")))
    jump = gs.Event("jump", "u - 3.5", action=gs.SetState("y", 7))
    motion = gs.simulate(system, times=[0, 0.25, 0.35, 0.45], events=[jump])
    assert motion["u"].values.tolist() == [1, 3, 4, 5]
    assert motion["y"].values.tolist() == [0, 0, 7, 7]


def test_an_exception_is_raised_with_the_trajectory_so_far() -> None:
    def fails(t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
        if t > 0.55:
            raise ZeroDivisionError("no way")
        return 0.0

    with pytest.raises(ZeroDivisionError, match="no way") as error:
        gs.simulate(model(fails), duration=2, step=PERIOD)
    trajectory = error.value.trajectory
    assert trajectory.status.time == pytest.approx(0.6)
    assert trajectory.status.message == "the law of sampled 'u' failed: ZeroDivisionError: no way"
    assert "Raised by the law of sampled 'u' in the simulation of 'block'" in error.value.__notes__[0]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda memory: float("nan"), "the law of sampled 'u' gave u = nan at t = 0."),
        (lambda memory: memory.update(extra=1) or 0.0, "the law of sampled 'u' added 'extra' to its memory. Declare"),
    ],
)
def test_laws_that_give_no_number(result: object, message: str) -> None:
    with pytest.warns(gs.GyrostatWarning):
        motion = gs.simulate(model(lambda t, signals, memory: result(memory)), duration=1)
    assert message in motion.status.message
    assert motion.status.outcome.value == "an input failed"


def test_a_period_from_parameters_must_be_positive() -> None:
    with pytest.raises(gs.StateError, match=r"The period of sampled 'u' is -1 s\. Give a positive time\."):
        gs.simulate(model(), duration=1, parameters={"T": -1})


def test_files_keep_the_run_and_the_name_of_a_function(tmp_path: Path) -> None:
    motion = gs.simulate(model(law), duration=1, step=0.25, initial={"x": 1})
    motion.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(values(again), values(motion))
    np.testing.assert_array_equal(again.at([0.33])["x"], motion.at([0.33])["x"])
    with pytest.raises(gs.StateError, match=r"was the Python function 'law', which a file cannot keep\."):
        gs.simulate(again.system, duration=1)


def test_a_sweep_gives_the_same_numbers() -> None:
    periods = [0.1, 0.2]
    same = {"times": [0, 0.5, 1], "initial": {"x": 1}, "integrator": gs.DOP853()}
    found = gs.sweep(model(), {"T": periods}, gs.Simulation(**same, outputs=["x", "u"]))
    for period in periods:
        motion = gs.simulate(model(), **same, parameters={"T": period})
        for name in ("x", "u"):
            np.testing.assert_array_equal(found[name].sel(T=period), motion[name])


def test_linear_models_in_continuous_time_are_refused() -> None:
    with pytest.raises(gs.StateError, match=r"'u' is sampled: it holds its value between samples"):
        gs.linearize(model())


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "None"),
        ((1, 2), r"\(1, 2\)"),
        (np.array([1.0, 2.0]), r"array\(\[1\., 2\.\]\)"),
        ("abc", "'abc'"),
        (1j, "1j"),
    ],
)
def test_a_law_returns_one_number(value: object, written: str) -> None:
    message = rf"the law of sampled 'u' gave u = {written}, which is not one number\. Return the held value alone"
    with pytest.warns(gs.GyrostatWarning, match=message):
        motion = gs.simulate(model(lambda t, signals, memory: value), duration=1)
    assert motion.status.outcome is gs.Outcome.INPUT_FAILED


def test_entries_of_a_memory_stay_and_are_numbers() -> None:
    def emptied(t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
        memory.clear()
        return 0.0

    def filled(t: float, signals: Mapping[str, float], memory: dict[str, object]) -> float:
        memory["sum"] = [1, 2] if t else 0
        return 0.0

    with pytest.warns(gs.GyrostatWarning, match=r"the law of sampled 'u' removed 'sum' from its memory\. Keep it"):
        gs.simulate(model(emptied), duration=1)
    with pytest.warns(
        gs.GyrostatWarning, match=r"ended at t = 0\.1 s: .* gave u\.sum = \[1, 2\], which is not one num"
    ):
        gs.simulate(model(filled), duration=1)
    with pytest.raises(TypeError, match=r"takes 1 positional argument but 3 were given") as error:
        gs.simulate(model(lambda t: 0.0), duration=1)
    assert "Raised by the law of sampled 'u' in the simulation of 'block'" in error.value.__notes__[0]
    with pytest.raises(gs.StateError, match=r"Signal 'y' is not known\. Did you mean"):
        gs.simulate(model(lambda t, signals, memory: signals["y"]), duration=1)


def test_a_formula_without_a_value_ends_the_run() -> None:
    with pytest.warns(gs.GyrostatWarning, match=r"the law of sampled 'u' gave u = nan at t = 0\."):
        gs.simulate(model("log(x - 1)"), duration=1)


@pytest.mark.parametrize("block", [gs.Sampled("b", 0.1, "x"), gs.Delay("b", "x", 0.1)])
def test_embedded_motion_refuses_blocks_with_times(block: gs.Sampled) -> None:
    with pytest.raises(gs.StateError, match=r"knows no past and no sample times, which 'b' needs\. Use gs\.simulate\."):
        gs.embedded_motion(block_on_a_slide(block), duration=1)
