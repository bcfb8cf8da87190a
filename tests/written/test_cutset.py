"""Cutset equations: their text, and that along motion spaces they are the equations of motion."""

from __future__ import annotations

from typing import Any

import pytest
from slider_cranks import slider_crank

import gyrostat as gs

CHOICES: dict[str, Any] = {
    "joint": "joint",
    "absolute": "absolute",
    "branch": "branch",
    "001's": gs.Trees(["h8", "h10", "s11"]),
    "a body and joints": gs.Trees(["m1", "h9", "h10"]),
    "two trees": gs.Trees(["h8", "h9", "h10"], ["h8", "h10", "s11"]),
}


def test_the_cutsets_of_document_001_read_as_printed() -> None:
    system = gs.formulate(slider_crank(), gs.Trees(["h8", "h10", "s11"]))
    assert str(system.cutset("h8")) == "T8 + T1 − T9 = 0"
    assert str(system.cutset("s11")) == "F11 + F2 + F3 + F9 = 0"


def test_force_elements_are_terms() -> None:
    system = gs.formulate(slider_crank(motor=True), gs.Trees(["h8", "h10", "s11"]))
    assert str(system.cutset("s11")) == "F11 + F2 + F3 + F9 + F12 + F14 = 0"
    assert str(system.cutset("h10")) == "T10 + T2 + T9 + T12 + T13 = 0"


def test_names_without_numbers_are_written_out() -> None:
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    model.add(gs.Revolute("hinge", "ground", "bar.top"))
    assert str(gs.formulate(model).cutset("hinge")) == "T[hinge] + T[bar] = 0"
    assert str(gs.formulate(model, "absolute").cutset("bar")) == "T[bar] + T[hinge] = 0\nF[bar] + F[hinge] = 0"


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("motor", [False, True])
def test_projected_cutsets_are_the_equations_of_motion(choice: str, motor: bool) -> None:
    import sympy

    system = gs.formulate(slider_crank(motor=motor), CHOICES[choice])
    equations = system.equations()
    balance = equations.mass_matrix * sympy.Matrix(equations.accelerations) - equations.forcing
    balance -= equations.constraint_matrix.T * sympy.Matrix(equations.multipliers)
    seen = 0
    branches = system.coordinates.trees.elements
    for branch in branches:
        for speed, expression in system.cutset(branch).projection.items():
            row = balance[system.speed_names.index(speed)]
            assert _vanishes(system, expression + row), (branch, speed)
            seen += 1
    assert seen == len(system.speed_names)


def _vanishes(system: gs.System, expression: Any) -> bool:
    """Tell whether an expression is zero at random numbers; in joint coordinates loops are closed for that."""
    import numpy as np
    import sympy

    equations = system.equations()
    rng = np.random.default_rng(1)
    known = {symbol: sympy.Float(rng.uniform(0.5, 1.5)) for symbol in expression.free_symbols}
    if system.coordinates.are_joint_coordinates:  # the load on the parent of a chord acts at the child's point there
        found = gs.assemble(system, {"h8": 0.7})
        known |= dict(zip(equations.coordinates, map(sympy.Float, found.q), strict=True))
        known |= {equations.symbols.sympy[name]: value for name, value in system.model.values().items()}
    return abs(float(expression.subs(known))) < 1e-9


def test_a_term_is_a_load_in_world_axes() -> None:
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("hinge", "ground", "bar.top"))
    system = gs.formulate(model, "absolute")
    equations = system.equations()
    weight = system.cutset("bar").term("bar", "F")[1]
    acceleration = equations.accelerations[1]
    assert (weight + equations.symbols.sympy["m"] * (equations.symbols.sympy["g"] + acceleration)).expand() == 0


def test_what_has_no_cutset_is_explained() -> None:
    system = gs.formulate(slider_crank(), gs.Trees(["h8", "h10", "s11"]))
    with pytest.raises(gs.StateError, match="'h9' is in no tree, so that it has no cutset; its circuit gives"):
        system.cutset("h9")
    with pytest.raises(gs.StateError, match=r"There is no joint or body 'h7'\. Known: h10, h8"):
        system.cutset("h7")
    with pytest.raises(gs.StateError, match="There is no F of 'm1' in the cutset of 's11'"):
        system.cutset("s11").term("m1", "F")
