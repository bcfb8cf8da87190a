"""Random models of everything that trees may have: all joints, rotors, forces and drivers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from random_trees import KINDS, Draw, TreeDescription

import gyrostat as gs
from gyrostat.model.forces import ForceElement

DRIVERS = ("0.4*sin(1.3*t) + 0.2*t", "0.7 - 0.3*t**2", "0.5*cos(2*t)*exp(-t/4)")
RATES = {
    "revolute": ("",),
    "prismatic": ("",),
    "screw": ("",),
    "cylindrical": (".angle", ".displacement"),
    "universal": (".angle1", ".angle2"),
    "angles": (".angle1", ".angle2", ".angle3"),
    "planar": (".x", ".y", ".angle"),
}
"""The coordinates, by their ending, of joints whose speeds are rates."""


@dataclass(frozen=True)
class Mixture:
    """What a random model has besides bodies and joints."""

    rotors: bool = True
    forces: bool = True
    drivers: bool = True


def random_model(seed: int, bodies: int, mixture: Mixture | None = None, kinds: tuple[str, ...] = KINDS) -> gs.Model:
    """Return a random model."""
    draw, chosen = Draw(seed), mixture or Mixture()
    tree = draw.tree(bodies, kinds)
    driven = random_drivers(draw, tree) if chosen.drivers else {}
    model = tree.model(driven=driven)
    if chosen.rotors:
        model = with_rotors(draw, model)
    if chosen.forces:
        for force in random_forces(draw, tree, model, driven):
            model.add(force)
    return model


def random_drivers(draw: Draw, tree: TreeDescription) -> dict[str, dict[str, str]]:
    """Return formulas for about a quarter of the coordinates."""
    driven: dict[str, dict[str, str]] = {}
    for body in tree.bodies:
        for ending in RATES.get(body.kind, ()):
            if draw.random.random() < 0.25:
                driven.setdefault(body.joint, {})[ending.removeprefix(".")] = str(draw.random.choice(list(DRIVERS)))
    return driven


def with_rotors(draw: Draw, model: gs.Model) -> gs.Model:
    """Return the model with rotors of all sorts on about half of its bodies."""
    other = gs.Model(model.name, gravity=model.gravity)
    for component in model.components.values():
        if isinstance(component, gs.Body) and component.name != "ground" and draw.random.random() < 0.5:
            given: list[dict[str, Any]] = [
                {"inertia": 0.02, "spin": 11.0},
                {"inertia": 0.03, "spin": "5*sin(2*t) + 3*t"},
                {"momentum": "0.4 - 0.2*t**2"},
                {"inertia": 0.04, "free": True},
            ]
            chosen = draw.random.choice(len(given), size=2, replace=False)
            rotors = [gs.Rotor(f"wheel{i}", draw.axis(), **given[i]) for i in chosen]
            component = gs.Body(
                component.name,
                mass=component.mass,
                com=component.com,
                inertia=component.inertia,
                frames=component.frames,
                rotors=rotors,
            )
        other.add(component)
    return other


def random_forces(draw: Draw, tree: TreeDescription, model: gs.Model, driven: dict[str, Any]) -> list[ForceElement]:
    """Return one or two of every force element, with laws of every variable."""
    names = [body.name for body in tree.bodies]

    def somewhere() -> Any:
        return (str(draw.random.choice([*names, "ground"])), draw.vector(0.7))

    def on_a_body() -> Any:
        return (str(draw.random.choice(names)), draw.vector(0.7))

    def pair() -> tuple[Any, Any]:
        a, b = somewhere(), somewhere()
        while a[0] == b[0]:
            b = somewhere()
        return a, b

    def frames() -> list[str]:
        return [str(draw.random.choice(names)) + ".hinge", "ground"]

    free = [
        body.joint + ending
        for body in tree.bodies
        for ending in RATES.get(body.kind, ())
        if ending.removeprefix(".") not in driven.get(body.joint, {})
    ]
    rotors = [f"{b.name}.{r.name}" for b in model.bodies.values() for r in b.rotors if r.free]
    loaded = [*free, *rotors]
    found: list[ForceElement] = [
        gs.SpringDamper("spring", *pair(), stiffness=20.0, damping=0.8, length=0.5),
        gs.SpringDamper("law", *pair(), force="3*length**2 - 0.5*rate + sin(t)"),
        gs.Bushing("mount", *frames(), (5, 6, 7), (0.3, 0.2, 0.1), (1.5, 1.2, 1.1), (0.05, 0.04, 0.03)),
        gs.Force("push", on_a_body(), ("2*cos(t)", 0.3, "-1.1"), axes="body"),
        gs.Force("wind", on_a_body(), (0.4, "0.2*t", 0), axes="world"),
        gs.Torque("twist", names[0], (0.1, -0.4, "t/3"), axes=f"{names[-1]}.hinge"),
    ]
    if loaded:
        coordinate = str(draw.random.choice(loaded))
        found += [
            gs.JointSpring("strut", coordinate, 2.0, 0.1, force="0.2*cos(rate)"),
            gs.TorsionSpring("coil", coordinate, 4.0, 0.3, 0.2, torque="0.5*sin(angle) - 0.1*rate**3"),
            gs.Actuator("motor", str(draw.random.choice(loaded))),
            gs.Force("servo", on_a_body(), (f"-2*{coordinate}", "motor", f"0.3*{coordinate}.rate")),
        ]
    return found


def random_inputs(draw: Draw, system: gs.System) -> dict[str, float]:
    """Return values for all inputs."""
    return {name: float(draw.random.normal()) for name in system.inputs}
