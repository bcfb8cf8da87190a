"""The walk through the velocity transformation: its quantities satisfy their definitions, in symbols and in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from campaign import campaign
from closed_models import closed_system
from coordinate_models import slider_crank
from document_pendulum import document_pendulum
from random_models import random_inputs, random_model
from random_trees import KINDS, Draw, relative_error

import gyrostat as gs

ABOUT = ("mass centre", "attachment point")
T = 0.7


@pytest.mark.parametrize("about", ABOUT)
@campaign(40)
def test_equations_of_random_trees(seed: int, about: Any) -> None:
    """Trees with drivers, rotors and forces: the method gives the accelerations of the recursion."""
    system = gs.formulate(random_model(seed, 2 + seed % 5))
    draw = Draw(seed)
    q, u = draw.state(system)
    if not len(u):
        return
    inputs = random_inputs(draw, system)
    walk = system.velocity_transformation(q, u, about=about, t=T, inputs=inputs)
    assert relative_error(walk["BᵀMB"], system.mass_matrix(q, t=T)) < 1e-11
    found = np.linalg.solve(walk["BᵀMB"], -walk["Bᵀ(MḂu + h − f)"])
    assert relative_error(found, system.forward_dynamics(q, u, t=T, inputs=inputs)) < 1e-9


@pytest.mark.parametrize("about", ABOUT)
@campaign(40)
def test_assembled_quantities_of_random_trees(seed: int, about: Any) -> None:
    """V = B u, BᵀMB and Bᵀ(MḂu + h − f) are the products that they are named after; Ḃ is the rate of B."""
    draw = Draw(seed)
    system = gs.formulate(draw.tree(1 + seed % 5, (KINDS[seed % len(KINDS)], "revolute", "universal")).model())
    q, u = draw.state(system)
    if not len(u):
        return
    walk = system.velocity_transformation(q, u, about=about)
    B, M, B_rate = walk["B"], walk["M"], walk["Ḃ"]
    np.testing.assert_allclose(B @ u, walk["V"], atol=1e-10)
    np.testing.assert_allclose(B.T @ M @ B, walk["BᵀMB"], atol=1e-10 * np.abs(M).max())
    remainder = B.T @ (M @ B_rate @ u + walk["h"] - walk["f"])
    np.testing.assert_allclose(remainder, walk["Bᵀ(MḂu + h − f)"], atol=1e-9 * (1 + np.abs(remainder).max()))
    step = 1e-6
    rates = system.coordinate_rates(q, u)
    later, earlier = (system.velocity_transformation(q + sign * step * rates, u, about=about)["B"] for sign in (1, -1))
    np.testing.assert_allclose(B_rate, (later - earlier) / (2 * step), atol=2e-7 * (1 + np.abs(B_rate).max()))


@campaign(30)
def test_constraints_of_random_loops(seed: int) -> None:
    """Φ_q, γ and the equations of motion together give the accelerations of closed systems."""
    closed = closed_system(seed)
    if closed is None:
        return
    system, q, u = closed.system, closed.q, closed.u
    walk = system.velocity_transformation(q, u)
    M = walk["BᵀMB"]
    if "Φ_q" not in walk.names:  # all rows are trivial: the loop closes by itself
        found = np.linalg.solve(M, -walk["Bᵀ(MḂu + h − f)"])
        assert relative_error(found, system.forward_dynamics(q, u)) < 1e-6
        return
    A = walk["Φ_q"]
    assert np.abs(A @ u).max() < 1e-8 * (1 + np.abs(u).max())
    n, m = len(u), len(A)
    augmented = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    right = np.concatenate([-walk["Bᵀ(MḂu + h − f)"], walk["γ"]])
    found = np.linalg.lstsq(augmented, right, rcond=1e-12)[0][:n]
    assert relative_error(found, system.forward_dynamics(q, u)) < 1e-6


@pytest.mark.parametrize("make", [document_pendulum, slider_crank])
def test_symbols_agree_with_numbers(make: Any) -> None:
    system = gs.formulate(make())
    rng = np.random.default_rng(5)
    q, u = (rng.integers(-9, 9, size) / 10 for size in (system.coordinates.n_q, system.coordinates.n_u))
    exact, numbers = system.velocity_transformation(), system.velocity_transformation(q, u)
    equations = system.equations()
    names = (*equations.coordinates, *equations.speeds)
    known = dict(zip(names, (*q, *u), strict=True))
    known |= {sympy.Symbol(name): value for name, value in system.model.values().items()}
    assert exact.names == numbers.names
    for name in exact.names:
        if isinstance(exact[name], str):
            assert exact[name] == numbers[name]
            continue
        found = np.array(sympy.lambdify(list(known), exact[name], "numpy")(*known.values()), dtype=float)
        np.testing.assert_allclose(found.reshape(numbers[name].shape), numbers[name], atol=1e-12, err_msg=name)


def test_seven_bodies_of_no() -> None:
    """The example of T. S. No, eq. 2; row 6 of its printed path matrix is missing."""
    inboard = {"1": "ground", "2": "b1", "3": "b1", "4": "b2", "5": "b2", "6": "b3", "7": "b3"}
    model = gs.Model("seven bodies")
    for name in inboard:
        model.add(gs.Body(f"b{name}", mass=1, inertia=(1, 1, 1)))
    for name, parent in inboard.items():
        model.add(gs.Revolute(f"j{name}", parent, f"b{name}"))
    walk = gs.formulate(model).velocity_transformation({})
    printed = [
        *([1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0]),
        *([1, 1, 0, 0, 1, 0, 0], [1, 0, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 0, 1]),
    ]
    np.testing.assert_array_equal(walk["π"], printed)
    reference = ", ".join(f"L(b{name}) = {parent}" for name, parent in inboard.items())
    assert walk["L"] == reference


def test_text_latex_and_notebook() -> None:
    walk = gs.formulate(document_pendulum()).velocity_transformation()
    assert "B^(bar1, a1) = [0, 0, 1, l1*cos(theta_1)/2, l1*sin(theta_1)/2, 0]" in str(walk)
    assert r"\dot{B}" in walk.latex()
    assert r"\paragraph{Blocks of B (Trom 1990, table 2.2)}" in walk.latex()
    assert walk._repr_markdown_().startswith("**The velocity transformation")
    numbers = gs.formulate(document_pendulum()).velocity_transformation({"a1": 0.5})
    assert r"\begin{matrix}0\\0\\1\\0.394912\\0.215741\\0\end{matrix}" in numbers._repr_markdown_()


def test_what_the_method_does_not_treat_is_refused() -> None:
    model = document_pendulum()
    with pytest.raises(gs.TopologyError, match=r"has joint coordinates; these are .*absolute_method"):
        gs.formulate(model, "absolute").velocity_transformation()
    with pytest.raises(gs.StateError, match="about its 'mass centre' or its 'attachment point', not about 'origin'"):
        gs.formulate(model).velocity_transformation(about="origin")  # type: ignore[arg-type]
    with pytest.raises(gs.StateError, match="A walkthrough has one state"):
        gs.formulate(model).velocity_transformation(np.zeros((3, 2)), np.zeros((3, 2)))
    with pytest.raises(gs.StateError, match="There is no quantity 'C'"):
        gs.formulate(model).velocity_transformation()["C"]


def test_large_systems_have_numbers() -> None:
    """Written out, seven spatial joints are too long to read; the message names the way."""
    model = gs.Model.load(Path(__file__).parents[3] / "examples" / "seven_joint_arm.yaml")
    system = gs.formulate(model)
    with pytest.raises(gs.SizeError, match=r"too many to read\. Give a state for the quantities in numbers"):
        system.velocity_transformation()
    assert system.velocity_transformation({})["B"].shape == (42, 7)
