"""Sampled blocks with formulas act within runs: the same numbers as Python functions, whose samples end segments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from block_models import block_on_a_slide

import gyrostat as gs
from gyrostat.analysis.integrators import run as runs
from gyrostat.analysis.simulation import sampler

TIMES = np.array([0.0, 0.07, 0.3, 0.45, 1.0, 2.03])
NAMES = ("x", "x.rate", "u", "u.sum", "v", "slow")


def _u(t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
    u = -4 * signals["x"] - 3 * signals["x.rate"] - 0.5 * memory["sum"] + signals["push"]
    memory["sum"] += 0.1 * signals["x"] * t
    return u


def _v(t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
    return signals["u"] * signals["slow"]


@cache
def system(*, functions: bool) -> gs.System:
    """Return a mass with three sampled blocks of two periods, as formulas or Python functions, and an input."""
    memory: dict[str, Any] = {"memory": {"sum": 0.2}}
    if not functions:
        memory["update"] = {"sum": "u.sum + 0.1*x*t"}
    return gs.formulate(
        block_on_a_slide(
            gs.Input("push"),
            gs.Sampled("u", 0.1, _u if functions else "-4*x - 3*x.rate - 0.5*u.sum + push", **memory),
            gs.Sampled("v", 0.15, _v if functions else "u*slow"),
            gs.Sampled("slow", 0.15, (lambda t, signals, memory: 1 + t) if functions else "1 + t"),
            gs.State("y", "-y"),
            gs.Force("f", "block", ("u + 0.1*v - where(x.rate > 0, 0.3, 0)*x.rate + y", 0, 0)),
        )
    )


def simulate(*, functions: bool, **options: Any) -> gs.Trajectory:
    """Simulate with a table as input, which jumps at a sample time, and an event that acts."""
    push = gs.Table([0, 0.5, 3], [0, 1, -1], "previous")
    kick = gs.Event("kick", "x - 0.8", action=gs.SetState("y", 1))
    given = {"times": TIMES, "initial": {"x": 1}, "inputs": {"push": push}, "events": [kick], **options}
    return gs.simulate(system(functions=functions), **given)


def values(motion: Any) -> np.ndarray:
    return np.column_stack([motion[name] for name in NAMES])


@pytest.mark.parametrize(
    "integrator",
    [gs.RK4(step=0.02), gs.DOP853(), gs.Rodas5P(rtol=1e-10, atol=1e-12)],
    ids=lambda one: type(one).__name__,
)
def test_formulas_and_functions_give_the_same_motion(integrator: gs.Integrator) -> None:
    found, expected = (simulate(functions=functions, integrator=integrator) for functions in (False, True))
    np.testing.assert_allclose(values(found), values(expected), atol=1e-8)
    between = np.array([0.1, 0.12, 0.3, 0.6, 1.05, 1.5])  # at a sample time the state is that before the sample
    np.testing.assert_allclose(values(found.at(between)), values(expected.at(between)), atol=1e-8)
    assert len(found.events) == len(expected.events) > 0


def test_samples_of_formulas_end_no_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(functions=False)
    assert len(whole.motion.segments) <= len(whole.events) + 1
    monkeypatch.setattr(sampler, "_SAMPLE_LIMIT", 3)
    parts = simulate(functions=False)
    assert len(parts.motion.segments) > len(whole.motion.segments)
    np.testing.assert_allclose(values(parts), values(whole), rtol=1e-9, atol=1e-12)


def test_states_are_repeated_from_few_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    free = {"functions": False, "events": [], "integrator": gs.RK4(step=0.001)}
    times = np.array([0.1, 0.333, 0.9, 1.2, 1.9])
    expected = simulate(**free).at(times)
    monkeypatch.setattr(runs, "CHECKPOINT_NUMBERS", 1)
    found = simulate(**free)
    assert found.motion.segments[-1].stride > 1
    for name in NAMES:
        np.testing.assert_array_equal(found.at(times)[name], expected[name])


def test_files_repeat_states_between_outputs(tmp_path: Path) -> None:
    motion = simulate(functions=False)
    motion.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    for name in NAMES:
        np.testing.assert_array_equal(again.at([0.3, 0.33, 1.77])[name], motion.at([0.3, 0.33, 1.77])[name])


def test_a_formula_without_a_finite_value_is_named() -> None:
    counter = gs.Sampled("n", 0.1, "n + 1")
    model = block_on_a_slide(counter, gs.Sampled("u", 0.1, "1/(n - 4)"), gs.Force("f", "block", ("u", 0, 0)))
    with pytest.warns(gs.GyrostatWarning):
        motion = gs.simulate(model, times=[0, 0.25, 1])
    assert motion.status.message == "the law of sampled 'u' gave u = inf at t = 0.3."
    assert motion.status.outcome is gs.Outcome.INPUT_FAILED
    assert motion.status.time == pytest.approx(0.3)


def test_at_a_sample_time_the_state_is_that_before_the_sample() -> None:
    model = block_on_a_slide(gs.Sampled("n", 0.25, "n + 1"))
    motion = gs.simulate(model, times=[0, 0.5, 0.6, 1.0])
    assert motion["n"].values.tolist() == [1, 2, 3, 4]
    assert motion.at([0.25, 0.5, 0.6, 0.75])["n"].values.tolist() == [1, 2, 3, 3]
