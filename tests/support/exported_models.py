"""Models for exports: states, conditions, closed loops."""

from __future__ import annotations

from pathlib import Path

import gyrostat as gs

EXAMPLES = Path(__file__).parents[2] / "examples"


def servo() -> gs.Model:
    """Return a hinged bar with a motor, whose current is a state, and a law with conditions."""
    model = gs.Model("servo", gravity=(0, -9.81, 0), parameters={"m": 2, "l": 0.5})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top", initial=0.4))
    law = "where(a > 0.1 and a.rate > 0, min(5, road), -5) + abs(a.rate) + sign(a)*hypot(a, 1)**1.5"
    model.add(gs.DCMotor("motor", "a", 1.2, 0.1, 0.05, voltage=law))
    model.add(gs.Input("road"))
    return model


MODELS = {
    "servo": servo,
    **{name: lambda name=name: gs.Model.load(EXAMPLES / f"{name}.yaml") for name in ("double_pendulum", "four_bar")},
}
