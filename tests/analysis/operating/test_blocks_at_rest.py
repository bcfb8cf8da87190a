"""Equilibria and steady motions with delays and sampled blocks: values that are kept, stability, runs from there."""

from __future__ import annotations

import numpy as np
import pytest
from block_models import block_on_a_slide

import gyrostat as gs


def held_rod(*, delayed: bool = False) -> gs.System:
    """Return a rod that a sampled law with an integral part turns to 0.6 rad; its angle may be measured late."""
    model = gs.Model("held rod", gravity=(0, -9.81, 0), parameters={"k": 1.0})
    model.add(gs.Body("rod", gs.rod(0.5, 0.4, along="y"), points={"top": (0, 0.2, 0)}))
    model.add(gs.Revolute("a", "ground", "rod.top"))
    angle = "late" if delayed else "a"
    if delayed:
        model.add(gs.Delay("late", "a", 0.02, initial=7))
    update = {"sum": f"c.sum + 0.02*(0.6 - {angle})"}
    model.add(
        gs.Sampled("c", 0.01, f"4*(0.6 - {angle}) - 0.4*a.rate + c.sum", memory={"sum": 0, "gain": 3}, update=update)
    )
    model.add(gs.TorsionSpring("drive", "a", torque="k*c"))
    return gs.formulate(model)


@pytest.mark.parametrize("delayed", [False, True])
def test_a_sampled_integral_part_holds_the_load(delayed: bool) -> None:
    system = held_rod(delayed=delayed)
    point = gs.equilibrium(system)
    torque = 0.5 * 9.81 * 0.2 * np.sin(0.6)
    assert point["a"] == pytest.approx(0.6, abs=1e-9)
    assert point["c"] == pytest.approx(torque)
    assert point["c.sum"] == pytest.approx(torque)
    assert point["c.gain"] == 3  # no update: it keeps its value
    assert point.system is system
    run = gs.simulate(system, duration=0.5, step=0.1, initial=point)
    np.testing.assert_allclose(run["a"], 0.6, atol=1e-9)
    np.testing.assert_allclose(run["c"], torque, rtol=1e-9)
    doubled = gs.equilibrium(system, parameters={"k": 2.0})
    assert doubled["c"] == pytest.approx(torque / 2)


def test_stability_is_that_of_samples() -> None:
    point = gs.equilibrium(held_rod())
    assert str(point.stability) == "stable: all multipliers are smaller than one, but 1 is one."  # the gain
    late = gs.equilibrium(held_rod(delayed=True))
    assert late.inputs == {"late": pytest.approx(0.6)}
    assert "undecided: it is not examined with the delay of 'late'; linearize(…, delay=gs.Pade(3))" in str(late)
    linear = gs.linearize(held_rod(delayed=True), late, delay=gs.Pade(3), hold=gs.ZeroOrderHold())
    assert linear.stability.verdict.value == "stable"


def test_pade_keeps_parameters_and_inputs_of_an_operating_point() -> None:
    model = block_on_a_slide(
        gs.Actuator("push", "x"), gs.Delay("late", "x", 0.1), gs.JointSpring("s", "x", "k", 1, force="-late"), k=2.0
    )
    point = gs.equilibrium(model, parameters={"k": 5.0}, inputs={"push": 3.0})
    assert point["x"] == pytest.approx(0.5)
    linear = gs.linearize(model, point, delay=gs.Pade(2))
    assert linear.point["x"] == pytest.approx(0.5)
    assert linear.point["push"] == pytest.approx(3)
    assert linear.A.values[1, 0] == pytest.approx(-6)  # the spring, and the direct part of Padé's approximation


def test_steady_motion_with_a_sampled_law_and_a_delay() -> None:
    model = gs.Model("spindle")
    model.add(gs.Body("disc", gs.disc(1, 0.3)))
    model.add(gs.Revolute("a", "ground", "disc"))
    update = {"sum": "c.sum + 0.1*(2 - a.rate)"}
    model.add(gs.Sampled("c", 0.1, "0.3*(2 - a.rate) + c.sum", memory={"sum": 0}, update=update))
    model.add(gs.JointSpring("bearing", "a", damping=0.3, force="c"))
    point = gs.steady_motion(model, {"a.rate": 2})
    assert point["c"] == pytest.approx(0.6)
    assert point.stability.stable
    run = gs.simulate(model, duration=1, step=0.1, initial=point)
    np.testing.assert_allclose(run["a.rate"], 2, atol=1e-9)
    model.add(gs.Delay("late", "a.rate", 0.05))
    model.add(gs.JointSpring("drag", "a", force="-0.1*late"))
    point = gs.steady_motion(model, {"a.rate": 2})
    assert (point["c"], point["late"]) == (pytest.approx(0.8), pytest.approx(2))
    run = gs.simulate(model, duration=1, step=0.1, initial=point)
    np.testing.assert_allclose(run["a.rate"], 2, atol=1e-9)


def test_all_equilibria_are_those_of_the_system() -> None:
    """A sampled force (3x − x³)/2 balances a spring of stiffness 1 at −1, 0 and 1."""
    system = gs.formulate(
        block_on_a_slide(gs.Sampled("u", 0.1, "(3*x - x**3)/2"), gs.JointSpring("s", "x", 1, 1, force="u"))
    )
    found = gs.equilibrium(system, guesses=[{"x": -1.1}, {"x": 0.1}, {"x": 1.2}])
    assert sorted(round(float(one["x"]), 9) + 0.0 for one in found.all) == [-1, 0, 1]
    assert all(one.system is system for one in found.all)
    verdicts = {round(float(one["x"])): one.stability.verdict.value for one in found.all}
    assert verdicts == {-1: "stable", 0: "unstable", 1: "stable"}


def test_a_function_has_no_equation_at_rest() -> None:
    model = block_on_a_slide(gs.Sampled("u", 0.1, lambda t, signals, memory: 0.0))
    for analysis in (gs.equilibrium, gs.steady_motion):
        with pytest.raises(gs.StateError, match=r"sampled 'u' is a Python function, whose value at rest no equation g"):
            analysis(model)


def test_samples_that_no_state_keeps_are_named() -> None:
    model = block_on_a_slide(gs.Sampled("u", 0.1, "u + 1"), gs.JointSpring("s", "x", 1, 1))
    with pytest.raises(gs.StateError, match=r"No equilibrium of 'block' was found: .*u"):
        gs.equilibrium(model)


def test_periodic_motions_refuse_samples() -> None:
    with pytest.raises(gs.StateError, match=r"'c' is sampled: .* put a continuous law in the place of 'c'\."):
        gs.floquet(held_rod(), {}, 1.0)
