"""Helpers of tests of simulations: a tight integrator, times of events, small models."""

from __future__ import annotations

from typing import Any

import numpy as np
from random_trees import Floats

import gyrostat as gs

TIGHT = gs.DOP853(rtol=1e-13, atol=1e-14)
"""An integrator whose errors are near rounding."""


def event_times(trajectory: gs.Trajectory, name: str) -> Floats:
    """Return the times at which an event happened."""
    return np.array([one.time for one in trajectory.at_event(name)])


def columns(trajectory: gs.Trajectory, *names: str) -> Floats:
    """Return scalar outputs side by side."""
    return np.column_stack([trajectory[name].values for name in names])


def ball(**options: Any) -> gs.Model:
    """Return a ball of 1 kg that falls along z."""
    model = gs.Model("ball", gravity=(0, 0, "-g"), parameters={"g": 9.81, **options})
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("z", "ground", "ball", axis="z"))
    return model


def oscillator() -> gs.Model:
    """Return a mass on a spring along x, with an actuator: x″ = −k x + motor."""
    model = gs.Model("oscillator", parameters={"k": 1.0})
    model.add(gs.Body("mass", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("spring", "x", "k"))
    model.add(gs.Actuator("motor", "x"))
    return model


def double_pendulum() -> gs.Model:
    """Return two rods with a motor at the first hinge."""
    model = gs.Model("double pendulum", gravity=(0, "-g", 0), parameters={"m1": 1.2, "m2": 0.7, "g": 9.81})
    for i in (1, 2):
        points = {"top": (0, 0.5, 0), "tip": (0, -0.5, 0)}
        model.add(gs.Body(f"bar{i}", gs.rod(f"m{i}", 1.0, along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top"))
    model.add(gs.Actuator("motor", "a1"))
    return model


__all__ = ["TIGHT", "ball", "columns", "double_pendulum", "event_times", "oscillator"]
