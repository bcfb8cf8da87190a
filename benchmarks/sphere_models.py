"""Motions with contacts that have a known end, as gyrostat's models: bounces, sliding, a stack, spheres in a box."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

import gyrostat as gs

RADIUS, SPACING, STIFFNESS, GRAVITY = 0.1, 0.22, 1e6, 9.81
RESTITUTION, MU = 0.5, 0.3
_FREQUENCY, _STEP = 300.0, 2e-3
"""Frequency of contacts of peers (rad/s) at a step (s): half a period is the time of contact of a sphere at 1 m/s."""
_DROP = 0.5
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Spheres:
    """Spheres of 1 kg on a floor, in a box of a width if there is one."""

    name: str
    centres: Floats
    """Shape (n, 3)."""
    speed: float
    """Initial velocity of all along x."""
    duration: float
    width: float | None = None
    lifts: tuple[float, ...] = (0.0,)
    """How much higher all spheres begin, in each of several motions."""

    def model(self) -> gs.Model:
        """Return the model with `Contacts`."""
        plane, half = gs.shapes.Plane, [("z", np.pi)]
        walls = {"bottom": plane()}
        if self.width is not None:
            walls |= {
                "west": plane(along="x"),
                "east": plane(along="x", at=(self.width, 0, 0), turn=half),
                "south": plane(along="y"),
                "north": plane(along="y", at=(0, self.width, 0), turn=half),
            }
        model = gs.Model(self.name, gravity=(0, 0, -GRAVITY))
        model.add(gs.Body("ground", surfaces=walls))
        names = [f"b{i}" for i in range(len(self.centres))]
        for name, (x, y, z) in zip(names, self.centres.tolist(), strict=True):
            model.add(gs.Body(name, gs.sphere(1.0, RADIUS)))
            model.add(gs.Free(f"{name}_motion", "ground", name, initial={"x": x, "y": y, "z": z}))
        law = gs.HuntCrossley(STIFFNESS, restitution=RESTITUTION, speed=None if self.width is None else 1)
        friction = gs.Coulomb(MU, speed=0.01)
        model.add(gs.Contacts("grains", among=["ground", *names], normal=law, friction=friction))
        return model


def rigid_model(spheres: Spheres) -> gs.Model:
    """Return spheres above one another with `RigidContact` of each with the next, and of the lowest with the floor."""
    model = gs.Model(spheres.name, gravity=(0, 0, -GRAVITY))
    model.add(gs.Body("ground", surfaces={"bottom": gs.shapes.Plane()}))
    below = "ground.bottom"
    for i, (x, y, z) in enumerate(spheres.centres.tolist()):
        model.add(gs.Body(f"b{i}", gs.sphere(1.0, RADIUS)))
        model.add(gs.Free(f"b{i}_motion", "ground", f"b{i}", initial={"x": x, "y": y, "z": z}))
        model.add(gs.RigidContact(f"c{i}", f"b{i}", below, mu=MU, restitution=RESTITUTION))
        below = f"b{i}"
    return model


def bounce() -> tuple[Spheres, Floats]:
    """Return a ball that bounces twice, from five heights, and the places of a rigid one with the restitution.

    A single height is a matter of luck for fixed steps: it decides where in a step the ball touches.
    """
    lifts = (-0.04, -0.023, 0.0, 0.019, 0.04)
    spheres = Spheres("bounce", np.array([[0.0, 0.0, RADIUS + _DROP]]), 0.0, 0.75, lifts=lifts)
    return spheres, np.array([[0.0, 0.0, RADIUS + _bounced(_DROP + lift, spheres.duration)] for lift in lifts]).ravel()


def _bounced(height: float, t: float) -> float:
    """Return how high a rigid ball is that was dropped from a height, after one or two bounces."""
    speed = np.sqrt(2 * GRAVITY * height)
    left, z = t - speed / GRAVITY, 0.0
    for _ in range(2):
        speed *= RESTITUTION
        flight = 2 * speed / GRAVITY
        z = speed * left - 0.5 * GRAVITY * left**2
        if left < flight:
            break
        left -= flight
    return float(z)


def slide() -> tuple[Spheres, Floats]:
    """Return a ball that slides and comes to roll with 5/7 of its speed, and its place."""
    v, t = 5.0, 2.0
    rolling = 2 * v / (7 * MU * GRAVITY)
    x = v * rolling - 0.5 * MU * GRAVITY * rolling**2 + 5 / 7 * v * (t - rolling)
    return Spheres("slide to roll", np.array([[0.0, 0.0, RADIUS]]), v, t), np.array([x, 0.0, RADIUS])


def stack() -> tuple[Spheres, Floats]:
    """Return ten spheres on each other at rest, and the place of the highest."""
    centres = np.array([[0.0, 0.0, RADIUS * (1 + 2 * i)] for i in range(10)])
    return Spheres("stack of ten", centres, 0.0, 0.5), centres[-1]


def box(count: int) -> Spheres:
    """Return spheres on a cubic lattice with small random displacements, which fall into a box."""
    side = max(2, round(count ** (1 / 3)))
    n = np.arange(count)
    lattice = np.stack((n % side, n // side % side, n // side**2), axis=1) + 0.5
    centres: Floats = SPACING * lattice + np.random.default_rng(0).uniform(-0.005, 0.005, (count, 3))
    return Spheres(f"{count} spheres in a box", centres, 0.0, 0.3, SPACING * side)


def contact_frequency(step: float) -> float:
    """Return the undamped frequency (rad/s) of a contact for a peer with springs and dampers, by its step.

    The time of contact falls with the root of the step, and so does the step's part of it: both errors go together.
    """
    return _FREQUENCY * math.sqrt(_STEP / step)


def damping_ratio(*, pulls: bool) -> float:
    """Return the damping ratio of a linear spring and damper that return the restitution's part of the speed.

    The damper may pull at the end of the contact, which then lasts half a period, or the contact ends before.
    """

    def excess(ratio: float) -> float:
        root = math.sqrt(1 - ratio**2)
        angle = math.pi if pulls else math.pi - math.atan2(2 * ratio * root, 1 - 2 * ratio**2)
        return math.exp(-ratio / root * angle) - RESTITUTION

    return float(brentq(excess, 1e-6, 1 - 1e-6))


def plates(side: int, count: int = 11) -> gs.Model:
    """Return plates of side × side spheres above each other, of which each touches the next ones."""
    model = gs.Model("plates of spheres", gravity=(0, 0, -GRAVITY))
    sphere = gs.shapes.Sphere
    surfaces = {
        f"s{i}": sphere(RADIUS, at=(2.1 * RADIUS * (i % side), 2.1 * RADIUS * (i // side), 0)) for i in range(side**2)
    }
    names = [f"p{i}" for i in range(count)]
    for i, name in enumerate(names):
        model.add(gs.Body(name, gs.box(1, 1, 1, 0.1), surfaces=surfaces))
        model.add(gs.Free(f"{name}_motion", "ground", name, initial={"z": 1.95 * RADIUS * i}))
    law = gs.HuntCrossley(STIFFNESS, restitution=RESTITUTION, speed=1)
    model.add(gs.Contacts("grains", among=names, normal=law, friction=gs.Coulomb(MU, speed=0.01)))
    return model
