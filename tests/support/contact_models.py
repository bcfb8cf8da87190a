"""Models with contacts: balls over a floor, a block on an incline, spheres on each other."""

from __future__ import annotations

from functools import cache

import numpy as np

import gyrostat as gs
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.friction import FrictionLaw

GRAVITY = 9.81
RADIUS = 0.1


def floor() -> gs.Body:
    return gs.Body("ground", surfaces={"floor": gs.shapes.Plane()})


def falling_ball(normal: NormalLaw, gravity: float = GRAVITY) -> gs.System:
    """Return a ball of 1 kg on a vertical guide, with its centre at the height h."""
    model = gs.Model("ball", gravity=(0, 0, -gravity))
    model.add(floor())
    model.add(gs.Body("ball", gs.sphere(1.0, RADIUS)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z"))
    model.add(gs.Contact("c", "ball", "ground.floor", normal))
    return gs.formulate(model)


@cache
def adjustable_ball(exponent: float = 1.5) -> gs.System:
    """Return a ball whose restitution e, stiffness k and gravity g are parameters."""
    model = gs.Model("ball", gravity=(0, 0, "-g"), parameters={"e": 0.8, "k": 1e7, "g": 0.0})
    model.add(floor())
    model.add(gs.Body("ball", gs.sphere(1.0, RADIUS)))
    model.add(gs.Prismatic("h", "ground", "ball", axis="z"))
    model.add(gs.Contact("c", "ball", "ground.floor", gs.HuntCrossley("k", exponent, restitution="e")))
    return gs.formulate(model)


def sliding_block(friction: FrictionLaw, slope: float, push: str = "0") -> gs.System:
    """Return a block of 1 kg on a plane inclined by an angle, with its coordinates x uphill and z."""
    model = gs.Model("block", gravity=(-GRAVITY * np.sin(slope), 0, -GRAVITY * np.cos(slope)))
    model.add(floor())
    model.add(gs.Body("block", gs.point_mass(1.0)))
    model.add(gs.Body("guide", mass=0))
    model.add(gs.Prismatic("x", "ground", "guide", axis="x"))
    model.add(gs.Prismatic("z", "guide", "block", axis="z"))
    law = gs.HuntCrossley(1e6, 1, restitution=0.3)
    model.add(gs.Contact("c", "block", "ground.floor", law, friction, shape_a=gs.shapes.Sphere(0.01)))
    model.add(gs.Force("push", "block", (push, 0, 0)))
    return gs.formulate(model)
