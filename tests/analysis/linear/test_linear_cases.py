"""Linear models of published and analytic cases."""

from math import pi, sqrt
from pathlib import Path

import numpy as np
import pytest
from cases import case, value
from linear_models import (
    hanging_chain,
    hanging_four_bar,
    rotating_pendulum,
    sleeping_top,
    slider_pendulum,
    spatial_four_bar,
    upright_disc,
)

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def bicycle() -> gs.System:
    model = gs.Model.load(EXAMPLES / "whipple_bicycle.yaml")
    given = {name: number for name, number in model.values().items() if name != "v"}
    assert given == pytest.approx(case("whipple_bicycle")["parameters"])
    return gs.formulate(model)


def complexes(pairs: object) -> np.ndarray:
    return np.asarray(pairs, dtype=float) @ np.array([1, 1j])


def check_among(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    for one in expected:
        assert np.abs(found - one).min() < tolerance


def test_slider_pendulum() -> None:
    known = case("trom_slider_pendulum")
    lin = gs.linearize(slider_pendulum(), parameters={"c": 0.0})
    assert lin.mass.values == pytest.approx(value(known, "M"), abs=1e-12)
    assert lin.stiffness.values == pytest.approx(value(known, "K"), abs=1e-10)
    squares = np.array([mode.eigenvalue.imag**2 for mode in lin.modes()])
    assert squares == pytest.approx(value(known, "lambda=omega^2"), abs=1e-8)
    assert squares == pytest.approx(value(known, "lambda_exact"), abs=1e-12)
    assert lin.modes().eigenvalues[::2].imag == pytest.approx(value(known, "eigenvalues_c0_imag"), abs=1e-6)
    damped = gs.linearize(slider_pendulum()).modes().eigenvalues
    check_among(damped, complexes(value(known, "eigenvalues_c20")), 1e-9)


def test_spatial_four_bar() -> None:
    known = case("trom_four_bar")
    system = spatial_four_bar()
    M = system.mass_matrix({})
    order = [system.speed_names.index(name) for name in ("a.rate", "u.angle1.rate", "u.angle2.rate", "d.rate")]
    assert M[np.ix_(order, order)] == pytest.approx(value(known, "M_open"), abs=1e-9)
    lin = gs.linearize(system, coordinates=gs.Basis.ORTHONORMAL)
    assert lin.mass.item() == pytest.approx(value(known, "reduced_mass"), abs=1e-9)
    assert lin.stiffness.item() == pytest.approx(value(known, "reduced_stiffness"), abs=1e-9)
    basis = lin.flow.reduction.position_basis[order, 0]
    assert np.abs(basis) == pytest.approx(np.abs(value(known, "Q2_up_to_sign")), abs=1e-8)
    named = gs.linearize(system, coordinates=["a"])
    assert [named.mass.item(), named.stiffness.item()] == pytest.approx(value(known, "closed_form"), abs=1e-9)
    assert named.modes()[0].eigenvalue.imag ** 2 == pytest.approx(value(known, "lambda"), abs=1e-9)


def test_rotating_pendulum() -> None:
    known = case("trom_rotating_pendulum")
    angle, rate = known["initial_conditions"]["theta"], known["initial_conditions"]["phidot"]
    lin = gs.linearize(rotating_pendulum(), {"theta": angle, "phi.rate": rate})
    order = {"equation": ["theta", "phi"], "coordinate": ["theta", "phi"]}
    assert lin.mass.loc[order].values == pytest.approx(value(known, "M"), rel=1e-12)
    assert np.abs(lin.damping.loc[order].values) == pytest.approx(np.abs(value(known, "C")), rel=1e-10)
    assert lin.damping.values == pytest.approx(-lin.damping.values.T, abs=1e-12)
    assert lin.stiffness.loc[order].values == pytest.approx(value(known, "K"), rel=1e-10, abs=1e-12)
    modes = lin.modes()
    assert modes[-1].eigenvalue.imag == pytest.approx(value(known, "eigenvalue_imag_exact"), abs=1e-10)
    assert (modes.eigenvalues == 0).sum() == value(known, "zero_eigenvalues")
    assert modes[0].kind is gs.ModeKind.RIGID_BODY
    assert lin.without_ignorable().states == ("theta", "phi.rate", "theta.rate")


@pytest.mark.parametrize("coordinates", ["joint", "absolute", "branch"])
@pytest.mark.parametrize(("base", "frequency"), [(1.0, sqrt(6 * 9.81 / 5)), (2.0, 4.345038)])
def test_hanging_four_bars(base: float, frequency: float, coordinates: str) -> None:
    system = hanging_four_bar(base)
    if coordinates != "joint":
        system = gs.formulate(system.model, coordinates=coordinates)
    modes = gs.linearize(system).modes()
    assert [mode.eigenvalue.imag for mode in modes] == pytest.approx([frequency], abs=1e-6)
    assert (frequency / 3.431035 == pytest.approx(1, abs=1e-6)) == (base == 1.0)


def test_multiplier_stiffness_is_what_the_half_hexagon_needs() -> None:
    energy = gs.linearize(hanging_four_bar(2.0)).modes()[0].energy()
    without = 18.8793538 * float(energy.stiffness.sel(element="gravity"))
    assert without == pytest.approx(11.33, abs=0.005)
    assert float(energy.stiffness.sum()) == pytest.approx(1.0)


def test_bicycle_matrices(bicycle: gs.System) -> None:
    known = case("whipple_bicycle")
    g, v = 9.81, 5.0
    lin = gs.linearize(bicycle, coordinates=["free.turn1", "steer"])
    part = {"equation": ["free.turn1", "steer"], "coordinate": ["free.turn1", "steer"]}
    assert lin.mass.loc[part].values == pytest.approx(value(known, "M"), abs=1e-12)
    assert lin.damping.loc[part].values / v == pytest.approx(value(known, "C1"), abs=1e-12)
    stiffness = g * value(known, "K0") + v * v * value(known, "K2")
    assert lin.stiffness.loc[part].values == pytest.approx(stiffness, abs=1e-10)
    still = gs.linearize(bicycle, coordinates=["free.turn1", "steer"], parameters={"v": 0.0})
    assert still.stiffness.loc[part].values / g == pytest.approx(value(known, "K0"), abs=1e-12)
    others = lin.stiffness.drop_sel(coordinate=["free.turn1", "steer"]).values
    assert np.abs(others).max() < 1e-9


def test_bicycle_eigenvalues(bicycle: gs.System) -> None:
    known = case("whipple_bicycle")
    checked = 0
    for quantity in known["quantities"]:
        if quantity["name"].startswith("eigenvalues"):
            lin = gs.linearize(bicycle, parameters={"v": quantity["v"]})
            check_among(lin.modes().eigenvalues, complexes(quantity["value"]), 1e-9)
            assert (lin.modes().eigenvalues == 0).sum() == 6
            checked += 1
    assert checked == 11


def test_bicycle_speeds(bicycle: gs.System) -> None:
    known = case("whipple_bicycle")
    locus = gs.root_locus(bicycle, {"v": np.linspace(3.6, 7.2, 13)})
    weave, capsize = locus.limits()
    assert weave == pytest.approx(value(known, "weave_speed"), abs=1e-10)
    assert capsize == pytest.approx(value(known, "capsize_speed"), abs=1e-10)
    between = gs.linearize(bicycle, parameters={"v": 5.0}).modes().stability
    assert between.verdict.value == "neutral"
    assert gs.linearize(bicycle, parameters={"v": 4.0}).modes().stability.verdict.value == "unstable"


def test_hanging_chain_goes_to_bessel_functions() -> None:
    known = case("hanging_chain_bessel")
    expected = value(known, "natural_frequencies")[:3]
    coarse, fine = (
        2 * pi * gs.linearize(hanging_chain(links, known["parameters"]["L"])).modes().frequencies[:3]
        for links in (10, 20)
    )
    assert (coarse - expected) / (fine - expected) == pytest.approx(4.0, rel=0.15)
    assert (4 * fine - coarse) / 3 == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("angles", [True, False])
def test_sleeping_top(angles: bool) -> None:
    limit = value(case("lagrange_top"), "sleeping_top_min_spin")
    system = sleeping_top(angles)
    for spin, stable in ((limit * (1 - 1e-6), False), (limit * (1 + 1e-6), True)):
        verdict = gs.linearize(system, parameters={"spin": spin}).modes().stability.verdict.value
        assert (verdict != "unstable") == stable
    modes = gs.linearize(system, parameters={"spin": 60.0}).modes()
    a, b = 0.05 * 60 / 0.3, 9.81 * 0.5 / 0.3
    slow, fast = (a - sqrt(a * a - 4 * b)) / 2, (a + sqrt(a * a - 4 * b)) / 2
    assert [mode.eigenvalue.imag for mode in modes if mode.oscillates] == pytest.approx([slow, fast], rel=1e-8)


@pytest.mark.parametrize(("body", "inertia"), [("disc", 0.25), ("hoop", 0.5)])
def test_rolling_disc(body: str, inertia: float) -> None:
    quantities = case("rolling_disc")["quantities"]
    speed, wobble = (
        next(q["value"] for q in quantities if q["name"] == name and q["body"] == body)
        for name in ("critical_speed", "wobble_freq_at_1.5_crit")
    )
    inertias = {"It": inertia * 0.09, "Ip": 2 * inertia * 0.09}
    system = upright_disc()
    for factor, stable in ((1 - 1e-6, False), (1 + 1e-6, True)):
        modes = gs.linearize(system, parameters={**inertias, "v": factor * speed}).modes()
        assert (modes.stability.verdict.value != "unstable") == stable
    frequencies = gs.linearize(system, parameters={**inertias, "v": 1.5 * speed}).modes().frequencies
    assert 2 * pi * frequencies == pytest.approx([wobble], rel=1e-8)


def test_disc_in_a_steady_circle_by_itself_and_by_small_motions() -> None:
    system = gs.formulate(gs.Model.load(EXAMPLES / "rolling_disc.yaml"))
    lin = gs.linearize(system)
    assert lin.modes().frequencies[0] * 2 * pi == pytest.approx(3.0, rel=1e-8)  # the circle shifts, seen from the disc
    assert "flight.shift1" not in lin.without_ignorable().states
    wobble = lin.without_ignorable().modes().frequencies
    assert wobble == pytest.approx(lin.modes().frequencies[1:], rel=1e-9)
