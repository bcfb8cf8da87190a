"""Problems: equations as text and SymPy, terms, exact and floating coefficients."""

from fractions import Fraction

import pytest
import sympy as sp
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.analysis.scales.quotients import QuotientField
from gyrostat.scalar.exact import ExactRing


def test_text_and_sympy_give_the_same_problem():
    t, eps, mu, w, F, Omega = sp.symbols("t eps mu w F Omega")
    x = sp.Function("x")(t)
    equation = sp.Eq(x.diff(t, 2) + w**2 * x + 2 * eps * mu * x.diff(t), eps * F * sp.cos(Omega * t))
    text = gs.Oscillators("x'' + w**2*x + 2*eps*mu*x' = eps*F*cos(Omega*t)")
    assert str(gs.Oscillators(equation)) == str(text)
    assert str(gs.Oscillators(equation.lhs - equation.rhs)) == str(text)


def test_a_mass_is_divided_out_and_the_frequency_named():
    problem = gs.Oscillators("m*x'' + k*x = eps*F*cos(Omega*t)", values={"m": 2.0, "k": 8.0})
    (oscillator,) = problem.oscillators
    assert str(oscillator.frequency) == "omega"
    assert problem.definitions == {"omega": "sqrt(k/m)"}
    assert problem.values["omega"] == pytest.approx(2.0)
    assert str(problem.terms[0].coefficient) == "F/m"
    assert problem.with_values({"k": 18.0}).values["omega"] == pytest.approx(3.0)


def test_products_of_harmonics_become_sums():
    problem = gs.Oscillators("x'' + x = eps*cos(Omega*t)*sin(Omega*t + phi) + eps*cos(t/2)**2")
    found = {str(term.harmonic): term.coefficient for term in problem.terms}
    half = Fraction(1, 2)
    assert found == {"sin(2*Omega*t + phi)": half, "sin(phi)": half, "cos(t)": half, "None": half}


def test_functions_are_expanded_and_ordered_by_degree():
    problem = gs.Oscillators("q'' + w0**2*sin(q) + eps*c*q' = 0", degree=5)
    orders = {term.monomial: term.order for term in problem.terms}
    assert orders == {"q.rate": 1, "q**3": 2, "q**5": 4}


def test_coefficients_of_all_kinds():
    ring = ExactRing(symbols=["k", "m"])
    element = ring.symbol("k") / (ring.symbol("m") + 1)
    field = QuotientField(["k", "m"])
    quotient = field.symbol("k") / (field.symbol("m") + 1)
    k, m = sp.symbols("k m")
    for coefficient in ("k/(m + 1)", element, quotient, k / (m + 1)):
        problem = gs.Oscillators.of_terms([gs.Oscillator("x", "w")], [gs.Term("x", coefficient, {"x": 3}, order=1)])
        assert str(problem.terms[0].coefficient) == "k/(m + 1)"
    rooted = gs.Oscillators.of_terms([gs.Oscillator("x", "w")], [gs.Term("x", "sqrt(k/m)", {"x": 3}, order=1)])
    numbers = rooted.with_values({"k": 8.0, "m": 2.0})
    assert "sqrt(k*m)" in rooted.definitions.values()
    assert numbers.terms[0].coefficient.value(numbers.values) == pytest.approx(2.0)


def test_terms_and_equations_agree():
    text = gs.Oscillators("x'' + w**2*x = -eps*alpha*x**3 + eps*F*sin(Omega*t)")
    terms = [
        gs.Term("x", "-alpha", {"x": 3}, order=1, source="spring"),
        gs.Term("x", "F", order=1, harmonic=gs.Harmonic("Omega", sine=True), source="motor"),
    ]
    given_terms = gs.Oscillators.of_terms([gs.Oscillator("x", "w")], terms)
    resonances = ["Omega = w + eps*sigma"]
    first, second = (gs.multiple_scales(p, 2, resonances) for p in (text, given_terms))
    assert first.polar_form.rates == second.polar_form.rates


# --- properties of random problems


coefficients = st.fractions(min_value=-2, max_value=2, max_denominator=4).filter(lambda x: x != 0)
monomials = st.dictionaries(
    st.sampled_from(["x", "y", "x.rate", "y.rate", "x.acc"]), st.integers(1, 2), min_size=1, max_size=2
)
terms = st.builds(
    gs.Term,
    oscillator=st.sampled_from(["x", "y"]),
    coefficient=coefficients,
    powers=monomials,
    order=st.integers(1, 2),
    harmonic=st.sampled_from([None, None, gs.Harmonic("Omega"), gs.Harmonic("Omega", sine=True)]),
)
OSCILLATORS = (gs.Oscillator("x", "w1"), gs.Oscillator("y", "w2"))
VALUES = {"w1": 1.0, "w2": 1.9, "Omega": 3.1, "eps": 0.1, "sigma": 0.3}


FORCE = gs.Term("y", 1, order=1, harmonic=gs.Harmonic("Omega"))


def rates(ms, values):
    """Return the rates of all amplitudes at one point, in the frame without time where there is one."""
    point = {s: 0.3 + 0.1 * i for i, s in enumerate(ms.complex_form.meanings)}
    point |= {s: 0.2 - 0.3 * i for i, s in enumerate(ms.complex_form.rates)}
    point |= {sp.Symbol(name, real=True): value for name, value in {**values, "t": 0.7}.items()}
    return [complex(rate.subs(point)) for rate in ms.complex_form.rates.values()]


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(terms, min_size=1, max_size=4))
def test_floating_coefficients_give_the_same_numbers(listed):
    resonances = ["w2 = 2*w1 + eps*sigma", "Omega = w1 + w2"]
    listed = [*listed, FORCE]
    exact = gs.Oscillators.of_terms(OSCILLATORS, listed)
    floating = gs.Oscillators.of_terms(OSCILLATORS, listed, values=VALUES, floating=True)
    a, b = (gs.multiple_scales(problem, 2, resonances) for problem in (exact, floating))
    numbers = {**VALUES, "w2": 2.03, "Omega": 3.03}
    assert rates(a, numbers) == pytest.approx(rates(b, numbers), rel=1e-9, abs=1e-12)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(terms, min_size=1, max_size=3))
def test_the_order_of_oscillators_does_not_matter(listed):
    resonances = ["w2 = 2*w1 + eps*sigma", "Omega = 2*w1"]
    listed = [*listed, FORCE]
    first = gs.multiple_scales(gs.Oscillators.of_terms(OSCILLATORS, listed), 2, resonances)
    second = gs.multiple_scales(gs.Oscillators.of_terms(OSCILLATORS[::-1], listed), 2, resonances)
    assert dict(first.complex_form.rates) == dict(second.complex_form.rates)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(terms, min_size=1, max_size=3), coefficients)
def test_small_parameter_and_coefficients_scale_together(listed, factor):
    """ε → k ε is the same as coefficients of order j times k^j."""
    problem = gs.Oscillators.of_terms(OSCILLATORS, listed)
    grown = [gs.Term(x.oscillator, x.coefficient * factor**x.order, x.powers, x.order, x.harmonic) for x in listed]
    ms, other = (gs.multiple_scales(p, 2, []) for p in (problem, gs.Oscillators.of_terms(OSCILLATORS, grown)))
    small = ms.notation.small
    for symbol, rate in ms.complex_form.rates.items():
        scaled = rate.subs(small, small * sp.Rational(factor.numerator, factor.denominator))
        assert sp.simplify(scaled - other.complex_form.rates[symbol]) == 0
