"""SymPy's expressions as scalars: every formula means what it means on floats."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from gyrostat.model.formula import Formula
from gyrostat.scalar import ARITY, FloatScalars
from gyrostat.scalar.sympy_scalars import SympyScalars

POINTS = ({"a": 0.3, "b": -0.7, "c": 1.9}, {"a": 0.6, "b": 0.6, "c": -2.2}, {"a": -0.4, "b": 0.5, "c": 0.1})
FORMULAS = (
    *(f"{function}(a)" for function, arity in ARITY.items() if arity == 1 and function not in ("acosh", "log", "sqrt")),
    *("acosh(2 + a)", "log(1 + a)", "sqrt(1 + a)", "atan2(b, a)", "hypot(a, b)", "min(a, b, c)", "max(a, b, c)"),
    *(f"where(a {sign} b, a, c)" for sign in ("<", "<=", ">", ">=", "==", "!=")),
    *("where(a < b and b < c, 1, 2)", "where(a < b or b < c, 1, 2)", "where(not a < b, 1, 2)"),
    *("a**2", "(2 + a)**b", "(2 + a)**-1", "a - b - c", "a/b/c", "-a*b", "pi*a", "30*deg", "0.1*a", "2.5", "7"),
)


def of(formula: str) -> Any:
    return Formula.of(formula).evaluate(SympyScalars(), SympyScalars.symbol)


def test_every_function_is_here() -> None:
    assert all(any(f"{function}(" in formula for formula in FORMULAS) for function in ARITY)


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_same_value_as_on_floats(formula: str) -> None:
    expression = sympy.sympify(of(formula))
    for point in POINTS:
        expected = Formula.of(formula).evaluate(FloatScalars(), point.__getitem__)
        found = expression.subs({sympy.Symbol(name): value for name, value in point.items()})
        assert float(found) == pytest.approx(float(expected), rel=1e-13, abs=1e-14)


def test_numbers_stay_exact_where_they_are_whole() -> None:
    scalars = SympyScalars()
    assert scalars.constant(2.0) is sympy.Integer(2)
    assert scalars.constant(-3) == sympy.Integer(-3)
    assert scalars.constant(0.1) == sympy.Float(0.1)
    assert of("l/2.0") == sympy.Symbol("l") / 2
    assert of("90*deg") == sympy.pi / 2


def test_forms() -> None:
    a, b = sympy.symbols("a b")
    assert of("where(a < b, a, 0)") == sympy.Piecewise((a, a < b), (0, True))
    assert of("abs(a)") == sympy.Abs(a)
    assert of("ceil(a)") == sympy.ceiling(a)
    assert of("hypot(a, b)") == sympy.sqrt(a**2 + b**2)
    assert SympyScalars().power(a, b) == a**b
    assert SympyScalars().logic("and", (a < b, b < 1)) == sympy.And(a < b, b < 1)


def test_a_formula_comes_back_from_sympy() -> None:
    for formula in FORMULAS:
        expression = of(formula)
        again = Formula.of(sympy.sympify(expression))
        for point in POINTS:
            expected = Formula.of(formula).evaluate(FloatScalars(), point.__getitem__)
            assert float(again.evaluate(FloatScalars(), point.__getitem__)) == pytest.approx(float(expected), abs=1e-14)
