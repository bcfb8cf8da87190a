"""Systems of one coordinate whose laws have conditions of the state."""

from __future__ import annotations

import gyrostat as gs


def slider(law: str, mass: float = 1.0, **parameters: float) -> gs.System:
    """Return a mass on a straight line, with coordinate x, rate x.rate, and a load given by a formula."""
    model = gs.Model("slider", gravity=(0, 0, 0), parameters=parameters)
    model.add(gs.Body("block", gs.sphere(mass, 0.1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("law", "x", torque=law))
    return gs.formulate(model)


def falling_ball(law: str) -> gs.System:
    """Return a ball of 1 kg at the height x = 1 m over a floor given by a formula."""
    model = gs.Model("ball", gravity=(0, -9.81, 0))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "ball", axis="y", initial=1.0))
    model.add(gs.TorsionSpring("soil", "x", torque=law))
    return gs.formulate(model)
