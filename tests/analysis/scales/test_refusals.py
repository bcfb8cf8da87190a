"""Refusals of problems without an expansion, in the problem's own names, with remedies."""

import re

import pytest
import sympy as sp

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

DUFFING = "x'' + w0**2*x + eps*alpha*x**3 = eps*F*cos(Omega*t)"


def solve(*equations, order=1, resonances=None, **options):
    return gs.multiple_scales(gs.Oscillators(*equations, **options), order, resonances)


@pytest.mark.parametrize(
    ("equations", "message"),
    [
        (["x'' - w**2*x = 0"], r"oscillator 'x': has ω² = -w\*\*2, which is negative: the equilibrium is unstable"),
        (["q'' - g/l*sin(q) = 0"], r"calls no|sin or cos of q: contains 'q', and functions of coordinates are not"),
        (["x'' + x + eps*x/(1 + x) = 0"], r"is no polynomial in 'x'\. Give degree=3 or more"),
        (["x'' + x*t = 0"], r"contains 't' outside sin and cos\. Forces and parameters may only vary harmonically"),
        (["x'' + x = eps*cos(n*Omega*t)"], r"the angle .* is not a frequency times time, nor a phase"),
        (["x'' + y'' + x = 0", "y'' + y = 0"], r"must have one second derivative at order zero; it has x'', y''"),
        (["x'' + x = 0", "x'' + 2*x = 0"], r"oscillator 'x': is given twice"),
        (["x''' + x = 0"], r"x''': is a third derivative"),
        (["x'' + x = 1 = 2"], r"has more than one '='"),
        ([], r"oscillators: have no equation"),
        ([3], r"value 3: is not an equation"),
    ],
)
def test_equations_that_cannot_be_read(equations, message):
    with pytest.raises(gs.ModelError, match=message):
        gs.Oscillators(*equations)


def test_no_power_series():
    with pytest.raises(gs.FormulaError, match=r"cannot be expanded in powers of x about zero.*not smooth there"):
        gs.Oscillators("x'' + x + abs(x) = 0", degree=3)


def test_a_negative_stiffness_after_expansion():
    with pytest.raises(gs.ModelError, match=r"has ω² = -g/l, which is negative"):
        gs.Oscillators("q'' - g/l*sin(q) = 0", degree=3)


@pytest.mark.parametrize(
    ("equations", "message"),
    [
        (["x'' + x + x**3 = 0"], r"term x\*\*3 .*is nonlinear and of order zero.*eps\*alpha\*x\*\*3"),
        (["x'' + x + c*x' = 0"], r"term x\.rate .*is linear but not of the form ω² x and of order zero"),
        (
            ["x'' + x = F*cos(t)"],
            r"'x': is forced at order zero with its own frequency, 1: a secular term at the equil",
        ),
        (["x'' = F"], r"'x': is pushed by a constant force of order zero, and has no stiffness: it runs away"),
        (["x'' = eps*y*x", "y'' + y = 0"], r"contains 'x' itself, whose frequency is zero: it drifts"),
    ],
)
def test_problems_that_cannot_be_expanded(equations, message):
    with pytest.raises(gs.ModelError, match=message):
        solve(*equations)


def test_a_hard_force_at_the_declared_resonance():
    with pytest.raises(
        gs.ModelError, match=r"is forced at order zero with its own frequency, w0.*Make the force small"
    ):
        solve("x'' + w0**2*x = F*cos(Omega*t)", resonances=["Omega ≈ w0"])


def test_an_undeclared_resonance_says_how_to_declare_it():
    problem = gs.Oscillators("x'' + w0**2*x + eps*x**3 = F*cos(Omega*t)").floating({"w0": 1.0, "F": 0.5, "Omega": 3.0})
    with pytest.raises(
        gs.ModelError, match=re.escape('undeclared resonance. Declare it: resonances=[..., "Omega ≈ 3*w0"]')
    ):
        gs.multiple_scales(problem, 2, [])


def test_an_internal_resonance_that_holds_exactly():
    coupled = ("x'' + w1**2*x = eps*x*y", "y'' + w2**2*y = eps*x**2")
    problem = gs.Oscillators(*coupled).floating({"w1": 1.0, "w2": 2.0})
    with pytest.raises(gs.ModelError, match=r"Declare it: .*\"w2 ≈ 2\*w1\".*\"w2 = 2\*w1\" where it holds exactly"):
        gs.multiple_scales(problem, 1, [])
    assert gs.multiple_scales(problem, 1, ["w2 = 2*w1"]).resonances[0].detuning is None


def test_exact_frequencies_that_coincide_in_numbers():
    values = {"w0": 1.0, "Omega": 1.0}
    with pytest.raises(gs.ModelError, match=r"undeclared resonance"):
        solve(DUFFING, values=values, resonances=[])


def test_equal_definitions_are_an_exact_resonance():
    equations = ("m*x'' + k*x = eps*y**3", "m*y'' + 4*k*y = eps*x**3")
    with pytest.raises(gs.ModelError, match=r"'omega_y': equals 2\*omega_x.*\"omega_y = 2\*omega_x\""):
        solve(*equations, resonances=[])
    assert solve(*equations).resonances == solve(*equations, resonances=["omega_y = 2*omega_x"]).resonances


def test_a_near_resonance_warns():
    with pytest.warns(GyrostatWarning, match=r"near resonance is not declared: .* by 3 %.*declare 'Omega ≈ w0'"):
        ms = solve(DUFFING, values={"w0": 1.0, "Omega": 1.03}, order=2, resonances=[])
    assert "near resonance" in str(ms)


def test_resonances_are_found_where_numbers_are_known():
    ms = solve(DUFFING, values={"w0": 1.0, "Omega": 1.03})
    assert [str(r) for r in ms.resonances] == ["Omega = w0 + eps*sigma_Omega"]
    assert "Found a resonance" in str(ms)
    both = solve(
        "x'' + w1**2*x = eps*x*y",
        "y'' + w2**2*y = eps*x**2 + eps*F*cos(Omega*t)",
        values={"w1": 1.0, "w2": 2.05, "Omega": 2.02},
    )
    assert {r.frequency: str(r.near) for r in both.resonances} == {"w2": "2*w1", "Omega": "w2"}


def test_frequencies_without_names_cannot_be_declared():
    for resonances in (None, []):
        with pytest.warns(GyrostatWarning, match="give the frequencies names"):
            solve("x'' + x = eps*x*z", "z'' + 2.04**2*z = eps*x**2", resonances=resonances)


def test_options_of_mechanisms_are_no_options_of_oscillators():
    with pytest.raises(gs.StateError, match=r"at, floating are options of mechanisms"):
        gs.multiple_scales(gs.Oscillators(DUFFING), at={"x": 0}, floating=True)


@pytest.mark.parametrize(
    ("resonances", "message"),
    [
        (["Omgea ≈ w0"], r"names 'Omgea', which is no frequency here\. Did you mean 'Omega'"),
        (["Omega ≈ w0", "Omega ≈ 3*w0"], r"declared beside another of the same frequency"),
        (["Omega ≈ w0**2"], r"is not a rational combination of frequencies"),
        (["Omega"], r"does not relate two frequencies"),
        (["Omega ≈ w0", "w0 ≈ Omega"], r"is circular: w0 → Omega → w0"),
        (["2*Omega ≈ w0"], r"needs the name of one frequency"),
    ],
)
def test_resonances_that_cannot_be_used(resonances, message):
    with pytest.raises(gs.ModelError, match=message):
        solve(DUFFING, resonances=resonances)


def test_orders_count_from_one():
    with pytest.raises(gs.StateError, match=r"The order is 0; it counts the slow scales that are kept: 1, 2, 3"):
        solve(DUFFING, order=0)
    with pytest.raises(gs.FormulaError, match=r"has order 0"):
        gs.Resonance("Omega", "w0", detuning="sigma", order=0)


def test_values_that_are_missing():
    ms = solve(DUFFING, resonances=["Omega = w0 + eps*sigma"])
    with pytest.raises(gs.StateError, match=r"The small parameter 'eps' has no value"):
        ms.steady_states({"w0": 1})
    with pytest.raises(gs.StateError, match=r"There are no values for F, alpha"):
        ms.steady_states({"w0": 1, "eps": 0.1, "sigma": 0})
    with pytest.raises(gs.ModelError, match=r"has no value for alpha"):
        gs.Oscillators(DUFFING).floating({"w0": 1.0, "F": 1.0})
    with pytest.raises(gs.ModelError, match=r"parameter 'Omega': has no value\. Floating-point coefficients need"):
        gs.multiple_scales(gs.Oscillators(DUFFING).floating({"w0": 1.0, "F": 1.0, "alpha": 1.0}), 1, resonances=[])
    values = {"w0": 1, "eps": 0.1, "alpha": 1, "F": 1}
    with pytest.raises(gs.StateError, match=r"no value|no values for sigma"):
        ms.steady_states(values)


def test_names_of_oscillators_and_coordinates():
    ms = solve("x'' + w1**2*x = eps*x*y", "y'' + w2**2*y = eps*x**2")
    with pytest.raises(gs.StateError, match=r"There are several oscillators\. Name one of x, y"):
        ms.backbone()
    with pytest.raises(gs.StateError, match=r"There is no oscillator 'z'"):
        ms.solution("z")
    with pytest.raises(gs.StateError, match=r"no coordinate 'xx' to give an initial value\. Did you mean 'x'"):
        ms.motion(1.0, {"xx": 1}, values={"w1": 1, "w2": 1.7, "eps": 0.1})


def test_no_closed_form():
    free = solve("x'' + x + eps*x**3 = 0")
    with pytest.raises(gs.StateError, match=r"Nothing forces 'x' at resonance.*backbone"):
        free.response()
    with pytest.raises(gs.StateError, match=r"The phases are arbitrary.*steady_states"):
        free.continuation("eps", (0.1, 0.2))
    coupled = solve(
        "x'' + w1**2*x = eps*y**3 + eps*F*cos(Omega*t)",
        "y'' + w2**2*y = eps*x**3",
        resonances=["Omega = w1 + eps*s", "w2 = w1 + eps*d"],
    )
    with pytest.raises(gs.StateError, match=r"no response relation of 'x' alone: it excites 'y'"):
        coupled.response("x")
    twice = solve(
        "x'' + w**2*x + eps*x**3 = eps*F*cos(Omega*t) + eps*P*x*cos(2*Omega*t)", resonances=["Omega = w + eps*s"]
    )
    with pytest.raises(gs.StateError, match=r"multiples of the phase occur\. Use continuation\(\)"):
        twice.response()


def test_continuation_over_what_does_not_matter():
    ms = solve(DUFFING, resonances=["Omega = w0 + eps*sigma"])
    with pytest.raises(gs.StateError, match=r"do not depend on 'sigm'\. Did you mean 'sigma'"):
        ms.continuation("sigm", (0, 1), values={"w0": 1, "alpha": 1, "F": 1, "eps": 0.1})
    with pytest.raises(gs.StateError, match=r"The interval of 'sigma' is empty"):
        ms.continuation("sigma", (1, 1), values={"w0": 1, "alpha": 1, "F": 1, "eps": 0.1})


def test_terms_of_unknown_names():
    with pytest.raises(gs.ModelError, match=r"belongs to 'y', which is no oscillator"):
        gs.Oscillators.of_terms([gs.Oscillator("x", "w")], [gs.Term("y", 1, {"x": 3}, order=1)])
    with pytest.raises(
        gs.ModelError, match=r"contains 'x\.speed', which is no coordinate\. Did you mean 'x\.rate'|no coord"
    ):
        gs.Oscillators.of_terms([gs.Oscillator("x", "w")], [gs.Term("x", 1, {"x.speed": 3}, order=1)])
    with pytest.raises(gs.ModelError, match=r"negative order"):
        gs.Oscillators.of_terms([gs.Oscillator("x", "w")], [gs.Term("x", 1, {"x": 3}, order=-1)])


def test_coefficients_are_no_functions_of_angles():
    with pytest.raises(gs.FormulaError, match=r"coefficient 'sin\(a\)': contains a sine or cosine\. Name it as"):
        gs.Oscillators.of_terms([gs.Oscillator("x", "w")], [gs.Term("x", "sin(a)", {"x": 3}, order=1)])


def test_a_certificate_that_is_refused():
    """A wrong coefficient: the error does not fall with the power promised, and the certificate says so."""
    wrong = solve("x'' + x + eps*x**3 = 0", order=2)
    other = gs.Oscillators("x'' + x + 1.1*eps*x**3 = 0")
    reference = gs.multiple_scales(other, 1)._own_reference({})
    certificate = wrong.certificate(reference=reference, small=(0.1, 0.05, 0.025))
    assert not certificate.holds
    assert "NOT certified: order 2 promises the power 2 over t ≤ 1/eps, but the error falls with" in str(certificate)


def test_an_undeclared_resonance_is_not_certified():
    with pytest.warns(GyrostatWarning, match="near resonance"):
        ms = solve(
            "x'' + w0**2*x + eps*alpha*x**3 = F*cos(Omega*t)",
            values={"w0": 1.0, "Omega": 3.002, "alpha": 1.0, "F": 8.0},
            order=1,
            resonances=[],
        )
    assert not ms.certificate(initial={"x": 0.5}, small=(0.08, 0.04, 0.02)).holds


def test_a_sympy_equation_with_a_third_derivative():
    t = sp.Symbol("t")
    x = sp.Function("x")(t)
    with pytest.raises(gs.FormulaError, match="is no first or second derivative of a coordinate"):
        gs.Oscillators(x.diff(t, 3) + x)
