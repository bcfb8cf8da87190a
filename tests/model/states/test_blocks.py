"""Blocks: what they refuse, and loops of blocks without a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelError


def model_with(*components: Any) -> gs.Model:
    """Return a block on a slide with components."""
    model = gs.Model("block")
    model.add(gs.Body("block", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    for component in components:
        model.add(component)
    return model


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: gs.Lag("y", "x", 0), "state 'y', time_constant: 0 is not positive. Without a lag, use the input"),
        (lambda: gs.PI("y", "x", 1, 1, limits=(1,)), "state 'y', limits: 1 limits are given. Write (lower, upper)."),
        (lambda: gs.PI("y", "x", 1, 1, limits=(2, 1)), "state 'y', limits: 2 is not below 1. Write (lower, upper)."),
        (lambda: gs.PI("y", "x", 1, 0, limits=(0, 1)), "state 'y', integral: it is zero, so that nothing winds up."),
        (
            lambda: gs.PI("y", "x", 0, 1, limits=(0, 1)),
            "state 'y', tracking: with a proportional gain of zero the tracking time has no default. Give tracking=…",
        ),
        (lambda: gs.PI("y", "x", 1, 1, tracking=1), "state 'y', tracking: there are no limits to track."),
        (lambda: gs.PID("y", "x", 1, 1, 1, 0), "state 'y', filter_time: 0 is not positive. An ideal derivative is not"),
        (
            lambda: gs.TransferFunctionBlock("y", "x", (1, 0, 0), (1, 1)),
            "state 'y', numerator: its degree 2 exceeds 1, that of the denominator. Add poles",
        ),
        (lambda: gs.TransferFunctionBlock("y", "x", (1,), (0, 1)), "denominator: it has no leading coefficient."),
        (lambda: gs.TransferFunctionBlock("y", "x", (), (1, 1)), "state 'y', numerator: it is empty."),
        (
            lambda: gs.StateSpaceBlock("y", ("x",), [[0, 1]], [[1]], [[1]]),
            "state 'y', A: it has 1 rows of 2 entries. It must have 1 rows of 1.",
        ),
        (lambda: gs.StateSpaceBlock("y", (), [[0]], [[1]], [[1]]), "state 'y': it has no states, no inputs or no out"),
        (
            lambda: gs.StateSpaceBlock("y", ("x",), [[0]], [[1]], [[1]], initial=(1, 2)),
            "state 'y', initial: it has 2 values. Give one for each of the 1 states.",
        ),
        (lambda: gs.RateLimiter("y", "x", -1, 0.1), "state 'y', rising: -1 is not positive."),
        (lambda: gs.RateLimiter("y", "x", 1, 0.1, falling=0), "state 'y', falling: 0 is not positive."),
        (lambda: gs.RateLimiter("y", "x", 1, 0), "state 'y', time_constant: 0 is not positive. Give the lag within"),
        (lambda: gs.Delay("y", "x", 0), "state 'y', delay: 0 is not positive. Without a delay, use the signal itself."),
        (lambda: gs.Sampled("y", 0, "x"), "state 'y', period: 0 is not positive. Give the time between samples."),
        (
            lambda: gs.Sampled("y", 1, "x", update={"n": 1}),
            "state 'y', update: 'n' is no entry of the memory. Add it: memory={'n': 0}.",
        ),
        (
            lambda: gs.Sampled("y", 1, lambda t, s, m: 0.0, memory={"n": 0}, update={"n": 1}),
            "state 'y', update: the law is a Python function. Let it change its memory by itself.",
        ),
        (lambda: gs.DCMotor("m", "x", 1, 0, 1), "force 'm', inductance: 0 is not positive. Without inductance"),
    ],
)
def test_blocks_that_cannot_be(made: Callable[[], object], message: str) -> None:
    with pytest.raises(ModelError) as error:
        made()
    assert message in str(error.value)


def test_algebraic_loops_are_named() -> None:
    first = gs.PI("first", "x - second", 1, 1)
    second = gs.TransferFunctionBlock("second", "first", (1, 2), (1, 3))
    with pytest.raises(ModelError) as error:
        model_with(first, second).check()
    text = str(error.value)
    assert "its law depends on its own value: " in text
    assert "first → second → first" in text or "second → first → second" in text
    assert "or a state between them." in text


def test_loops_through_forces_and_measures_are_named() -> None:
    block = gs.PI("u", "1 - load", 1, 1)
    measure, pull = gs.Measure("load", "2*spring.force"), gs.JointSpring("spring", "x", force="u")
    with pytest.raises(ModelError, match=r"its law depends on its own value: "):
        model_with(block, measure, pull).check()


def test_a_current_controller_is_no_loop() -> None:
    motor = gs.DCMotor("motor", "x", 1, 0.1, 1, voltage="u")
    model_with(gs.PI("u", "1 - motor.current - 0.1*motor.torque", 1, 1), motor).check()


@pytest.mark.parametrize(
    "second",
    [
        gs.TransferFunctionBlock("second", "first", (2,), (1, 3)),
        gs.Lag("second", "first", 0.1),
        gs.StateSpaceBlock("second", ("first",), [[-1]], [[1]], [[1]]),
        gs.StateSpaceBlock("second", ("first", "x"), [[-1]], [[1, 0]], [[1]], [[0, 2]]),
        gs.Sampled("second", 0.1, "first"),
        gs.Delay("second", "first", 0.1),
        gs.PI("second", "first", 0, 1),
    ],
    ids=lambda one: type(one).__name__,
)
def test_states_break_loops(second: gs.Lag) -> None:
    model_with(gs.PI("first", "x - second", 1, 1), second).check()


def test_outputs_have_names_of_their_own() -> None:
    model = model_with(gs.PI("c", "x", 1, 1))
    assert model.states["c"].state_variables[0].name == "c.integral"
    with pytest.raises(ModelError, match=r"state 'x': the name is taken by another joint\."):
        model.add(gs.PI("x", "1", 1, 1))


def test_a_delayed_signal_is_not_given_from_outside() -> None:
    with pytest.raises(GyrostatError, match=r"'y' is a delayed signal, which the simulation gives by itself\."):
        gs.simulate(model_with(gs.Delay("y", "x", 1)), duration=1, inputs={"y": 1})
