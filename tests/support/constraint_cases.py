"""Every registered constraint in several forms, on a mechanism with a hinge, a slide and a body that flies."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from float_system import FloatSystem, float_system
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.kinematics.constraints import component_rows
from gyrostat.model.constraints import Constraint

T = 0.7
MADE: dict[str, Constraint] = {
    "Distance": gs.Distance("c", "a.eye", "b.eye", "0.9 + 0.1*sin(t)"),
    "Distance to ground": gs.Distance("c", ("ground", (0.3, 0.1, -0.2)), "b.seat", "k/10"),
    "PointOnLine": gs.PointOnLine("c", "a.eye", "b.seat", (1, 0.5, -2)),
    "PointOnLine on ground": gs.PointOnLine("c", "b.eye", "ground"),
    "PointOnPlane": gs.PointOnPlane("c", "a.seat", "b.seat", (1, 2, "k")),
    "PointOnPlane on ground": gs.PointOnPlane("c", "b.eye", "ground", "y"),
    "PointOnCurve": gs.PointOnCurve("c", "b.eye", "a.seat", ["y - sin(x)/k", "x**2 + z**2 - 1"]),
    "PointOnCurve with one": gs.PointOnCurve("c", "b", "ground", ["hypot(x, y) - 0.6 - 0.1*cos(2*atan2(y, x))"]),
    "Gear": gs.Gear("c", "a_hinge", "slide", "0.1*k", 0.2),
    "Gear on a driven joint": gs.Gear("c", "spindle", "a_hinge", -2.5),
    "Gear on a rotor": gs.Gear("c", "a_hinge", "a.wheel", 3),
    "RackPinion": gs.RackPinion("c", "a_hinge", "slide", 0.25, 0.1),
    "Cable": gs.Cable("c", ["ground", "a.eye", ("b", (0, 0.2, 0)), "b.seat"], "k/4 - 0.1*t"),
    "PointDriver": gs.PointDriver("c", "b.eye", ("0.3*sin(t)", "k/20", 0), "a.seat"),
    "PointDriver of some": gs.PointDriver("c", "b.eye", {"z": "0.1*t", "x": 0}),
    "OrientationDriver": gs.OrientationDriver("c", "b.seat", [("z", "0.4*t"), ((1, 1, 0), "sin(t)")], "a.seat"),
    "OrientationDriver to ground": gs.OrientationDriver("c", "b", [("x", "t")]),
    "Equation": gs.Equation("c", "a_hinge**2 + k*slide - sin(t) + b.eye.x*a.y - b.z - spindle"),
    "RollingDisc": gs.RollingDisc("c", "b.seat", 0.3, (0, 1, "k/12"), "a.seat", (1, 2, 2)),
    "RollingDisc on ground": gs.RollingDisc("c", "b", 0.3, "x"),
    "RollingSphere": gs.RollingSphere("c", "b.eye", "k/40", "a.seat", (1, 2, 2)),
    "RollingSphere on ground": gs.RollingSphere("c", "b", 0.2),
    "KnifeEdge": gs.KnifeEdge("c", "b.seat", (1, 0, "k"), "a.eye", (0, 1, 1)),
    "KnifeEdge on ground": gs.KnifeEdge("c", "b.eye"),
}


def constrained(*constraints: Constraint) -> FloatSystem:
    """Return a body on a hinge that carries a slide, another that flies, a driven spindle and a wheel."""
    model = gs.Model("two bodies", gravity=(0.3, -0.2, -9.81), parameters={"k": 12.0})
    places: dict[str, Any] = {
        "points": {"eye": (0.3, -0.2, 0.5)},
        "frames": {"seat": gs.Frame((0.1, 0.4, 0), [("x", 0.4), ("z", -1.1)])},
    }
    model.add(gs.Body("arm", mass=1.3, inertia=(1, 1.2, 1.1)))
    model.add(gs.Body("a", mass=1, inertia=(1, 1.1, 1.3), rotors=[gs.Rotor("wheel", "y", 0.2, free=True)], **places))
    model.add(gs.Body("b", mass=2, inertia=(0.7, 0.8, 0.9), com=(0.1, 0, 0.2), **places))
    model.add(gs.Body("shaft", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a_hinge", "ground", "arm", axis=(1, 2, 2)))
    model.add(gs.Prismatic("slide", ("arm", (0.5, 0, 0)), "a", axis="y"))
    model.add(gs.Free("flight", "ground", "b"))
    model.add(gs.Revolute("spindle", "a.eye", "shaft", driven="0.3*t + t**2"))
    for constraint in constraints:
        model.add(constraint)
    return float_system(model)


def matrix(system: FloatSystem, constraint: Constraint, q: Floats, t: float = T) -> Floats:
    """Return A, column by column, from speeds at unit rates."""
    still = np.array([row.speed for row in component_rows(system.motion(q, np.zeros(system.n_u), t), constraint)])
    columns = [
        np.array([row.speed for row in component_rows(system.motion(q, unit, t), constraint)], dtype=float) - still
        for unit in np.eye(system.n_u)
    ]
    return np.column_stack(columns)


def residuals(system: FloatSystem, constraint: Constraint, q: Floats, t: float = T) -> Floats:
    """Return the residuals; zero for nonholonomic rows."""
    rows = component_rows(system.motion(q, np.zeros(system.n_u), t), constraint)
    return np.array([0.0 if row.residual is None else row.residual for row in rows], dtype=float)


@cache
def case_of(name: str, seed: int = 1) -> tuple[FloatSystem, Floats, Floats]:
    """Return the system of a case with a random position that obeys its constraint, and any speeds."""
    system = constrained(MADE[name])
    return system, *_obeying_state(system, MADE[name], seed)


def _obeying_state(system: FloatSystem, constraint: Constraint, seed: int) -> tuple[Floats, Floats]:
    """Return a random position that obeys a constraint, and any speeds."""
    q, u = Draw(seed).state(system.system)
    for _ in range(60):
        gap = residuals(system, constraint, q)
        if np.abs(gap).max() < 1e-13:
            break
        step = np.linalg.lstsq(matrix(system, constraint, q), -gap, rcond=None)[0]
        step *= min(1.0, 0.3 / np.abs(step).max())
        q = q + system.coordinate_rates(q, step)
        for first in system.system.coordinates.euler_parameters.values():
            q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    assert np.abs(residuals(system, constraint, q)).max() < 1e-11
    return q, u
