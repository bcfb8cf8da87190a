"""Sums and products that recognise zeros and ones."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from gyrostat.scalar.algebra import add, divide, is_number, is_zero, multiply, negate, square, subtract, total

x = sp.Symbol("x")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (add(0, x), x),
        (add(x, 0.0), x),
        (subtract(x, 0), x),
        (subtract(0, x), -x),
        (multiply(1, x), x),
        (multiply(x, 1.0), x),
        (multiply(-1, x), -x),
        (multiply(x, -1), -x),
        (divide(x, 1), x),
        (total([0, x, 0, x]), 2 * x),
        (square(x), x**2),
    ],
)
def test_neutral_elements_leave_the_other_operand(result, expected):
    assert result == expected


@pytest.mark.parametrize(
    "result",
    [
        multiply(0, x),
        multiply(x, 0.0),
        divide(0, x),
        negate(0),
        negate(-0.0),
        total([]),
        square(0.0),
        multiply(-1, 0),
        subtract(0, 0),
    ],
)
def test_zeros_stay_literal_zeros(result):
    assert result == 0
    assert is_number(result)
    assert str(result) == "0"


def test_operands_are_returned_themselves():
    thing = object()
    assert add(0, thing) is thing
    assert multiply(1, thing) is thing
    assert divide(thing, 1) is thing
    assert subtract(thing, 0) is thing


def test_only_plain_numbers_are_known():
    assert not is_number(True)
    assert not is_number(sp.Integer(0))
    assert not is_zero(sp.Integer(0))
    assert is_zero(0)
    assert is_zero(-0.0)
    assert not is_zero(1e-300)


numbers = st.one_of(st.integers(-3, 3), st.floats(-3, 3))


@given(numbers, numbers)
def test_on_numbers_it_is_ordinary_arithmetic(a, b):
    assert add(a, b) == a + b
    assert subtract(a, b) == a - b
    assert multiply(a, b) == a * b
    assert negate(a) == -a
    assert square(a) == a * a
    if b:
        assert divide(a, b) == a / b
