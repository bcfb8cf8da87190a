"""The double pendulum of document 000, in its own symbols."""

from __future__ import annotations

import gyrostat as gs

PARAMETERS = {"m1": 1.3, "m2": 0.7, "l1": 0.9, "l2": 1.6, "g": 9.81}


def document_pendulum(**renamed: str) -> gs.Model:
    """Return the model; a parameter may be given another name."""
    m1, m2, l1, l2, g = (renamed.get(name, name) for name in PARAMETERS)
    values = {renamed.get(name, name): value for name, value in PARAMETERS.items()}
    model = gs.Model("double pendulum", gravity=(0, f"-{g}", 0), parameters=values)
    for i, (m, l) in enumerate(((m1, l1), (m2, l2)), 1):  # noqa: E741
        ends = {"top": (0, f"{l}/2", 0), "tip": (0, f"-{l}/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.rod(m, l, along="y"), points=ends))
    model.add(gs.Revolute("a1", "ground", "bar1.top", axis="z", symbol="theta_1"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top", axis="z", symbol="theta_2"))
    return model
