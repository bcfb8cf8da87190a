"""Quotients form a field, and equal values have equal text."""

from fractions import Fraction

import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.analysis.scales.quotients import QuotientField

FIELD = QuotientField(["a", "b"])
AT = {"a": 0.7310585, "b": 2.6180339}
"""Far from zeros of denominators with small coefficients."""


@st.composite
def linear(draw):
    """Return a small polynomial of degree one."""
    numbers = [draw(st.integers(-2, 2)) for _ in range(3)]
    return FIELD.number(numbers[0]) + FIELD.symbol("a") * numbers[1] + FIELD.symbol("b") * numbers[2]


@st.composite
def quotients(draw):
    below = draw(linear().filter(bool)) * draw(linear().filter(bool))
    return (draw(linear()) + FIELD.imaginary * draw(linear())) / below


def is_lowest(x):
    """Tell whether numerator and denominator have nothing in common, and the denominator leads with a plus."""
    if not x:
        return x.below.is_one()
    common = x.below.gcd(x.real) if x.real else x.below
    common = common.gcd(x.imag) if x.imag else common
    return common.is_one() and int(x.below.leading_coefficient()) > 0


@settings(max_examples=examples(150), deadline=None)
@given(quotients(), quotients(), quotients())
def test_field(x, y, z):
    for value in (x, x + y, x * y, x - z, x * y + z):
        assert is_lowest(value)
    assert x + y == y + x
    assert x * y == y * x
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert not x - x
    if y:
        assert (x / y) * y == x


@settings(max_examples=examples(100), deadline=None)
@given(quotients(), quotients())
def test_values(x, y):
    assert (x * y + x).value(AT) == pytest.approx(x.value(AT) * y.value(AT) + x.value(AT), rel=1e-7, abs=1e-9)
    assert x.conjugate().value(AT) == pytest.approx(x.value(AT).conjugate())
    assert (x.real_part() + FIELD.imaginary * x.imaginary_part()) == x


def test_roots_numbers_and_names():
    a, b = FIELD.symbol("a"), FIELD.symbol("b")
    assert (4 * a * a / (9 * b * b)).square_root() == 2 * a / (3 * b)
    assert (a * b).square_root() is None
    assert (-(a * a)).square_root() is None
    assert FIELD.number(Fraction(3, 4)).rational() == Fraction(3, 4)
    assert (a / a).rational() == 1
    assert a.rational() is None
    assert (a / b).used() == {"a", "b"}
    with pytest.raises(ZeroDivisionError):
        1 / FIELD.zero


def test_moving_to_a_larger_field():
    larger = QuotientField(["b", "c", "a"])
    x = (FIELD.symbol("a") + 1) / FIELD.symbol("b")
    assert str(larger.moved(x)) == str(x)
    with pytest.raises(KeyError, match="a"):
        QuotientField(["b"]).moved(x)
