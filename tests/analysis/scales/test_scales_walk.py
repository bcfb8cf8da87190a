"""The walk through multiple scales: each order's solution satisfies its equation, secular terms are those excluded."""

from __future__ import annotations

import pytest
import sympy

import gyrostat as gs
from gyrostat.analysis.scales.walkthrough import FAST_TIME, ScalesWalk

w0, mu, alpha, F, sigma, Omega = sympy.symbols("w0 mu alpha F sigma Omega", real=True)
DUFFING = "x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)"


@pytest.fixture(scope="module")
def walk() -> ScalesWalk:
    problem = gs.Oscillators(DUFFING)
    return gs.multiple_scales(problem, order=2, resonances=["Omega = w0 + eps*sigma"]).walkthrough()


def test_particular_solutions_satisfy_their_equations(walk: ScalesWalk) -> None:
    assert sympy.expand(walk["x_0"].diff(FAST_TIME, 2) + w0**2 * walk["x_0"]) == 0
    left = walk["x_1"].diff(FAST_TIME, 2) + w0**2 * walk["x_1"]
    right = walk["right side of x_1"] - walk["secular in x_1"]
    assert sympy.expand(left - right) == 0


def test_solvability_excludes_the_secular_terms(walk: ScalesWalk) -> None:
    """2 i ω D₁A exp(i ω T₀) is the part of the secular terms with that frequency (Nayfeh's first condition)."""
    name = next(name for name in walk.names if name.startswith("Derivative") and name.endswith("T1)"))
    T1 = sympy.Symbol("T1", real=True)
    rate = walk[name]
    A, Abar = (next(s for s in rate.free_symbols | {sympy.Symbol("Abar")} if s.name == n) for n in ("A", "Abar"))
    assert (
        sympy.expand(
            rate
            - (
                3 * sympy.I * A**2 * Abar * alpha / (2 * w0)
                - A * mu
                - sympy.I * F * sympy.exp(sympy.I * T1 * sigma) / (4 * w0)
            )
        )
        == 0
    )
    secular = sympy.expand(walk["secular in x_1"].subs(Omega, w0) * sympy.exp(-sympy.I * w0 * FAST_TIME))
    resonant = secular.as_independent(FAST_TIME)[0]
    assert sympy.expand(resonant - 2 * sympy.I * w0 * rate.subs(T1, 0)) == 0


def test_causes_and_texts(walk: ScalesWalk) -> None:
    shown = str(walk)
    assert "= D₀² x_1 + ω² x_1, to which −2 D₀ D_1 x_0 is added" in shown
    assert "terms whose frequency in T0 is w0: their response would grow with time" in shown
    assert "contribution 2 = 3*I*A**2*Abar*alpha*eps/(2*w0)  (-alpha*x**3)" in shown
    assert r"\varepsilon" in walk.latex()


def test_two_oscillators_with_an_internal_resonance() -> None:
    """x y drives x, and x² drives y, at their own frequencies; without resonance neither does."""
    problem = gs.Oscillators("x'' + w1**2*x = eps*x*y", "y'' + w2**2*y = eps*x**2")
    near = gs.multiple_scales(problem, resonances=["w2 = 2*w1 + eps*sigma"]).walkthrough()
    far = gs.multiple_scales(problem, resonances=[]).walkthrough()
    for name in ("x", "y"):
        assert near[f"secular in {name}_1"] != 0
        assert far[f"secular in {name}_1"] == 0
        assert far[f"right side of {name}_1"] != 0


def test_floating_coefficients() -> None:
    problem = gs.Oscillators(DUFFING, values={"w0": 1.0, "mu": 0.1, "alpha": 0.3, "F": 0.2, "Omega": 1.01, "eps": 0.1})
    walk = gs.multiple_scales(problem, resonances=["Omega = w0 + eps*sigma"]).walkthrough()
    assert walk["secular in x_1"] != 0
