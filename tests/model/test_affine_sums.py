"""Affine sums of signals in formulas: the formula with names for them has the same value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyrostat.model.affine_sums import gathered
from gyrostat.model.formula import Formula

FIXED = frozenset({"k"})
NAMES = ("x", "y", "z", "k")


def texts() -> st.SearchStrategy[str]:
    """Return formulas over names, of sums, products, quotients and functions."""
    leaves = st.sampled_from((*NAMES, "2", "0.5", "t"))

    def larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        pairs = st.tuples(parts, st.sampled_from("+-*"), parts).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
        functions = st.tuples(st.sampled_from(("sin", "cos", "tanh")), parts).map(lambda p: f"{p[0]}({p[1]})")
        return pairs | functions | parts.map("-{}".format) | parts.map("({})/k".format)

    return st.recursive(leaves, larger, max_leaves=12)


@given(texts(), st.lists(st.floats(-2, 2), min_size=5, max_size=5))
def test_a_formula_with_names_for_its_affine_sums_has_the_same_value(text: str, numbers: list[float]) -> None:
    formula = Formula.of(text)
    values = dict(zip((*NAMES, "t"), (*numbers[:3], 1.25, numbers[4]), strict=True))
    found = gathered(formula, FIXED)
    sums = {name: one.value(values) for name, one in found.sums.items()}
    assert found.formula.value(values | sums) == pytest.approx(formula.value(values), rel=1e-9, abs=1e-9)
    for one in found.sums.values():
        assert len(one.names - FIXED) > 1
        middle = {name: 0.5 * (value + 3.0) for name, value in values.items()} | {"k": 1.25}
        ends = one.value(values), one.value(dict.fromkeys(values, 3.0) | {"k": 1.25})
        assert one.value(middle) == pytest.approx(0.5 * sum(ends), rel=1e-9, abs=1e-9)


def test_equal_sums_have_one_name() -> None:
    found = gathered(Formula.of("exp(x-y) + sin(x-y)/(2*(x-y) + 1)"), FIXED)
    assert sorted(found.formula.names) == ["sum 1", "sum 2"]


def test_affine_terms_are_gathered_over_those_that_are_not() -> None:
    found = gathered(Formula.of("exp(sin(t) + x - (z*z - y))"), FIXED)
    assert sorted(found.formula.names) == ["sum 1", "t", "z"]
    assert [sorted(one.names) for one in found.sums.values()] == [["x", "y"]]


def test_formulas_without_sums_of_names_stay() -> None:
    formula = Formula.of("exp(-((x-k)/2)**2) + y")
    assert gathered(Formula.of("exp(-((x-k)/2)**2)"), FIXED).sums == {}
    assert gathered(formula, FIXED | {"y"}).formula is formula
