"""Orderings: proposals, reasons, and the user's own choice."""

from fractions import Fraction
from typing import Any

import pytest
from scales_models import driven_pendulum, pendulum, spring_pendulum

import gyrostat as gs
from gyrostat.analysis.scales.mechanism import oscillators_of
from gyrostat.analysis.scales.ordering import ChosenOrdering, Ordering


def oscillator(law: str = "0", force: str = "0", **values: float) -> gs.Model:
    """A block on a spring with a damper, a law of its displacement and a force."""
    parameters = {"m": 1, "k": 9, "c": 0.1, "F": 0.2, "Omega": 3.0, "b": 2, "A": 0.1} | values
    model = gs.Model("block", gravity=(0, 0, 0), parameters=parameters)
    model.add(gs.Body("block", gs.point_mass("m")))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", stiffness="k", torque=law))
    model.add(gs.TorsionSpring("damper", "x", damping="c"))
    model.add(gs.Force("push", "block", (force, 0, 0)))
    return model


def ordering(model: gs.Model, **options: Any) -> ChosenOrdering:
    return oscillators_of(model, **options).ordering


def test_cubic_terms_stand_at_first_order() -> None:
    found = ordering(oscillator("-b*angle**3", "F*cos(Omega*t)"))
    assert (found.amplitude, found.powers, found.direct) == (Fraction(1, 2), {"c": 1, "F": 1}, {"F"})
    assert str(found).splitlines() == [
        "Coordinates are of order ε^(1/2): there are no terms of second degree, and those of third are of order ε.",
        "Damping c (damper) is of order ε, so that it acts at the same order as the first nonlinear effect.",
        "Forcing F (push) is of order ε, near a natural frequency (soft), so that it acts at the same order as the "
        "first nonlinear effect.",
        "Detuning from a declared resonance is of order ε or smaller.",
    ]


def test_quadratic_terms_without_resonance_leave_damping_to_second_order() -> None:
    found = ordering(oscillator("-b*angle**2", "F*cos(Omega*t)"))
    assert (found.amplitude, found.powers) == (1, {"c": 2, "F": 2})
    assert "as quadratic terms shift frequencies at second order only" in str(found)


def test_quadratic_terms_in_resonance_bring_damping_to_first_order() -> None:
    damped = spring_pendulum(c=0.1)
    damped.add(gs.TorsionSpring("grease", "swing", damping="c"))
    assert ordering(damped).powers == {"c": 1}
    detuned = spring_pendulum(c=0.1, k=70.0)
    detuned.add(gs.TorsionSpring("grease", "swing", damping="c"))
    assert ordering(detuned).powers == {"c": 2}
    assert ordering(detuned, resonances=["omega_r ≈ 2*omega_theta"]).powers == {"c": 1}


def test_force_far_from_resonance_is_hard() -> None:
    far = oscillator("-b*angle**3", "F*cos(Omega*t)", Omega=9.0)
    assert ordering(far).powers == {"c": 1, "F": 0}
    assert "hard: it is far from natural frequencies" in str(ordering(far))
    assert ordering(far, resonances=["Omega ≈ omega_x"]).powers == {"c": 1, "F": 1}
    near = oscillator("-b*angle**3", "F*cos(Omega*t)", Omega=3.1)
    assert ordering(near, resonances=["Omega ≈ 3*omega_x"]).powers == {"c": 1, "F": 0}


def test_parametric_excitation() -> None:
    found = ordering(driven_pendulum())
    assert (found.powers, found.direct) == ({"c": 1, "A": 1}, frozenset())


def test_damping_ratio_is_the_small_one_among_several() -> None:
    model = oscillator("-b*angle**3")
    model.add(gs.TorsionSpring("more", "x", damping="2*A*sqrt(k*m)"))
    assert ordering(model).powers == {"c": 1, "A": 1}


def test_overridden() -> None:
    model = oscillator("-b*angle**3", "F*cos(Omega*t)")
    given = Ordering(amplitude=1, damping=1, parameters={"F": 3})
    found = ordering(model, ordering=given, order=3)
    assert (found.amplitude, found.powers) == (1, {"c": 1, "F": 3})
    assert str(found).count("as given") == 3
    assert ordering(model, ordering=Ordering(amplitude=1)).powers == {"c": 2, "F": 2}
    assert ordering(model, ordering=Ordering(forcing=0)).powers == {"c": 1, "F": 0}


def test_orders_of_terms_follow() -> None:
    model = oscillator("-b*angle**3", "F*cos(Omega*t)")
    given = Ordering(amplitude=1, damping=2, forcing=2)
    orders = {term.source: term.order for term in oscillators_of(model, ordering=given, order=2).oscillators.terms}
    assert orders == {"spring": 2, "damper": 2, "push": 2}


def test_parameters_as_physical_quantities() -> None:
    """Forces are smaller than their terms in the scaled equations, by the amplitude."""
    found = ordering(oscillator("-b*angle**3", "F*cos(Omega*t)"))
    assert found.scale("F", 0.01) == pytest.approx(0.01**1.5)
    assert found.scale("c", 0.01) == pytest.approx(0.01)


def test_pendulum_has_nothing_small() -> None:
    assert ordering(pendulum()).powers == {}
