"""Elements form a ring, and their normal form is unique."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.scalar.exact import ExactRing, ExactScalars, equals, evaluate
from gyrostat.scalar.exact.element import Element

RING = ExactRing(groups=[["a", "b"], ["c"]], symbols=["m", "l"])
ENGINE = ExactScalars(RING)
POINT = {"a": 0.3, "b": -0.8, "c": 1.1, "m": 0.7, "l": -1.3}
SYMBOLS = {name: RING.symbol(name) for name in POINT}


def _trig(function: str, i: int, j: int, k: int) -> Any:
    return ENGINE.call(function, (i * SYMBOLS["a"] + j * SYMBOLS["b"] + k * SYMBOLS["c"],))


small = st.integers(-2, 2)
numbers = st.one_of(st.integers(-3, 3), st.fractions(-2, 2, max_denominator=5), st.sampled_from([0.5, -0.1]))
leaves = st.one_of(
    numbers,
    st.sampled_from(list(SYMBOLS.values())),
    st.builds(_trig, st.sampled_from(["cos", "sin"]), small, small, small),
    st.sampled_from([1 / SYMBOLS["m"], SYMBOLS["l"] / SYMBOLS["m"] ** 2]),
)
pairs = st.sampled_from([operator.add, operator.sub, operator.mul])
elements = st.recursive(
    leaves, lambda inner: st.builds(lambda f, x, y: _applied(f, x, y), pairs, inner, inner), max_leaves=6
)


def _applied(f: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
    """Apply an operation; two Python numbers are combined exactly, as the engine's constants are."""
    if not isinstance(x, Element) and not isinstance(y, Element):
        return f(Fraction(ENGINE.constant(x)), Fraction(ENGINE.constant(y)))
    return f(x, y)


def _at(x: Any) -> float:
    return evaluate(x, POINT)


def _key(x: Any) -> Any:
    return x.key() if isinstance(x, Element) else Fraction(ENGINE.constant(x))


@given(elements, elements, elements)
@settings(max_examples=examples(150), deadline=None)
def test_ring_axioms_hold_as_identity_of_normal_forms(x: Any, y: Any, z: Any) -> None:
    plus, times = (lambda a, b: _applied(operator.add, a, b)), (lambda a, b: _applied(operator.mul, a, b))
    assert _key(plus(x, y)) == _key(plus(y, x))
    assert _key(times(x, y)) == _key(times(y, x))
    assert _key(plus(plus(x, y), z)) == _key(plus(x, plus(y, z)))
    assert _key(times(times(x, y), z)) == _key(times(x, times(y, z)))
    assert _key(times(x, plus(y, z))) == _key(plus(times(x, y), times(x, z)))
    assert _key(_applied(operator.sub, x, x)) == 0


@given(elements, elements)
@settings(max_examples=examples(150), deadline=None)
def test_operations_agree_with_floats(x: Any, y: Any) -> None:
    for f in (operator.add, operator.sub, operator.mul):
        expected = f(_at(x), _at(y))
        assert _at(_applied(f, x, y)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3))
def test_products_of_sines_and_cosines_become_sums(i: int, j: int, k: int, n: int) -> None:
    x, y = i * SYMBOLS["a"] + j * SYMBOLS["b"], k * SYMBOLS["a"] + n * SYMBOLS["b"]
    cos, sin = (lambda v: ENGINE.call("cos", (v,))), (lambda v: ENGINE.call("sin", (v,)))
    assert _key(cos(x) * cos(y) - sin(x) * sin(y)) == _key(cos(x + y))
    assert _key(sin(x) * cos(y) + cos(x) * sin(y)) == _key(sin(x + y))
    assert _key(cos(x) ** 2 + sin(x) ** 2) == 1


def test_a_product_is_a_single_cosine_the_moment_it_is_formed() -> None:
    a, b = SYMBOLS["a"], SYMBOLS["b"]
    cos, sin = (lambda v: ENGINE.call("cos", (v,))), (lambda v: ENGINE.call("sin", (v,)))
    assert repr(cos(a) * cos(a + b) + sin(a) * sin(a + b)) == "cos(b)"


def test_products_across_groups_stay_products() -> None:
    x = ENGINE.call("cos", (SYMBOLS["a"],)) * ENGINE.call("cos", (SYMBOLS["c"],))
    assert repr(x) == "cos(a)*cos(c)"
    assert repr(ENGINE.call("sin", (SYMBOLS["a"] + SYMBOLS["c"],))) == "cos(a)*sin(c) + sin(a)*cos(c)"


def test_zero_and_one_come_out_as_integers() -> None:
    m = SYMBOLS["m"]
    assert type(m - m) is int
    assert type(m / m) is int
    assert type(m * 0) is int
    assert (m + 2) - m == Fraction(2)
    assert isinstance((m + 2) - m, Fraction)


@pytest.mark.parametrize("number", [2, 0.1, Fraction(1, 3)])
def test_numbers_on_either_side(number: Any) -> None:
    m, exact = SYMBOLS["m"], Fraction(str(number))
    assert (number + m).key() == (m + exact).key()
    assert (number - m).key() == (-(m - exact)).key()
    assert (number * m).key() == (m * exact).key()
    assert (m / number).key() == (m * (1 / exact)).key()
    assert (number / m * m) == exact


def test_floats_are_their_shortest_decimals() -> None:
    assert ENGINE.constant(0.1) == Fraction(1, 10)
    assert repr(0.1 * SYMBOLS["m"]) == "m/10"


def test_quotients_of_integers_stay_exact() -> None:
    one, three = ENGINE.constant(1), ENGINE.constant(3)
    assert one / three == Fraction(1, 3)
    assert type(one) is int


def test_laurent_exponents_cancel() -> None:
    m, n = SYMBOLS["m"], SYMBOLS["l"]
    x = (m + n) / (m**2 * n)
    assert repr(x * m * n) == "1 + l/m"
    assert x.key() == (1 / (m * n) + 1 / m**2).key()


def test_symbols_may_come_later() -> None:
    ring = ExactRing(symbols=["x"])
    x = ring.symbol("x")
    early = x + 1
    total = early
    for i in range(100):  # the context grows several times; elements of smaller ones still meet those of larger ones
        total = total + early * ring.symbol(f"y{i}")
    last = ring.symbol("y99")
    assert total.n_terms() == 202
    assert early * last == last * x + last
    assert early.key() == (ring.symbol("x") + 1).key()


def test_ring_reports_an_angle_in_two_groups() -> None:
    from gyrostat.errors import GyrostatError

    with pytest.raises(GyrostatError, match="'a' is in two groups"):
        ExactRing(groups=[["a", "b"], ["a"]])


def test_numbers_without_exact_value_are_refused() -> None:
    from gyrostat.errors import GyrostatError

    with pytest.raises(GyrostatError, match="no exact value"):
        ENGINE.constant(math.inf)


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError):
        SYMBOLS["m"] + "text"
    with pytest.raises(TypeError):
        SYMBOLS["m"] * None
    assert SYMBOLS["m"] != "m"


def test_equality_is_an_operator_and_says_how() -> None:
    m = SYMBOLS["m"]
    assert (m + 1) ** 2 == m * m + 2 * m + 1
    assert m != m + 1
    assert str(equals(m, m + 1)) == "different, by comparison of normal forms"


def test_numbers_of_numpy_are_read_exactly() -> None:
    import numpy as np

    assert (SYMBOLS["m"] * np.float64(0.1)).key() == (SYMBOLS["m"] / 10).key()
