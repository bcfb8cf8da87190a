"""Budgets: limits of steps and computing time, and the end of runs that would take years."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.program.warning import GyrostatWarning

POSIX = pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="only signals end a function that sleeps")


@cache
def _cart() -> gs.System:
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.box(1.0, (1, 1, 1))))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", initial={"displacement": 1.0}))
    model.add(gs.Actuator("push", "x"))
    return gs.formulate(model)


@pytest.mark.parametrize(
    "integrator",
    [gs.DOP853(), gs.RK4(step=1e-3), gs.Rodas5P(), gs.GaussLegendre(step=1e-3), gs.CVODE()],
    ids=lambda one: type(one).__name__,
)
def test_a_run_ends_after_so_many_steps(integrator: gs.Integrator) -> None:
    system = gs.formulate(double_pendulum())
    settings: dict[str, Any] = {"initial": {"a1": 1.0}, "integrator": integrator}
    with pytest.warns(
        GyrostatWarning, match="the budget of 25 steps is exhausted after .* % of the duration. Give a l"
    ):
        run = gs.simulate(system, 10, most_steps=25, **settings)
    assert run.status.outcome is gs.Outcome.BUDGET_EXHAUSTED
    assert not run.status.success
    assert run.status.steps == 25
    assert run.time[-1] == run.status.time
    whole = gs.simulate(system, times=run.time, **settings)
    np.testing.assert_allclose(run.q, whole.q, atol=1e-5)
    assert gs.simulate(system, 0.001, most_steps=25, **settings).status.success


def test_steps_of_all_segments_count() -> None:
    bounce = gs.Event("bounce", "x - 1 + 0.4*t", action=gs.SetInput("push", "0"))
    kicks = [gs.Event.at_time(f"kick{i}", 0.1 * i, gs.SetInput("push", i)) for i in range(1, 10)]
    with pytest.warns(GyrostatWarning, match="the budget of 20 steps"):
        run = gs.simulate(_cart(), 1, events=[bounce, *kicks], most_steps=20, integrator=gs.RK4(step=0.01))
    assert run.status.steps == 20
    assert len(run.events) >= 1


def test_a_run_ends_after_so_many_seconds() -> None:
    with pytest.warns(GyrostatWarning, match="the budget of 0.2 s of computation is exhausted"):
        run = gs.simulate(_cart(), 1000, inputs={"push": "-1e12*x"}, most_seconds=0.2)
    assert run.status.outcome is gs.Outcome.BUDGET_EXHAUSTED
    assert 0.2 <= run.status.seconds < 20


def test_compilation_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose programs of events take longer to compile than its budget ends before its first step."""
    signals = Problem.signals

    def slow(self: Problem, *arguments: Any, **options: Any) -> Any:
        time.sleep(0.1)
        return signals(self, *arguments, **options)

    monkeypatch.setattr(Problem, "signals", slow)
    with pytest.warns(GyrostatWarning, match="the budget of 0.05 s of computation is exhausted after 0 %"):
        run = gs.simulate(_cart(), 1, events=[gs.Event("half", "x - 0.5")], most_seconds=0.05)
    assert run.status.steps == 0


def test_slow_functions_end_after_so_many_seconds() -> None:
    def push(t: float) -> float:
        time.sleep(0.02)
        return 1.0

    with pytest.warns(GyrostatWarning, match="the budget of 0.2 s of computation is exhausted"):
        run = gs.simulate(_cart(), 1, step=0.5, inputs={"push": push}, integrator=gs.RK4(step=1e-3), most_seconds=0.2)
    assert run.status.outcome is gs.Outcome.BUDGET_EXHAUSTED
    assert run.status.seconds < 10


@POSIX
def test_a_function_that_sleeps_is_ended() -> None:
    def push(t: float) -> float:
        time.sleep(300 if t > 0.5 else 0)
        return 1.0

    with pytest.warns(GyrostatWarning, match="the budget of 0.5 s of computation is exhausted"):
        run = gs.simulate(_cart(), 1, step=0.1, inputs={"push": push}, most_seconds=0.5)
    assert run.status.outcome is gs.Outcome.BUDGET_EXHAUSTED
    assert run.status.seconds < 30
    assert run["push"].values[0] == 1.0
    np.testing.assert_allclose(run["x"].values, 1.0 + 0.5 * run.time**2, atol=1e-9)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@dataclass(frozen=True)
class _Sleep(gs.Action):
    def effect(self, instant: gs.Instant) -> gs.Effect:
        time.sleep(300)
        return gs.Effect()


@POSIX
def test_an_action_that_sleeps_is_ended() -> None:
    with pytest.warns(GyrostatWarning, match="the budget of 0.3 s of computation is exhausted"):
        run = gs.simulate(_cart(), 1, step=0.1, events=[gs.Event.at_time("nap", 0.55, _Sleep())], most_seconds=0.3)
    assert run.status.outcome is gs.Outcome.BUDGET_EXHAUSTED
    assert run.time[-1] == pytest.approx(0.55)


def test_ctrl_c_in_an_action() -> None:
    class Interrupted(gs.Action):
        def effect(self, instant: gs.Instant) -> gs.Effect:
            raise KeyboardInterrupt

    with pytest.warns(GyrostatWarning, match="ended at t = 0.55 s: interrupted by the user"):
        run = gs.simulate(_cart(), 1, step=0.1, events=[gs.Event.at_time("nap", 0.55, Interrupted())])
    assert run.status.outcome is gs.Outcome.INTERRUPTED


def test_a_run_that_would_take_years_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gyrostat.analysis.simulation.budget.WINDOW", 0.2)
    with pytest.warns(GyrostatWarning, match=r"at this pace the rest takes about .* years. 'x.rate' changes fastest"):
        run = gs.simulate(_cart(), 1, inputs={"push": "-1e32*x"})
    assert run.status.outcome is gs.Outcome.TOO_SLOW
    assert run.status.seconds < 20
    assert "To continue nevertheless, give a budget: most_seconds=3600." in run.status.message
    with pytest.warns(GyrostatWarning, match="the budget of 0.6 s of computation"):
        gs.simulate(_cart(), 1, inputs={"push": "-1e32*x"}, most_seconds=0.6)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"most_steps": 0}, "most_steps is 0. Give a whole number of steps, 1 or more."),
        ({"most_steps": 2.5}, "most_steps is 2.5. Give a whole"),
        ({"most_steps": "many"}, "most_steps is 'many'. Give a whole"),
        ({"most_steps": True}, "most_steps is True. Give a whole"),
        ({"most_seconds": 0}, "most_seconds is 0. Give a positive number of seconds."),
        ({"most_seconds": float("nan")}, "most_seconds is nan. Give a positive"),
        ({"most_seconds": "1 h"}, "most_seconds is '1 h'. Give a positive"),
    ],
)
def test_budgets_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(_cart(), 1, **settings)
