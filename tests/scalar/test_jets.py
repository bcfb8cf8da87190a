"""Jets against SymPy's derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from gyrostat.model.formula import Formula
from gyrostat.scalar import ARITY, FloatScalars
from gyrostat.scalar.jets import Jet, JetScalars, as_jet

T = sympy.Symbol("t")
INNER = {
    **dict.fromkeys(("asin", "acos", "atanh"), "0.3*sin(2*t) + 0.2*t"),
    "acosh": "2 + t**2 + sin(t)",
    **dict.fromkeys(("log", "sqrt"), "1.5 + cos(t)*t"),
}
"""Arguments inside the domain of a function; for the others any will do."""


def _jet(text: str, t: float) -> Jet:
    time = Jet(t, 1, 0)
    formula = Formula.of(text)
    return as_jet(formula.evaluate(JetScalars(FloatScalars()), {"t": time, "k": 1.7}.__getitem__))


def _expected(text: str, t: float) -> list[float]:
    names = {"t": T, "k": sympy.Float(1.7), "min": sympy.Min, "max": sympy.Max, "abs": sympy.Abs}
    names["hypot"] = lambda a, b: sympy.sqrt(a**2 + b**2)
    expression = sympy.sympify(text, locals=names)
    return [float(sympy.diff(expression, T, n).subs(T, t).doit().evalf(25)) for n in range(3)]


def _check(text: str, t: float, expected: list[float] | None = None) -> None:
    jet = _jet(text, t)
    wanted = _expected(text, t) if expected is None else expected
    np.testing.assert_allclose([jet.value, jet.rate, jet.acceleration], wanted, rtol=1e-12, atol=1e-13, err_msg=text)


SMOOTH = [name for name, arity in ARITY.items() if arity == 1 and name not in ("abs", "sign", "floor", "ceil")]


@pytest.mark.parametrize("name", SMOOTH)
def test_functions_of_one_argument(name: str) -> None:
    inner = INNER.get(name, "0.4*t**2 - 0.9*t + 0.1*sin(3*t)")
    for t in (0.37, 0.81):
        _check(f"{name}({inner})", t)


@pytest.mark.parametrize(
    "text",
    [
        "t + 2*t**2 - 3",
        "5 - t**3",
        "-sin(t)",
        "(1 + t)/(2 + t**2)",
        "3/(1 + t)",
        "t**2/k",
        "t*sin(t)*exp(-t)",
        "t**0",
        "t**1",
        "(t + 1)**2",
        "t**5",
        "t**-2",
        "t**2.5",
        "t**k",
        "k**t",
        "(1 + t)**sin(t)",
        "atan2(sin(2*t), 1 + t)",
        "atan2(t, k)",
        "atan2(k, t)",
        "hypot(t**2, 1 - t)",
        "hypot(t, k)",
        "sin(k)*t + cos(k)",
    ],
)
def test_arithmetic_powers_and_functions_of_two_arguments(text: str) -> None:
    for t in (0.37, 0.81):
        _check(text, t)


@pytest.mark.parametrize(
    ("text", "t", "same_as"),
    [
        ("abs(sin(4*t))", 0.3, "sin(4*t)"),
        ("abs(sin(4*t))", 1.1, "-sin(4*t)"),
        ("min(t**2, t)", 0.5, "t**2"),
        ("min(t**2, t)", 1.5, "t"),
        ("max(t**2, t, 3*t - 1)", 0.8, "3*t - 1"),
        ("max(t**2, t, 3*t - 1)", 0.4, "t"),
        ("min(t, 2)", 3.0, "2 + 0*t"),
        ("where(t < 1, t**3, 1 - t)", 0.7, "t**3"),
        ("where(t < 1, t**3, 1 - t)", 1.7, "1 - t"),
        ("where(t > 1 and t <= 2, t**3, k)", 1.5, "t**3"),
        ("where(not t >= 1 or t != t, sin(t), k*t)", 0.5, "sin(t)"),
        ("where(t == 2, 1, t)", 1.5, "t"),
        ("sign(sin(t))*t", 4.0, "-t"),
        ("floor(t) + t**2", 1.5, "1 + t**2"),
        ("ceil(t) + t**2", 1.5, "2 + t**2"),
    ],
)
def test_functions_with_corners_have_the_derivatives_of_their_branch(text: str, t: float, same_as: str) -> None:
    _check(text, t, _expected(same_as, t))


def test_every_function_is_covered() -> None:
    assert {*SMOOTH, "abs", "sign", "floor", "ceil", "min", "max", "where", "atan2", "hypot"} == set(ARITY)


def test_a_formula_without_time_stays_a_number() -> None:
    scalars = JetScalars(FloatScalars())
    assert scalars.call("sin", (0.5,)) == pytest.approx(np.sin(0.5))
    assert scalars.power(2.0, 3.0) == 8.0
    assert as_jet(scalars.constant(3)) == Jet(3.0)
    assert scalars.pi() == np.pi


def test_a_constant_rate_has_no_acceleration_and_none_is_formed() -> None:
    """Zeros are known while the formula is formed: a coordinate driven at constant speed has no inertia terms."""
    assert _jet("k*t + 1", 0.3).acceleration == 0
    assert type(_jet("k*t + 1", 0.3).acceleration) is int
