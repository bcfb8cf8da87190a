"""The traced engine: every operation against floats, and zeros and ones that are recognised."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import casadi
import numpy as np
import pytest

import gyrostat as gs
from gyrostat.scalar import ARITY, FloatScalars
from gyrostat.scalar.algebra import add, multiply, subtract
from gyrostat.scalar.traced import Traced, TracedScalars, as_sx, column, symbols

POINTS = {
    **dict.fromkeys(("asin", "acos", "atanh"), (-0.9, 0.0, 0.4)),
    "acosh": (1.0, 1.3, 20.0),
    **dict.fromkeys(("log", "sqrt"), (0.01, 1.0, 7.3)),
}
PAIRS = ((0.3, -1.2), (2.0, 2.0), (-1.5, 0.4), (0.0, 1.0))


def _value(expression: Any, inputs: Any, numbers: tuple[float, ...]) -> float:
    function = casadi.Function("f", [inputs], [column([expression])])
    return float(function(numbers))


@pytest.mark.parametrize("name", [name for name, arity in ARITY.items() if arity == 1])
def test_functions_of_one_argument(name: str) -> None:
    inputs, (x,) = symbols("x", 1)
    traced = TracedScalars().call(name, (x,))
    for number in POINTS.get(name, (-2.4, -0.5, 0.0, 0.7, 3.0)):
        expected = FloatScalars().call(name, (number,))
        assert _value(traced, inputs, (number,)) == pytest.approx(expected, rel=1e-15, abs=1e-15)
        known = TracedScalars().call(name, (number,))
        assert not isinstance(known, Traced)
        assert known == pytest.approx(expected, rel=1e-15, abs=1e-15)


@pytest.mark.parametrize("name", [name for name, arity in ARITY.items() if arity in (2, None)])
def test_functions_of_several_arguments(name: str) -> None:
    inputs, (x, y) = symbols("x", 2)
    scalars = TracedScalars()
    for a, b in PAIRS:
        expected = FloatScalars().call(name, (a, b))
        for arguments in ((x, y), (a, y), (x, b)):
            assert _value(scalars.call(name, arguments), inputs, (a, b)) == pytest.approx(expected, rel=1e-15)
    if ARITY[name] is None:
        three = scalars.call(name, (x, y, 0.1))
        assert _value(three, inputs, (0.3, -1.2)) == FloatScalars().call(name, (0.3, -1.2, 0.1))


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons_and_choices(operator: str) -> None:
    inputs, (x, y) = symbols("x", 2)
    scalars, floats = TracedScalars(), FloatScalars()
    for a, b in PAIRS:
        expected = floats.compare(operator, a, b)
        for left, right in ((x, y), (a, y), (x, b), (a, b)):
            found = scalars.compare(operator, left, right)
            assert _value(found, inputs, (a, b)) == expected
            chosen = scalars.call("where", (found, x * 2, 7.0))
            assert _value(chosen, inputs, (a, b)) == (2 * a if expected else 7.0)


def test_the_branch_not_taken_may_have_no_value() -> None:
    inputs, (x,) = symbols("x", 1)
    scalars = TracedScalars()
    safe = scalars.call("where", (scalars.compare(">", x, 0), scalars.call("sqrt", (x,)), 0.5))
    assert _value(safe, inputs, (-4.0,)) == 0.5
    assert _value(safe, inputs, (4.0,)) == 2.0


def test_logic() -> None:
    inputs, (x, y) = symbols("x", 2)
    scalars, floats = TracedScalars(), FloatScalars()
    for a in (0.0, 1.0):
        for b in (0.0, 1.0):
            for name in ("and", "or"):
                expected = floats.logic(name, (a, b, 1.0))
                assert _value(scalars.logic(name, (x, y, 1.0)), inputs, (a, b)) == expected
                assert _value(scalars.logic(name, (a, y, 1.0)), inputs, (a, b)) == expected
                assert _value(scalars.logic(name, (a, b, 1.0)), inputs, (a, b)) == expected
            assert _value(scalars.logic("not", (x,)), inputs, (a, b)) == floats.logic("not", (a,))
        assert _value(scalars.logic("not", (a,)), inputs, (a, 0.0)) == floats.logic("not", (a,))


@pytest.mark.parametrize("exponent", [-3, -2, -1, 0, 0.5, 1, 2, 2.5, 3, 4, 5, 7])
def test_powers(exponent: float) -> None:
    inputs, (x, y) = symbols("x", 2)
    scalars = TracedScalars()
    for base in (0.4, 1.0, 3.2):
        expected = math.pow(base, exponent)
        for power in (scalars.power(x, exponent), scalars.power(x, y), scalars.power(base, y)):
            assert _value(power, inputs, (base, exponent)) == pytest.approx(expected, rel=1e-14)
        assert scalars.power(base, exponent) == expected
    if isinstance(exponent, int):
        assert _value(scalars.power(x, exponent), inputs, (-1.7, 0)) == pytest.approx((-1.7) ** exponent, rel=1e-14)


def test_arithmetic_with_numbers_on_either_side() -> None:
    inputs, (x, y) = symbols("x", 2)
    found = [x + y, x - y, x * y, x / y, -x, 2 + x, 2 - x, 2 * x, 2 / x, x + 2, x - 2, x * 2, x / 2]
    a, b = 0.7, -1.3
    expected = [a + b, a - b, a * b, a / b, -a, 2 + a, 2 - a, 2 * a, 2 / a, a + 2, a - 2, a * 2, a / 2]
    np.testing.assert_allclose([_value(f, inputs, (a, b)) for f in found], expected, rtol=1e-15)


def test_equal_calls_are_formed_once() -> None:
    _, (x,) = symbols("x", 1)
    scalars = TracedScalars()
    assert scalars.call("sin", (x,)) is scalars.call("sin", (x,))
    assert scalars.call("sin", (x,)) is not scalars.call("cos", (x,))


def test_zeros_and_ones_leave_no_operation() -> None:
    _, (x,) = symbols("x", 1)
    assert add(x, 0) is x
    assert add(0, x) is x
    assert multiply(1, x) is x
    assert multiply(x, 0) == 0
    assert subtract(x, 0.0) is x


def test_quarter_turns_are_whole() -> None:
    scalars = TracedScalars()
    for quarter in range(-4, 5):
        for name, exact in (("cos", (1, 0, -1, 0)[quarter % 4]), ("sin", (0, 1, 0, -1)[quarter % 4])):
            found = scalars.call(name, (quarter * math.pi / 2,))
            assert type(found) is int
            assert found == exact
    assert type(scalars.call("sin", (0.1,))) is float


def test_empty_columns() -> None:
    assert symbols("x", 0)[1] == []
    assert column([]).shape == (0, 1)
    assert float(as_sx(2)) == 2.0


# --- planar mechanisms stay planar -------------------------------------------------------------------------------


def _chain(links: int, axes: Sequence[Any] = ("z",)) -> gs.Model:
    model = gs.Model("chain", gravity=(0, "-g", 0), parameters={"m": 2.0, "l": 0.7, "J": 0.1, "g": 9.81})
    for i in range(links):
        model.add(gs.Body(f"bar{i}", mass="m", inertia=("J", "J", "J"), com=("l/2", 0, 0), points={"tip": ("l", 0, 0)}))
        model.add(gs.Revolute(f"a{i}", f"bar{i - 1}.tip" if i else "ground", f"bar{i}", axis=axes[i % len(axes)]))
    return model


def _operations(model: gs.Model, program: str = "forward_dynamics") -> int:
    return gs.formulate(model).program(program).operations


def test_a_double_pendulum_has_no_arithmetic_out_of_its_plane() -> None:
    assert _operations(_chain(2)) <= 69


def test_planar_chains_cost_a_fraction_of_spatial_ones() -> None:
    oblique = ((0.3, 0.5, 0.8), (0.8, -0.3, 0.5))
    assert _operations(_chain(5)) < 0.35 * _operations(_chain(5, oblique))


def test_parallel_oblique_axes_turn_as_one() -> None:
    """Numbers that are whole but for rounding leave no arithmetic behind: only inertia and gravity are spatial."""
    assert _operations(_chain(5, [(0.3, 0.5, 0.8)])) < 1.25 * _operations(_chain(5))


def test_values_are_entered_as_they_are_formed() -> None:
    formed: list[Any] = []
    _, (x, y) = symbols("x", 2, formed)
    scalars = TracedScalars()
    made = [x * y, x * y + 1, -x, scalars.call("sin", (y,)), scalars.call("where", (scalars.compare("<", x, y), x, y))]
    assert all(any(value.sx is entry for entry in formed) for value in made)
    assert [entry.element_hash() for entry in formed[:2]] != [made[0].sx.element_hash()] * 2
    assert len(formed) == 7


def test_a_hinge_in_a_turned_frame_costs_no_more() -> None:
    """Both frames are turned alike by the model's author: numbers fold, quarter turns leave zeros."""
    plain, turned = _chain(1), gs.Model("turned", gravity=(0, 0, "-g"), parameters={"m": 2, "l": 0.7, "J": 0.1, "g": 9})
    hub = gs.Frame((0, 0, 0), [("x", "90*deg")])
    turned.add(gs.Body("ground", frames={"hub": hub}))
    turned.add(gs.Body("bar", mass="m", inertia=("J", "J", "J"), com=("l/2", 0, 0), frames={"hub": hub}))
    turned.add(gs.Revolute("a", "ground.hub", "bar.hub", axis="z"))
    assert _operations(turned) == _operations(plain)
