"""Optimisation on frequencies, damping, responses and positions, with exact gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sensitive_models import half_hexagon, sprung_pendulum

import gyrostat as gs
from gyrostat.analysis.optimization.design import DesignPoint, DesignTask


def absorber() -> gs.Model:
    """Return a mass on a spring with a small one on a spring and damper: a tuned absorber."""
    parameters = {"M": 1.0, "m": 0.05, "K": 100.0, "k": 3.0, "c": 0.05}
    model = gs.Model("absorber", parameters=parameters)
    model.add(gs.Body("big", gs.point_mass("M")))
    model.add(gs.Body("small", gs.point_mass("m")))
    model.add(gs.Prismatic("x1", "ground", "big", axis="x"))
    model.add(gs.Prismatic("x2", "big", "small", axis="x"))
    model.add(gs.TorsionSpring("main", "x1", stiffness="K"))
    model.add(gs.TorsionSpring("tuned", "x2", stiffness="k", damping="c"))
    model.add(gs.Actuator("push", "x1"))
    return model


def half_car() -> gs.Model:
    """Return a car body that heaves and pitches on two struts, with wheels on tyres."""
    parameters = {"m": 700.0, "J": 1100.0, "m_w": 40.0, "a": 1.2, "b": 1.4, "k_t": 180000.0}
    parameters |= {"k_front": 18000.0, "k_rear": 20000.0, "c_front": 1000.0, "c_rear": 1000.0}
    model = gs.Model("half car", parameters=parameters)
    model.add(gs.Body("mount", mass=0))
    model.add(gs.Body("car", mass="m", inertia=("J", "J", "J"), points={"front": ("a", 0, 0), "rear": ("-b", 0, 0)}))
    model.add(gs.Prismatic("heave", "ground", "mount", axis="z"))
    model.add(gs.Revolute("pitch", "mount", "car", axis="y"))
    for end in ("front", "rear"):
        wheel, stiffness, damping = f"wheel_{end}", (0, 0, f"k_{end}"), (0, 0, f"c_{end}")
        model.add(gs.Body(wheel, gs.point_mass("m_w")))
        model.add(gs.Prismatic(f"hop_{end}", "ground", wheel, axis="z"))
        model.add(gs.TorsionSpring(f"tyre_{end}", f"hop_{end}", stiffness="k_t"))
        model.add(gs.Bushing(f"strut_{end}", wheel, f"car.{end}", stiffness=stiffness, damping=damping))
    return model


DAMPERS = {"c_front": (200, 6000), "c_rear": (200, 6000)}
QUANTITIES: dict[str, Any] = {
    "frequency": gs.ModeFrequency(0),
    "damping": gs.ModeDamping(1),
    "position": gs.StaticPosition("a2"),
    "point": gs.StaticPosition("bar1.tip.x"),
    "spring": gs.StaticPosition("spring.force"),
    "reaction": gs.StaticPosition("a2.reaction.force.y"),
    "formula": gs.ParameterFormula("m1*l1**2 + sqrt(m2)"),
    "response": gs.ResponsePeak("motor", "a1", (0.2, 1.0)),
}


@pytest.mark.parametrize("name", QUANTITIES)
def test_gradients_agree_with_differences(name: str) -> None:
    task = DesignTask(gs.formulate(sprung_pendulum()), ("m2", "l1", "k"), {"a1": 0.1}, ("motor",), {})
    start = DesignPoint(task, np.array([5.0, 0.5, 30.0]))
    quantity = QUANTITIES[name]
    quantity.check(task)
    found = quantity.gradient(start)
    for i, value in enumerate(start.values):
        high, low = (start.values + step * value * np.eye(3)[i] for step in (1e-5, -1e-5))
        difference = (quantity.value(start.following(high)) - quantity.value(start.following(low))) / (2e-5 * value)
        assert found[i] == pytest.approx(difference, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("name", ["h4", "r2.y", "h1.reaction.force.x", "h4.reaction.force.y"])
def test_outputs_of_loops_have_gradients(name: str) -> None:
    task = DesignTask(gs.formulate(half_hexagon()), ("b", "l", "m"), {"h1": -1.0, "h2": 1.0, "h3": 1.0}, (), {})
    start, quantity = DesignPoint(task, np.array([2.0, 1.0, 1.0])), gs.StaticPosition(name)
    quantity.check(task)
    steps = [start.values + step * np.eye(3)[i] for i in range(3) for step in (1e-5, -1e-5)]
    values = np.array([quantity.value(start.following(step)) for step in steps]).reshape(3, 2)
    assert quantity.gradient(start) == pytest.approx((values[:, 0] - values[:, 1]) / 2e-5, rel=1e-5, abs=1e-6)


def test_a_tuned_absorber_is_den_hartog_s() -> None:
    """The lowest peak of a mass with an absorber, mass ratio μ, is about √(1 + 2/μ) static deflections."""
    goal = gs.Minimize(gs.ResponsePeak("push", "x1", (0.8, 2.6)))
    found = gs.optimize(absorber(), {"k": (1.0, 10.0), "c": (0.01, 1.0)}, goal, inputs=["push"])
    assert found.success
    mu = 0.05
    assert found.quantities[str(goal.quantity)][1] == pytest.approx(np.sqrt(1 + 2 / mu) / 100, rel=0.01)
    assert found.parameters["k"] == pytest.approx(0.05 * 100 / (1 + mu) ** 2, rel=0.02)


def test_a_target_is_reached_within_limits() -> None:
    limit = gs.Limit(gs.ParameterFormula("m1 + m2"), most=14.0)
    found = gs.optimize(
        sprung_pendulum(),
        {"m1": (5.0, 20.0), "l2": (0.5, 2.0), "k": (5.0, 80.0)},
        gs.Target(gs.ModeFrequency(0), 0.45),
        subject_to=[limit],
        guess={"a1": 0.1},
    )
    assert found.success
    assert found.quantities["frequency of mode 0 (Hz)"][1] == pytest.approx(0.45, rel=1e-4)
    assert found.parameters["m1"] + 5.0 <= 14.0 + 1e-6
    assert found.start.values[0] == 10.0
    assert "m1: 10 → " in str(found)
    assert "designs were evaluated" in str(found)


def test_bounds_are_kept_and_said() -> None:
    found = gs.optimize(absorber(), {"k": (1.0, 10.0)}, gs.Maximize(gs.ModeFrequency(1)))
    assert found.at_bounds == {"k": "upper"}
    assert "k: 3 → 10  (at its upper bound)" in str(found)


def test_limits_that_cannot_be_kept_are_said() -> None:
    found = gs.optimize(
        absorber(),
        {"k": (1.0, 10.0)},
        gs.Minimize(gs.ParameterFormula("k")),
        subject_to=[gs.Limit(gs.ModeFrequency(0), 9.0)],
    )
    assert not found.success
    assert "not kept: frequency of mode 0 (Hz) ≥ 9" in str(found)


@pytest.mark.parametrize("modes", [(0,), (0, 1), (2, 3)], ids=str)
@pytest.mark.parametrize("start", [300.0, 1000.0])
def test_steps_are_shortened_where_a_mode_is_lost(modes: tuple[int, ...], start: float) -> None:
    """The first step leads to a bound, 6000 N·s/m, where the modes no longer oscillate."""
    goals = [gs.Target(gs.ModeDamping(mode), 0.4) for mode in modes]
    found = gs.optimize(half_car(), DAMPERS, goals, parameters={"c_front": start, "c_rear": start})
    assert found.success, found.message
    for mode in modes:
        assert found.quantities[f"damping ratio of mode {mode}"][1] == pytest.approx(0.4, abs=1e-3)


def test_the_damping_of_a_mode_that_does_not_oscillate_cannot_be_sought() -> None:
    """Its ratio is 1 there whatever the dampers are: the search ended at once, as successful, far from its target."""
    goal = gs.Target(gs.ModeDamping(0), 0.4)
    with pytest.raises(gs.StateError, match=r"Mode 0 of the initial design does not oscillate.*'c_front', 'c_rear'"):
        gs.optimize(half_car(), DAMPERS, goal, parameters={"c_front": 5000.0, "c_rear": 5000.0})


def test_a_mode_that_ceases_to_oscillate_ends_the_search_beside_that() -> None:
    """The damping ratio of an oscillation is largest where it ceases to be one, at 1."""
    found = gs.optimize(half_car(), DAMPERS, gs.Maximize(gs.ModeDamping(0)))
    assert not found.success
    assert "Mode 0 of the initial design cannot be recognised: no oscillation has a shape like its own" in found.message
    assert found.quantities["damping ratio of mode 0"][1] > 0.999


@pytest.mark.parametrize(
    ("vary", "goal", "message"),
    [
        ({}, gs.Minimize(gs.ModeFrequency(0)), "There is nothing to optimise"),
        ({"kk": (1, 2)}, gs.Minimize(gs.ModeFrequency(0)), "There is no parameter 'kk' to vary"),
        ({"k": (2, 1)}, gs.Minimize(gs.ModeFrequency(0)), "The bounds of 'k' are 2 and 1"),
        (
            {"k": (1, 2)},
            gs.Minimize(gs.StaticPosition("x9")),
            "There is no number 'x9' among the outputs at equilibrium. Known: ",
        ),
        ({"k": (1, 2)}, gs.Minimize(gs.StaticPosition("small")), "There is no number 'small' among the outputs"),
        ({"k": (1, 2)}, gs.Minimize(gs.ParameterFormula("k + q")), "uses 'q', which is no parameter"),
        ({"k": (1, 2)}, gs.Minimize(gs.ResponsePeak("push", "x1", (2, 1))), "The band of frequencies is"),
        ({"k": (1, 2)}, gs.Minimize(gs.ResponsePeak("pusk", "x1", (1, 2))), "There is no input 'pusk' to linearize"),
        ({"k": (1, 2)}, gs.Minimize(gs.ModeFrequency(7)), "There is no mode 7"),
    ],
)
def test_bad_input_is_explained(vary: Any, goal: Any, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.optimize(absorber(), vary, goal)


def test_limits_need_bounds() -> None:
    with pytest.raises(gs.StateError, match="has no bounds"):
        gs.Limit(gs.ModeFrequency(0))
    with pytest.raises(gs.StateError, match="Exchange them"):
        gs.Limit(gs.ModeFrequency(0), 2.0, 1.0)
