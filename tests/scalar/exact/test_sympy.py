"""To and from SymPy: forms for readers, and the normal form as a replacement for trigsimp."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import sympy
from sympy import Matrix, Rational, cos, pi, sin, sqrt, tan

import gyrostat as gs
from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact import (
    ExactRing,
    ExactScalars,
    LinearForms,
    SympyWriter,
    operations,
    regrouped,
    to_sympy,
    trig_normal_form,
)

a, b, c, k, m, t, w = sympy.symbols("a b c k m t w")
theta = sympy.Function("theta")(t)

IDENTITIES = [
    (sin(a) ** 2 + cos(a) ** 2, 1),
    (sin(a) ** 4 - 2 * sin(a) ** 2 * cos(a) ** 2 + cos(a) ** 4, cos(4 * a) / 2 + Rational(1, 2)),
    (tan(a) * cos(a), sin(a)),
    ((1 - cos(2 * a)) / sin(2 * a) - tan(a), 0),
    (2 * cos(a / 2) ** 2 - 1, cos(a)),
    (sin(3 * a) - 3 * sin(a) + 4 * sin(a) ** 3, 0),
    (cos(a) * cos(b) - sin(a) * sin(b), cos(a + b)),
    (sympy.sec(a) ** 2 - tan(a) ** 2, 1),
    (sin(w * t + a) * cos(a) - cos(w * t + a) * sin(a), sin(w * t)),
    (sin(theta) ** 2 + cos(theta) ** 2, 1),
    (sympy.diff(sin(theta) ** 2, t), sin(2 * theta) * theta.diff(t)),
    ((1 - sin(a) ** 2) / cos(a), cos(a)),
    (sin(a + pi / 6) + sin(a - pi / 6), sqrt(3) * sin(a)),
    (sympy.cot(a) * sin(a), cos(a)),
    (sympy.csc(a) * sin(a), 1),
    (sqrt(1 - cos(a) ** 2), sympy.Abs(sin(a))),
    (sympy.cosh(a) ** 2 - sympy.sinh(a) ** 2, 1),
    (cos(a) * cos(a + b) + sin(a) * sin(a + b), cos(b)),
    (sin(a) * cos(a), sin(2 * a) / 2),
    (sympy.exp(a) * sympy.exp(-a), 1),
]


@pytest.mark.parametrize(("expression", "expected"), IDENTITIES, ids=str)
def test_classic_identities(expression: Any, expected: Any) -> None:
    found = trig_normal_form(expression)
    assert found == expected
    point = {a: Rational(2, 5), b: Rational(7, 5), t: Rational(1, 3), w: Rational(8, 3)}
    difference = (sympy.sympify(found) - expression).doit().subs(theta, t**2).doit().subs(point)
    assert abs(complex(difference.evalf(30, chop=True))) < 1e-20


@pytest.mark.parametrize("expression", [IDENTITIES[i][0] for i in (0, 1, 2, 4, 5, 6, 7, 9, 11, 12, 13, 14, 16, 17)])
def test_agrees_with_simplify(expression: Any) -> None:
    assert sympy.simplify(trig_normal_form(expression) - sympy.simplify(expression)) == 0


OTHERS = [
    sin(a + pi / 5) * cos(b),
    sympy.besselj(0, sin(a) ** 2 + cos(a) ** 2),
    k ** Rational(1, 3) + sympy.log(k, 2),
    sympy.Piecewise((sin(a), a < 1), (cos(a), a < 2), (0, True)),
    sympy.Piecewise((sin(a) ** 2, a < 1)),
    sympy.Integral(sin(k), k) + sympy.I * cos(a) ** 2,
    1 / (1 + cos(a)) + sqrt(2 - cos(a)) / (k + m),
    sympy.atan2(sin(a) * 2 * cos(a), k) + sympy.Min(a, 1) + sympy.Max(a, b, 0) + sympy.ceiling(k),
    sympy.E + sympy.GoldenRatio * sin(2) + 0.1 * a,
    sympy.Function("f")(a, b) * sin(sin(a) ** 2),
    sympy.Piecewise((1, (a < 1) & ~sympy.Eq(b, 2)), (2, (a > 3) | (b > 1)), (3, True)),
]


@pytest.mark.parametrize("expression", [*(e for e, _ in IDENTITIES), *OTHERS], ids=str)
def test_normal_form_is_idempotent(expression: Any) -> None:
    once = trig_normal_form(expression)
    assert trig_normal_form(once) == once


@pytest.mark.parametrize("expression", OTHERS[:1] + OTHERS[2:4] + OTHERS[6:8] + OTHERS[10:], ids=str)
def test_normal_form_keeps_values(expression: Any) -> None:
    point = {a: Rational(2, 5), b: Rational(7, 5), k: Rational(9, 7), m: Rational(3, 4)}
    difference = (trig_normal_form(expression) - expression).subs(point)
    assert abs(float(difference.evalf(30))) < 1e-20


def test_normal_form_of_matrices() -> None:
    R = Matrix([[cos(a), -sin(a)], [sin(a), cos(a)]])
    assert trig_normal_form(R * R.T) == sympy.eye(2)
    assert isinstance(trig_normal_form(sympy.ImmutableMatrix(R)), sympy.ImmutableMatrix)


def test_normal_form_with_groups() -> None:
    expression = cos(a) * cos(b) * cos(b + c) + cos(a) * sin(b) * sin(b + c)
    assert trig_normal_form(expression, groups=[[a], [b, c]]) == cos(a) * cos(c)
    assert trig_normal_form(sin(a + b), groups=[[a], [b]]) == sin(a) * cos(b) + cos(a) * sin(b)


def test_parts_of_one_angle_are_related() -> None:
    assert trig_normal_form(2 * cos(a / 2) * cos(a / 3)) == cos(a / 6) + cos(5 * a / 6)


def test_symbols_of_equal_names_stay_apart() -> None:
    real = sympy.Symbol("a", real=True)
    expression = cos(a) * sin(real)
    assert trig_normal_form(expression, groups=[[a], [real]]) == expression


def test_derivatives_and_functions_of_time_are_symbols() -> None:
    rate = theta.diff(t)
    expression = rate**2 * cos(theta) ** 2 + rate**2 * sin(theta) ** 2 + theta.diff(t, 2)
    assert trig_normal_form(expression) == rate**2 + theta.diff(t, 2)


@pytest.mark.parametrize("bad", [sympy.oo, sympy.nan, sympy.zoo + a, sin(a) * sympy.oo])
def test_what_is_no_number_is_refused(bad: Any) -> None:
    with pytest.raises(GyrostatError, match="is not a number"):
        trig_normal_form(bad)


def test_what_has_no_value_is_refused() -> None:
    with pytest.raises(GyrostatError, match="not an expression with a value"):
        trig_normal_form(sympy.FiniteSet(1, a))


def test_public_name() -> None:
    assert gs.trig_normal_form is trig_normal_form


def test_much_faster_than_trigsimp() -> None:
    R = Matrix([[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]])
    S = Matrix([[cos(b), -sin(b), 0], [sin(b), cos(b), 0], [0, 0, 1]])
    product = R * S
    start = time.perf_counter()
    found = trig_normal_form(product)
    fast = time.perf_counter() - start
    start = time.perf_counter()
    slow_found = sympy.trigsimp(product)
    slow = time.perf_counter() - start
    assert found[0, 0] == cos(a + b)
    assert sympy.count_ops(found) <= sympy.count_ops(slow_found)
    assert fast < slow / 5


@pytest.fixture
def ring() -> ExactRing:
    return ExactRing(groups=[["t1", "t2"]], symbols=["m1", "m2", "l1", "l2", "g", "u1", "u2"])


def test_textbook_form_has_masses_inside(ring: ExactRing) -> None:
    m1, m2, l1, l2, u1 = (ring.symbol(name) for name in ("m1", "m2", "l1", "l2", "u1"))
    cosine = ExactScalars(ring).call("cos", (ring.symbol("t2"),))
    value = (m1 / 3 + m2) * l1**2 + m2 * l1 * l2 * cosine * u1
    writer = SympyWriter(ring)
    M1, M2, L1, L2, U1, T2 = (writer(ring.symbol(name)) for name in ("m1", "m2", "l1", "l2", "u1", "t2"))
    assert writer.textbook(value, {"m1", "m2"}) == L1**2 * (M1 / 3 + M2) + L1 * L2 * M2 * U1 * cos(T2)
    assert writer.collected(value, {"u1"}) == L1**2 * M1 / 3 + L1**2 * M2 + U1 * L1 * L2 * M2 * cos(T2)
    assert writer.textbook(0, {"m1"}) == 0


def test_symbols_can_be_given(ring: ExactRing) -> None:
    value = ring.symbol("m1") * ExactScalars(ring).call("sin", (ring.symbol("t1"),))
    assert to_sympy(value, {"t1": theta, "m1": m}) == m * sin(theta)


def test_absolute_rates_are_kept(ring: ExactRing) -> None:
    u1, u2, m1 = ring.symbol("u1"), ring.symbol("u2"), ring.symbol("m1")
    forms = LinearForms(ring, {"w1": {"u1": 1}, "w2": {"u1": 1, "u2": 1}})
    w1, w2 = ring.symbol("w1"), ring.symbol("w2")
    assert forms(m1 * (u1 + u2) ** 2) == m1 * w2**2
    assert forms(m1 * u1 * u2 + m1 * u2**2 / 2) == m1 * (w2**2 - w1**2) / 2
    assert forms(m1 * u2) == m1 * u2
    assert forms(5) == 5


def test_dependent_forms_are_refused(ring: ExactRing) -> None:
    with pytest.raises(GyrostatError, match="'w2' is a combination of the forms before it"):
        LinearForms(ring, {"w1": {"u1": 1, "u2": 1}, "w2": {"u1": 2, "u2": 2}})


def test_regrouped_constants_are_shared_up_to_a_factor(ring: ExactRing) -> None:
    m1, m2, l1, u1, t1 = (ring.symbol(name) for name in ("m1", "m2", "l1", "u1", "t1"))
    cosine = ExactScalars(ring).call("cos", (t1,))
    both = m1 * l1**2 + m2
    writer = SympyWriter(ring)
    found = regrouped([both * cosine * u1, -both / 2, m1 * u1, 7], {"m1", "m2", "l1"}, {"u1"}, writer, taken=["P1"])
    P2 = sympy.Symbol("P2")
    assert list(found.constants) == [P2]
    U1, T1 = writer(u1), writer(t1)
    assert found.expressions[0] == P2 * U1 * cos(T1)
    assert found.expressions[2] == writer(m1) * U1
    assert found.expressions[3] == 7
    for value, expression in zip([both * cosine * u1, -both / 2], found.expressions, strict=False):
        assert sympy.expand(expression.subs(found.constants) - writer(value)) == 0


def test_operations_are_counted(ring: ExactRing) -> None:
    m1, t1 = ring.symbol("m1"), ring.symbol("t1")
    assert operations([m1, 3]) == 0
    assert operations([2 * m1 * ExactScalars(ring).call("cos", (t1,)) + 1]) == 4


def test_text_is_not_read_as_sympy_would(tmp_path: Path) -> None:
    """SymPy runs text as code; here it is refused before that, and lists of numbers and symbols still work."""
    witness = tmp_path / "ran"
    with pytest.raises(GyrostatError, match=r"is not a SymPy expression\. Build it from symbols: text is not read"):
        trig_normal_form(f"open({str(witness)!r}, 'w').close()")
    assert not witness.exists()
    with pytest.raises(GyrostatError, match="text is not read"):
        trig_normal_form(cos(sympy.Symbol("a")), groups=[["a"]])
    assert trig_normal_form(3) == 3
