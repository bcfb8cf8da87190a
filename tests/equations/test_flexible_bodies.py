"""Equations of flexible mechanisms: on both engines, by all recursions, in either direction of the arms, in loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from beam_models import UNIT

import gyrostat as gs
from gyrostat.equations import articulated_body, composite_body, newton_euler
from gyrostat.equations.energy import energy
from gyrostat.equations.momentum import generalized_momenta
from gyrostat.equations.velocity_transformation import velocity_transformation
from gyrostat.kinematics.body_momentum import body_momenta
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import build_tree
from gyrostat.system import System

SPATIAL: dict[str, Any] = {"Iz": 0.01, "Iy": 0.02, "J": 0.025, "E": 100, "G": 60, "rotary_inertia": True}


def _rotor(**changed: Any) -> gs.Model:
    model = gs.Model("rotor", parameters={"L": 1.0, "A": 1.0, "I": 1.0, "E": 1.0, "rho": 1.0})
    given = {"length": "L", "area": "A", "Iz": "I", "E": "E", "density": "rho", "terms": {"v": 1}, "basis": "taylor"}
    model.add(gs.Beam("b", **(given | changed)))
    model.add(gs.Revolute("psi", "ground", "b"))
    return model


@pytest.mark.parametrize(
    ("given", "factor"),
    [
        ({}, sympy.Rational(-1, 15)),
        ({"kinetic_energy": "truncated"}, sympy.Rational(-1, 15)),
        ({"order": 1}, sympy.Rational(1, 5)),
    ],
)
def test_rotating_beam_has_the_equations_of_textbooks(given: dict[str, Any], factor: Any) -> None:
    """(L²ρA/4 + ρI) ψ̈ + (LρA/5 + 4ρI/3L) v̈ + (4EI/L³ + LρAΩ²/15) v = 0; of first order −LρAΩ²/5.

    Those with every product are the same after linearization in v.
    """
    equations = gs.formulate(_rotor(**given)).equations()
    L, A, second, E, rho = sympy.symbols("L A I E rho", positive=True)
    (_, v), (rate, _) = equations.coordinates, equations.speeds
    known = {symbol.name: symbol for symbol in equations.mass_matrix.free_symbols | equations.forcing.free_symbols}
    at = {known[str(s)]: s for s in (L, A, second, E, rho)}
    row, load = equations.mass_matrix[1, :].subs(at), equations.forcing[1].subs(at)
    if not given:
        assert len(sympy.Add.make_args(sympy.expand(load))) > 2  # cubic terms
        row, load = row.subs(v, 0), v * load.diff(v).subs({v: 0, equations.speeds[1]: 0})
    assert sympy.expand(row[0] - (L**2 * rho * A / 4 + rho * second)) == 0
    assert sympy.expand(row[1] - (L * rho * A / 5 + 4 * rho * second / (3 * L))) == 0
    expected = (-4 * E * second / L**3 + factor * L * rho * A * rate**2) * v
    assert sympy.expand(load - expected) == 0


@pytest.mark.parametrize("basis", ["legendre", "chebyshev"])
@pytest.mark.parametrize(
    ("terms", "order"), [({"v": 2}, 2), ({"v": 1, "w": 1, "phi": 1, "u": 1}, 2), ({"v": 1, "w": 1, "phi": 1}, 1)]
)
def test_exact_equations_have_the_traced_values(basis: str, terms: dict[str, int], order: int) -> None:
    model = gs.Model("exact", gravity=(0, "-g", 0), parameters={"g": 9.81, "L": 1.2})
    given = UNIT | SPATIAL | {"length": "L", "terms": terms, "order": order, "basis": basis, "damping": 0.5}
    model.add(gs.Beam("beam", **given))
    model.add(gs.Revolute("hinge", "ground", "beam"))
    system = gs.formulate(model)
    equations = system.equations()
    rng = np.random.default_rng(len(terms))
    q, u = (sympy.Rational(int(x), 16) for x in rng.integers(-5, 5, 2))
    n = system.coordinates.n_u
    states = [[sympy.Rational(int(x), 32) for x in rng.integers(-9, 10, n)] for _ in range(2)]
    values = dict(zip((*equations.coordinates, *equations.speeds), (*states[0], *states[1]), strict=True))
    values |= {symbol: {"g": 9.81, "L": 1.2}[symbol.name] for symbol in _parameters(equations)}
    q, u = (np.array(state, dtype=float) for state in states)
    M = np.array(equations.mass_matrix.subs(values), dtype=float)
    np.testing.assert_allclose(M, system.mass_matrix(q), rtol=1e-12, atol=1e-13)
    forcing = np.array(equations.forcing.subs(values), dtype=float)[:, 0]
    np.testing.assert_allclose(forcing, -system.inverse_dynamics(q, u, np.zeros(n)), rtol=1e-11, atol=1e-11)


def _parameters(equations: Any) -> list[Any]:
    symbols = equations.mass_matrix.free_symbols | equations.forcing.free_symbols
    return [symbol for symbol in symbols if symbol.name in ("g", "L")]


def _hung(end: str, order: Any) -> System:
    """A beam hinged at one end, with a body on a hinge at the other and one in between."""
    model = gs.Model("hung", gravity=(0, -9.81, 0))
    terms = {"v": 2, "w": 1, "phi": 1, "u": 1}
    given = UNIT | SPATIAL | {"terms": terms, "order": order, "stations": {"mid": 0.4}}
    model.add(gs.Beam("beam", **given))
    other = "beam.tip" if end == "beam" else "beam"
    model.add(gs.Revolute("hinge", "ground", end, axis=(1, 2, 2)))
    model.add(gs.Body("load", mass=1.3, inertia=(0.1, 0.2, 0.25), com=(0.1, 0.2, 0.3)))
    model.add(gs.Revolute("eye", other, "load", axis="y"))
    model.add(gs.Body("weight", mass=0.3, inertia=(0.02, 0.02, 0.03)))
    model.add(gs.Revolute("clip", "beam.mid", "weight", axis="x"))
    return gs.formulate(model)


@pytest.mark.parametrize("order", [1, 2, "exact"])
@pytest.mark.parametrize("end", ["beam", "beam.tip"])
def test_recursions_agree_in_both_directions_of_the_arms(end: str, order: Any) -> None:
    system = _hung(end, order)
    tree = build_tree(system.coordinates, system.model.evaluator())
    rng = np.random.default_rng(5)
    n = system.coordinates.n_u
    q, u, still = 0.2 * rng.normal(size=n), rng.normal(size=n), np.zeros(n)
    motion = tree.at(MotionState(q, u))
    M = np.zeros((n, n))
    for (i, j), entry in composite_body.mass_matrix(motion).items():
        M[i, j] = M[j, i] = float(entry)
    bias = np.array(newton_euler.inverse_dynamics(motion, still), dtype=float)
    found = np.array(articulated_body.forward_dynamics(motion), dtype=float)
    np.testing.assert_allclose(found, np.linalg.solve(M, -bias), rtol=1e-9)
    transformation = velocity_transformation(motion)
    np.testing.assert_allclose(np.array(transformation.mass_matrix(), dtype=float), M, atol=1e-11)
    np.testing.assert_allclose(np.array(transformation.forcing(), dtype=float), -bias, atol=1e-10)
    assert float(energy(motion).kinetic) == pytest.approx(u @ M @ u / 2, rel=1e-11)
    assert np.linalg.eigvalsh(M)[0] > 0


@pytest.mark.parametrize("order", [1, 2, "exact"])
def test_energies_give_the_loads(order: Any) -> None:
    """Loads at rest are the gradient of the potential energy; those of velocities are Lagrange's."""
    system = _hung("beam", order)
    tree = build_tree(system.coordinates, system.model.evaluator())
    rng = np.random.default_rng(6)
    n = system.coordinates.n_u
    q, u, h = 0.1 * rng.normal(size=n), rng.normal(size=n), 1e-5

    def lagrangian(x: Any, v: Any) -> float:
        found = energy(tree.at(MotionState(x, v)))
        return float(found.kinetic - found.gravity - sum(found.stored.values()))

    def momenta(x: Any) -> Any:
        return np.array(generalized_momenta(tree.at(MotionState(x, u))), dtype=float)

    along = (momenta(q + h * u) - momenta(q - h * u)) / (2 * h)
    gradient = [(lagrangian(q + h * e, u) - lagrangian(q - h * e, u)) / (2 * h) for e in np.eye(n)]
    found = np.array(newton_euler.inverse_dynamics(tree.at(MotionState(q, u)), np.zeros(n)), dtype=float)
    np.testing.assert_allclose(found, along - gradient, atol=1e-6)


@pytest.mark.parametrize("order", [2, "exact"])
def test_momentum_of_a_beam_is_that_of_its_sections(order: Any) -> None:
    """A rigidly rotating straight beam: m Ω L/2 across it, and m L²/12 + ρ I L about its middle."""
    model = gs.Model("spun")
    model.add(gs.Beam("beam", **(UNIT | SPATIAL | {"terms": {"v": 1}, "order": order})))
    model.add(gs.Revolute("hinge", "ground", "beam"))
    system = gs.formulate(model)
    motion = build_tree(system.coordinates, system.model.evaluator()).at(MotionState([0.0, 0.0], [2.0, 0.0]))
    angular, linear = body_momenta(motion, "beam")
    np.testing.assert_allclose(np.array(linear, dtype=float), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(np.array(angular, dtype=float), [0, 0, 2 * (1 / 12 + SPATIAL["Iz"])], atol=1e-12)


@pytest.fixture(scope="module")
def four_bars() -> dict[Any, System]:
    """Four-bars with a flexible coupler, of second order and exact."""
    found = {}
    for order in (2, "exact"):
        model = gs.Model("four-bar", gravity=(0, -9.81, 0))
        model.add(gs.Body("crank", gs.rod(1, 0.3, along="x"), com=(0.15, 0, 0), points={"tip": (0.3, 0, 0)}))
        given = {"length": 1.0, "area": 1e-4, "Iz": 1e-9, "E": 2e11, "density": 7800, "terms": {"v": 2}}
        model.add(gs.Beam("coupler", order=order, **given))
        model.add(gs.Body("rocker", gs.rod(1, 0.8, along="x"), com=(0.4, 0, 0), points={"tip": (0.8, 0, 0)}))
        model.add(gs.Revolute("a", "ground", "crank"))
        model.add(gs.Revolute("b", "crank.tip", "coupler"))
        model.add(gs.Revolute("c", ("ground", (1, 0, 0)), "rocker"))
        model.add(gs.Revolute("d", "coupler.tip", "rocker.tip"))
        found[order] = gs.formulate(model)
    return found


def test_circuits_and_cutsets_pass_through_flexible_arms(four_bars: dict[Any, System]) -> None:
    topology = four_bars[2].topology
    (chord,) = topology.chords
    passed = {edge.name for edge in topology.loops[chord]}
    assert "coupler.tip.arm" in passed
    assert "coupler.tip.arm" in str(topology.circuit)
    product = np.array(topology.cutset) @ np.array(topology.circuit).T
    assert not product.any()


def test_loops_are_closed_by_joints_not_by_bending(four_bars: dict[Any, System]) -> None:
    found = gs.assemble(four_bars[2], {"a": 1.0})
    assert set(found.moved) == {"b", "c"}
    assert found.notes == ()


def test_loops_through_stations(four_bars: dict[Any, System]) -> None:
    """Both orders describe the same motion while the coupler bends little."""
    ends = []
    for system in four_bars.values():
        run = gs.simulate(system, duration=0.3, step=0.1, initial={"a": 1.0})
        ends.append(np.array(run["coupler.tip"])[-1])
    np.testing.assert_allclose(ends[0], ends[1], atol=2e-5)


def test_the_method_of_rigid_bodies_is_refused() -> None:
    with pytest.raises(gs.TopologyError, match="the Roberson–Schwertassek method is written for rigid bodies only"):
        gs.formulate(_rotor()).roberson_schwertassek()


def test_order_exact_has_no_written_equations() -> None:
    with pytest.raises(gs.ModelError, match=r"'b': its order is 'exact', which has no written equations. Use order=2"):
        gs.formulate(_rotor(order="exact", basis="legendre")).equations()
