"""Models with blocks that several tests share."""

from __future__ import annotations

from functools import cache
from typing import Any

import gyrostat as gs


def block_on_a_slide(*components: Any, mass: float = 1.0, **parameters: float) -> gs.Model:
    """Return a mass on a slide x with components."""
    model = gs.Model("block", parameters=parameters)
    model.add(gs.Body("block", gs.point_mass(mass)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    for component in components:
        model.add(component)
    return model


@cache
def motor_servo() -> gs.System:
    """Return a hanging rod that a motor with PI control turns to 0.6 rad."""
    model = gs.Model("servo", gravity=(0, -9.81, 0))
    model.add(gs.Body("rod", gs.rod(0.5, 0.4, along="y"), points={"top": (0, 0.2, 0)}))
    model.add(gs.Revolute("a", "ground", "rod.top"))
    model.add(gs.PI("controller", "0.6 - a", proportional=8, integral=20, unit="V"))
    model.add(gs.DCMotor("motor", "a", 1.2, 0.002, 0.05, gear=20, voltage="controller"))
    model.add(gs.TorsionSpring("bearing", "a", damping=0.01))
    return gs.formulate(model)


def held_four_bar(name: str) -> gs.Model:
    """Return a four-bar under gravity, without anything that holds its crank c."""
    model = gs.Model(name, gravity=(0, -9.81, 0))
    model.add(gs.Body("ground", points={"pivot": (1.0, 0, 0)}))
    for body, length in (("crank", 0.3), ("coupler", 0.9), ("rocker", 0.6)):
        points = {"p": (-length / 2, 0, 0), "d": (length / 2, 0, 0)}
        model.add(gs.Body(body, gs.rod(1.0, length, along="x"), points=points))
    model.add(gs.Revolute("c", "ground", "crank.p", initial={"angle": 0.5}))
    model.add(gs.Revolute("k", "crank.d", "coupler.p"))
    model.add(gs.Revolute("r", "ground.pivot", "rocker.p", initial={"angle": 1.5}))
    model.add(gs.Revolute("x", "coupler.d", "rocker.d"))
    return model


def motor_four_bar() -> gs.System:
    """Return a four-bar whose crank a motor holds against gravity, with PI control and bristles in a joint."""
    model = held_four_bar("four-bar with motor")
    model.add(gs.PI("controller", "0.6 - c", 30, 40))
    model.add(gs.Lag("amplifier", "controller", 0.01))
    model.add(gs.DCMotor("motor", "c", 1.2, 0.01, 0.3, gear=4, voltage="amplifier"))
    model.add(gs.TorsionSpring("bearing", "c", damping=0.05))
    return gs.formulate(model)
