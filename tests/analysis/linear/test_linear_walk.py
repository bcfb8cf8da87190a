"""The walk through the linearization: contributions by cause add up to the exact derivatives."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from random_models import Mixture, random_model
from random_trees import Draw

import gyrostat as gs
from gyrostat.analysis.linear.walkthrough import LinearWalk
from gyrostat.analysis.variations.operating_point import OperatingKind, OperatingPoint
from gyrostat.analysis.variations.variations import vary
from gyrostat.closing.null_space import null_space

EXAMPLES = Path(__file__).parents[3] / "examples"


def half_hexagon() -> gs.LinearModel:
    """Three rods hang from two points that are twice a rod apart."""
    rods = gs.Model("half hexagon", gravity=(0, "-g", 0), parameters={"m": 1, "L": 1, "g": 9.81})
    for name in ("left", "middle", "right"):
        rods.add(gs.Body(name, gs.slender_rod("m", "L", along="x"), points={"a": ("-L/2", 0, 0), "b": ("L/2", 0, 0)}))
    rods.add(gs.Revolute("h1", "ground", "left.a"))
    rods.add(gs.Revolute("h2", "left.b", "middle.a"))
    rods.add(gs.Revolute("h3", "middle.b", "right.a"))
    rods.add(gs.Revolute("h4", ("ground", ("2*L", 0, 0)), "right.b"))
    guess = {"h1": -np.pi / 3, "h2": np.pi / 3, "h3": np.pi / 3}
    return gs.linearize(rods, at=gs.equilibrium(rods, guess=guess))


def test_the_half_hexagon_beside_the_printed_formula() -> None:
    walk = half_hexagon().walkthrough()
    assert walk["ω"] == pytest.approx([sqrt(18.8793538)], abs=1e-6)
    assert walk["ω, eq. 4.12"][0] ** 2 == pytest.approx(11.33, abs=0.005)
    assert walk["K^(multipliers)"].shape == (3, 3)
    shown = str(walk)
    assert "Reduction to independent variations (eq 4.10–4.13)" in shown
    assert "derivative of Φ_qᵀ λ at constant λ" in shown
    assert r"K^{(\mathrm{multipliers})}" in walk.latex()


def check(system: gs.System, q: np.ndarray, u: np.ndarray, inputs: dict[str, float] | None = None) -> None:
    """Compare the sums of all contributions with the exact derivatives of the native program, at any state."""
    udot = system.forward_dynamics(q, u, inputs=inputs)
    given = {name: (inputs or {}).get(name, 0.0) for name in system.inputs}
    point = OperatingPoint(system, OperatingKind.INSTANT, 0.0, q, u, system.initial_states, udot, inputs=given)
    exact = vary(point)
    walk = LinearWalk(_Linear(point))  # type: ignore[arg-type]
    stiffness, damping = sum(walk._stiffness.values()), sum(walk._damping.values())
    free = null_space(exact.matrix)  # along other directions stiffness depends on how constraints are written
    for sums, known, tolerance in ((stiffness, exact.load_by_position, 1e-7), (damping, exact.load_by_speed, 1e-8)):
        assert free.T @ sums @ free == pytest.approx(free.T @ known @ free, abs=tolerance * (1 + np.abs(known).max()))


class _Linear:
    def __init__(self, point: OperatingPoint) -> None:
        self.point = point


@campaign(30)
def test_contributions_of_random_trees(seed: int) -> None:
    system = gs.formulate(random_model(seed, 2 + seed % 3, Mixture(drivers=False)))
    draw = Draw(seed)
    q, u = draw.state(system)
    if len(u):
        check(system, q, u, dict.fromkeys(system.inputs, 0.3))


@campaign(30)
def test_contributions_of_random_loops(seed: int) -> None:
    closed = closed_system(seed)
    if closed is not None:
        check(closed.system, closed.q, closed.u)


def test_an_open_chain() -> None:
    model = gs.Model.load(EXAMPLES / "double_pendulum.yaml")
    linear = gs.linearize(model, at=gs.equilibrium(model))
    walk = linear.walkthrough()
    assert np.sort(walk["eigenvalues"].imag) == pytest.approx(np.sort(linear.modes().eigenvalues.imag), abs=1e-9)
    assert walk["C^(motion)"] == pytest.approx(np.zeros((2, 2)))
    assert "Q2" not in walk.names


def test_a_loop_whose_constraints_all_hold_by_themselves() -> None:
    """The rank of its rows is none: as rounding errors of 1e-16 they gave multipliers of 5e17."""
    closed = closed_system(20)
    assert closed is not None
    check(closed.system, closed.q, closed.u)
