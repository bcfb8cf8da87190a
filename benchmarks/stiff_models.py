"""Stiff mechanisms: hard springs, strong dampers and bushings, in closed loops and in a chain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gyrostat as gs

_EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class StiffMotion:
    """A stiff mechanism with its initial values and the time that it moves."""

    model: gs.Model
    initial: dict[str, float]
    duration: float


def stiff_four_bar() -> StiffMotion:
    """Return a four-bar that hangs, with a hard spring and a strong damper in three of its joints."""
    model = gs.Model("four-bar with hard springs", gravity=(0, -9.81, 0))
    for name, length in {"crank": 0.4, "coupler": 1.0, "rocker": 0.8}.items():
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.slender_rod(length, length, along="x"), points=ends))
    model.add(gs.Revolute("h1", "ground", "crank.a"))
    model.add(gs.Revolute("h2", "crank.b", "coupler.a"))
    model.add(gs.Revolute("h3", "coupler.b", "rocker.b"))
    model.add(gs.Revolute("h4", ("ground", (1.0, 0, 0)), "rocker.a"))
    for name in ("h1", "h2", "h3"):
        model.add(gs.TorsionSpring(f"spring_{name}", name, stiffness=1e4, damping=1e3))
    model.add(gs.Torque("drive", "crank", (0, 0, "2e3*sin(3*t)")))
    return StiffMotion(model, {"h1": 1.0}, 2.0)


def bushed_slider_crank() -> StiffMotion:
    """Return a slider-crank at 60 rad/s, in a frame that stands in bushings of 10⁷ N/m."""
    model = gs.Model("slider-crank in bushings", gravity=(0, -9.81, 0))
    model.add(gs.Body("frame", gs.box(0.5, (0.6, 0.2, 0.2))))
    for name, mass, length in (("crank", 0.5, 0.15), ("rod", 0.8, 0.3)):
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(name, gs.rod(mass, length, along="x"), points=ends))
    model.add(gs.Body("slider", gs.box(1.2, (0.1, 0.1, 0.1))))
    model.add(gs.Planar("mount", "ground", "frame"))
    model.add(gs.Revolute("main", "frame", "crank.a"))
    model.add(gs.Revolute("pin", "crank.b", "rod.a"))
    model.add(gs.Prismatic("slide", "frame", "slider", axis="x"))
    model.add(gs.Revolute("wrist", "slider", "rod.b"))
    for name, stiffness, damping in (("x", 1e7, 5e4), ("y", 1e7, 5e4), ("angle", 1e5, 5e2)):
        model.add(gs.TorsionSpring(f"bushing_{name}", f"mount.{name}", stiffness=stiffness, damping=damping))
    return StiffMotion(model, {"main": 1.0, "main.rate": 60.0}, 0.2)


def damped_squeezer() -> StiffMotion:
    """Return Andrews' squeezing mechanism with viscous joints."""
    model = gs.Model.load(_EXAMPLES / "andrews_squeezer.yaml")
    for joint in tuple(model.joints.values()):
        for name in joint.coordinate_names:
            model.add(gs.TorsionSpring(f"damper_{name.replace('.', '_')}", name, damping=0.03))
    return StiffMotion(model, {}, 0.3)


def closed_chain(links: int = 10, damping: float = 3.0) -> StiffMotion:
    """Return a chain of two metres between bearings 1.2 m apart, with strong dampers in its joints."""
    model = gs.Model(f"closed chain of {links} links", gravity=(0, -9.81, 0))
    length, outer = 2 / links, "ground"
    for i in range(links):
        ends = {"a": (-length / 2, 0, 0), "b": (length / 2, 0, 0)}
        model.add(gs.Body(f"link{i}", gs.slender_rod(length, length, along="x"), points=ends))
        model.add(gs.Revolute(f"h{i}", outer, f"link{i}.a", initial=0.8 if i == 0 else -1.6 / (links - 1)))
        model.add(gs.TorsionSpring(f"damper{i}", f"h{i}", damping=damping))
        outer = f"link{i}.b"
    model.add(gs.Revolute("last", ("ground", (1.2, 0, 0)), outer))
    return StiffMotion(model, {}, 5.0)


STIFF_LOOPS: tuple[Callable[[], StiffMotion], ...] = (
    stiff_four_bar, bushed_slider_crank, damped_squeezer, closed_chain,
)  # fmt: skip
"""The closed loops."""
