"""Results of a solution: tracking of terms, source code, display, pictures, motions, special points."""

import math
import shutil
import subprocess
from ctypes import CDLL, c_double

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

import gyrostat as gs
from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow

VALUES = {"w0": 1.2, "mu": 0.3, "alpha": 0.7, "F": 0.9, "sigma": 0.4, "eps": 0.1}


@pytest.fixture(scope="module")
def duffing():
    problem = gs.Oscillators("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)")
    return gs.multiple_scales(problem, 2, ["Omega = w0 + eps*sigma"])


@pytest.fixture(scope="module")
def absorber():
    problem = gs.Oscillators(
        "u1'' + w1**2*u1 = -2*eps*mu1*u1' + eps*u1*u2",
        "u2'' + w2**2*u2 = -2*eps*mu2*u2' + eps*u1**2 + eps*F*cos(Omega*t)",
    )
    return gs.multiple_scales(problem, 1, ["w2 = 2*w1 + eps*sigma1", "Omega = w2 + eps*sigma2"])


def test_statement_of_order_and_amplitude(duffing):
    text = str(duffing)
    assert "Order 2: the slow scales T1 and T2 are kept and x through eps" in text
    assert "over times up to T/eps the error is of order eps**2. Amplitudes are those of first harmonics." in text
    drift = gs.multiple_scales(gs.Oscillators("x'' = -eps*c*x' + eps*y'**2", "y'' + y = eps*x'*y"), 1)
    assert "x without stiffness drifts: mean position and mean speed take the place" in drift.statement


def test_contributions_name_their_sources():
    problem = gs.Oscillators.of_terms(
        [gs.Oscillator("x", "w")],
        [
            gs.Term("x", "-a2", {"x": 2}, order=1, source="spring k1"),
            gs.Term("x", "-a3", {"x": 3}, order=2, source="spring k2"),
            gs.Term("x", "-2*mu", {"x.rate": 1}, order=2, source="damper"),
        ],
    )
    ms = gs.multiple_scales(problem, 2)
    found = {contribution.sources: contribution for contribution in ms.contributions()}
    assert set(found) == {(("spring k1", 2),), (("spring k2", 1),), (("damper", 1),)}
    total = sum(contribution.term for contribution in found.values())
    (rate,) = ms.complex_form.rates.values()
    assert sp.expand(total - rate) == 0
    assert str(found[(("spring k1", 2),)]).endswith("←  spring k1 (twice)")
    assert str(found[(("damper", 1),)]).endswith("←  damper")


def test_tracking_needs_exact_coefficients():
    problem = gs.Oscillators("x'' + w**2*x = eps*x**3").floating({"w": 1.0})
    with pytest.raises(gs.StateError, match="Terms are tracked with exact coefficients"):
        gs.multiple_scales(problem, 1).contributions()


def test_python_source_runs(duffing):
    space = {}
    exec(duffing.python(), space)
    state = [0.4, -0.3]
    flow = AmplitudeFlow(duffing.modulation, duffing.values(VALUES))
    assert_allclose(space["modulation_rates"](state, **VALUES), flow.rates(np.array(state)), rtol=1e-12)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c_source_runs(duffing, tmp_path):
    (tmp_path / "rates.c").write_text(duffing.c(), encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "rates.so", "rates.c", "-lm"], cwd=tmp_path, check=True)
    names = sorted(VALUES)
    result = (c_double * 2)()
    library = CDLL(str(tmp_path / "rates.so"))
    library.modulation_rates((c_double * 2)(0.4, -0.3), (c_double * 6)(*(VALUES[n] for n in names)), result)
    flow = AmplitudeFlow(duffing.modulation, duffing.values(VALUES))
    assert_allclose(list(result), flow.rates(np.array([0.4, -0.3])), rtol=1e-12)


def test_jacobian_is_the_derivative_of_the_rates(absorber):
    values = {"w1": 1.1, "mu1": 0.2, "mu2": 0.3, "F": 1.5, "sigma1": 0.3, "sigma2": -0.2, "eps": 0.1}
    flow = AmplitudeFlow(absorber.modulation, absorber.values(values))
    y = np.array([0.5, -0.3, 0.8, 0.2])
    step = 1e-6
    columns = [(flow.rates(y + step * e) - flow.rates(y - step * e)) / (2 * step) for e in np.eye(4)]
    assert_allclose(flow.jacobian(y), np.array(columns).T, atol=1e-9)


def test_display(duffing):
    assert duffing._repr_latex_().startswith("$\\displaystyle \\begin{aligned}\\dot{a} &= ")
    assert "\\dot{\\gamma}" in duffing.latex()
    assert "\\varepsilon" in duffing.latex()
    first, second = duffing.solvability
    assert str(first.lhs) == "Derivative(A(T1, T2), T1)"
    assert first.rhs.has(sp.Symbol("T1", real=True))
    assert not any(condition.rhs.has(sp.Symbol("eps", real=True)) for condition in (first, second))
    (equation, _) = duffing.polar_form.equations
    assert equation.lhs == sp.Derivative(sp.Function("a")(sp.Symbol("t", real=True)), sp.Symbol("t", real=True))
    relation = gs.multiple_scales(duffing.problem, 1, duffing.resonances).response()
    assert relation._repr_latex_().startswith("$")


def test_problems_are_displayed(duffing):
    assert duffing.problem._repr_latex_() == (
        r"$\displaystyle \begin{aligned}\ddot{x} + w_{0}^{2} x &= F \varepsilon \cos{\left(\Omega t \right)} - "
        r"2 \dot{x} \varepsilon \mu - \alpha \varepsilon x^{3}\end{aligned}$"
    )


def test_the_solution_satisfies_the_equation_to_its_order():
    """x(t) of free motion put into the equation leaves ε^order."""
    ms = gs.multiple_scales(gs.Oscillators("x'' + x + eps*x**2 = 0"), 3)
    t, eps, a, beta = (sp.Symbol(n, real=True) for n in ("t", "eps", "a", "beta"))
    turning = ms.polar_form.rates[beta] * t
    x = ms.solution().subs(beta, turning)
    residual = sp.series(sp.expand(x.diff(t, 2) + x + eps * x**2), eps, 0, 3).removeO()
    values = {a: 0.7, t: 1.3}
    assert [abs(float(residual.coeff(eps, k).subs(values))) for k in (0, 1, 2)] == pytest.approx([0, 0, 0], abs=1e-12)


def test_motion_starts_where_it_is_told_to(duffing):
    motion = duffing.motion(20.0, {"x": 0.7, "x.rate": -0.2}, values=VALUES, step=0.1)
    assert float(motion["x"][0]) == pytest.approx(0.7, abs=1e-10)
    assert float(motion["x.rate"][0]) == pytest.approx(-0.2, abs=1e-10)
    assert motion.sizes["time"] == 201
    rate = np.gradient(motion["x"].values, motion["time"].values, edge_order=2)
    assert_allclose(rate[1:-1], motion["x.rate"].values[1:-1], atol=0.02)  # x′ is known to order ε² only


def test_energy_goes_to_and_fro(absorber):
    values = {"w1": 1.0, "mu1": 0.0, "mu2": 0.0, "F": 0.0, "sigma1": 0.0, "sigma2": 0.0, "eps": 0.05}
    motion = absorber.motion(400.0, {"u1": 0.1, "u2": 1.0}, values=values)
    a1, a2 = motion["u1.amplitude"].values, motion["u2.amplitude"].values
    assert a1.max() > 1.2
    assert a2.min() < 0.2
    assert_allclose(a1**2 + 2 * a2**2, a1[0] ** 2 + 2 * a2[0] ** 2, rtol=1e-9)  # w1 a1²/… + w2 a2²/…: the action


def test_jump_between_folds():
    """Folds of the forced Duffing oscillator, where the slope of the closed relation is vertical."""
    problem = gs.Oscillators("x'' + x + 2*eps*mu*x' + eps*x**3 = eps*F*cos(Omega*t)")
    ms = gs.multiple_scales(problem, 1, ["Omega = 1 + eps*sigma"])
    values = {"mu": 0.1, "F": 0.3, "eps": 0.01}
    branches = ms.continuation("sigma", (-1.0, 2.0), values=values)
    folds = sorted(point.parameter for point in branches.of_kind(gs.SpecialKind.FOLD))
    assert len(folds) == 2
    for inside, count in ((folds[0] - 0.01, 1), (folds[0] + 0.01, 3), (folds[1] - 0.01, 3), (folds[1] + 0.01, 1)):
        assert len(ms.response().amplitudes({**values, "sigma": inside})) == count
    peak = max(branch.amplitudes["x"].max() for branch in branches.branches)
    assert peak == pytest.approx(0.3 / 0.2, rel=1e-3)
    middle = [state.is_stable for state in ms.steady_states({**values, "sigma": sum(folds) / 2})]
    assert middle == [True, False, True]


def test_hopf_points_of_the_absorber(absorber):
    """Between Hopf points amplitudes never come to rest: detuned from the internal resonance, lightly damped."""
    values = {"w1": 1.0, "mu1": 0.05, "mu2": 0.05, "F": 2.0, "sigma1": 0.6, "eps": 0.01}
    branches = absorber.continuation("sigma2", (-2.0, 2.0), values=values, size=4)
    hopf = branches.of_kind(gs.SpecialKind.HOPF)
    assert hopf
    for point in hopf:
        eigenvalues = point.state.eigenvalues
        critical = eigenvalues[np.argmin(np.abs(eigenvalues.real))]
        assert abs(critical.real) < 1e-6 * abs(critical)
        assert "Hopf at" in str(point)


def test_pictures(duffing, absorber, tmp_path):
    pytest.importorskip("matplotlib")
    duffing.certificate(values=VALUES, small=(0.1, 0.05)).plot(tmp_path / "certificate.svg")
    values = {"w1": 1.0, "mu1": 0.5, "mu2": 0.5, "sigma1": 0.0, "sigma2": 0.0, "eps": 0.01}
    absorber.continuation("F", (1.0, 6.0), values=values, step=0.1).plot("u2", path=tmp_path / "saturation.svg")
    absorber.plot_motion(50.0, {"u1": 1.0}, values={**values, "F": 1.0}, path=tmp_path / "motion.svg")
    assert {path.name for path in tmp_path.iterdir()} == {"certificate.svg", "saturation.svg", "motion.svg"}


def test_certificates_keep_detunings(duffing):
    """A frequency given in place of its detuning: the detuning follows from ε as given, and is kept."""
    numbers = {name: value for name, value in VALUES.items() if name != "sigma"}
    small = (0.08, 0.04)
    first = duffing.certificate(values=VALUES, small=small)
    second = duffing.certificate(values={**numbers, "Omega": 1.2 + 0.1 * 0.4}, small=small)
    assert_allclose(first.errors, second.errors, rtol=1e-6)


def test_exact_linear_motion_is_certified_as_such():
    ms = gs.multiple_scales(gs.Oscillators("x'' + w**2*x = 0", values={"w": 1.0}), 1)
    certificate = ms.certificate(small=(0.1, 0.05))
    assert certificate.is_exact
    assert certificate.holds
    assert "the errors are rounding" in str(certificate)


def test_a_phase_of_the_force_only_shifts_time():
    plain, shifted = (
        gs.multiple_scales(gs.Oscillators(f"x'' + x + eps*x**3 = eps*F*cos({angle})"), 1, ["Omega = 1 + eps*sigma"])
        for angle in ("Omega*t", "Omega*t + phi")
    )
    values = {"F": 0.5, "sigma": 0.2, "eps": 0.1}
    a, b = (
        ms.steady_states({**values, **extra})[0].amplitudes["x"]
        for ms, extra in ((plain, {}), (shifted, {"phi": math.pi / 3}))
    )
    assert a == pytest.approx(b, rel=1e-9)
