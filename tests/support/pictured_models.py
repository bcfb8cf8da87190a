"""Runs of models with ropes, drums, belts, beams and contacts, and with solids away from their joints."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import gyrostat as gs

DOWN = (0, -9.81, 0)


def crane() -> gs.Trajectory:
    """A trolley on a rail with a winch and a load on a rope; solids lie away from joints and hooks."""
    model = gs.Model("crane", gravity=DOWN)
    trolley = gs.box(200, (0.8, 0.2, 0.4))
    model.add(gs.Body("trolley", trolley, points={"lug": (0.5, -0.3, 0)}, frames={"axle": {"at": (0, -0.3, 0)}}))
    model.add(gs.Body("load", gs.box(100, (0.6, 0.4, 0.4)), points={"hook": (0, 0.5, 0)}))
    model.add(gs.Prismatic("way", ("ground", (0, 4, 0)), "trolley", axis="x", driven="0.5*t*t"))
    model.add(gs.Planar("swing", "ground", "load", initial={"x": 0.2, "y": 1.2}))
    drum = gs.Pulley("drum", "trolley.axle", radius=0.2, side="right")
    model.add(gs.Reeving("rope", [drum, "load.hook"], length=2.0, EA=1e6, damping=1e4))
    model.add(gs.Winch("hoist", "rope", speed=-0.15))
    return gs.simulate(model, duration=2.0, step=0.02, integrator=gs.Rodas5P())


def six_bar() -> gs.Trajectory:
    """A Watt six-bar whose bodies are given by small solids at their mass centres."""
    model = gs.Model("six-bar", gravity=DOWN)
    small = gs.sphere(1.0, 0.03)
    model.add(gs.Body("crank", small, points={"o": (-0.15, 0, 0), "pin": (0.15, 0, 0)}))
    coupler = {"a": (-0.4, 0, 0), "b": (0.4, 0, 0)}
    model.add(gs.Body("coupler", small, points=coupler))
    model.add(gs.Body("rocker", small, points={"top": (0, 0.35, 0), "o": (0, -0.35, 0), "side": (0.3, 0.2, 0)}))
    model.add(gs.Body("link", small, points={"a": (-0.4, 0, 0), "b": (0.4, 0, 0)}))
    model.add(gs.Body("slider", gs.box(2.0, (0.2, 0.12, 0.12))))
    model.add(gs.Revolute("drive", "ground", "crank.o", driven="3*t"))
    model.add(gs.Revolute("p1", "crank.pin", "coupler.a", initial=0.9))
    model.add(gs.Revolute("p2", "coupler.b", "rocker.top", initial=-0.9))
    model.add(gs.Revolute("p3", ("ground", (0.75, -0.2, 0)), "rocker.o", initial=0))
    model.add(gs.Revolute("p4", "rocker.side", "link.a", initial=-0.3))
    model.add(gs.Revolute("p5", "link.b", "slider"))
    model.add(gs.Prismatic("guide", ("ground", (0, 0.2, 0)), "slider", axis="x", initial=1.8))
    return gs.simulate(model, duration=2.0, step=0.01)


def hoist() -> gs.Trajectory:
    """A turning drum from which a weight sinks, over a pulley."""
    model = gs.Model("hoist", gravity=DOWN)
    model.add(gs.Body("drum", gs.cylinder(5, 0.15, 0.1, along="z")))
    model.add(gs.Body("weight", gs.box(4, (0.15, 0.2, 0.15))))
    model.add(gs.Revolute("spin", "ground", "drum"))
    model.add(gs.Planar("hangs", "ground", "weight", initial={"x": 0.9, "y": -1.0}))
    top = gs.Pulley("top", ("ground", (0.8, 0.3, 0)), radius=0.1, side="right")
    drum = gs.Pulley("rim", "drum", radius=0.15, side="right")
    model.add(gs.Reeving("rope", [drum, top, "weight"], length=3.0, EA=1e5, damping=1e3))
    return gs.simulate(model, duration=0.45, step=0.01, integrator=gs.Rodas5P())


def belt() -> gs.Trajectory:
    """A belt over two pulleys."""
    model = gs.Model("belt drive", gravity=DOWN)
    model.add(gs.Body("small", gs.cylinder(1, 0.1, 0.06, along="z")))
    model.add(gs.Body("large", gs.cylinder(4, 0.25, 0.06, along="z")))
    model.add(gs.Revolute("a", "ground", "small", driven="6*t"))
    model.add(gs.Revolute("b", ("ground", (0.8, 0, 0)), "large"))
    pulleys = [gs.Pulley("pa", "small", 0.1, "left", grip=True), gs.Pulley("pb", "large", 0.25, "left", grip=True)]
    length = 2 * 0.7858 + pi * 0.35 + 2 * 0.15 * 0.1887 - 0.01
    model.add(gs.Belt("belt", pulleys, length=length, EA=1e4, damping=10))
    return gs.simulate(model, duration=1.0, step=0.01, integrator=gs.Rodas5P())


def flexible_slider_crank() -> gs.Trajectory:
    """The example with a flexible rod."""
    from flexible_slider_crank import SPEED, slider_crank

    return gs.simulate(slider_crank(), duration=4 * pi / SPEED, step=4 * pi / SPEED / 200)


def bouncing() -> gs.Trajectory:
    """A ball that bounces on a floor."""
    model = gs.Model("bouncing ball", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Plane()}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("moves", "ground", "ball", initial={"z": 0.8, "x": -0.5, "v1": 0.8}))
    law = gs.HuntCrossley(1e5, 1.5, restitution=0.8)
    model.add(gs.Contact("touch", "ball", "ground.floor", law, gs.Coulomb(0.3, 0.01)))
    return gs.simulate(model, duration=1.5, step=0.01)


def rod_and_bob() -> gs.Trajectory:
    """A rod between points of two bodies with small solids."""
    model = gs.Model("rod and bob", gravity=DOWN)
    model.add(gs.Body("arm", gs.box(1, (0.1, 0.1, 0.1)), points={"pin": (0.5, 0, 0)}))
    model.add(gs.Body("bob", gs.sphere(1, 0.06), points={"eye": (0, 0.3, 0)}))
    model.add(gs.Revolute("turn", "ground", "arm", initial=0.3))
    model.add(gs.Planar("float", "ground", "bob", initial={"x": 0.6, "y": -0.4}))
    model.add(gs.Distance("rod", "arm.pin", "bob.eye", length=0.4))
    return gs.simulate(model, duration=2.0, step=0.01)


PICTURED: dict[str, Callable[[], gs.Trajectory]] = {
    "crane": crane,
    "six_bar": six_bar,
    "hoist": hoist,
    "belt": belt,
    "flexible_slider_crank": flexible_slider_crank,
    "bouncing": bouncing,
    "rod_and_bob": rod_and_bob,
}
