"""Closed loops and moving constraints: dependent coordinates as series, certified by the mechanism's own motion."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scales_models import driven_pendulum, hanging_body, hanging_four_bar, pendulum, shaken_pendulum

import gyrostat as gs
from gyrostat.analysis.scales import multiple_scales
from gyrostat.analysis.scales.mechanism import oscillators_of


def test_linear_part_of_a_closed_loop() -> None:
    """The frequency is that of the exact linear model on the constraints, with the stiffness of joint loads in it."""
    system = gs.formulate(hanging_four_bar())
    found = oscillators_of(system, order=1)
    frequency = found.oscillators.values["omega_h2"]
    modes = gs.linearize(system, at=gs.equilibrium(system), parameters={"c": 0.0}).modes()
    assert max(abs(modes.eigenvalues)) == pytest.approx(frequency, rel=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_closed_loop_is_certified_by_its_own_motion(order: int) -> None:
    scales = multiple_scales(hanging_four_bar(), order=order, resonances=[])
    certificate = scales.certificate(initial={"h2": 0.5}, small=(0.1, 0.05, 0.025))
    assert certificate.slope == pytest.approx(order, rel=0.1)


def test_dependent_coordinates_close_the_loop() -> None:
    """What the series of dependent coordinates leave open falls with the power after the last."""
    system = gs.formulate(hanging_four_bar())
    found = oscillators_of(system, order=2)
    open_by = []
    for small in (0.1, 0.05):
        q = found.coordinates({"h2": 0.8, "h2.rate": 0.0}, small=small)
        closed = gs.assemble(system, {"h2": float(q["h2"])}, guess={"h1": float(q["h1"]), "h3": float(q["h3"])})
        open_by.append(max(abs(closed.state[name] - float(q[name])) for name in ("h1", "h3")))
    assert np.log2(open_by[0] / open_by[1]) == pytest.approx(4, abs=0.3)


@pytest.mark.parametrize("order", [1, 2])
def test_support_moved_by_a_constraint(order: int) -> None:
    """The same modulation as with a driven joint, but for numbers in place of parameters."""
    relation = ["Omega ≈ 2*omega_theta"]
    scales = multiple_scales(shaken_pendulum(), order=order, resonances=relation)
    assert scales.mechanism.ordering.powers == {"c": 1, "A": 1}
    assert "Parametric excitation A (shaker)" in scales.mechanism.summary
    other = multiple_scales(driven_pendulum(), order=order, resonances=relation)
    values = {**other.values(), "a": 0.7, "gamma": 0.4}
    for form, reference in zip(scales.polar_form.rates.values(), other.polar_form.rates.values(), strict=True):
        own, expected = (float(rate.subs({s: values[s.name] for s in rate.free_symbols})) for rate in (form, reference))
        assert own == pytest.approx(expected)
    certificate = scales.certificate(values={"sigma_Omega": 0.2}, small=(0.32, 0.16, 0.08))
    assert certificate.slope == pytest.approx(order, rel=0.1)


def test_equilibrium_of_a_loop_may_be_given() -> None:
    system = gs.formulate(hanging_four_bar())
    by_hand = oscillators_of(system, at=gs.equilibrium(system))
    assert str(by_hand.oscillators) == str(oscillators_of(system).oscillators)
    with pytest.raises(gs.StateError, match=r"not in equilibrium at h1 = .*the residual loads are .* on 'h2'"):
        oscillators_of(system, at={"h1": 0.0, "h2": 0.4, "h3": 0.0})


def test_constraints_of_speeds_are_refused() -> None:
    model = gs.Model("skate", gravity=(0, 0, 0), parameters={"k": 1})
    model.add(gs.Body("skate", gs.box(1, (0.2, 0.1, 0.1))))
    model.add(gs.Planar("plane", "ground", "skate"))
    model.add(gs.KnifeEdge("blade", "skate"))
    with pytest.raises(gs.StateError, match="'blade' constrains speeds, not positions"):
        oscillators_of(model)


def test_moving_constraint_needs_a_size() -> None:
    model = gs.Model("shaken", gravity=(0, "-g", 0), parameters={"g": 9.81, "Omega": 7})
    model.add(gs.Body("cart", gs.box(1, (0.1, 0.1, 0.1)), points={"top": (0, 0.5, 0)}))
    model.add(gs.Planar("plane", "ground", "cart.top"))
    model.add(gs.PointDriver("shaker", "cart.top", {"x": 0, "y": "0.01*cos(Omega*t)"}))
    with pytest.raises(gs.StateError, match="'shaker' gives has no parameter for its size"):
        oscillators_of(model)


@pytest.mark.parametrize("order", [1, 2])
def test_euler_parameters_follow_from_their_norm(order: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two frequencies are near each other, but the motion is short
        scales = multiple_scales(hanging_body(), order=order, resonances=[])
    assert scales.mechanism.independent == ("ball.e1", "ball.e2", "ball.e3")
    start = dict.fromkeys(scales.problem.names, 0.2)
    certificate = scales.certificate(initial=start, small=(0.05, 0.025, 0.0125))
    assert certificate.slope == pytest.approx(order, rel=0.1)


def test_euler_parameters_and_angles_have_the_same_frequencies() -> None:
    by_parameters, by_angles = (oscillators_of(hanging_body(joint)) for joint in ("euler", "angles"))
    found = [
        sorted(o.frequency.value(m.oscillators.values) for o in m.oscillators.oscillators)
        for m in (by_parameters, by_angles)
    ]
    assert found[0] == pytest.approx(found[1])
    assert "omega_1 = sqrt(9.40684931507)" in by_parameters.summary


def test_free_body_at_rest_stays_exact() -> None:
    """A plate between springs along the axes: six modes in symbols, as Euler parameters at rest are simple numbers."""
    model = gs.Model("plate", gravity=(0, 0, 0), parameters={"m": 2, "J": 0.3, "k": 10, "kt": 4})
    model.add(gs.Body("plate", mass="m", inertia=("J", "2*J", "3*J")))
    model.add(gs.Free("ride", "ground", "plate"))
    stiffness = {"stiffness": ("k", "2*k", "3*k"), "rotational_stiffness": ("kt", "2*kt", "5*kt")}
    model.add(gs.Bushing("mount", "ground", "plate", **stiffness))
    found = oscillators_of(model, order=1)
    assert found.point.exact
    assert found.definitions["omega_x_ride"] == "sqrt(k/m)"
    assert found.definitions["omega_e3_ride"] == "sqrt(5*kt/(3*J))"


@pytest.mark.parametrize("coordinates", ["joint", "absolute", "branch"])
def test_any_choice_of_coordinates(coordinates: str) -> None:
    found = oscillators_of(gs.formulate(pendulum(), coordinates=coordinates))
    ((frequency, cubic),) = zip(found.oscillators.oscillators, found.oscillators.floating().terms, strict=True)
    omega = frequency.frequency.value(found.oscillators.values)
    assert omega == pytest.approx(np.sqrt(1.5 * 9.81))
    assert (cubic.degree, cubic.coefficient) == (3, pytest.approx(omega**2 / 6))


def test_a_refusal_does_not_depend_on_where_the_model_begins() -> None:
    """The model's own position need not close its loops: what is told is that the damping has no parameter."""
    model = gs.Model("swing", gravity=(0, "-g", 0), parameters=dict(hanging_four_bar().parameters))
    for component in hanging_four_bar().components.values():
        model.add(replace(component, initial=0.9) if component.name == "h3" else component)
    model.add(gs.TorsionSpring("oil", "h2", damping=0.05))
    with pytest.raises(gs.ModelError, match="force 'oil': its damping has no parameter of its own"):
        oscillators_of(model)
