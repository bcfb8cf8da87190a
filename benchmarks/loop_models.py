"""Closed loops that speed is measured on: four-bars in a row, and trusses of squares."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

import gyrostat as gs

GRAVITY = 9.81
START_RATE = 1.0


def four_bars(count: int) -> gs.Model:
    """Return parallelograms in a row: uniform cranks upright at 0, 1, 2, … m, couplers between their tips.

    All bars have 1 kg and 1 m; a positive angle of a crank leans it to the right.
    """
    model = gs.Model(f"{count} four-bars" if count > 1 else "four-bar", gravity=(0, -GRAVITY, 0))
    ends = {"a": -0.5, "b": 0.5}
    for i in range(count + 1):
        points = {name: (0, at, 0) for name, at in ends.items()}
        model.add(gs.Body(f"crank{i}", gs.slender_rod(1.0, 1.0, along="y"), points=points))
        model.add(gs.Revolute(f"c{i}", ("ground", (i, 0, 0)), f"crank{i}.a", axis="-z"))
    for i in range(count):
        points = {name: (at, 0, 0) for name, at in ends.items()}
        model.add(gs.Body(f"coupler{i}", gs.slender_rod(1.0, 1.0, along="x"), points=points))
        model.add(gs.Revolute(f"k{i}", f"crank{i}.b", f"coupler{i}.a", axis="-z"))
        model.add(gs.Revolute(f"x{i}", f"crank{i + 1}.b", f"coupler{i}.b", axis="-z"))
    return model


def truss(side: int) -> gs.Model:
    """Return squares of hinged rods, `side` beside and `side` above each other, whose lowest posts stand on the ground.

    All rods have 1 kg and 1 m. The posts of each storey can lean alike, so that there are `side` freedoms.
    """
    model = gs.Model(f"truss of {side} × {side} squares", gravity=(0, -GRAVITY, 0))
    ends = {"a": -0.5, "b": 0.5}
    at: dict[tuple[int, int], list[str]] = {(i, 0): [] for i in range(side + 1)}  # by node: the ends of rods there
    for j in range(side):
        for i in range(side + 1):
            points = {name: (0, y, 0) for name, y in ends.items()}
            post = model.add(gs.Body(f"post{j}_{i}", gs.slender_rod(1.0, 1.0, along="y"), points=points)).name
            at.setdefault((i, j), []).append(f"{post}.a")
            at.setdefault((i, j + 1), []).append(f"{post}.b")
        for i in range(side):
            points = {name: (x, 0, 0) for name, x in ends.items()}
            beam = model.add(gs.Body(f"beam{j}_{i}", gs.slender_rod(1.0, 1.0, along="x"), points=points)).name
            at[i, j + 1].append(f"{beam}.a")
            at[i + 1, j + 1].append(f"{beam}.b")
    for (i, j), rods in at.items():
        first = ("ground", (i, 0, 0)) if j == 0 else rods[0]
        for k, rod in enumerate(rods if j == 0 else rods[1:]):
            model.add(gs.Revolute(f"h{j}_{i}_{k}", first, rod))
    return model


def truss_start(side: int, rate: float) -> dict[str, float]:
    """Return speeds in absolute coordinates: the posts of each storey turn half as fast as those below it."""
    found: dict[str, float] = {}
    below = 0.0
    for j in range(side):
        turning = rate / 2.0**j
        for i in range(side + 1):
            found |= {f"post{j}_{i}.angle.rate": turning, f"post{j}_{i}.x.rate": below - 0.5 * turning}
        below -= turning
        found |= {f"beam{j}_{i}.x.rate": below for i in range(side)}
    return found


def crank_angle(count: int, t: float) -> float:
    """Return the angle at a time, from upright with the rate at the start.

    All cranks turn alike and couplers do not turn: ((N+1)/3 + N) L θ̈ = ((N+1)/2 + N) g sin θ.
    """
    factor = ((count + 1) / 2 + count) * GRAVITY / ((count + 1) / 3 + count)
    found = solve_ivp(
        lambda _, y: (y[1], factor * np.sin(y[0])), (0.0, t), (0.0, START_RATE), method="DOP853", rtol=1e-13, atol=1e-13
    )
    return float(found.y[0, -1])
