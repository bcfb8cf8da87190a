"""Embedding: independent speeds alone give the same motion, as numbers and as expressions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loop_models import four_bar
from slider_cranks import slider_crank

import gyrostat as gs
from gyrostat.closing.closing import Closer

CHOICES: dict[str, Any] = {
    "joint": "joint",
    "absolute": "absolute",
    "branch": "branch",
    "two trees": gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_embedded_accelerations_are_those_with_multipliers(choice: str) -> None:
    system = gs.formulate(slider_crank(motor=True), CHOICES[choice])
    start = gs.assemble(system, {"h8": 0.7, "h8.rate": 2.0})
    inputs = {"f12": 0.3}
    found = system.embedding().at(start.q, start.u, inputs=inputs)
    expected = system.forward_dynamics(start.q, start.u, inputs=inputs)
    assert np.abs(found.accelerations - expected).max() < 1e-11 * np.abs(expected).max()
    assert np.abs(found.speeds - start.u).max() < 1e-11
    assert len(found.independent) == 1
    assert len(found.dependent) == len(system.speed_names) - 1
    G = found.complement.to_array()
    A = Closer(system).at(start.q, start.u).matrix
    assert np.abs(A @ G).max() < 1e-12
    assert found.mass_matrix == pytest.approx(G.T @ system.mass_matrix(start.q) @ G)


@pytest.mark.parametrize("choice", ["two trees", "branch"])
def test_embedded_equations_are_exact(choice: str) -> None:
    system = gs.formulate(slider_crank(motor=True), CHOICES[choice])
    start = gs.assemble(system, {"h8": 0.7, "h8.rate": 2.0})
    equations = system.equations()
    embedded = equations.embedded()
    known = dict(zip(equations.coordinates + equations.speeds, (*start.q, *start.u), strict=True))
    known |= {equations.symbols.sympy[name]: value for name, value in system.model.values().items()}
    known |= {equations.symbols.sympy[name]: 0.3 for name in system.inputs}
    mass, forcing = (float(part[0].subs(known)) for part in (embedded.mass_matrix, embedded.forcing))
    expected = system.forward_dynamics(start.q, start.u, inputs={"f12": 0.3})
    assert forcing / mass == pytest.approx(expected[system.speed_names.index(embedded.independent[0])], rel=1e-11)
    speeds = np.array(embedded.speeds.subs(known), dtype=float).ravel()
    assert speeds == pytest.approx(start.u, abs=1e-12)


def test_the_complement_of_the_slider_crank_reads_as_in_textbooks() -> None:
    import sympy

    system = gs.formulate(slider_crank(), gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]))
    embedded = system.equations().embedded(["h8"])
    L45, L67, beta_8, beta_10 = sympy.symbols("L45 L67 beta_8 beta_10")
    assert embedded.complement[1] - L45 * sympy.cos(beta_8) / (L67 * sympy.cos(beta_10)) == 0
    assert embedded.independent == ("h8.rate",)
    assert "beta_8" in str(embedded)


def test_actuator_loads_through_the_complement() -> None:
    """C τ + F̃ = GᵀMG u̇_i: the input that makes a motion happen, as the analysis of actuators finds it."""
    system = gs.formulate(slider_crank(motor=True), gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]))
    start = gs.assemble(system, {"h8": 0.7, "h8.rate": 2.0})
    embedded = system.equations().embedded(["h8"])
    wanted = system.embedding(["h8"]).at(start.q, start.u, inputs={"f12": 1.7})
    loads = gs.actuator_loads(system, start.q, start.u, wanted.accelerations)
    assert float(loads["f12"]) == pytest.approx(1.7, rel=1e-10)
    assert embedded.inputs_matrix.shape == (1, 1)


def test_motion_agrees_with_the_simulation_and_changes_its_independent_speeds() -> None:
    model = four_bar(1.0, 1.2, 1.1, 1.6)
    initial = {"h1": 1.0, "h1.rate": 3.0}
    expected = gs.simulate(
        model, duration=1.5, step=0.25, initial=initial, integrator=gs.DOP853(rtol=1e-10, atol=1e-11)
    )
    found = gs.embedded_motion(model, duration=1.5, step=0.25, initial=initial)
    for name in ("h1", "h2", "h1.rate"):
        assert np.abs(found[name].values - expected[name].values).max() < 1e-6
    assert found.changes
    assert "from t = " in str(found)
    with pytest.raises(gs.StateError, match="There is no coordinate, speed or state 'h9' in this motion"):
        found["h9"]


def test_a_motion_that_ends_in_a_singular_force_says_where() -> None:
    """A fall into a centre of attraction, r″ = −1/r² from rest at 1, ends at π/(2√2) s."""
    model = gs.Model("fall", gravity=(0, 0, 0))
    model.add(gs.Body("ball", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "ball", axis="x", initial=1.0))
    model.add(gs.TorsionSpring("pull", "x", torque="-1/angle**2"))
    with pytest.raises(gs.StateError, match=r"cannot be integrated beyond t = 1\.1107\d* s: .*Give looser tolerances"):
        gs.embedded_motion(model, duration=3, step=1.5, rtol=1e-5)


def test_bad_choices_are_explained() -> None:
    system = gs.formulate(slider_crank(), gs.Trees(["h8", "h10", "s11"]))
    start = gs.assemble(system, {"h8": 0.7})
    with pytest.raises(gs.StateError, match="There is no speed 'h9' to be independent"):
        system.embedding(["h9"])
    with pytest.raises(gs.StateError, match="are not independent here"):
        system.embedding(["h8", "h10"]).at(start.q, start.u)
    with pytest.raises(gs.StateError, match="do not determine the motion here: 'h"):
        system.embedding([]).at(start.q, start.u)
    with pytest.raises(gs.StateError, match="leave 1 independent; 2 are given"):
        system.equations().embedded(["h8", "h10"])
    with pytest.raises(gs.SizeError, match=r"8 constraints make a dependent block too large .* Use branch coordinates"):
        gs.formulate(slider_crank(), "absolute").equations().embedded()


def on_ropes(count: int) -> gs.System:
    """Return a ball in a plane on ropes between the same points, and another ball that they do not hold."""
    model = gs.Model("ropes", parameters={"L": 1.0})
    for name in ("car", "ball", "other"):
        model.add(gs.Body(name, gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "car", axis="x", initial=0.6))
    model.add(gs.Prismatic("y", "car", "ball", axis="y", initial=-0.8))
    if count < 3:
        model.add(gs.Prismatic("z", "ground", "other", axis="z"))
    else:
        model.add(gs.Weld("z", "ground", "other"))
    for i in range(count):
        model.add(gs.Distance(f"rope{i}", "ground", "ball", length="L"))
    return gs.formulate(model)


def test_expressions_need_a_regular_block() -> None:
    with pytest.raises(
        gs.StateError, match=r"The speeds x\.rate, y\.rate do not determine the others: the block of z\.rate"
    ):
        _ = on_ropes(1).equations().embedded(["x", "y"]).speeds
    with pytest.raises(
        gs.StateError, match=r"The constraints depend on each other at every position\. Remove redundant"
    ):
        on_ropes(2).equations().embedded()
    with pytest.raises(gs.StateError, match=r"There are 3 constraints on 2 speeds\. Remove redundant ones"):
        on_ropes(3).equations().embedded()


def test_coordinates_that_are_none() -> None:
    with pytest.raises(gs.StateError, match=r"There is no coordinate 'w'\. Known: x, x\.rate"):
        on_ropes(1).equations().coordinate("w")
