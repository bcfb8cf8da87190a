"""Mechanisms whose equilibria and modes depend on all of their parameters."""

from __future__ import annotations

import gyrostat as gs


def sprung_pendulum() -> gs.Model:
    """Return a double pendulum whose spring bends it at rest, so that parameters move its equilibrium."""
    parameters = {"m1": 10, "m2": 5, "l1": 0.5, "l2": 1.0, "g": 9.81, "c": 0.8, "k": 30.0, "a0": 0.4}
    model = gs.Model("sprung pendulum", gravity=(0, "-g", 0), parameters=parameters)
    model.add(gs.Body("bar1", gs.rod("m1", "l1", along="y"), points={"top": (0, "l1/2", 0), "tip": (0, "-l1/2", 0)}))
    model.add(gs.Body("bar2", gs.rod("m2", "l2", along="y"), points={"top": (0, "l2/2", 0), "tip": (0, "-l2/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar1.top"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top"))
    model.add(gs.TorsionSpring("spring", "a2", stiffness="k", damping="c", angle="a0"))
    model.add(gs.Actuator("motor", "a1"))
    return model


def half_hexagon() -> gs.Model:
    """Return three hanging rods between two bearings: a loop whose multipliers have stiffness."""
    model = gs.Model(
        "half hexagon", gravity=(0, "-g", 0), parameters={"l": 1.0, "m": 1.0, "g": 9.81, "b": 2.0, "c": 0.1}
    )
    for name in ("r1", "r2", "r3"):
        model.add(gs.Body(name, gs.rod("m", "l", along="x"), points={"a": ("-l/2", 0, 0), "b": ("l/2", 0, 0)}))
    model.add(gs.Revolute("h1", "ground", "r1.a"))
    model.add(gs.Revolute("h2", "r1.b", "r2.a"))
    model.add(gs.Revolute("h3", "r2.b", "r3.a"))
    model.add(gs.Revolute("h4", ("ground", ("b", 0, 0)), "r3.b"))
    model.add(gs.TorsionSpring("damper", "h1", damping="c"))
    return model
