"""Small models with known linear behaviour."""

from __future__ import annotations

from functools import cache
from math import pi

import gyrostat as gs

HANGING = {1.0: pi / 2, 2.0: pi / 3}
"""For each distance of the ground pivots, by how much the first bar hangs down."""


@cache
def hanging_four_bar(base: float) -> gs.System:
    """Return three uniform rods of 1 m and 1 kg between two pivots at one height."""
    model = gs.Model("hanging four-bar", gravity=(0, -9.81, 0))
    for name in ("a", "b", "c"):
        model.add(gs.Body(name, gs.slender_rod(1, 1, along="x"), points={"l": (-0.5, 0, 0), "r": (0.5, 0, 0)}))
    turn = HANGING[base]
    model.add(gs.Revolute("h1", "ground", "a.l", initial=-turn))
    model.add(gs.Revolute("h2", "a.r", "b.l", initial=turn))
    model.add(gs.Revolute("h3", "b.r", "c.l", initial=turn))
    model.add(gs.Revolute("h4", ("ground", (base, 0, 0)), "c.r"))
    return gs.formulate(model)


@cache
def slider_pendulum() -> gs.System:
    """Return a slider on spring and damper, with a compound pendulum (004 section 3.2.4)."""
    values = {"m2": 10, "m3": 20, "l": 2, "j": 15, "k": 20, "c": 20, "g": 9.81}
    model = gs.Model("slider-pendulum", gravity=(0, 0, "-g"), parameters=values)
    model.add(gs.Body("slider", mass="m2"))
    model.add(gs.Body("bar", mass="m3", inertia=("j", "j", 1), points={"top": (0, 0, "l/2"), "tip": (0, 0, "-l/2")}))
    model.add(gs.Prismatic("y", "ground", "slider", axis="y"))
    model.add(gs.Revolute("theta", "slider", "bar.top", axis="x"))
    model.add(gs.TorsionSpring("spring", "y", stiffness="k", damping="c"))
    model.add(gs.Actuator("motor", "theta"))
    return gs.formulate(model)


@cache
def rotating_pendulum() -> gs.System:
    """Return a point mass on a rod that turns about the vertical (004 section 5.3)."""
    model = gs.Model("rotating pendulum", gravity=(0, 0, "-g"), parameters={"m": 10, "l": 0.5, "g": 9.81})
    model.add(gs.Body("hub", mass=0))
    model.add(gs.Body("bob", gs.point_mass("m"), points={"top": (0, 0, "l")}))
    model.add(gs.Revolute("phi", "ground", "hub", axis="z"))
    model.add(gs.Revolute("theta", "hub", "bob.top", axis="y"))
    return gs.formulate(model)


@cache
def sleeping_top(angles: bool) -> gs.System:
    """Return a heavy symmetric top, upright on a fixed point: with angles about fixed axes, or Euler parameters."""
    values = {"m": 1.0, "l": 0.5, "g": 9.81, "I1": 0.3, "I3": 0.05, "spin": 50.0}
    model = gs.Model("top", gravity=(0, 0, "-g"), parameters=values)
    model.add(gs.Body("top", mass="m", com=(0, 0, "l"), inertia=("I1 - m*l**2", "I1 - m*l**2", "I3")))
    if angles:
        model.add(gs.Spherical("ball", "ground", "top", angles="xyz", initial={"angle3.rate": "spin"}))
    else:
        model.add(gs.Spherical("ball", "ground", "top", initial={"w3": "spin"}))
    return gs.formulate(model)


@cache
def upright_disc() -> gs.System:
    """Return a disc of mass 1 and radius 0.3 that rolls upright along x with speed v; inertias are parameters."""
    values = {"v": 1.0, "It": 0.0225, "Ip": 0.045}
    model = gs.Model("rolling disc", gravity=(0, 0, -9.81), parameters=values)
    model.add(gs.Body("disc", mass=1.0, inertia=("It", "Ip", "It")))
    model.add(gs.Free("free", "ground", "disc", initial={"z": 0.3, "v1": "v", "w2": "v/0.3"}))
    model.add(gs.RollingDisc("contact", "disc", 0.3, axis="y"))
    return gs.formulate(model)


def hanging_chain(links: int, length: float) -> gs.Model:
    """Return a chain of equal slender rods that hangs from one end."""
    model = gs.Model("chain", gravity=(0, -9.81, 0))
    size = length / links
    last = "ground"
    for i in range(links):
        ends = {"top": (0, size / 2, 0), "end": (0, -size / 2, 0)}
        model.add(gs.Body(f"b{i}", gs.slender_rod(1.0 / links, size, along="y"), points=ends))
        model.add(gs.Revolute(f"j{i}", last, f"b{i}.top"))
        last = f"b{i}.end"
    return model


@cache
def spatial_four_bar() -> gs.System:
    """Return a square that hangs: revolute, universal, spherical, revolute (004 section 4.4)."""
    model = gs.Model("spatial four-bar", gravity=(0, 0, -9.81))
    turn = [("x", "90*deg")]  # the universal joint's axes are x and z
    pins = {"b2": gs.Frame((0, 0, -0.5), turn), "b3": gs.Frame((0, -0.5, 0), turn)}
    for name, reach in (("b2", (0, 0, 0.5)), ("b3", (0, 0.5, 0)), ("b4", (0, 0, 0.5))):
        ends = {"up": reach, "down": (0, 0, -0.5)}
        frames = {"pin": pins[name]} if name in pins else {}
        model.add(gs.Body(name, mass=10, inertia=(5, 5, 5), points=ends, frames=frames))
    model.add(gs.Revolute("a", "ground", "b2.up", axis="x"))
    model.add(gs.Universal("u", "b2.pin", "b3.pin"))
    model.add(gs.Revolute("d", ("ground", (0, 1, 0)), "b4.up", axis="x"))
    model.add(gs.Spherical("s", "b3.up", "b4.down"))
    return gs.formulate(model, cut=["s"])
