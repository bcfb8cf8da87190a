"""Constants as decimals: scalars without symbols become numbers, others are unchanged."""

import math

import pytest

from gyrostat.scalar.exact import ExactRing, ExactScalars, Expansion, evaluate
from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.rounding import in_numbers


def test_constants_become_decimals() -> None:
    ring = ExactRing(symbols=["x"])
    scalars = ExactScalars(ring)
    x = ring.symbol("x")
    value = x * scalars.call("sqrt", (2,)) / scalars.pi() + scalars.call("cos", (1,)) * scalars.call("cos", (x,))
    found = in_numbers(value)
    assert not any(ring.generators[index].definition for index in found.used())
    assert evaluate(found, {"x": 0.7}) == pytest.approx(evaluate(value, {"x": 0.7}), rel=1e-15)
    assert float(in_numbers(scalars.call("exp", (1,)))) == pytest.approx(math.e)
    assert in_numbers(3) == 3


def test_rounded_expansion_about_a_number() -> None:
    ring = ExactRing(groups=[["q"]], symbols=["x"])
    scalars = ExactScalars(ring)
    q, x = ring.symbol("q"), ring.symbol("x")
    value = scalars.call("sin", (q,)) * scalars.call("sqrt", (q * q + 2,))
    series = {"q": [scalars.constant(0.3), x, 0, 0]}
    exact, rounded = Expansion(ring, series, 3)(value), Expansion(ring, series, 3, rounded=True)(value)
    assert all(not isinstance(part, Element) or part.used() <= {ring.generator("x").index} for part in rounded)
    for one, other in zip(exact, rounded, strict=True):
        assert evaluate(one, {"x": 0.5}) == pytest.approx(evaluate(other, {"x": 0.5}), rel=1e-12)
