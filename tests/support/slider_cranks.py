"""Document 001's slider-crank: crank m1, rod m2, slider m3; joints h8, h9, h10, s11."""

from __future__ import annotations

import gyrostat as gs


def slider_crank(*, motor: bool = False) -> gs.Model:
    """Return the slider-crank with symbols as in the document; with a motor and a spring if asked for."""
    parameters = {"L45": 0.15, "L67": 0.3, "m_1": 0.5, "m_2": 0.8, "m_3": 1.2, "g": 9.81, "k": 40.0}
    model = gs.Model("slider-crank", gravity=(0, "-g", 0), parameters=parameters)
    model.add(gs.Body("m1", gs.rod("m_1", "L45", along="x"), points={"a": ("-L45/2", 0, 0), "b": ("L45/2", 0, 0)}))
    model.add(gs.Body("m2", gs.rod("m_2", "L67", along="x"), points={"a": ("-L67/2", 0, 0), "b": ("L67/2", 0, 0)}))
    model.add(gs.Body("m3", gs.box("m_3", (0.1, 0.1, 0.1))))
    model.add(gs.Revolute("h8", "ground", "m1.a", symbol="beta_8"))
    model.add(gs.Revolute("h9", "m1.b", "m2.b"))
    model.add(gs.Revolute("h10", "m3", "m2.a", symbol="beta_10"))
    model.add(gs.Prismatic("s11", "ground", "m3", axis="x", symbol="s_11"))
    if motor:
        model.add(gs.Actuator("f12", "h9"))
        model.add(gs.TorsionSpring("f13", "h10", stiffness="k"))
        model.add(gs.Force("f14", "m3", (1, 0, 0)))
    return model
