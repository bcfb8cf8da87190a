"""Auxiliary symbols, outside the ring: roots, inverses, Euler parameters, π, functions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact import Certainty, ExactRing, ExactScalars, equals, evaluate


class Bench:
    """A ring with a few symbols and short names for its functions."""

    def __init__(self) -> None:
        self.ring = ExactRing(groups=[["a", "b"]], symbols=["k", "m", "l"], positive=["l"])
        self.engine = ExactScalars(self.ring)

    def __getattr__(self, name: str) -> Any:
        if len(name) == 1:
            return self.ring.symbol(name)
        return lambda *arguments: self.engine.call(name, arguments)


@pytest.fixture
def x() -> Bench:
    return Bench()


POINT = {"a": 0.4, "b": 1.3, "k": 0.7, "m": 1.9, "l": 2.3, "t": 0.9}


def test_inverse_of_a_sum_times_the_sum_is_one(x: Bench) -> None:
    v = 1 / (x.k + x.m)
    assert v * (x.k + x.m) == 1
    assert type(v * (x.k + x.m)) is int
    assert x.k * v + x.m * v == 1
    assert (x.k**2 - x.m**2) * v == x.k - x.m
    assert repr(x.k * v) == "k/(k + m)"


def test_content_and_factors_of_a_divisor_are_taken_out(x: Bench) -> None:
    v = 1 / (2 * x.k**2 - 2 * x.m**2)
    assert set(map(str, x.ring.definitions.values())) == {"1/(k - m)", "1/(k + m)"}
    assert v * (x.k - x.m) == 1 / (2 * x.k + 2 * x.m)
    assert 1 / (3 * x.k * x.m) * x.m == 1 / (3 * x.k)


def test_inverse_of_a_trigonometric_polynomial(x: Bench) -> None:
    p = x.k + x.m * x.cos(x.a)
    assert (1 / p) * p == 1
    assert (1 / p) * (p * x.sin(x.b)) == x.sin(x.b)
    assert (p * p) / p == p
    assert x.tan(x.a) * x.cos(x.a) == x.sin(x.a)
    assert x.sin(x.a) ** 2 / (1 + x.cos(x.a)) == 1 - x.cos(x.a)


def test_inverse_of_an_inverse(x: Bench) -> None:
    v = 1 / (x.k + x.m)
    assert 1 / v == x.k + x.m
    assert 1 / (1 + v) == (x.k + x.m) / (x.k + x.m + 1)
    assert 1 / (1 + x.tan(x.a) ** 2) == x.cos(x.a) ** 2


def test_division_by_zero_is_explained(x: Bench) -> None:
    with pytest.raises(GyrostatError, match="divided by zero"):
        1 / x.ring.constant(0)
    with pytest.raises(GyrostatError, match="negative power"):
        x.tan(x.engine.pi() / 2)


def test_root_squared_is_the_radicand(x: Bench) -> None:
    r = x.sqrt(x.k**2 + x.m)
    assert r * r == x.k**2 + x.m
    assert r**3 == r * (x.k**2 + x.m)
    assert 1 / r * r == 1
    assert (r - x.k) * (r + x.k) == x.m


def test_squares_come_out_of_roots(x: Bench) -> None:
    assert repr(x.sqrt(4 * x.l**2)) == "2*l"
    assert repr(x.sqrt(4 * x.k**2)) == "2*abs(k)"
    assert repr(x.sqrt(x.k**4)) == "k**2"
    assert x.sqrt(x.k**2) ** 2 == x.k**2
    assert repr(x.sqrt(x.l**2 * (x.k + 1) ** 2 * x.m)) == "l*abs(k + 1)*sqrt(m)"
    assert repr(x.sqrt(1 / x.l**3)) == "sqrt(l)/(l**2)"
    assert x.sqrt(x.l * x.m) == x.sqrt(x.l) * x.sqrt(x.m)
    assert repr(x.sqrt(1 - x.cos(x.a) ** 2)) == "abs(sin(a))"


def test_roots_of_numbers(x: Bench) -> None:
    assert x.sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert x.sqrt(8) * x.sqrt(2) == 4
    assert x.sqrt(6).key() == (x.sqrt(2) * x.sqrt(3)).key()
    assert (1 / (1 + x.sqrt(2))).key() == (x.sqrt(2) - 1).key()
    assert x.sqrt(0) == 0


def test_euler_parameters_stay_reduced() -> None:
    ring = ExactRing()
    e0, e1, e2, e3 = ring.euler_parameters("e0", "e1", "e2", "e3")
    assert e0**2 + e1**2 + e2**2 + e3**2 == 1
    assert repr(e0**2) == "-e1**2 - e2**2 - e3**2 + 1"
    assert e0**3 == e0 * (1 - e1**2 - e2**2 - e3**2)
    assert 1 / e0 * e0 == 1


@pytest.mark.parametrize("twelfths", range(-3, 26))
def test_known_values_at_parts_of_pi(x: Bench, twelfths: int) -> None:
    angle = x.engine.pi() * Fraction(twelfths, 12)
    assert evaluate(x.cos(angle), {}) == pytest.approx(math.cos(twelfths * math.pi / 12), abs=1e-14)
    assert evaluate(x.sin(angle), {}) == pytest.approx(math.sin(twelfths * math.pi / 12), abs=1e-14)


@pytest.mark.parametrize("part", [Fraction(1, 7), Fraction(9, 7), Fraction(-5, 7), Fraction(3, 16), Fraction(29, 16)])
def test_other_parts_of_pi_are_constant_angles(x: Bench, part: Fraction) -> None:
    angle = x.engine.pi() * part
    c, s = x.cos(angle), x.sin(angle)
    assert c**2 + s**2 == 1
    assert evaluate(c, {}) == pytest.approx(math.cos(float(part) * math.pi), abs=1e-14)
    assert evaluate(s, {}) == pytest.approx(math.sin(float(part) * math.pi), abs=1e-14)
    assert evaluate(c**5 * s**4, {}) == pytest.approx(evaluate(c, {}) ** 5 * evaluate(s, {}) ** 4, abs=1e-13)


def test_sums_with_constants_and_products_as_angles(x: Bench) -> None:
    assert x.cos(x.a + x.engine.pi() / 2) == -x.sin(x.a)
    assert repr(x.sin(2 * x.m * x.t)) == "sin(2*m*t)"
    assert x.sin(-x.m * x.t) == -x.sin(x.m * x.t)
    assert x.cos(0.3) ** 2 + x.sin(0.3) ** 2 == 1
    assert x.cos(x.a + x.m) == x.cos(x.a) * x.cos(x.m) - x.sin(x.a) * x.sin(x.m)
    deg = x.engine.pi() / 180
    assert x.sin(30 * deg) == Fraction(1, 2)


def test_halves_of_angles_are_related_by_evaluation(x: Bench) -> None:
    whole = x.cos(x.a)
    half = x.cos(x.a / 2)
    decision = equals(2 * half**2 - 1, whole)
    assert decision
    assert decision.how is Certainty.RANDOM_EVALUATION
    assert not equals(2 * half**2, whole)


def test_wholes_are_multiples_of_parts_that_came_first(x: Bench) -> None:
    half = x.cos(x.t / 2)
    assert (2 * half**2 - 1).key() == x.cos(x.t).key()


def test_a_symbol_may_stand_inside_and_outside_a_sine(x: Bench) -> None:
    assert repr(x.k * x.a * x.sin(x.a)) == "k*a*sin(a)"


def test_exponentials_multiply_by_adding(x: Bench) -> None:
    assert x.exp(x.a + x.b) == x.exp(x.a) * x.exp(x.b)
    assert x.exp(x.a) * x.exp(-x.a) == 1
    assert x.exp(0) == 1


def test_functions_of_equal_arguments_are_equal(x: Bench) -> None:
    assert x.log(x.k + x.m) - x.log(x.m + x.k) == 0
    assert x.log(x.cos(x.a) ** 2) == x.log(1 - x.sin(x.a) ** 2)
    assert x.atan(-x.k) == -x.atan(x.k)
    assert x.cosh(x.k) ** 2 - x.sinh(x.k) ** 2 == 1
    assert x.cosh(-x.k) == x.cosh(x.k)
    assert x.atan2(1, 1) == x.engine.pi() / 4
    assert x.atan2(-1, 0) == -x.engine.pi() / 2
    assert x.hypot(3, 4) == 5
    assert x.floor(Fraction(-1, 2)) == -1
    assert x.sign(-3) == -1


def test_choices_fold_where_they_are_known(x: Bench) -> None:
    e = x.engine
    assert e.compare("<", 1, 2) == 1
    assert e.compare("<", x.k, x.k + 1) == 1
    unknown = e.compare("<", x.k, x.m)
    assert repr(e.call("where", (1, x.k, x.m))) == "k"
    assert repr(e.call("where", (0, x.k, x.m))) == "m"
    assert e.call("where", (unknown, x.k, x.k)) == x.k
    assert repr(e.call("where", (unknown, x.k, 0))) == "where(<(k, m), k, 0)"
    assert e.logic("and", (1, unknown)) is unknown
    assert e.logic("and", (0, unknown)) == 0
    assert e.logic("or", (1, unknown)) == 1
    assert e.logic("not", (0,)) == 1
    assert x.min(3, 2, 5) == 2
    assert repr(x.max(1, x.k, 2)) == "max(2, k)"


@pytest.mark.parametrize("exponent", [Fraction(1, 2), Fraction(-3, 2), Fraction(1, 3), 3, -2])
def test_powers(x: Bench, exponent: Any) -> None:
    value = x.engine.power(x.k + x.m, exponent)
    assert evaluate(value, POINT) == pytest.approx((0.7 + 1.9) ** float(exponent))


def test_huge_powers_are_refused(x: Bench) -> None:
    with pytest.raises(GyrostatError, match="too large to be written out"):
        x.engine.power(x.k + 1, 10**9)


def test_equality_by_random_evaluation_is_told(x: Bench) -> None:
    same = equals(1 / ((x.k + 1) * (x.k + 2)), 1 / (x.k + 1) - 1 / (x.k + 2))
    assert same
    assert same.how is Certainty.RANDOM_EVALUATION
    other = equals(1 / ((x.k + 1) * (x.k + 2)), 1 / (x.k + 1) + 1 / (x.k + 2))
    assert not other
    roots = equals(x.sqrt(x.k) * x.sqrt(x.m), x.sqrt(x.k * x.m))
    assert roots
    assert roots.how is Certainty.NUMERIC_EVALUATION
    assert not equals(x.sqrt(x.k) + x.sqrt(x.m), x.sqrt(x.k + x.m))
    assert not equals(x.log(x.k), x.log(x.m))


def test_growth_in_the_middle_of_an_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gyrostat.scalar.exact.ring._RESERVE", 1)
    x = Bench()
    value = x.sqrt(x.l * x.k**2 * (x.m + 1) / (x.m * x.l**2)) + x.tan(x.a + x.k) / (1 + x.exp(x.m * x.k + x.a))
    k, m, length, a = (POINT[name] for name in "kmla")
    expected = math.sqrt(k**2 * (m + 1) / (m * length)) + math.tan(a + k) / (1 + math.exp(m * k + a))
    assert evaluate(value, POINT) == pytest.approx(expected, rel=1e-12)
