"""Functions with corners: the branch at the expansion point is taken, a centre on a corner is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact import ExactRing, ExactScalars, Expansion, taylor

Build = Callable[[ExactScalars, Any], Any]

SMOOTH: dict[str, tuple[Build, Any, str]] = {
    "abs on the left": (lambda s, x: s.call("abs", (x,)), -2, "-x + 2"),
    "sign": (lambda s, x: s.call("sign", (x,)) * x, -2, "-x + 2"),
    "max": (lambda s, x: s.call("max", (x, 1)), 2, "x + 2"),
    "min": (lambda s, x: s.call("min", (x, 1)), 2, "1"),
    "where": (lambda s, x: s.call("where", (s.compare("<", x, 1), x * x, 3 * x)), 2, "3*x + 6"),
    "not": (lambda s, x: s.call("where", (s.logic("not", (s.compare("<", x, 1),)), x * x, 3 * x)), 2, "x**2 + 4*x + 4"),
    "and": (
        lambda s, x: s.call("where", (s.logic("and", (s.compare("<", x, 3), s.compare(">", x, 1))), x, 0)),
        2,
        "x + 2",
    ),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_branch_at_a_regular_point(name: str) -> None:
    build, centre, expected = SMOOTH[name]
    ring = ExactRing(symbols=["x"])
    value = build(ExactScalars(ring), ring.symbol("x"))
    parts = Expansion(ring, {"x": [centre, ring.symbol("x"), 0]}, 2)(value)
    total = sum(parts[1:], parts[0])
    assert str(total) == expected


CORNERS: dict[str, Build] = {
    "abs": lambda s, x: s.call("abs", (x,)),
    "sign": lambda s, x: s.call("sign", (x,)),
    "floor": lambda s, x: s.call("floor", (x,)),
    "max": lambda s, x: s.call("max", (x, 0)),
    "<": lambda s, x: s.call("where", (s.compare("<", x, 0), x, 2 * x)),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corner_is_refused(name: str) -> None:
    ring = ExactRing(symbols=["x"])
    value = CORNERS[name](ExactScalars(ring), ring.symbol("x"))
    with pytest.raises(GyrostatError, match=r"no Taylor expansion about this point.*not smooth there"):
        taylor(value, ["x"], 2)


def test_signs_of_parameters_decide() -> None:
    ring = ExactRing(symbols=["l", "x"])
    length, x = ring.symbol("l"), ring.symbol("x")
    value = ExactScalars(ring).call("sqrt", ((length + x) * (length + x),))
    series = {"x": [0, x, 0]}
    assert Expansion(ring, series, 2, lambda value: 1)(value) == [length, x, 0]
    assert Expansion(ring, series, 2, lambda value: -1)(value) == [-length, -x, 0]
    assert "sign(l)" in str(Expansion(ring, series, 2)(value))


def test_series_of_any_kind() -> None:
    """Weights of their own, and sums over other symbols, are truncated at the total order."""
    ring = ExactRing(groups=[["q"]], symbols=["y", "z", "c"])
    y, z, c = (ring.symbol(name) for name in "yzc")
    sine = ExactScalars(ring).call("sin", (ring.symbol("q"),))
    parts = Expansion(ring, {"q": [0, y + 2 * z, 0, 0], "c": [0, 0, c, 0]}, 3)(c * sine + sine)
    assert parts[:3] == [0, y + 2 * z, 0]
    assert parts[3] == c * (y + 2 * z) - (y + 2 * z) ** 3 / 6
