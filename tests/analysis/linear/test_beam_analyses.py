"""Analyses of beams: sensitivities, optimization, mode shapes, multiple scales of a column under a pulsating load."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

import gyrostat as gs
from gyrostat.analysis.linear.linear_model import LinearModel
from gyrostat.shown.mode_pictures import mode_rows
from gyrostat.shown.trajectory_scene import Scenery


def _column(**changed: Any) -> gs.Model:
    names = {"L": 1.3, "A": 0.8, "I": 1.1, "E": 0.9, "rho": 1.2, "P": 0.3, "Omega": 4.0, "c": 0.01}
    model = gs.Model("column", parameters=names)
    given = {"length": "L", "area": "A", "Iz": "I", "E": "E", "density": "rho", "rotary_inertia": False}
    model.add(gs.Beam("beam", **(given | {"terms": {"v": 2}} | changed)))
    model.add(gs.Weld("clamp", "ground", "beam"))
    return model


@pytest.fixture(scope="module")
def linear() -> LinearModel:
    return gs.linearize(_column(), at={})


def test_frequencies_have_the_exponents_of_their_formula(linear: LinearModel) -> None:
    """f ~ √(E I/ρA)/L²."""
    names = ["E", "I", "L", "rho"]
    values = np.array([linear.system.model.values()[name] for name in names])
    exponents = values * linear.sensitivity(0, wrt=names).frequency / linear.modes()[0].frequency
    np.testing.assert_allclose(exponents, [0.5, 0.5, -2, -0.5], rtol=1e-9)


def test_a_length_is_found_for_a_frequency(linear: LinearModel) -> None:
    frequency = linear.modes()[0].frequency
    found = gs.optimize(linear.system, {"L": (0.5, 3)}, gs.Target(gs.ModeFrequency(0), frequency / 4))
    assert found.parameters["L"] == pytest.approx(2.6, rel=1e-3)


def test_modes_deform_the_beam(linear: LinearModel) -> None:
    """The second bending mode of a cantilever has a node at 0.783 L, the first none."""
    lines = []
    for mode in linear.modes():
        rows = mode_rows(mode, 0.05)
        (line,) = Scenery(linear.system, rows).scene(None, plots=()).lines
        lines.append(np.asarray(line.points)[0])
    crossings = [np.flatnonzero(np.diff(np.sign(line[3:, 1]))) for line in lines]
    assert [len(one) for one in crossings] == [0, 1]
    assert lines[1][3 + crossings[1][0], 0] / 1.3 == pytest.approx(0.783, abs=0.04)


def test_column_under_a_pulsating_load_by_multiple_scales() -> None:
    """With v = x² q: q̈ + ω² q = −(80/63L²)(q² q̈ + q q̇²) + (20 P/3ρA L²) q cos Ωt − c ω² q̇, ω² = 20 EI/ρA L⁴."""
    model = _column(terms={"v": 1}, basis="taylor", damping="c")
    model.add(gs.Force("push", "beam.tip", ("-P*cos(Omega*t)", 0, 0)))
    scales = gs.multiple_scales(model, order=1, resonances=["Omega = 2*omega_v1_beam"])
    text = str(scales)
    assert "omega_v1_beam = sqrt(20*I*E/(L**4*A*rho))" in text
    rates = dict(line.split("' = ", 1) for line in text.splitlines() if line.startswith(("a' = ", "gamma' = ")))
    names = "a c eps omega_v1_beam P gamma A L rho"
    a, c, eps, omega, P, gamma, A, L, rho = (known := {n: sympy.Symbol(n) for n in names.split()}).values()
    found = {name: sympy.sympify(rate, locals=known) for name, rate in rates.items()}
    push = 5 * P / (3 * A * L**2 * omega * rho)
    assert sympy.simplify(found["a"] - eps * a * (push * sympy.sin(gamma) - c * omega**2 / 2)) == 0
    slow = 2 * push * sympy.cos(gamma) + sympy.Rational(40, 63) * omega * a**2 / L**2
    assert sympy.simplify(found["gamma"] - eps * slow) == 0
