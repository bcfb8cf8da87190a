"""Results of the textbooks, as expressions."""

import numpy as np
import pytest
import sympy as sp
from cases import case, value
from numpy.testing import assert_allclose

import gyrostat as gs

S = {
    name: sp.Symbol(name, real=True)
    for name in ["a", "alpha", "mu", "sigma", "w0", "F", "eps", "a2", "a3", "w", "h", "gamma"]
}
a, alpha, mu, sigma, w0, F, eps = (S[name] for name in ("a", "alpha", "mu", "sigma", "w0", "F", "eps"))


def same(found, expected):
    return sp.simplify(found - expected) == 0


def test_pendulum():
    ms = gs.multiple_scales(gs.Oscillators("q'' + w0**2*sin(q) = 0", degree=5), order=4)
    found = ms.backbone(amplitude=gs.Amplitude.INITIAL).subs(eps, 1)
    assert same(found / w0, 1 - a**2 / 16 + a**4 / 3072)


def duffing_free(order):
    return gs.multiple_scales(gs.Oscillators("x'' + x + eps*x**3 = 0"), order=order)


def test_free_duffing_for_both_amplitudes():
    ms = duffing_free(3)
    e = eps * a**2
    initial = ms.backbone(amplitude=gs.Amplitude.INITIAL)
    assert same(initial, 1 + sp.Rational(3, 8) * e - sp.Rational(21, 256) * e**2 + sp.Rational(81, 2048) * e**3)
    first = ms.backbone()
    assert first.coeff(eps, 2) == -sp.Rational(15, 256) * a**4


def test_case_duffing_free():
    found = case("duffing_free")
    series = value(found, "series_coefficients_e^1..e^4")
    ms = duffing_free(4)
    own = ms.backbone(amplitude=gs.Amplitude.INITIAL).subs(a, 1)
    assert_allclose([float(own.coeff(eps, k)) for k in (1, 2, 3, 4)], series, rtol=1e-12)
    rows = [row for row in found["quantities"] if row["name"] == "omega_exact"]
    for row in rows:
        e = row["alpha"] * row["a"] ** 2
        for order in (1, 2, 3):
            omega = duffing_free(order).backbone(amplitude=gs.Amplitude.INITIAL).subs({a: 1, eps: e})
            assert float(omega) == pytest.approx(row[f"ms_order{order}"], rel=1e-12)


@pytest.fixture(scope="module")
def primary():
    problem = gs.Oscillators("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)")
    return gs.multiple_scales(problem, 1, [gs.Resonance("Omega", "w0", detuning="sigma")])


def test_duffing_primary_resonance(primary):
    relation = primary.response().equation
    assert same(relation.lhs, (mu**2 + (sigma - 3 * alpha * a**2 / (8 * w0)) ** 2) * a**2)
    assert same(relation.rhs, F**2 / (4 * w0**2))
    gamma = S["gamma"]
    rates = primary.polar_form.rates
    assert same(rates[a], eps * (-mu * a + F / (2 * w0) * sp.sin(gamma)))
    assert same(rates[gamma], eps * (sigma - 3 * alpha * a**2 / (8 * w0) + F / (2 * w0 * a) * sp.cos(gamma)))


def test_forms_agree(primary):
    """Complex, polar and Cartesian rates are the same motion."""
    gamma, (A, Abar) = S["gamma"], sp.symbols("A Abar")
    p, q, t = (sp.Symbol(n, real=True) for n in "pqt")
    numbers = {mu: 0.3, alpha: 0.7, w0: 1.3, F: 0.9, sigma: 0.4, eps: 0.1}
    amplitude, phase, now = 0.8, 0.5, 2.0
    beta = numbers[eps] * numbers[sigma] * now - phase
    point = amplitude / 2 * np.exp(1j * beta)
    rate = complex(primary.complex_form.rates[A].subs({**numbers, A: point, Abar: np.conj(point), t: now}))
    turned = 2 * rate * np.exp(-1j * beta)
    polar = {s: float(r.subs({**numbers, a: amplitude, gamma: phase})) for s, r in primary.polar_form.rates.items()}
    assert polar[a] == pytest.approx(turned.real)
    assert polar[gamma] == pytest.approx(numbers[eps] * numbers[sigma] - turned.imag / amplitude)
    frame = point * np.exp(-1j * numbers[eps] * numbers[sigma] * now)
    at = {**numbers, p: 2 * frame.real, q: 2 * frame.imag}
    cartesian = [float(r.subs(at)) for r in primary.cartesian_form.rates.values()]
    expected = 2 * rate * np.exp(-1j * numbers[eps] * numbers[sigma] * now) - 2j * numbers[eps] * numbers[sigma] * frame
    assert_allclose(cartesian, [expected.real, expected.imag], rtol=1e-12)


def test_case_duffing_forced_primary(primary):
    found = case("duffing_forced_primary")
    p = found["parameters"]
    values = {"w0": 1.0, "alpha": p["alpha"], "mu": p["mu"], "F": p["f"], "eps": p["eps"]}
    amplitudes = primary.response().amplitudes({**values, "sigma": 0.2})
    assert_allclose(amplitudes, value(found, "amplitude(s) sigma=0.2"), rtol=1e-9)
    (state,) = primary.steady_states({**values, "sigma": 0.2})
    assert state.amplitudes["x"] == pytest.approx(amplitudes[0], rel=1e-9)
    assert state.amplitudes["x"] == pytest.approx(value(found, "simulated amplitude sigma=0.2"), rel=2e-3)
    assert state.is_stable
    at_peak = value(found, "peak_detuning_sigma")
    assert max(primary.response().amplitudes({**values, "sigma": at_peak})) == pytest.approx(
        value(found, "peak_amplitude"), rel=1e-9
    )


def hard_force(resonance):
    problem = gs.Oscillators("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = F*cos(Omega*t)")
    return gs.multiple_scales(problem, 1, [resonance]).response().equation


def test_superharmonic_resonance():
    """Nayfeh and Mook, section 4.1.3: Λ = F/(2 (ω0² − Ω²))."""
    relation = hard_force("Omega = w0/3 + eps*sigma")
    size = F / (2 * (w0**2 - w0**2 / 9))
    left = (mu**2 + (3 * sigma - 3 * alpha * size**2 / w0 - 3 * alpha * a**2 / (8 * w0)) ** 2) * a**2
    assert same(relation.lhs - relation.rhs, left - alpha**2 * size**6 / w0**2)


def test_subharmonic_resonance():
    """Nayfeh and Mook, section 4.1.4, divided by 9 a²."""
    relation = hard_force("Omega = 3*w0 + eps*sigma")
    size = F / (2 * (w0**2 - 9 * w0**2))
    left = mu**2 + (sigma / 3 - 3 * alpha * size**2 / w0 - 3 * alpha * a**2 / (8 * w0)) ** 2
    assert same(relation.lhs - relation.rhs, left - 9 * alpha**2 * size**2 * a**2 / (16 * w0**2))


def test_quadratic_and_cubic_nonlinearity_have_one_effect():
    ms = gs.multiple_scales(gs.Oscillators("x'' + w0**2*x + eps*a2*x**2 + eps**2*a3*x**3 = 0"), 2)
    effective = (9 * S["a3"] * w0**2 - 10 * S["a2"] ** 2) / (24 * w0**3)  # Nayfeh and Mook, eq. 2.3.32
    assert same(ms.backbone(), w0 + eps**2 * effective * a**2)


def test_van_der_pol_limit_cycle():
    ms = gs.multiple_scales(gs.Oscillators("x'' + x = eps*(1 - x**2)*x'"), 2)
    rates = ms.polar_form.rates
    assert same(rates[a], eps * a * (1 - a**2 / 4) / 2)
    beta = sp.Symbol("beta", real=True)
    assert rates[beta].subs(a, 2) == -(eps**2) / 16
    rest, cycle = ms.steady_states({"eps": 0.1})
    assert not rest.is_stable
    assert cycle.is_stable
    assert cycle.amplitudes["x"] == pytest.approx(2)


# --- Mathieu: y″ + (1 + ε d + …) y = 2 q cos 2t y, q = ε h


def mathieu(order):
    return gs.multiple_scales(gs.Oscillators("y'' + y + eps*d*y = 2*eps*h*cos(2*t)*y"), order)


def test_mathieu_tongue_through_third_order():
    """a1 = 1 + q − q²/8 − q³/64, b1 = 1 − q − q²/8 + q³/64: no growth on the boundaries."""
    form = mathieu(3).cartesian_form
    q, d, h = sp.symbols("q d h", real=True)
    states = list(form.rates)
    matrix = sp.Matrix([[sp.diff(form.rates[s], y) for y in states] for s in states])
    for sign in (1, -1):
        boundary = sign * q - q**2 / 8 - sign * q**3 / 64
        determinant = sp.expand(matrix.det().subs({d: boundary, h: q, eps: 1}))
        assert min(m[0] for m in sp.Poly(determinant, q).monoms()) >= 5  # the other root is of order q


def test_case_mathieu_stability():
    found = case("mathieu_stability")
    ms = mathieu(1)
    growth = max(ms.steady_states({"eps": 0.1, "h": 1.0, "d": 0.0})[0].eigenvalues.real)
    row = next(r for r in found["quantities"] if r["name"].startswith("growth_exponent"))
    assert growth == pytest.approx(row["ms_first_order"], rel=1e-9)
    third = max(mathieu(3).steady_states({"eps": 0.1, "h": 1.0, "d": 0.0})[0].eigenvalues.real)
    assert third == pytest.approx(row["value"], rel=1e-5)


def test_unstable_tongue_between_its_boundaries():
    ms = mathieu(2)
    for d, stable in ((-1.2, True), (-0.9, False), (0.0, False), (0.9, False), (1.1, True)):
        state = ms.steady_states({"eps": 0.05, "h": 1.0, "d": d})[0]
        assert state.is_stable is stable


# --- saturation


@pytest.fixture(scope="module")
def absorber():
    problem = gs.Oscillators(
        "u1'' + w1**2*u1 = -2*eps*mu1*u1' + eps*u1*u2",
        "u2'' + w2**2*u2 = -2*eps*mu2*u2' + eps*u1**2 + eps*F*cos(Omega*t)",
    )
    return gs.multiple_scales(problem, 1, ["w2 = 2*w1 + eps*sigma1", "Omega = w2 + eps*sigma2"])


def test_case_autoparametric_absorber_saturation(absorber):
    found = case("autoparametric_absorber_saturation")
    p = found["parameters"]
    values = {**{k: p[k] for k in ("eps", "w1", "mu1", "mu2", "F")}, "sigma1": 0.0, "sigma2": 0.0}
    states = absorber.steady_states(values, size=4)
    (saturated,) = [state for state in states if state.is_stable]
    assert saturated.amplitudes["u1"] == pytest.approx(value(found, "a1"), rel=1e-9)
    assert saturated.amplitudes["u2"] == pytest.approx(value(found, "a2_saturated"), rel=1e-9)
    (locked,) = [state for state in states if not state.is_stable]
    assert locked.amplitudes == pytest.approx({"u1": 0, "u2": value(found, "a2_without_absorber")}, abs=1e-9)
    branches = absorber.continuation("F", (0.5, 8.0), values=values, size=4)
    (onset,) = branches.of_kind(gs.SpecialKind.BRANCH)
    assert onset.parameter == pytest.approx(value(found, "onset_F"), rel=1e-6)
    moving = next(b for b in branches.branches if b.amplitudes["u1"].max() > 1)
    assert_allclose(moving.amplitudes["u2"], 2.0, rtol=1e-6)  # whatever the force
    assert_allclose(moving.amplitudes["u1"] ** 2, 2 * (moving.parameter - 4), atol=1e-6)


def test_absorber_alone_has_a_closed_form(absorber):
    relation = absorber.response("u2")
    mu2, sigma2, w1, a2 = (sp.Symbol(n, real=True) for n in ("mu2", "sigma2", "w1", "a2"))
    assert same(relation.equation.lhs - relation.equation.rhs, a2**2 * (mu2**2 + sigma2**2) - F**2 / (16 * w1**2))
