"""What tests of impacts with friction share: models with parameters for geometry and laws."""

from __future__ import annotations

from functools import cache

import numpy as np
from random_trees import Floats

import gyrostat as gs

RADIUS = 0.1
FLOOR = {"e": 0.5, "mu": 0.3}
"""Default values of the parameters of the contact."""


@cache
def sphere(*, spatial: bool) -> gs.System:
    """Return a homogeneous sphere without gravity; y is up."""
    model = gs.Model("ball", parameters={"r": RADIUS, **FLOOR})
    model.add(gs.Body("ball", gs.sphere(2.0, "r")))
    model.add(gs.Free("p", "ground", "ball") if spatial else gs.Planar("p", "ground", "ball"))
    return gs.formulate(model)


@cache
def rod() -> gs.System:
    """Return a slender rod of 1 kg and 1 m in the plane, without gravity."""
    model = gs.Model("rod", parameters=FLOOR)
    model.add(gs.Body("rod", gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "rod"))
    return gs.formulate(model)


@cache
def double_pendulum() -> gs.System:
    """Return two equal slender rods of 1 kg and 1 m that hang from a pin 1.5 m above the floor, without gravity."""
    model = gs.Model("double pendulum", parameters={"depth": 1.5, **FLOOR})
    for i in (1, 2):
        points = {"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}
        model.add(gs.Body(f"bar{i}", gs.slender_rod(1.0, 1.0, along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top"))
    return gs.formulate(model)


@cache
def parallelogram() -> gs.System:
    """Return a parallelogram of four bars of 1 m and 1 kg, a closed loop, without gravity."""
    model = gs.Model("parallelogram", parameters=FLOOR)
    for name in ("left", "right", "coupler"):
        model.add(gs.Body(name, gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Body("base", mass=1.0, inertia=(1, 1, 1), points={"c": (1.0, 0, 0)}))
    model.add(gs.Weld("w", "ground", "base"))
    model.add(gs.Revolute("h1", "base", "left.a", initial=0.5))
    model.add(gs.Revolute("h2", "left.b", "coupler.a", initial=-0.5))
    model.add(gs.Revolute("h3", "base.c", "right.a", initial=0.5))
    model.add(gs.Revolute("h4", "coupler.b", "right.b"))
    return gs.formulate(model)


@cache
def chain() -> gs.System:
    """Return a chain of three rods in the plane; s and c are signs and levels of obstacles, e and mu their laws."""
    names = [f"{kind}{i}" for i in range(4) for kind in ("s", "c", "e", "mu")]
    parameters = {"m1": 1.0, "m2": 1.0, "m3": 1.0, **dict.fromkeys(names, 0.0)}
    model = gs.Model("chain", parameters=parameters)
    for i in (1, 2, 3):
        model.add(
            gs.Body(f"bar{i}", gs.slender_rod(f"m{i}", 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)})
        )
    model.add(gs.Planar("p", "ground", "bar1"))
    model.add(gs.Revolute("a2", "bar1.b", "bar2.a"))
    model.add(gs.Revolute("a3", "bar2.b", "bar3.a"))
    return gs.formulate(model)


CHAIN_POINTS = ("bar1.a.y", "bar1.b.x", "bar2.b.y", "bar3.b.y")
"""Coordinates of points of the chain that meet obstacles."""


def chain_jacobian(q: Floats, *, along: bool = False) -> Floats:
    """Return the derivatives of the points' coordinates by the speeds, from the geometry of the chain.

    along: those of the other coordinate in the plane, along the obstacle.
    """
    angles = np.cumsum(q[2:])
    turned = np.column_stack((-np.sin(angles), np.cos(angles)))  # derivative of each bar's direction
    rows = []
    for bar, axis, arms in ((0, 1, [-0.5]), (0, 0, [0.5]), (1, 1, [0.5, 1.0]), (2, 1, [0.5, 1.0, 1.0])):
        row, axis = np.zeros(5), 1 - axis if along else axis
        row[axis] = 1.0
        for k in range(bar + 1):
            row[2 : 3 + k] += arms[k] * turned[k, axis]
        rows.append(row)
    return np.array(rows)


def component(run: gs.Trajectory, point: str) -> float:
    """Return the last value of a component of a point."""
    name, axis = point.rsplit(".", 1)
    return float(run[name].sel(axis=axis).values[-1])
