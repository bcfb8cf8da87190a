"""The mechanisms of document 001, parts 3 and 4, with its names and the directions of its edges."""

from __future__ import annotations

from typing import Any

import gyrostat as gs


def slider_crank(**crank: Any) -> gs.Model:
    """Return the slider-crank: crank m1, rod m2, slider m3; arms r4 to r7 along the x-axes of crank and rod.

    The crank's arms lead from its bearing h8 to the pin h9, the rod's from its pin h10 on the slider to h9.
    """
    lengths = {"L4": 0.07, "L5": 0.08, "L6": 0.16, "L7": 0.14}
    masses = {"M1": 1.0, "J1": 0.01, "M2": 0.5, "J2": 0.02, "M3": 0.8, "J3": 0.03, "g": 9.81}
    model = gs.Model("slider-crank", gravity=(0, "-g", 0), parameters=lengths | masses)
    model.add(_body("m1", "M1", "J1", {"r4": ("-L4", 0, 0), "r5": ("L5", 0, 0)}))
    model.add(_body("m2", "M2", "J2", {"r6": ("L6", 0, 0), "r7": ("-L7", 0, 0)}))
    model.add(_body("m3", "M3", "J3"))
    model.add(gs.Revolute("h8", "ground", "m1.r4", symbol="beta_8", **crank))
    model.add(gs.Revolute("h9", "m1.r5", "m2.r6", symbol="beta_9"))
    model.add(gs.Revolute("h10", "m3", "m2.r7", symbol="beta_10", initial="pi - asin(0.5*sin(0.3))"))
    model.add(gs.Prismatic("s11", "ground", "m3", axis="x", symbol="s_11", initial=0.4))
    return model


def quick_return(**crank: Any) -> gs.Model:
    """Return the quick-return mechanism: rocker m9, block m10, crank m11, rod m12, tool m13.

    Edges lead as in the document: s19 from the block to the rocker, s20 from the tool to the ground, against x.
    """
    lengths = {"L1": 2.0, "L2": 2.0, "L3": 2.0, "L4": 2.5, "L5": 0.5, "L6": 0.7, "L7": 0.6, "L8": 0.9}
    masses = {f"{letter}{i}": 1.0 + i / 10 for i in range(9, 14) for letter in "MJ"}
    model = gs.Model("quick-return", gravity=(0, "-g", 0), parameters=lengths | masses | {"g": 9.81})
    model.add(_body("m9", "M9", "J9", {"r3": ("-L3", 0, 0), "r4": ("L4", 0, 0)}))
    model.add(_body("m10", "M10", "J10"))
    model.add(_body("m11", "M11", "J11", {"r7": ("-L7", 0, 0), "r8": ("L8", 0, 0)}))
    model.add(_body("m12", "M12", "J12", {"r5": (0, "L5", 0), "r6": (0, "-L6", 0)}))
    model.add(_body("m13", "M13", "J13"))
    model.add(gs.Revolute("h14", "m12.r5", "m13", initial=-1.5692781393398454))
    model.add(gs.Revolute("h15", "m12.r6", "m9.r4", initial=1.094031118793246 - 1.5692781393398454))
    model.add(gs.Revolute("h16", ("ground", (0, "-L2", 0)), "m9.r3", initial=1.094031118793246))
    model.add(gs.Revolute("h17", "ground", "m11.r7", **crank))
    model.add(gs.Revolute("h18", "m11.r8", "m10", initial=1.094031118793246 - 0.4356))
    model.add(gs.Prismatic("s19", "m10", "m9", axis="x", symbol="s_19"))
    model.add(gs.Prismatic("s20", "m13", ("ground", (0, "L1", 0)), axis="-x", symbol="s_20", initial=0.87))
    return model


def pendulum() -> gs.Model:
    """Return the pendulum: body m with weight W, whose arm r leads up to its hinge h on the ground."""
    model = gs.Model("pendulum", gravity=(0, "-W/m", 0), parameters={"m": 2.0, "I": 0.3, "r": 0.5, "W": 19.62})
    model.add(_body("m", "m", "I", {"r": (0, "r", 0)}))
    model.add(gs.Revolute("h", "ground", "m.r"))
    return model


def free_bodies(count: int) -> gs.Model:
    """Return bodies that nothing holds."""
    model = gs.Model("free bodies", gravity=(0, 0, -9.81))
    for i in range(count):
        model.add(gs.Body(f"b{i}", mass=1.0 + i, inertia=(0.1, 0.2, 0.25)))
        model.add(gs.Free(f"f{i}", "ground", f"b{i}"))
    return model


def _body(name: str, mass: str, inertia: str, points: dict[str, Any] | None = None) -> gs.Body:
    """Return a body of a planar mechanism; what it has across the plane does not matter."""
    return gs.Body(name, mass=mass, inertia=(5.0, 5.0, inertia), points=points or {})
