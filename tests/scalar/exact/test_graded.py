"""The engine of truncated series: the same results as forming a formula exactly and expanding it."""

from typing import Any

import pytest

from gyrostat.errors import GyrostatError
from gyrostat.model.formula import Formula
from gyrostat.scalar.exact import Element, ExactRing, ExactScalars, Expansion, evaluate
from gyrostat.scalar.exact.graded import GradedScalars, series_of

FORMULAS = [
    "sin(x)*cos(x + 2*y)/(l + x)",
    "sqrt((l + x)**2 + y**2) - l",
    "exp(x*y) - 1/(2 + y)**2",
    "(l + x)**0.5 * tan(y)",
    "abs(x - 2) + max(y, -1) + hypot(x, 1)",
    "where(x < 1, x**3, 7) + atan2(y, 1 + x)",
    "3*l/(1 + x) - (1 + y)**2",
    "2**x + cos(l)*y",
]


def expansion(ring: ExactRing, *, rounded: bool = False) -> Expansion:
    x, y = ring.symbol("x"), ring.symbol("y")
    series: dict[str, Any] = {"x": [0, x, 0, 0], "y": [0, y, 0, 0]}
    return Expansion(ring, series, 3, lambda value: 1 if evaluate(value, {"l": 1.3}) > 0 else -1, rounded=rounded)


@pytest.mark.parametrize("text", FORMULAS)
def test_agrees_with_expanding_afterwards(text: str) -> None:
    ring = ExactRing(symbols=["x", "y", "l"])
    formula = Formula.of(text)
    rule = expansion(ring)
    scalars = GradedScalars(rule)
    found = series_of(rule, formula.evaluate(scalars, scalars.symbol))
    expected = rule(formula.evaluate(ExactScalars(ring), ring.symbol))
    values = {"x": 0.31, "y": -0.47, "l": 1.3}
    for one, other in zip(found, expected, strict=True):
        assert evaluate(one, values) == pytest.approx(evaluate(other, values), rel=1e-12, abs=1e-14)


def test_constants_stay_constants() -> None:
    ring = ExactRing(symbols=["x", "y", "l"])
    scalars = GradedScalars(expansion(ring))
    length = scalars.symbol("l")
    assert isinstance(length, Element)
    x = scalars.symbol("x")
    assert x - x == 0
    assert isinstance((x + length) - x, Element)
    rounding = GradedScalars(expansion(ring, rounded=True))
    assert float(rounding.call("sqrt", (2,))) == pytest.approx(2**0.5)
    assert float(rounding.pi()) == pytest.approx(3.141592653589793)


def test_corners_are_refused_with_what_is_known_of_them() -> None:
    ring = ExactRing(symbols=["x", "y", "l"])
    rule = Expansion(ring, {"x": [0, ring.symbol("x"), 0]}, 2)
    scalars = GradedScalars(rule)
    for text in ("abs(x)", "sign(x)", "where(x < 0, 1, 2)", "sqrt(x)"):
        with pytest.raises(GyrostatError, match="There is no Taylor expansion about this point"):
            Formula.of(text).evaluate(scalars, scalars.symbol)
    with pytest.raises(GyrostatError, match=r"abs\(x\) is not smooth there"):
        scalars.call("abs", (scalars.symbol("x"),))
