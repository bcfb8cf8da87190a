"""Laws of force elements over signals: engines agree, and each law acts as the same formula of coordinates does."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gyrostat as gs

TIMES = np.linspace(0, 1, 6)
LAWS = {
    "boom.tip.x*3": "3*l*cos(a)",
    "boom.tip.velocity.y": "l*cos(a)*a.rate",
    "boom.omega.z**2": "a.rate**2",
    "spring.force": "k*(sqrt(s**2 + h**2) - 1)",
    "spring.length*wind": "sqrt(s**2 + h**2)*wind",
    "spring.energy": "k*(sqrt(s**2 + h**2) - 1)**2/2",
    "cart.seen_from.boom.x": "s*cos(a)",
    "cart.seen_from.boom.velocity.x": "s.rate*cos(a) - s*sin(a)*a.rate",
    "cart.momentum.x": "m*s.rate",
    "boom.rotation.xy - boom.rpy.yaw": "-sin(a) - a",
    "reach": "s - l*cos(a)",
}


def _model(law: str) -> gs.Model:
    model = gs.Model("crane", gravity=(0, -9.81, 0), parameters={"m": 2, "l": 0.8, "k": 30, "h": 0.7})
    model.add(gs.Body("ground", points={"nail": (0, "h", 0)}))
    model.add(gs.Body("boom", mass=1.5, inertia=(0.1, 0.1, 0.1), com=("l/2", 0, 0), points={"tip": ("l", 0, 0)}))
    model.add(gs.Body("cart", mass="m"))
    model.add(gs.Revolute("a", "ground", "boom", initial=0.4))
    model.add(gs.Prismatic("s", "ground", "cart", axis="x", initial=0.3))
    model.add(gs.Input("wind", unit="N", law="2*cos(3*t)"))
    model.add(gs.SpringDamper("spring", "ground.nail", "cart", stiffness="k", length=1))
    model.add(gs.Measure("reach", "cart.x - boom.tip.x", unit="m"))
    model.add(gs.TorsionSpring("brake", "a", torque=law))
    return model


@cache
def _run(law: str) -> gs.Trajectory:
    return gs.simulate(_model(law), times=TIMES, integrator=gs.DOP853(rtol=1e-10, atol=1e-12))


@pytest.mark.parametrize("law", LAWS)
def test_a_law_of_signals_acts_as_the_formula_of_coordinates(law: str) -> None:
    system, plain = gs.formulate(_model(law)), gs.formulate(_model(LAWS[law]))
    draw = np.random.default_rng(5)
    q, u = draw.normal(size=(2, 4, 2))
    known = {"inputs": {"wind": 0.7}}
    found, expected = system.forward_dynamics(q, u, **known), plain.forward_dynamics(q, u, **known)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("law", ["spring.force + boom.tip.velocity.y*wind", "cart.seen_from.boom.velocity.x + reach"])
def test_both_engines_agree(law: str) -> None:
    certificate = gs.formulate(_model(law)).equations().verify(points=3)
    assert certificate.agrees, certificate


def test_energy_is_balanced_and_python_functions_see_the_same_names() -> None:
    run = _run("spring.force + 0.2*boom.tip.velocity.y")
    assert np.abs(run.energy().balance).max() < 1e-8
    again = gs.simulate(
        _model("wind"),
        times=TIMES,
        inputs={"wind": lambda t, s: s["spring.force"] + 0.2 * s["boom.tip.velocity.y"]},
        integrator=gs.DOP853(rtol=1e-10, atol=1e-12),
    )
    np.testing.assert_allclose(again["brake.force"], run["brake.force"], rtol=1e-7)


def test_linear_models_see_the_derivatives_of_signals() -> None:
    law = "-5*boom.tip.y - spring.force"
    plain = "-5*l*sin(a) - k*(sqrt(s**2 + h**2) - 1)"
    first, second = (
        gs.linearize(_model(one), gs.equilibrium(_model(one), guess={"a": -0.9, "s": 0.7}), inputs=["wind"])
        for one in (law, plain)
    )
    np.testing.assert_allclose(first.A, second.A, atol=1e-9)
