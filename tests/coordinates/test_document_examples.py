"""Document 001's examples, as exact expressions: parts 3 (kinematics) and 4 (dynamics)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import sympy
from coordinate_models import free_bodies, pendulum, quick_return, slider_crank
from sympy import cos, sin

import gyrostat as gs
from gyrostat.errors import StateError
from gyrostat.written.equation_set import Equations


@cache
def _equations(mechanism: Any, choice: str | gs.Trees) -> Equations:
    equations: Equations = gs.formulate(mechanism(), choice).equations()
    return equations


def _numbers(equations: Equations) -> tuple[int, int]:
    """Return the numbers n of coordinates and m of constraints."""
    return len(equations.coordinates), len(equations.constraints)


def _same(found: Any, printed: Any) -> bool:
    return all(sympy.expand(sympy.expand_trig(a - b)) == 0 for a, b in zip(found, printed, strict=True))


L = {i: sympy.Symbol(f"L{i}") for i in range(1, 9)}
L34, L45, L56, L67, L78 = (L[i] + L[i + 1] for i in (3, 4, 5, 6, 7))
beta_8, beta_10, s_11 = sympy.symbols("beta_8 beta_10 s_11")
ONE_TREE = gs.Trees(["h8", "h10", "s11"])
TWO_TREES = gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"])


def test_slider_crank_in_joint_coordinates_has_three_coordinates_and_the_printed_constraints() -> None:
    equations = _equations(slider_crank, ONE_TREE)
    assert equations.coordinates == (beta_8, beta_10, s_11)
    printed = [
        L67 * cos(beta_10) + s_11 - L45 * cos(beta_8),
        L67 * sin(beta_10) - L45 * sin(beta_8),
    ]
    assert _same(equations.constraints, printed)
    assert equations.constraint_names == ("h9: force x", "h9: force y")


def test_slider_crank_on_a_tree_with_a_body_has_five_coordinates() -> None:
    """The document lists β₁₀ before β₉; joints come in the order in which they were added here."""
    equations = _equations(slider_crank, gs.Trees(["m1", "h10", "h9"]))
    assert equations.layout.coordinate_names == ("m1.x", "m1.y", "m1.angle", "h9", "h10")
    assert _numbers(equations) == (5, 4)


def test_slider_crank_on_two_trees_has_two_coordinates_and_the_printed_constraint() -> None:
    equations = _equations(slider_crank, TWO_TREES)
    assert equations.coordinates == (beta_8, beta_10)
    assert _same(equations.constraints, [L45 * sin(beta_8) - L67 * sin(beta_10)])
    assert equations.constraint_names == ("s11: force across 1",)


def test_displacement_of_the_slider_follows_from_the_angles() -> None:
    """The first constraint of the joint coordinates, solved for s₁₁."""
    found = _equations(slider_crank, TWO_TREES).coordinate("s11")
    assert _same([found], [L45 * cos(beta_8) - L67 * cos(beta_10)])


@pytest.mark.parametrize(("choice", "numbers"), [("absolute", (9, 8)), ("branch", (2, 1))])
def test_slider_crank_by_name_of_the_choice(choice: str, numbers: tuple[int, int]) -> None:
    """The document has nine absolute coordinates; by its priorities the rotational tree has bodies for joints."""
    assert _numbers(_equations(slider_crank, choice)) == numbers


@pytest.mark.parametrize(("choice", "constraints"), [("branch", 2), ("joint", 4), ("absolute", 14)])
def test_quick_return_has_two_equations_against_four_and_fourteen(choice: str, constraints: int) -> None:
    equations = _equations(quick_return, choice)
    assert _numbers(equations) == (constraints + 1, constraints)


def test_quick_return_by_priority_has_the_trees_of_the_document() -> None:
    trees = gs.formulate(quick_return(), "branch").coordinates.trees
    assert set(trees.names.translation) == {f"h{i}" for i in range(14, 19)}
    assert set(trees.names.rotation) == {"m9", "m11", "m12", "s19", "s20"}


def test_quick_return_has_the_printed_constraints_and_displacement() -> None:
    equations = _equations(quick_return, "branch")
    assert equations.layout.coordinate_names == ("m9.angle", "m11.angle", "m12.angle")
    theta_9, theta_11, theta_12 = equations.coordinates
    printed = [
        L78 * sin(theta_9) * cos(theta_11) - L78 * cos(theta_9) * sin(theta_11) - L[2] * cos(theta_9),
        -L[1] - L[2] + L34 * sin(theta_9) + L56 * cos(theta_12),
    ]
    assert _same(equations.constraints, printed)
    assert _same([equations.coordinate("s20")], [L34 * cos(theta_9) - L56 * sin(theta_12)])


def test_rate_of_a_measured_coordinate_is_its_derivative() -> None:
    equations = _equations(quick_return, "branch")
    s_20, q, u = equations.coordinate("s20"), equations.coordinates, equations.speeds
    assert _same([equations.coordinate("s20.rate")], [sum(s_20.diff(x) * v for x, v in zip(q, u, strict=True))])


def test_unknown_coordinate_is_refused_by_name() -> None:
    with pytest.raises(StateError, match=r"There is no coordinate 's2'\. Did you mean 's20'"):
        _equations(quick_return, "branch").coordinate("s2")


def test_pendulum_in_absolute_coordinates_has_the_printed_matrices() -> None:
    """The document has M q̈ + Φ_qᵀ λ = F: its multipliers are loads of the child on the parent, ours the opposite."""
    equations = _equations(pendulum, "absolute")
    m, I, r, W = sympy.symbols("m I r W")  # noqa: E741
    x, y, theta = equations.coordinates
    assert _numbers(equations) == (3, 2)
    assert equations.mass_matrix == sympy.diag(m, m, I)
    assert list(equations.forcing) == [0, -W, 0]
    assert list(equations.constraints) == [x - r * sin(theta), y + r * cos(theta)]
    assert equations.constraint_matrix == sympy.Matrix([[1, 0, -r * cos(theta)], [0, 1, -r * sin(theta)]])
    assert [str(symbol) for symbol in equations.multipliers] == ["lambda_h_x", "lambda_h_y"]


def test_pendulum_in_branch_coordinates_has_one_equation() -> None:
    equations = _equations(pendulum, "branch")
    m, I, r, W = sympy.symbols("m I r W")  # noqa: E741
    assert _numbers(equations) == (1, 0)
    assert sympy.expand(equations.mass_matrix[0] - (I + m * r**2)) == 0
    assert list(equations.forcing) == [-W * r * sin(equations.coordinates[0])]


@pytest.mark.parametrize("count", [1, 3])
def test_free_bodies_have_thirteen_equations_each(count: int) -> None:
    """003 §3.4.3: seven coordinates and six speeds."""
    system = gs.formulate(free_bodies(count), "absolute", planar=False)
    assert system.coordinates.n_q + system.coordinates.n_u == 13 * count
    assert not system.constraints
