"""The engine of plain floats."""

import math

import pytest

from gyrostat.scalar import ARITY, FloatScalars

floats = FloatScalars()


def test_constants_become_floats():
    assert floats.constant(3) == 3.0
    assert type(floats.constant(3)) is float
    assert floats.pi() == math.pi


@pytest.mark.parametrize("name", ARITY)
def test_every_function_exists_and_gives_a_float(name):
    arguments = (0.5, 0.25, 0.125)[: ARITY[name] or 2] if name != "acosh" else (1.5,)
    assert type(floats.call(name, arguments)) is float


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("sign", (-3.0,), -1.0),
        ("sign", (0.0,), 0.0),
        ("sign", (2.0,), 1.0),
        ("floor", (-1.5,), -2.0),
        ("ceil", (-1.5,), -1.0),
        ("min", (3.0, 1.0, 2.0), 1.0),
        ("max", (3.0, 1.0, 2.0), 3.0),
        ("where", (1.0, 5.0, 6.0), 5.0),
        ("where", (0.0, 5.0, 6.0), 6.0),
        ("hypot", (3.0, 4.0), 5.0),
        ("atan2", (1.0, -1.0), 3 * math.pi / 4),
    ],
)
def test_functions_that_are_not_plain_mathematics(name, arguments, expected):
    assert floats.call(name, arguments) == expected


@pytest.mark.parametrize(
    ("sign", "truths"),
    [("<", (1, 0, 0)), ("<=", (1, 1, 0)), (">", (0, 0, 1)), (">=", (0, 1, 1)), ("==", (0, 1, 0)), ("!=", (1, 0, 1))],
)
def test_comparisons_are_one_or_zero(sign, truths):
    assert tuple(floats.compare(sign, x, 2.0) for x in (1.0, 2.0, 3.0)) == truths


def test_truth_values_are_combined():
    for a in (0.0, 1.0):
        assert floats.logic("not", (a,)) == 1.0 - a
        for b in (0.0, 1.0):
            assert floats.logic("and", (a, b)) == a * b
            assert floats.logic("or", (a, b)) == max(a, b)


def test_powers_stay_real():
    assert floats.power(2.0, -1.0) == 0.5
    assert floats.power(-2.0, 3.0) == -8.0
    with pytest.raises(ValueError, match="domain"):
        floats.power(-8.0, 1 / 3)
    with pytest.raises(OverflowError):
        floats.power(9.0, 9.0**9)
