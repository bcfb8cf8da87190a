"""Bounds of formulas over intervals contain every value between."""

from __future__ import annotations

import numpy as np
import pytest

from gyrostat.model.formula import Formula
from gyrostat.scalar import ARITY
from gyrostat.scalar.arrays import ArrayScalars
from gyrostat.scalar.floats import FloatScalars
from gyrostat.scalar.intervals import Interval, IntervalScalars
from gyrostat.scalar.jets import Jet, JetScalars, as_jet

FORMULAS = [
    *(f"{name}(x)" for name, count in ARITY.items() if count == 1),
    *("x + y*x", "x - y/x", "x/(y - 1)", "x*x - y*y", "x**3", "x**-2", "x**0.5", "x**y", "(x - 2)**4", "-x"),
    *("atan2(x, y)", "hypot(x, y)", "min(x, y, 1)", "max(x, -y)", "where(x > y, x, 3*y)", "where(x <= 1, x, y)"),
    *("where(x > 0 and y < 1, 1, 2)", "where(not (x > 0 or y == 1), x, y)", "where(x != y, x, 0)"),
    *("sin(10*x)*exp(-y**2)", "tan(x) + cos(3*y)/x", "abs(sin(x) - 0.5)", "floor(3*x) + ceil(y)"),
]


@pytest.mark.parametrize("text", FORMULAS)
def test_bounds_contain_all_values(text: str) -> None:
    formula, random = Formula.of(text), np.random.default_rng(3)
    for width in (3.0, 1e-2, 1e-9):
        low = random.uniform(-4, 4, (2, 50))
        high = low + width * random.uniform(0, 1, low.shape)
        arguments = dict(
            zip("xy", (Interval(a, b, ArrayScalars()) for a, b in zip(low, high, strict=True)), strict=True)
        )
        with np.errstate(all="ignore"):
            bounds = formula.evaluate(IntervalScalars(ArrayScalars()), arguments.__getitem__)
        for share in np.linspace(0, 1, 21):
            x, y = low + share * (high - low)
            if share not in (0, 1):
                y = low[1] + random.uniform(0, 1, 50) * (high[1] - low[1])
            with np.errstate(all="ignore"):
                values = np.asarray(formula.evaluate(ArrayScalars(), {"x": x, "y": y}.__getitem__)) + 0 * x
            inside = (values >= bounds.low) & (values <= bounds.high)
            assert np.all(inside | ~np.isfinite(values))


@pytest.mark.parametrize("text", ["sin(3*x)", "exp(-x**2)", "x**5 - 1/(x + 9)", "tanh(x)*cos(x)", "abs(x + 20)"])
def test_bounds_of_derivatives_contain_difference_quotients(text: str) -> None:
    formula, low = Formula.of(text), np.linspace(-3, 3, 40)
    high, step = low + 0.2, 1e-4
    found = as_jet(
        formula.evaluate(
            JetScalars(IntervalScalars(ArrayScalars())), lambda _: Jet(Interval(low, high, ArrayScalars()), 1, 0)
        )
    )
    points = low + 0.1 + step * np.arange(-1, 2)[:, None]
    before, here, after = formula.evaluate(ArrayScalars(), lambda _: points)
    rate, acceleration = (after - before) / (2 * step), (after - 2 * here + before) / step**2
    for value, bounds in ((rate, found.rate), (acceleration, found.acceleration)):
        bounds = Interval(np.zeros(1), np.zeros(1), ArrayScalars()) if isinstance(bounds, int) else bounds
        slack = 1e-5 * (1 + np.abs(value))
        assert np.all((value >= bounds.low - slack) & (value <= bounds.high + slack))


def test_bounds_shrink_with_the_interval() -> None:
    low = np.linspace(0.5, 2.5, 20)
    bounds = Formula.of("sin(10*x)*exp(-x**2)").evaluate(
        IntervalScalars(ArrayScalars()), lambda _: Interval(low, low + 1e-7, ArrayScalars())
    )
    assert np.all(bounds.high - bounds.low < 2e-6)


@pytest.mark.parametrize(("text", "value"), [("max(-x, 0)**1.5", 0.0), ("max(-x, 0)**(2*y)", 0.0), ("x**(-y)", 0.5)])
def test_powers_are_bounded_at_the_end_of_their_domain(text: str, value: float) -> None:
    """A law of a fractional power is zero, not unbounded, where its base is."""
    point = {"x": Interval(4.0, 4.0, FloatScalars()), "y": Interval(0.5, 0.5, FloatScalars())}
    bounds = Formula.of(text).evaluate(IntervalScalars(FloatScalars()), point.__getitem__)
    assert bounds.low == pytest.approx(value, abs=1e-300, rel=1e-12)
    assert bounds.high == pytest.approx(value, abs=1e-300, rel=1e-12)
