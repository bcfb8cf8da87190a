"""The walk through the graph-theoretic method: McPhee's mechanisms, and identities of every quantity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from campaign import campaign
from closed_models import closed_system
from coordinate_models import pendulum, quick_return, slider_crank
from document_pendulum import document_pendulum
from random_trees import Draw, relative_error

import gyrostat as gs
from gyrostat.system.arguments import At

CHOICES: list[tuple[Any, Any]] = [
    (slider_crank, None),
    (slider_crank, gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"])),
    (slider_crank, "absolute"),
    (quick_return, "branch"),
    (pendulum, "branch"),
    (document_pendulum, None),
]


def chosen(make: Any, choice: Any) -> gs.System:
    """Return a mechanism in joint coordinates, or in a choice; dimensions of those without values are drawn."""
    model = make()
    return gs.formulate(model) if choice is None else gs.formulate(model, choice)


@pytest.mark.parametrize(("make", "choice"), CHOICES)
def test_projected_cutsets_are_the_rows_of_virtual_work(make: Any, choice: Any) -> None:
    system = chosen(make, choice)
    walk = system.graph_method()
    equations = walk.equations
    state = gs.assemble(system)
    known = dict(zip(equations.coordinates, state.q, strict=True))
    known |= {sympy.Symbol(name): value for name, value in system.model.values().items()}
    rng = np.random.default_rng(1)
    speeds = [name[len("projection^(") : -1] for name in walk.names if name.startswith("projection^(")]
    assert speeds
    for speed in speeds:
        difference = walk[f"projection^({speed})"] - walk[f"virtual work^({speed})"]
        others = {symbol: rng.normal() for symbol in difference.free_symbols - set(known)}
        assert abs(float(difference.subs(known | others))) < 1e-8


@pytest.mark.parametrize(("make", "choice"), CHOICES)
def test_matrices_are_orthogonal(make: Any, choice: Any) -> None:
    walk = chosen(make, choice).graph_method()
    for tree in ("translation", "rotation"):
        product = walk[f"A_f^({tree})"] * walk[f"B_f^({tree})"].T
        assert product == sympy.zeros(*product.shape)
    if "G" in walk.names and not isinstance(walk["G"], str):
        for entry in walk["Φ_q"] * walk["G"]:
            assert sympy.simplify(entry) == 0


def of_trees(system: gs.System, walk: Any, q: Any, u: Any) -> Any:
    """Return u̇ in the coordinates of the walk's trees, in which speeds of free joints are others."""
    other = system._in(walk.coordinates)
    at = system._mapped(At(q, u), other)
    return other.forward_dynamics(at.q, at.u)


@pytest.mark.parametrize("choice", [None, "branch", "absolute"])
@campaign(30, few=[29])
def test_numbers_of_random_loops(seed: int, choice: Any) -> None:
    """Rows of projected cutsets are those of virtual work; G spans the kernel of Φ_q; together they give u̇."""
    closed = closed_system(seed)
    if closed is None:
        return
    given = closed.system
    system = given if choice is None else gs.formulate(given.model, choice)
    at = given._mapped(At(closed.q, closed.u), system)
    walk = system.graph_method(at.q, at.u)
    numbers = walk.numbers
    if "Φ_q" not in walk.names:
        return
    size = max(np.abs(row).max() for row in numbers.virtual_work.values())
    for speed, row in numbers.projections.items():
        np.testing.assert_allclose(row, numbers.virtual_work[speed], atol=1e-9 * (1 + size), err_msg=speed)
    jacobian = walk["Φ_q"]
    np.testing.assert_allclose(jacobian @ walk["G"], 0, atol=1e-8 * (1 + np.abs(walk["G"]).max()))
    assert walk["G"].shape[1] == jacobian.shape[1] - np.linalg.matrix_rank(jacobian, tol=1e-8)
    np.testing.assert_allclose(walk["Φ"], 0, atol=1e-7)
    assert relative_error(numbers.accelerations(), of_trees(system, walk, at.q, at.u)) < 1e-6


@campaign(30)
def test_numbers_of_random_trees(seed: int) -> None:
    """Open trees with forces: projected cutsets alone give u̇."""
    draw = Draw(seed)
    system = gs.formulate(draw.tree(2 + seed % 4).model())
    q, u = draw.state(system)
    if len(u):
        walk = system.graph_method(q, u)
        assert relative_error(walk.numbers.accelerations(), of_trees(system, walk, q, u)) < 1e-9


def test_symbols_agree_with_numbers() -> None:
    system = gs.formulate(slider_crank(), gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]))
    state = gs.assemble(system)
    exact, numbers = system.graph_method(), system.graph_method(state.q, state.u)
    assert exact.names == numbers.names
    assert exact["translation tree"] == numbers["translation tree"]
    assert "0 & -1" in numbers.latex(), "the matrices of the graph are written beside numbers"
    equations = system.equations()
    known = dict(zip((*equations.coordinates, *equations.speeds), (*state.q, *state.u), strict=True))
    known |= {sympy.Symbol(name): value for name, value in system.model.values().items()}
    for name in ("Φ", "Φ_q", "γ"):
        found = np.array(exact[name].subs(known).tolist(), dtype=float)
        np.testing.assert_allclose(found.reshape(numbers[name].shape), numbers[name], atol=1e-12, err_msg=name)


def test_the_slider_crank_as_printed() -> None:
    """McPhee's trees of the slider-crank: one constraint, β8 and β10; branch transformations and cutsets."""
    walk = gs.formulate(slider_crank(), gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"])).graph_method()
    assert walk["translation tree"] == "h8, h9, h10"
    assert walk["rotation tree"] == "h8, h10, s11"
    assert walk["r[s11]"] == "− r[m1.r4] + r[m1.r5] − r[m2.r6] + r[m2.r7] + r[h8] + r[h9] − r[h10]"
    assert walk["θ[m3]"] == "θ[s11]"
    assert walk["cutset^(h8, T)"] == "T8 + T1 − T9 = 0"
    b8, b10, L4, L5, L6, L7 = sympy.symbols("beta_8 beta_10 L4 L5 L6 L7")
    expected = (L4 + L5) * sympy.sin(b8) - (L6 + L7) * sympy.sin(b10)
    assert sympy.expand(walk["Φ"][0] - expected) == 0
    shown = str(walk)
    assert "s11 (1 translation): closes a circuit with" in shown
    assert "s11 = ground → m3  (Prismatic: motion space translation along the axis; reaction space" in shown
    assert r"\text{translation tree} = \text{h8, h9, h10}" in walk.latex()


def test_a_circuit_and_a_mechanism_on_one_graph() -> None:
    model = gs.Model("motor", parameters={"R": 2, "k": 0.1})
    model.add(gs.Body("rotor", mass=1, inertia=(1, 1, 0.01)))
    model.add(gs.Revolute("shaft", "ground", "rotor"))
    for element in (
        gs.Datum("g"),
        gs.VoltageSource("E", "a", "g", 12),
        gs.Resistor("R1", "a", "b", "R"),
        gs.Inductor("L1", "b", "c", 0.01),
        gs.Motor("M", "c", "g", joint="shaft", constant="k"),
    ):
        model.add(element)
    walk = gs.formulate(model).graph_method()
    product = walk["A_f^(network)"] * walk["B_f^(network)"].T
    assert product == sympy.zeros(*product.shape)
    assert "projection^(shaft.rate)" in walk.names
    assert any(name.startswith("hybrid") for name in walk.names)


def _swing(order: Any = 2) -> gs.Model:
    """A hinged beam with a bob at its tip; in absolute coordinates both joints close circuits."""
    model = gs.Model("swing", gravity=(0, "-g", 0), parameters={"g": 9.81, "L": 1})
    given: dict[str, Any] = {"area": 1e-2, "Iz": 1e-6, "E": 2e8, "density": 780, "terms": {"v": 1}, "order": order}
    model.add(gs.Beam("rod", length="L", **given))
    model.add(gs.Body("bob", gs.box(1, 0.1, 0.1, 0.1)))
    model.add(gs.Revolute("hinge", "ground", "rod"))
    model.add(gs.Revolute("eye", "rod.tip", "bob"))
    return model


def test_a_station_is_a_flexible_arm_of_circuits_and_cutsets() -> None:
    walk = gs.formulate(_swing(), "absolute").graph_method()
    assert walk["r[eye]"] == "r[bob] − r[rod] − r[rod.tip.arm]"
    assert walk["cutset^(rod.tip.arm, F)"] == "F[rod.tip.arm] − F[eye] = 0"
    shown = str(walk)
    assert "rod = ground → rod  (flexible body: F, T are the inertia loads of all its sections)" in shown
    assert "rod.tip.arm = rod → rod.tip  (flexible arm: a function of elastic coordinates" in shown
    assert "rod.tip.arm: flexible arm" in shown
    assert "rod.tip (" not in shown
    L, v, angle, x, x_rod = sympy.symbols("L v1_rod angle_rod x_bob x_rod")
    expected = x - x_rod - (L - 2 * v**2 / (3 * L)) * sympy.cos(angle) + v * sympy.sin(angle)
    assert sympy.expand(walk["Φ"][2] - expected) == 0
    names = [name for name in walk.names if name.startswith("virtual work^(rod.v1")]
    assert names == ["virtual work^(rod.v1.rate)"]
    assert sympy.Symbol("lambda_eye_x") in walk["virtual work^(rod.v1.rate)"].free_symbols


@pytest.mark.parametrize("choice", [None, "branch", "absolute"])
@pytest.mark.parametrize("order", [2, "exact"])
def test_projected_cutsets_of_flexible_bodies_are_rows_of_virtual_work(order: Any, choice: Any) -> None:
    given = gs.formulate(_swing(order))
    system = given if choice is None else gs.formulate(given.model, choice)
    at = given._mapped(At(np.array([0.4, -0.2, 0.05]), np.array([1.0, 0.5, -0.3])), system)
    walk = system.graph_method(at.q, at.u)
    for speed, row in walk.numbers.projections.items():
        np.testing.assert_allclose(row, walk.numbers.virtual_work[speed], atol=1e-9, err_msg=speed)
    assert "virtual work^(rod.v1.rate)" in walk.names
    assert relative_error(walk.numbers.accelerations(), of_trees(system, walk, at.q, at.u)) < 1e-9
