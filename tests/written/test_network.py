"""Formulations of networks: the equations of the document, counts, matrices and drawings."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from cases import case
from networks import network, rc_circuit, six_edge_circuit

import gyrostat as gs


def test_rc_circuit_has_the_equations_of_the_document() -> None:
    found = gs.Network.of(rc_circuit())
    assert [len(each) for each in (found.nodal, found.branch_chord, found.reduced)] == [10, 4, 1]
    assert len(found.nodal.variables) == 10
    assert str(found.nodal).splitlines()[1:] == [
        "  v_E1 = E_1",
        "  v_R2 = R_2*i_R2",
        "  v_R3 = R_3*i_R3",
        "  i_C4 = C_4*vdot_C4",
        "  i_E1 + i_R2 = 0",
        "  i_C4 - i_R2 + i_R3 = 0",
        "  v_E1 = v_a",
        "  v_R2 = v_a - v_b",
        "  v_R3 = v_b",
        "  v_C4 = v_b",
    ]
    assert str(found.branch_chord) == (
        "branch-chord: 4 equations in v_E1, v_C4, i_R2, i_R3\n"
        "  v_E1 = E_1\n  -v_C4 + v_E1 = R_2*i_R2\n  v_C4 = R_3*i_R3\n  i_R2 - i_R3 = C_4*vdot_C4"
    )
    assert len(found.hybrid) == 3
    assert str(found.reduced) == ("reduced: 1 equation in v_C4\n  C_4*vdot_C4 = E_1/R_2 + v_C4*(-1/R_3 - 1/R_2)")
    assert r"C_{4} \dot{v}_{C4} &=" in found.reduced.latex()
    assert found.reduced._repr_latex_().startswith("$")


def test_matrices_of_the_rc_circuit() -> None:
    published, found = (
        {q["name"]: q["value"] for q in case("mcphee_rc_circuit")["quantities"]},
        gs.Network.of(rc_circuit()),
    )
    np.testing.assert_array_equal(found.incidence.to_array(), published["IM_order_E1R2R3C4"])
    order = [0, 1, 3, 2]  # the document has R3 before R2
    np.testing.assert_array_equal(found.cutset.to_array()[:, order], published["A_f_order_E1C4R3R2"])
    np.testing.assert_array_equal(found.circuit.to_array()[::-1, order], published["B_f_order_E1C4R3R2"])


def test_six_edge_circuit_exactly() -> None:
    published = {q["name"]: q["value"] for q in case("mcphee_circuit_six_edge")["quantities"]}
    found = gs.Network.of(six_edge_circuit(), tree=["E1", "R2", "R3"])
    np.testing.assert_array_equal(found.incidence.to_array(), published["IM"])
    np.testing.assert_array_equal(found.cutset.to_array(), published["A_f"])
    np.testing.assert_array_equal(found.circuit.to_array(), published["B_f"])
    assert found.graph.number_of_spanning_trees() == 16
    names = ("E1", "R2", "R3", "R4", "R5", "I6")
    for word, given in (("voltage", published["alpha"]), ("current", published["tau"])):
        assert [found.solution[f"{name}.{word}"] for name in names] == [sympy.Rational(text) for text in given]


@pytest.mark.parametrize("tree", [None, ["R2", "C4"], ["E1", "R3"], ["R2", "R3"]])
def test_formulations_agree_on_every_tree(tree: list[str] | None) -> None:
    """The nodal equations follow from the branch-chord, hybrid and tableau equations of any tree."""
    found = gs.Network.of(rc_circuit(), tree=tree)
    rate = sympy.Symbol("vdot_C4")
    names = [str(each) for each in found.nodal.variables]
    nodal = sympy.solve(
        found.nodal.equations, [v for v in found.nodal.variables if str(v) != "v_C4"] + [rate], dict=True
    )
    for other in (found.branch_chord, found.tableau):
        rates = {s for e in other.equations for s in e.free_symbols if "dot" in s.name} - {rate}
        unknowns = [v for v in other.variables if str(v) != "v_C4"]
        if "v_C4" not in {str(v) for v in other.variables}:
            continue
        solved = sympy.solve(other.equations, [*unknowns, rate, *rates], dict=True)
        for variable in unknowns:
            assert sympy.simplify(solved[0][variable] - nodal[0][variable]) == 0
    assert len(names) == 10


def test_rates_of_excess_capacitors_are_written() -> None:
    model = network(
        gs.VoltageSource("E", "a", "g", "sin(t)"),
        gs.Capacitor("C1", "b", "g", 1),
        gs.Capacitor("C2", "a", "b", 2),
        gs.Resistor("R", "b", "g", 3),
    )
    found = gs.Network.of(model)
    assert "i_C2 = 2*vdot_C2" in str(found.nodal)
    assert "i_C2 = -2*vdot_C1 + 2*vdot_E" in str(found.branch_chord)


def test_drawing_and_text() -> None:
    found = gs.Network.of(rc_circuit())
    assert found.draw().startswith("<svg")
    assert all(name in found._repr_svg_() for name in ("E1", "R2", "R3", "C4"))
    assert str(found).splitlines()[1:3] == ["  tree: E1, C4", "  chords: R2, R3"]


def test_models_without_networks_and_wrong_trees_are_refused() -> None:
    with pytest.raises(gs.GyrostatError, match=r"Model 'empty' has no network\. Add a Datum and elements"):
        gs.Network.of(gs.Model("empty"))
    with pytest.raises(gs.TopologyError, match=r"tree: there are no edges 'R9'"):
        gs.Network.of(rc_circuit(), tree=["R9", "E1"])


def test_functions_are_written_out() -> None:
    model = gs.Model("rectifier")
    model.add(gs.Datum("gnd"))
    model.add(gs.VoltageSource("V", "a", "gnd", "sin(t)"))
    model.add(gs.Diode("D", "a", "b"))
    model.add(gs.Capacitor("C", "b", "gnd", 1e-6))
    found = gs.Network.of(model).hybrid
    names = {symbol.name for equation in found.equations for symbol in equation.free_symbols}
    assert any(equation.has(sympy.exp) for equation in found.equations)
    assert names == {"i_D", "t", "v_C", "vdot_C"}
