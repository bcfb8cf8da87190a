"""Derivatives, Taylor expansion and substitution agree with SymPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact import (
    ExactRing,
    ExactScalars,
    SympyReader,
    derivative,
    equals,
    evaluate,
    exact_value,
    gradient,
    jacobian,
    numeric_function,
    substitute,
    taylor,
    taylor_parts,
    time_derivative,
    to_sympy,
)

a, b, k, m, t = sympy.symbols("a b k m t", real=True)
VALUES = {"a": 0.4, "b": 0.7, "k": 1.3, "m": 0.6, "t": 0.2}
EXPRESSIONS = [
    k * a * sympy.sin(a + 2 * b) ** 2,
    m**2 / k**3 * sympy.cos(a) * sympy.sin(b) + a,
    1 / (k + m * sympy.cos(a)),
    sympy.sqrt(k**2 + a**2 + 1) * sympy.cos(a),
    sympy.sqrt(2 - sympy.cos(a)) / (m + k),
    sympy.tan(a / 2) + sympy.sin(k * a),
    sympy.exp(a * k) * sympy.log(k + a) + sympy.atan2(a, k) + sympy.atan(a * k),
    sympy.sinh(a) + sympy.cosh(k * a) * sympy.tanh(a),
    sympy.asin(a / 2) + sympy.acos(a * k / 3) + sympy.asinh(a) + sympy.atanh(a / 2) + sympy.acosh(2 + a),
    (k + a) ** sympy.Rational(1, 3) + sympy.Abs(a + k) * a,
    (k + a) ** (m + a),
    sympy.Piecewise((a**2, a < k), (k * a, True)) + sympy.Max(a, k * a, m) + sympy.Min(a, b),
    sympy.sin(a + sympy.pi / 3) * sympy.cos(sympy.pi / 7 + b) + sympy.sin(sympy.Rational(3, 10)),
    sympy.sin(sympy.cos(a) + k),
]


def read(expression: Any) -> Any:
    reader = SympyReader([expression])
    for symbol in (a, b, k, m, t):
        reader.ring.symbol(symbol.name)
    return reader(expression)


def at(expression: Any) -> float:
    return float(expression.subs({s: sympy.Float(VALUES[s.name], 30) for s in (a, b, k, m, t)}).evalf(20))


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_value(expression: Any) -> None:
    assert evaluate(read(expression), VALUES) == pytest.approx(at(expression), rel=1e-12)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
@pytest.mark.parametrize("symbol", [a, b, k])
def test_derivative(expression: Any, symbol: Any) -> None:
    found = derivative(read(expression), symbol.name)
    slope = expression.diff(symbol).rewrite(sympy.Piecewise).subs({s: VALUES[s.name] for s in (a, b, k, m)})
    assert evaluate(found, VALUES) == pytest.approx(float(slope.evalf(20)), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_round_trip_through_sympy(expression: Any) -> None:
    assert at(to_sympy(read(expression), {s.name: s for s in (a, b, k, m)})) == pytest.approx(at(expression), rel=1e-12)


SMOOTH = [e for e in EXPRESSIONS if not e.has(sympy.Piecewise, sympy.Max, sympy.Min, sympy.Abs)]


@pytest.mark.parametrize("expression", SMOOTH, ids=str)
def test_taylor_polynomial(expression: Any) -> None:
    found = taylor(read(expression), ["a", "b"], 3)
    s = sympy.Symbol("s")
    direction = {a: sympy.Rational(1, 7), b: sympy.Rational(-1, 5)}
    along = expression.subs({x: s * d for x, d in direction.items()}, simultaneous=True)
    terms = [along.diff(s, n).subs(s, 0) / sympy.factorial(n) for n in range(4)]
    expected = float(sum(terms).subs({k: VALUES["k"], m: VALUES["m"]}).evalf(20))
    small = {"a": float(direction[a]), "b": float(direction[b])}
    assert evaluate(found, VALUES | small) == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_taylor_about_a_point() -> None:
    ring = ExactRing(groups=[["a", "b"]], symbols=["l"])
    x = ExactScalars(ring)
    value = ring.symbol("l") * x.call("cos", (ring.symbol("a") + ring.symbol("b"),))
    found = taylor(value, ["a"], 2, {"a": x.pi() / 3})
    length, cb, sb = ring.symbol("l"), x.call("cos", (ring.symbol("b"),)), x.call("sin", (ring.symbol("b"),))
    c0, s0 = Fraction(1, 2), x.call("sqrt", (3,)) / 2
    small = ring.symbol("a")
    expected = length * ((c0 * cb - s0 * sb) - small * (s0 * cb + c0 * sb) - small**2 / 2 * (c0 * cb - s0 * sb))
    assert found == expected


def test_taylor_parts_are_homogeneous() -> None:
    parts = taylor_parts(read(sympy.exp(a) * sympy.cos(b)), ["a", "b"], 3)
    assert [repr(part) for part in parts] == ["1", "a", "a**2/2 - b**2/2", "a**3/6 - a*b**2/2"]


def test_taylor_at_a_pole_is_refused() -> None:
    with pytest.raises(GyrostatError, match="no Taylor expansion about this point"):
        taylor(read(1 / sympy.sin(a)), ["a"], 2)


def test_total_derivative_in_time() -> None:
    ring = ExactRing(groups=[["q"]], symbols=["u", "c", "f"])
    q, u, c, f = (ring.symbol(name) for name in ("q", "u", "c", "f"))
    sine = ExactScalars(ring).call("sin", (q,))
    cosine = ExactScalars(ring).call("cos", (q,))
    assert time_derivative(c * u * sine, {"q": u, "u": f}) == c * f * sine + c * u**2 * cosine


def test_gradient_and_jacobian() -> None:
    ring = ExactRing(symbols=["x", "y"])
    x, y = ring.symbol("x"), ring.symbol("y")
    assert gradient(x**2 * y, ["x", "y"]) == [2 * x * y, x**2]
    assert jacobian([x * y, 3, y**2], ["x", "y"]) == [[y, x], [0, 0], [0, 2 * y]]
    assert jacobian([1], ["x"]) == [[0]]
    assert derivative(Fraction(1, 2), "x") == 0


def test_derivative_of_unknown_functions() -> None:
    ring = ExactRing(symbols=["x"])
    x = ring.symbol("x")
    f = ExactScalars(ring).function("f", (x**2,))
    assert repr(derivative(f, "x")) == "2*x*f.1(x**2)"


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_substitution(expression: Any) -> None:
    value = read(expression)
    ring = value.ring
    new = {"a": ring.symbol("b") / 2 + Fraction(1, 5), "k": 2 * ring.symbol("m") + 1, "m": Fraction(1, 2)}
    found = substitute(value, new)
    expected = expression.subs(
        {a: b / 2 + sympy.Rational(1, 5), k: 2 * m + 1, m: sympy.Rational(1, 2)}, simultaneous=True
    )
    assert evaluate(found, VALUES) == pytest.approx(at(expected), rel=1e-11)


def test_substitution_happens_all_at_once() -> None:
    ring = ExactRing(groups=[["a", "b"]])
    x = ExactScalars(ring)
    one, two = ring.symbol("a"), ring.symbol("b")
    value = one * x.call("cos", (one - 2 * two,))
    assert substitute(value, {"a": two, "b": one}) == two * x.call("cos", (two - 2 * one,))
    assert substitute(value, {"a": 2 * two}) == 2 * two
    assert substitute(3, {"a": 1}) == 3


def test_exact_values() -> None:
    value = read(k**2 / (k + m) + sympy.cos(a) ** 2)
    exact = exact_value(value, {"k": Fraction(1, 3), "m": 0.5, "a": 0})
    assert exact == Fraction(1, 9) / (Fraction(1, 3) + Fraction(1, 2)) + 1
    with pytest.raises(GyrostatError, match="is not a rational number"):
        exact_value(value, {"k": 1})


def test_missing_values_are_named() -> None:
    with pytest.raises(GyrostatError, match="'m' has no value"):
        evaluate(read(k * m), {"k": 1.0})


def test_functions_of_arrays() -> None:
    import numpy as np

    reader = SympyReader(EXPRESSIONS)
    function = numeric_function([reader(e) for e in EXPRESSIONS], ["a", "b", "k", "m"])
    rows = np.linspace(0.1, 0.5, 4)
    found = function(rows, 0.7, 1.3, 0.6)
    for expression, values in zip(EXPRESSIONS, found, strict=True):
        for x, value in zip(rows, np.broadcast_to(values, rows.shape), strict=True):
            exact = expression.subs({a: x, b: 0.7, k: 1.3, m: 0.6}).evalf()
            assert value == pytest.approx(float(exact), rel=1e-11)


def test_elements_of_different_rings_are_not_mixed() -> None:
    one, two = read(k + 1), read(k + 1)
    with pytest.raises(GyrostatError, match="different rings"):
        one + two
    with pytest.raises(GyrostatError, match="different rings"):
        one * two
    with pytest.raises(GyrostatError, match="different rings"):
        numeric_function([one, two], ["k"])


def test_derivative_and_taylor_of_euler_parameters() -> None:
    ring = ExactRing()
    e0, e1, _, _ = ring.euler_parameters("e0", "e1", "e2", "e3")
    assert derivative(e0 * e1, "e0") == e1
    assert taylor(e0 * e1, ["e1"], 1) == e0 * e1


def test_second_derivatives_commute() -> None:
    for expression in EXPRESSIONS[:8]:
        value = read(expression)
        assert equals(derivative(derivative(value, "a"), "k"), derivative(derivative(value, "k"), "a"))
