"""Mechanisms as weakly nonlinear oscillators: terms by hand, agreement with the mechanism's own accelerations."""

from typing import Any

import numpy as np
import pytest
from scales_models import chain, driven_pendulum, pendulum, spring_pendulum

import gyrostat as gs
from gyrostat.analysis.scales.mechanism import oscillators_of
from gyrostat.analysis.scales.mechanism_record import Mechanism
from gyrostat.analysis.scales.term import ACCELERATION, RATE


def text(found: Mechanism) -> list[str]:
    return str(found.oscillators).splitlines()


def residual(found: Mechanism, state: dict[str, float], small: float, t: float = 0.0) -> dict[str, float]:
    """Return x'' + ω² x − Σ terms of each oscillator at modal values."""
    problem = found.oscillators.floating()
    values = problem.values
    left = {}
    for oscillator in problem.oscillators:
        omega = oscillator.frequency.value(values)
        assert omega is not None
        left[oscillator.name] = state[oscillator.name + ACCELERATION] + omega**2 * state[oscillator.name]
    for term in problem.terms:
        part = float(term.coefficient) * small**term.order
        for name, power in term.powers.items():
            part *= state[name] ** power
        if term.harmonic is not None:
            omega = term.harmonic.frequency.value(values)
            assert omega is not None
            part *= np.sin(omega * t) if term.harmonic.sine else np.cos(omega * t)
        left[term.oscillator] -= part
    return left


def expansion_error(found: Mechanism, small: float, seed: int = 3) -> float:
    """Return how far scaled equations are from the mechanism's inverse dynamics at a random state of size ε^amplitude.

    By q = ε^a x the load on the mechanism is ε^a × modal masses × residual.
    """
    random = np.random.default_rng(seed)
    names = [mode.name for mode in found.modes.modes]
    modal = {name + suffix: random.uniform(-1, 1) for name in names for suffix in ("", RATE, ACCELERATION)}
    t = 0.37
    known = found.values()
    q = found.coordinates(modal, known, small)
    small_parameters = {name: known[name] * found.ordering.scale(name, small) for name in found.ordering.powers}
    loads = found.system.inverse_dynamics(
        [q[name] for name in found.system.coordinate_names],
        [q[name + RATE] for name in found.system.coordinate_names],
        [q[name + ACCELERATION] for name in found.system.coordinate_names],
        t=t,
        parameters=small_parameters,
    )
    shapes = np.array([[gs_number(entry, known) for entry in row] for row in found.modes.shapes])
    masses = np.array([gs_number(mode.mass, known) for mode in found.modes.modes])
    own = shapes.T @ loads / masses / small ** float(found.ordering.amplitude)
    return float(np.abs(own - np.array(list(residual(found, modal, small, t).values()))).max())


def gs_number(value: Any, known: dict[str, float]) -> float:
    from gyrostat.scalar.exact import evaluate

    return evaluate(value, known)


def test_pendulum_is_written_by_its_frequency() -> None:
    found = oscillators_of(pendulum(), order=3)
    assert text(found) == [
        "a1'' + omega_theta**2*a1 = eps*(omega_theta**2/6)*a1**3 + eps**2*(-omega_theta**2/120)*a1**5 + "
        "eps**3*(omega_theta**2/5040)*a1**7"
    ]
    assert found.values()["omega_theta"] == pytest.approx(np.sqrt(1.5 * 9.81))
    assert {term.source for term in found.oscillators.terms} == {"gravity"}


def test_spring_pendulum_by_hand() -> None:
    """(1 + r/l)² θ'' + 2 (1 + r/l) r' θ'/l + ω² (1 + r/l) sin θ = 0; r'' + ω_r² r = (l + r) θ'² − g (1 − cos θ)."""
    found = oscillators_of(spring_pendulum(), order=1)
    assert text(found) == [
        "swing'' + omega_theta**2*swing = eps*(-2/l)*slide*swing'' + eps*(-2/l)*swing'*slide' + "
        "eps*(-omega_theta**2/l)*swing*slide",
        "slide'' + omega_r**2*slide = eps*(l)*swing'**2 + eps*(-l*omega_theta**2/2)*swing**2",
    ]
    assert found.definitions == {"omega_theta": "sqrt(g/l)", "omega_r": "sqrt(k/m)"}


def test_equilibrium_by_a_formula() -> None:
    """The same mechanism by its natural length: the equilibrium is where the spring carries the weight."""
    model = gs.Model("spring pendulum", gravity=(0, "-g", 0), parameters={"m": 1, "l0": 0.75, "g": 9.81, "k": 39.24})
    model.add(gs.Body("arm", mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("bob", gs.point_mass("m")))
    model.add(gs.Revolute("swing", "ground", "arm", symbol="theta"))
    model.add(gs.Prismatic("slide", "arm", "bob", axis=(0, -1, 0), symbol="r", initial=0.8))
    model.add(gs.SpringDamper("spring", "ground", "bob", stiffness="k", length="l0"))
    by_hand = oscillators_of(model, order=2, at={"slide": "l0 + m*g/k"})
    assert by_hand.point.exact
    in_numbers = oscillators_of(model, order=2)
    assert not in_numbers.point.exact
    assert "present values" in in_numbers.notes[0]
    reference = oscillators_of(spring_pendulum(), order=2)
    for small in (0.5, 0.2):
        state = {n + s: 0.3 + 0.1 * i for i, n in enumerate(("swing", "slide")) for s in ("", RATE, ACCELERATION)}
        expected = residual(reference, state, small)
        for other in (by_hand, in_numbers):
            assert residual(other, state, small) == pytest.approx(expected)


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("build", [pendulum, spring_pendulum, driven_pendulum, lambda: chain(2)])
def test_expansion_agrees_with_the_mechanism(build: Any, order: int) -> None:
    """What is left out falls with ε^(order + 1): the slope between two small ε is the next order."""
    found = oscillators_of(build(), order=order)
    large, little = expansion_error(found, 0.04), expansion_error(found, 0.02)
    assert np.log2(large / little) == pytest.approx(order + 1, abs=0.15)


def test_expansion_in_three_tokens_each() -> None:
    found = oscillators_of(chain(3), order=1)
    assert np.log2(expansion_error(found, 0.04) / expansion_error(found, 0.02)) == pytest.approx(2, abs=0.15)


def test_numbers_and_formulas_agree() -> None:
    exact, floating = oscillators_of(chain(3), order=1), oscillators_of(chain(3), order=1, floating=True)
    random = np.random.default_rng(5)
    names = [mode.name for mode in exact.modes.modes]
    state = {name + suffix: random.uniform(-1, 1) for name in names for suffix in ("", RATE, ACCELERATION)}
    assert residual(floating, state, 1.0) == pytest.approx(residual(exact, state, 1.0))


def test_way_back_to_the_mechanism() -> None:
    found = oscillators_of(chain(2))
    start = {"a1": 0.2, "a2": -0.1, "a1.rate": 0.3, "a2.rate": 0.0}
    modal = found.modal(start)
    assert found.coordinates(modal) == pytest.approx(start)


def test_token_definitions_of_two_coordinates_are_formulas() -> None:
    from gyrostat.model.formula import Formula

    found = oscillators_of(chain(2))
    known = dict(found.system.model.values())
    for name, definition in found.definitions.items():
        known[name] = Formula.of(definition).value(known)
    for name in ("omega_1", "phi_2_1", "mu_1", "omega_2", "phi_1_2", "mu_2"):
        assert known[name] == pytest.approx(found.values()[name])


def test_token_definitions_of_more_coordinates_are_words() -> None:
    definitions = oscillators_of(chain(3)).definitions
    assert definitions["omega_2"] == "root of det(K - omega**2*M) = 0, the second from below"
    assert definitions["phi_1_3"] == "a1 over a3 in (K - omega_3**2*M)*phi = 0"
    assert definitions["mu_1"].startswith("M_1_1 + 2*M_1_2*phi_2_1 + M_2_2*phi_2_1*phi_2_1")
    assert definitions["K_3_3"] == "g*m3*l3/2"


def test_driven_support_is_parametric_excitation() -> None:
    found = oscillators_of(driven_pendulum())
    assert text(found) == [
        "swing'' + omega_theta**2*swing = eps*(3*A*Omega**2/(2*l))*swing*cos(Omega*t) + "
        "eps*(omega_theta**2/6)*swing**3 + eps*(-3*c/(l**2*m))*swing'"
    ]
    assert [term.source for term in found.oscillators.terms] == ["inertia", "gravity", "grease"]


def test_support_that_turns_expands_inside_sines() -> None:
    """A hinge driven by A cos Ωt turns the pendulum's base: the drive stands inside sin and must come out."""
    model = gs.Model("rocked", gravity=(0, "-g", 0), parameters={"m": 1, "l": 1, "g": 9.81, "A": 0.1, "Omega": 3.8})
    model.add(gs.Body("base", mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("bob", gs.point_mass("m"), points={"top": (0, "l", 0)}))
    model.add(gs.Revolute("rock", "ground", "base", driven="A*cos(Omega*t)"))
    model.add(gs.Revolute("swing", "base", "bob.top", symbol="theta"))
    found = oscillators_of(model, order=2)
    assert found.ordering.direct == {"A"}
    large, little = expansion_error(found, 0.04), expansion_error(found, 0.02)
    assert np.log2(large / little) == pytest.approx(3, abs=0.15)


def with_motor() -> gs.Model:
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 1, "l": 1, "g": 9.81, "F": 0.2, "Omega": 3.8})
    model.add(gs.Body("bob", gs.point_mass("m"), points={"top": (0, "l", 0)}))
    model.add(gs.Revolute("a1", "ground", "bob.top", symbol="theta"))
    model.add(gs.Actuator("motor", "a1"))
    return model


def test_inputs_are_formulas_of_time() -> None:
    """Far from the natural frequency, 3.13, the motor forces hard."""
    found = oscillators_of(with_motor(), inputs={"motor": "F*sin(2*pi*Omega*t)"})
    assert text(found) == [
        "a1'' + omega_theta**2*a1 = eps*(omega_theta**2/6)*a1**3 + (F/(l**2*m))*sin(2*Omega_1*t)",
    ]
    assert found.definitions["Omega_1"] == "Omega*pi"
    assert found.oscillators.values["Omega_1"] == pytest.approx(3.8 * np.pi)
    assert oscillators_of(with_motor()).oscillators.terms == oscillators_of(with_motor(), inputs={}).oscillators.terms


def test_constant_angles_become_tokens() -> None:
    parameters = {"m": 1, "k": 10, "alpha": 0.3, "F": 0.1, "Omega": 3.1}
    model = gs.Model("incline", gravity=(0, 0, 0), parameters=parameters)
    model.add(gs.Body("block", gs.point_mass("m")))
    model.add(gs.Prismatic("slide", "ground", "block", axis=("cos(alpha)", "sin(alpha)", 0)))
    model.add(gs.TorsionSpring("spring", "slide", stiffness="k", torque="-2*k*angle**3"))
    model.add(gs.Force("push", "block", ("F*cos(Omega*t)", 0, 0)))
    found = oscillators_of(model)
    assert text(found)[0].endswith("eps*(F*cos_alpha/m)*cos(Omega*t)")
    assert found.definitions["cos_alpha"] == "cos(alpha)"
    assert found.oscillators.values["cos_alpha"] == pytest.approx(np.cos(0.3))
