"""From models to approximate solutions: published series, saturation, and error slopes against the mechanism itself."""

import time
import warnings
from pathlib import Path

import numpy as np
import pytest
import sympy
from scales_models import chain, pendulum

import gyrostat as gs
from gyrostat.analysis.scales import Amplitude, MultipleScales, multiple_scales

EXAMPLES = Path(__file__).parents[3] / "examples"


def scales_of(name: str, order: int = 1, resonances: list[str] | None = None) -> MultipleScales:
    return multiple_scales(gs.Model.load(EXAMPLES / f"{name}.yaml"), order, resonances)


def test_pendulum_series() -> None:
    """ω/ω₀ = 1 − θ₀²/16 + θ₀⁴/3072: exact, whatever m, l and g are."""
    scales = multiple_scales(pendulum(), order=2)
    frequency = scales.backbone(amplitude=Amplitude.INITIAL)
    a, small, omega = sympy.symbols("a eps omega_theta", real=True)
    assert sympy.expand(frequency / omega) == 1 - small * a**2 / 16 + small**2 * a**4 / 3072


@pytest.mark.parametrize("order", [1, 2, 3])
def test_spring_pendulum_in_internal_resonance(order: int) -> None:
    scales = scales_of("spring_pendulum", order, ["omega_r = 2*omega_theta"])
    start = {"swing": 0.4, "slide": 0.2, "slide.rate": 0.3}
    certificate = scales.certificate(initial=start, small=(0.16, 0.08, 0.04), duration=2.0)
    assert certificate.slope == pytest.approx(order, rel=0.1)


@pytest.mark.parametrize("order", [1, 2])
def test_double_pendulum_of_bars_in_symbols(order: int) -> None:
    """All of m1, m2, l1, l2 and g stay symbols; shapes and modal masses are tokens with definitions."""
    scales = scales_of("double_pendulum", order, [])
    names = set(scales.problem.field.names)
    assert {"m1", "m2", "l1", "l2", "g", "phi_2_1", "mu_1", "omega_1", "omega_2"} <= names
    assert names - set(scales.mechanism.system.model.parameters) <= scales.mechanism.definitions.keys()
    certificate = scales.certificate(initial={"eta_1": 0.6, "eta_2": 0.5}, small=(0.08, 0.04, 0.02), duration=2.0)
    assert certificate.slope == pytest.approx(order, rel=0.1)


def test_double_pendulum_of_bars_at_third_order() -> None:
    """In numbers, as the exact coefficients of third order fill many pages."""
    model = gs.Model.load(EXAMPLES / "double_pendulum.yaml")
    scales = multiple_scales(model, 3, [], floating=True)
    start = {"eta_1": 0.6, "eta_2": 0.5}
    assert scales.certificate(initial=start, small=(0.16, 0.08, 0.04)).slope == pytest.approx(3, rel=0.1)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_parametrically_excited_pendulum(order: int) -> None:
    scales = scales_of("parametric_pendulum", order, ["Omega ≈ 2*omega_theta"])
    certificate = scales.certificate(values={"sigma_Omega": 0.2}, small=(0.32, 0.16, 0.08))
    assert certificate.slope == pytest.approx(order, rel=0.1)


def test_first_tongue_of_the_parametric_pendulum() -> None:
    """Without damping the hanging position is unstable for |σ| < 3 A Ω²/(4 l ω)."""
    scales = scales_of("parametric_pendulum", 1, ["Omega ≈ 2*omega_theta"])
    rate = scales.polar_form.rates[sympy.Symbol("gamma", real=True)]
    A, Omega, length, omega, small, a = sympy.symbols("A Omega l omega_theta eps a", real=True)
    gamma = sympy.Symbol("gamma", real=True)
    width = rate.subs(a, 0).coeff(sympy.cos(gamma))
    assert sympy.simplify(width - 3 * A * Omega**2 * small / (4 * length * omega)) == 0


def test_saturation_of_the_autoparametric_absorber() -> None:
    """Above a small force the machine's amplitude stays at c_p/(2 l m ω), whatever the force; the pendulum grows."""
    scales = scales_of("autoparametric_absorber", 1, ["omega_y = 2*omega_theta", "Omega = omega_y"])
    known = scales.values()
    saturated = known["c_p"] / (2 * known["l"] * known["m"] * known["omega_theta"])
    swings = []
    for force in (1.0, 2.0, 4.0):
        states = [state for state in scales.steady_states({"F": force}, size=0.3) if state.is_stable]
        assert [state.amplitudes["lift"] for state in states] == pytest.approx([saturated] * len(states))
        swings.append(states[0].amplitudes["swing"])
    assert 0 < swings[0] < swings[1] < swings[2]


def test_saturation_happens_in_the_mechanism() -> None:
    """Simulated with more damping, so that it settles: the force doubles, the machine's amplitude does not."""
    model = gs.Model.load(EXAMPLES / "autoparametric_absorber.yaml")
    amplitudes = []
    for force in (0.5, 1.0):
        changed = {"F": force, "c_p": 0.03}
        run = gs.simulate(model, duration=250, step=0.01, parameters=changed, initial={"swing": 0.2}, progress=False)
        amplitudes.append(float(np.abs(run["lift"].values[-3000:]).max()))
    scales = scales_of("autoparametric_absorber", 1, ["omega_y = 2*omega_theta", "Omega = omega_y"])
    known = scales.mechanism.values({"c_p": 0.03})
    assert amplitudes == pytest.approx(
        [known["c_p"] / (2 * known["l"] * known["m"] * known["omega_theta"])] * 2, rel=0.1
    )


def test_six_link_chain_in_numbers() -> None:
    """Expansion, modes and cubic modulation of all six modes take seconds, not minutes."""
    model = chain(6)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # six frequencies come near each other in many ways
        scales = multiple_scales(model, order=1, resonances=[], floating=True)
    assert len(scales.modulation.terms) == 6
    assert time.process_time() - start < 10
    certificate = scales.certificate(initial={"eta_1": 0.5}, small=(0.02, 0.01))
    assert certificate.slope == pytest.approx(1, rel=0.1)


def test_solution_in_the_mechanisms_coordinates() -> None:
    scales = scales_of("double_pendulum", 1, [])
    shown = scales.mechanism.solution(scales, "a2")
    assert {"phi_2_1", "omega_1", "omega_2"} <= {symbol.name for symbol in shown.free_symbols}
    found = scales.motion(1.0, {"a1": 0.1, "a2": -0.05}, step=0.1)
    run = gs.simulate(scales.mechanism.system, duration=1.0, step=0.1, initial={"a1": 0.1, "a2": -0.05}, progress=False)
    for name in ("a1", "a2"):
        assert found[name].values == pytest.approx(run[name].values, abs=2e-3)


def test_sources_are_elements_of_the_model() -> None:
    scales = scales_of("autoparametric_absorber", 1, ["omega_y = 2*omega_theta", "Omega = omega_y"])
    assert {term.source for term in scales.problem.terms} == {"inertia", "springs", "grease", "shaker"}
    assert {source for part in scales.contributions() for source, _ in part.sources} >= {"inertia", "springs", "grease"}


@pytest.mark.parametrize("floating", [None, True])
def test_motion_without_stiffness(floating: bool | None) -> None:
    """Two wagons with a spring between them: the mode in which both roll has an exact shape, and drifts."""
    model = gs.Model("train", gravity=(0, 0, 0), parameters={"m1": 1, "m2": 2, "k": 10, "b": 3})
    for i in (1, 2):
        model.add(gs.Body(f"wagon{i}", gs.point_mass(f"m{i}")))
        model.add(gs.Prismatic(f"x{i}", "ground", f"wagon{i}", axis="x"))
    ends = ("wagon1", ("wagon2", (1, 0, 0)))
    model.add(gs.SpringDamper("coupler", *ends, stiffness="k", length=1, force="b*(length - 1)**3"))
    scales = multiple_scales(model, order=2, floating=floating)
    rolling = scales.mechanism.modes.modes[0]
    assert (rolling.is_free, rolling.shape) == (True, (1, 1))
    certificate = scales.certificate(initial={"eta_1.rate": 0.3, "eta_2": 1.0}, small=(0.1, 0.05, 0.025))
    assert certificate.slope == pytest.approx(2, rel=0.1)
