"""Models that exact equations are measured on: pendulums and a robot arm, all of whose parameters are symbols."""

from __future__ import annotations

import gyrostat as gs

ARM_AXES = "zyyzyz"


def pendulum(links: int) -> gs.Model:
    """Return a plane pendulum of uniform rods m1, m2, … of lengths l1, l2, …, with angles between its links."""
    numbers = range(1, links + 1)
    names = ["g", *(f"{letter}{i}" for letter in "ml" for i in numbers)]
    model = gs.Model(f"{links}-link pendulum", gravity=(0, "-g", 0), parameters=dict.fromkeys(names, 1))
    for i in numbers:
        model.add(gs.Body(f"link{i}", gs.rod(f"m{i}", f"l{i}", along="y"), com=(0, f"-l{i}/2", 0)))
        inboard = "ground" if i == 1 else (f"link{i - 1}", (0, f"-l{i - 1}", 0))
        model.add(gs.Revolute(f"hinge{i}", inboard, f"link{i}", axis="z", symbol=f"q{i}"))
    return model


def point_pendulum(links: int) -> gs.Model:
    """Return a plane pendulum of point masses m1, m2, … on massless rods l1, l2, …, with angles between its links."""
    numbers = range(1, links + 1)
    names = ["g", *(f"{letter}{i}" for letter in "ml" for i in numbers)]
    model = gs.Model(f"{links}-link pendulum of points", gravity=(0, "-g", 0), parameters=dict.fromkeys(names, 1))
    for i in numbers:
        model.add(gs.Body(f"link{i}", mass=f"m{i}", com=(0, f"-l{i}", 0)))
        inboard = "ground" if i == 1 else (f"link{i - 1}", (0, f"-l{i - 1}", 0))
        model.add(gs.Revolute(f"hinge{i}", inboard, f"link{i}", axis="z", symbol=f"q{i}"))
    return model


def arm() -> gs.Model:
    """Return an arm of six hinges with masses m, mass centres c, lengths l and principal inertias Ix, Iy, Iz."""
    numbers = range(1, len(ARM_AXES) + 1)
    names = ["g", *(f"{letter}{i}" for letter in ("m", "c", "l", "Ix", "Iy", "Iz") for i in numbers)]
    model = gs.Model("six-joint arm", gravity=(0, 0, "-g"), parameters=dict.fromkeys(names, 1))
    for i, axis in zip(numbers, ARM_AXES, strict=True):
        inertia = (f"Ix{i}", f"Iy{i}", f"Iz{i}")
        model.add(gs.Body(f"link{i}", mass=f"m{i}", com=(0, 0, f"c{i}"), inertia=inertia))
        inboard = "ground" if i == 1 else (f"link{i - 1}", (0, 0, f"l{i - 1}"))
        model.add(gs.Revolute(f"hinge{i}", inboard, f"link{i}", axis=axis, symbol=f"q{i}"))
    return model
