"""Models that speed is measured on: a robot arm, a walking tree, a chain of universal joints.

Every joint coordinate has an actuator, so that inverse dynamics is the inputs' counterpart of forward dynamics. Masses
and dimensions are drawn once, from generators with fixed seeds, and are the same for every package in a comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import gyrostat as gs

GRAVITY = 9.81
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class HingedBody:
    """A body on a hinge: its frame is the hinge's, placed in the parent (None is the ground) at `at`, turned by rpy."""

    name: str
    parent: str | None
    axis: Sequence[float]
    at: Sequence[float]
    mass: float
    com: NDArray[np.float64]
    inertia: NDArray[np.float64]
    rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)


def seven_joint_arm() -> gs.Model:
    """Return a robot arm of seven hinges, one of them askew."""
    return _hinged_model("seven-joint arm", _arm())


def bare_arm(name: str) -> gs.Model:
    """Return the same arm under another name and without actuators."""
    return _hinged_model(name, _arm(), actuated=False)


def bar_pendulum() -> gs.Model:
    """Return a double pendulum of uniform bars, 1 kg and 1 m each."""
    down = np.array([0.0, 0.0, -0.5])
    bodies = [
        HingedBody("bar1", None, Y, (0, 0, 0), 1.0, down, _rod_inertia(1.0, 1.0)),
        HingedBody("bar2", "bar1", Y, (0, 0, -1.0), 1.0, down, _rod_inertia(1.0, 1.0)),
    ]
    return _hinged_model("double pendulum", bodies)


def damped(model: gs.Model, damping: float) -> gs.Model:
    """Add dampers to all coordinates of the joints and return the model."""
    for joint in tuple(model.joints.values()):
        for name in joint.coordinate_names:
            model.add(gs.TorsionSpring(f"damper_{name.replace('.', '_')}", name, damping=damping))
    return model


def thirty_joint_tree() -> gs.Model:
    """Return a walker of thirty hinges: a waist, a neck, two arms, and two legs that stand on the ground."""
    return _hinged_model("thirty-joint tree", _walker())


def universal_chain(links: int) -> gs.Model:
    """Return a hanging chain of thin rods, 10 m long in all, on universal joints."""
    length, mass, radius = 10.0 / links, 0.05, 0.02
    across = mass * length * length / 12 + mass * radius * radius / 4
    inertia = (across, across, mass * radius * radius / 2)
    model = gs.Model(f"chain of {links} links", gravity=(0, 0, -GRAVITY))
    for i in range(links):
        model.add(gs.Body(f"link{i}", mass=mass, com=(0, 0, -length / 2), inertia=inertia))
        inboard = "ground" if i == 0 else (f"link{i - 1}", (0, 0, -length))
        model.add(gs.Universal(f"joint{i}", inboard, f"link{i}"))
    for i in range(links):
        for angle in ("angle1", "angle2"):
            model.add(gs.Actuator(f"motor{i}_{angle}", f"joint{i}.{angle}"))
    return model


def hinge_chain(links: int) -> gs.Model:
    """Return a hanging chain of thin rods, 0.1 m each, on hinges about x and y in turn."""
    length, mass, radius = 0.1, 0.05, 0.02
    across = mass * length * length / 12 + mass * radius * radius / 4
    inertia = np.diag([across, across, mass * radius * radius / 2])
    com = np.array([0, 0, -length / 2])
    bodies = [
        HingedBody(
            name=f"link{i}",
            parent=f"link{i - 1}" if i else None,
            axis=Y if i % 2 else X,
            at=(0, 0, -length if i else 0),
            mass=mass,
            com=com,
            inertia=inertia,
        )
        for i in range(links)
    ]
    return _hinged_model(f"chain of {links} hinges", bodies)


def hinge_tree(links: int) -> gs.Model:
    """Return a random tree of bodies on hinges, each on one of the six before it, with frames turned at random."""
    draw = np.random.default_rng(0)
    bodies = [
        HingedBody(
            name=f"body{i}",
            parent=f"body{draw.integers(max(0, i - 6), i)}" if i else None,
            axis=_unit(draw),
            at=tuple(draw.normal(size=3) * 0.1),
            rpy=tuple(draw.uniform(-3, 3, size=3)),
            mass=float(draw.uniform(0.5, 2)),
            com=draw.normal(size=3) * 0.05,
            inertia=_random_inertia(draw, 0.02),
        )
        for i in range(links)
    ]
    return _hinged_model(f"tree of {links} hinges", bodies)


def _unit(draw: np.random.Generator) -> tuple[float, ...]:
    axis = draw.normal(size=3)
    return tuple((axis / np.linalg.norm(axis)).tolist())


def _hinged_model(name: str, bodies: Sequence[HingedBody], *, actuated: bool = True) -> gs.Model:
    """Return a model with one hinge and, where it is actuated, one actuator for each body."""
    model = gs.Model(name, gravity=(0, 0, -GRAVITY))
    frames: dict[str, dict[str, gs.Frame]] = {"ground": {}, **{body.name: {} for body in bodies}}
    for body in bodies:
        roll, pitch, yaw = body.rpy
        turn = [(axis, angle) for axis, angle in (("z", yaw), ("y", pitch), ("x", roll)) if angle != 0]
        frames[body.parent or "ground"][f"to_{body.name}"] = gs.Frame(tuple(body.at), turn)
    model.add(gs.Body("ground", frames=frames["ground"]))
    for body in bodies:
        inertia = [[float(x) for x in row] for row in body.inertia]
        com = tuple(float(x) for x in body.com)
        model.add(gs.Body(body.name, mass=body.mass, com=com, inertia=inertia, frames=frames[body.name]))
        inboard = f"{body.parent or 'ground'}.to_{body.name}"
        model.add(gs.Revolute(f"joint_{body.name}", inboard, body.name, axis=tuple(body.axis)))
    for body in bodies if actuated else ():
        model.add(gs.Actuator(f"motor_{body.name}", f"joint_{body.name}"))
    return model


BENCHMARKED: dict[str, Callable[[], gs.Model]] = {
    "seven_joint_arm": seven_joint_arm,
    "thirty_joint_tree": thirty_joint_tree,
    "universal_chain": lambda: universal_chain(100),
}
"""The models that are compared with other packages, by name."""


def _rod_inertia(mass: float, length: float) -> NDArray[np.float64]:
    """Return the inertia tensor of a rod along z whose radius is a hundredth of its length."""
    across, along = mass * length * length / 12, 0.5e-4 * mass * length * length
    return np.diag([across, across, along])


def _random_inertia(draw: np.random.Generator, size: float) -> NDArray[np.float64]:
    """Return the inertia tensor of a body with a random spread of mass, hence one that can exist."""
    A = draw.normal(size=(3, 3))
    spread = A @ A.T + 0.5 * np.eye(3)
    return size * (np.trace(spread) * np.eye(3) - spread)


def _arm() -> list[HingedBody]:
    draw = np.random.default_rng(1)
    axes = (Z, Y, Z, (0.6, 0.0, 0.8), Z, X, Z)
    level = (0.0, 0.0, 0.0)
    turns = (level, (0.3, -0.2, 0.5), level, level, (0.0, np.pi / 2, 0.0), (-0.4, 0.6, 0.1), level)
    places = (
        *((0, 0, 0.3), (0, 0.05, 0.25), (0.02, 0, 0.3), (0, -0.06, 0.3)),
        *((0, 0.03, 0.2), (0, 0, 0.22), (0.05, 0, 0.1)),
    )
    masses = (4, 3.5, 3, 2.5, 2, 1.5, 0.7)
    coms = draw.normal(size=(7, 3)) * 0.05 + np.array([0, 0, 0.1])
    inertias = [_random_inertia(draw, 0.01 * mass) for mass in masses]
    return [
        HingedBody(f"link{i}", f"link{i - 1}" if i else None, axes[i], places[i], masses[i], coms[i], inertias[i], rpy)
        for i, rpy in enumerate(turns)
    ]


@dataclass
class _Walker:
    """Bodies gathered one by one, each drawing its mass centre and inertia."""

    draw: np.random.Generator = field(default_factory=lambda: np.random.default_rng(2))
    bodies: list[HingedBody] = field(default_factory=list)

    def hinge(
        self,
        parent: str | None,
        axis: Sequence[float],
        at: Sequence[float],
        mass: float,
        rpy: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> str:
        """Add a body and return its name."""
        name = f"link{len(self.bodies)}"
        com = self.draw.normal(size=3) * 0.03 + np.array([0, 0, -0.08])
        inertia = _random_inertia(self.draw, 0.004 * mass)
        self.bodies.append(HingedBody(name, parent, axis, at, mass, com, inertia, rpy))
        return name

    def limb(self, parent: str | None, *hinges: tuple[Sequence[float], Sequence[float], float]) -> str | None:
        """Add a row of bodies and return the last."""
        for axis, at, mass in hinges:
            parent = self.hinge(parent, axis, at, mass)
        return parent


def _walker() -> list[HingedBody]:
    walker = _Walker()
    trunk = walker.limb(None, (Z, (0, 0, 1.0), 3.0), (Y, (0, 0, 0.1), 2.0), (X, (0, 0, 0.1), 12.0))
    walker.limb(trunk, (Z, (0, 0, 0.4), 0.5), (Y, (0, 0, 0.05), 0.5), (X, (0, 0, 0.05), 4.0))
    for side in (1, -1):
        shoulder = walker.hinge(trunk, Y, (0, side * 0.2, 0.35), 1.5, (side * 0.2, 0.0, 0.0))
        walker.limb(
            shoulder,
            *((X, (0, side * 0.05, 0), 1.0), (Z, (0, 0, -0.1), 1.5), (Y, (0.02, 0, -0.2), 1.0)),
            *((Z, (0, 0, -0.1), 0.8), (Y, (0, 0, -0.15), 0.5)),
        )
    for side in (1, -1):
        walker.limb(
            None,
            *((Z, (0, side * 0.1, 0.95), 1.5), (X, (0, 0, -0.03), 1.5), (Y, (0.01, 0, -0.03), 6.0)),
            *((Y, (0, 0, -0.4), 3.0), (Y, (0, 0, -0.4), 0.6), (X, (0, 0, -0.02), 1.0)),
        )
    return walker.bodies
