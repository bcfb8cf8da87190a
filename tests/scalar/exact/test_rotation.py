"""Pairs of elements turn by an angle as four products and two sums would do it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gyrostat.scalar.algebra import rotate
from gyrostat.scalar.exact import ExactRing, ExactScalars
from gyrostat.scalar.exact.element import Element
from gyrostat.spatial import PlaneTurn

RING = ExactRing(groups=[["a", "b"], ["c"]], symbols=["m", "l"])
RING.euler_parameters("e0", "e1", "e2", "e3")
ENGINE = ExactScalars(RING)
M, L, E0 = RING.symbol("m"), RING.symbol("l"), RING.symbol("e0")
ANGLES = {name: RING.symbol(name) for name in "abc"} | {"part of pi": RING.symbol("pi") / 7}

small = st.integers(-2, 2)
angles = st.builds(lambda i, j, k, p: _angle(i, j, k, p), small, small, small, st.integers(0, 3))
coefficients = st.sampled_from([M, L, 2 * M, -M, M + L, Fraction(1, 3) * L, E0, E0 * M])
terms = st.builds(
    lambda x, f, angle: x * ENGINE.call(f, (angle,)), coefficients, st.sampled_from(["cos", "sin"]), angles
)
elements = st.lists(terms, min_size=1, max_size=4).map(sum)
turns = st.sampled_from([*ANGLES.values(), ANGLES["a"] + ANGLES["b"], 2 * ANGLES["a"], ANGLES["a"] + ANGLES["c"]])


def _angle(i: int, j: int, k: int, p: int) -> Any:
    return i * ANGLES["a"] + j * ANGLES["b"] + k * ANGLES["c"] + p * ANGLES["part of pi"]


def _by_products(c: Any, s: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return c * x - s * y, s * x + c * y


def _key(x: Any) -> Any:
    return x.key() if isinstance(x, Element) else x


@settings(max_examples=examples(150), deadline=None)
@given(turns, st.sampled_from([1, -1]), elements, elements)
def test_pairs_turn_as_products_say(angle, sign, x, y):
    c, s = ENGINE.call("cos", (angle,)), sign * ENGINE.call("sin", (angle,))
    found, expected = rotate(c, s, x, y), _by_products(c, s, x, y)
    assert [_key(z) for z in found] == [_key(z) for z in expected]


def test_what_cancels_is_never_formed():
    ring = ExactRing(groups=[["a", "b"]], symbols=["m"])
    engine, a, b = ExactScalars(ring), ring.symbol("a"), ring.symbol("b")
    c, s = engine.call("cos", (b,)), engine.call("sin", (b,))
    x, y = ring.symbol("m") * engine.call("cos", (a,)), ring.symbol("m") * engine.call("sin", (a,))
    spent = ring.spent
    found = rotate(c, s, x, y)
    assert [str(z) for z in found] == ["m*cos(a + b)", "m*sin(a + b)"]
    assert ring.spent == spent
    assert all(abs(k) < 2 for factors in ring.harmonics.factors for _, _, angle in factors for _, k in angle)


def test_pairs_over_different_symbols_turn_by_products():
    c, s = ENGINE.call("cos", (ANGLES["a"],)), ENGINE.call("sin", (ANGLES["a"],))
    x, y = c / M, s / L
    assert c.rotated(s, x, y) is None
    assert [_key(z) for z in rotate(c, s, x, y)] == [_key(z) for z in _by_products(c, s, x, y)]


@pytest.mark.parametrize("axis", range(3))
def test_turning_back_undoes_a_turn(axis):
    c, s = ENGINE.call("cos", (ANGLES["b"],)), ENGINE.call("sin", (ANGLES["b"],))
    turn, vector = PlaneTurn(axis, c, s), (M * ENGINE.call("cos", (ANGLES["a"],)), L, E0)
    back = turn.opposite.vector(vector)
    assert [_key(x) for x in turn.vector(back)] == [_key(x) for x in vector]
