"""Expressions are written to SymPy past its own constructors: each node must be what they would have made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sympy

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"


def chain(links: int) -> gs.Model:
    """Return a pendulum of rods with symbolic masses and lengths."""
    names = [f"{letter}{i}" for i in range(1, links + 1) for letter in "ml"]
    model = gs.Model("chain", gravity=(0, "-g", 0), parameters=dict.fromkeys([*names, "g"], 1))
    for i in range(1, links + 1):
        model.add(gs.Body(f"bar{i}", gs.rod(f"m{i}", f"l{i}", along="y")))
        inboard = "ground" if i == 1 else (f"bar{i - 1}", (0, f"-l{i - 1}/2", 0))
        model.add(gs.Revolute(f"a{i}", inboard, (f"bar{i}", (0, f"l{i}/2", 0)), symbol=f"theta_{i}"))
    return model


def rebuilt(expression: Any) -> Any:
    """Return the expression made again, from its leaves, by SymPy's constructors."""
    if not expression.args:
        return expression
    return expression.func(*(rebuilt(argument) for argument in expression.args))


@pytest.mark.parametrize("form", ["textbook", "regrouped", "expanded"])
@pytest.mark.parametrize("name", ["chain", "spinning_top", "slider_pendulum", "gyrostat_satellite"])
def test_every_node_is_what_sympy_makes_of_its_arguments(name: str, form: str) -> None:
    model = chain(3) if name == "chain" else gs.Model.load(EXAMPLES / f"{name}.yaml")
    equations = gs.formulate(model).equations(form)
    for expression in (*equations.mass_matrix, *equations.forcing):
        again = rebuilt(expression)
        assert expression == again
        assert hash(expression) == hash(again)
        assert sympy.srepr(expression) == sympy.srepr(again)
