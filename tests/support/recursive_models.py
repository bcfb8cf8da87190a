"""Models in recursive form, states to try them at, and the numbers that the traced engine gives there."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from campaign import chosen
from document_pendulum import document_pendulum
from exact_models import crane, example, sliding_boom, small_tree, small_trees
from exact_systems import arm

import gyrostat as gs
from gyrostat.recipes import equations_function
from gyrostat.written.recursive_equations import RecursiveEquations

RANDOM = small_trees(range(20, 30))
MODELS = ("document", "crane", "boom", "arm", "switching", "spinning_top", "gyrostat_satellite", *chosen(tuple(RANDOM)))


def switching() -> gs.Model:
    """Laws of force with cases, limits and signs."""
    model = gs.Model("switching", parameters={"m": 2, "k": 30, "gap": 0.1})
    model.add(gs.Body("b", mass="m", inertia=(1, 1, 1)))
    model.add(gs.Planar("table", "ground", "b", symbol={"x": "x", "y": "y", "angle": "phi"}))
    law = "where(table.x > gap and table.y < 1, -k*(table.x - gap), 0) - sign(table.x.rate)*min(abs(table.x.rate), 1)"
    model.add(gs.Force("stop", "b", (law, "where(not table.y < 0.2, floor(3*table.y), t)", 0)))
    model.add(gs.Torque("twist", "b", (0, 0, "atan2(table.y, table.x) + max(table.angle, 0.3)**1.5")))
    return model


@cache
def recursive(name: str) -> RecursiveEquations:
    if name in RANDOM:
        return gs.formulate(small_tree(*RANDOM[name])).recursive_equations()
    made = {"document": document_pendulum, "crane": crane, "boom": sliding_boom, "switching": switching}
    if name == "arm":
        return gs.formulate(arm("zyyzyz")).recursive_equations()
    return gs.formulate(made[name]() if name in made else example(name)).recursive_equations()


def state(equations: RecursiveEquations, seed: int = 0) -> dict[str, Any]:
    draw = np.random.default_rng(seed)
    layout, model = equations.layout, equations.layout.topology.model
    q = draw.uniform(0.1, 0.9, layout.n_q)
    return {
        "t": draw.uniform(0, 1),
        "q": q,
        "u": draw.uniform(-1, 1, layout.n_u),
        "parameters": draw.uniform(0.5, 2, len(model.parameters)),
        "inputs": draw.uniform(-1, 1, len(model.inputs)),
    }


def expected(equations: RecursiveEquations, at: dict[str, Any]) -> tuple[Any, Any]:
    found = equations_function(equations.layout)(at["t"], at["q"], at["u"], [], at["parameters"], at["inputs"])
    return np.array(found[0].full()), np.array(found[1].full()).ravel()
