"""Models with rigid contacts."""

from __future__ import annotations

import warnings

import numpy as np

import gyrostat as gs

G = 9.81


def ball_on_a_floor(mu: object = 0.3, **contact: object) -> gs.Model:
    """Return a ball of 1 kg and radius 0.1 m in the plane, on a floor under gravity."""
    model = gs.Model("ball", gravity=(0, -G, 0), parameters={"mu": 0.3})
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Planar("p", "ground", "ball", initial={"y": 0.1}))
    model.add(gs.RigidContact("c", "ball", "ground", mu=mu, shape_b=gs.shapes.Plane(along="y"), **contact))
    return model


def block_on_a_belt(mu_static: float, mu: float, speed: float, stiffness: float) -> gs.Model:
    """Return a block of 1 kg on a belt of constant speed, held by a spring."""
    model = gs.Model("belt", gravity=(0, -G, 0))
    model.add(gs.Body("belt", gs.box(1.0, (1, 1, 1))))
    model.add(gs.Prismatic("b", "ground", "belt", axis="x", driven=f"{speed}*t"))
    model.add(gs.Body("block", gs.box(1.0, (0.1, 0.1, 0.1)), points={"o": (0, 0, 0)}))
    model.add(gs.Planar("p", "ground", "block", initial={"x.rate": speed}))
    model.add(gs.TorsionSpring("spring", "p.x", stiffness=stiffness))
    top = gs.shapes.Plane(along="y")
    model.add(gs.RigidContact("c", "block.o", "belt", mu=mu, mu_static=mu_static, shape_b=top))
    return model


def block_on_an_incline(degrees: float, mu: float) -> gs.Model:
    """Return a block on two feet in the plane, on a floor; gravity is inclined."""
    slope = np.radians(degrees)
    model = gs.Model("incline", gravity=(G * np.sin(slope), -G * np.cos(slope), 0))
    feet = {"l": (-0.1, -0.05, 0), "r": (0.1, -0.05, 0)}
    model.add(gs.Body("block", gs.box(1.0, (0.2, 0.1, 0.1)), points=feet))
    model.add(gs.Planar("p", "ground", "block", initial={"y": 0.05}))
    for foot in feet:
        floor = gs.shapes.Plane(along="y")
        model.add(gs.RigidContact(foot, f"block.{foot}", "ground", mu=mu, shape_b=floor))
    return model


def plank(mu: object = 0.3, restitution: object = 0.5) -> gs.Model:
    """Return a rod of 1 kg and 1 m in the plane above a floor, which its ends touch."""
    model = gs.Model("plank", gravity=(0, -G, 0), parameters={"mu": 0.3, "e": 0.5})
    model.add(gs.Body("plank", gs.slender_rod(1.0, 1.0, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "plank", initial={"y": 1.0}))
    for end in "ab":
        floor = gs.shapes.Plane(along="y")
        model.add(gs.RigidContact(end, f"plank.{end}", "ground", mu=mu, restitution=restitution, shape_b=floor))
    return model


def chair(push: float = 10.0) -> gs.Model:
    """Return a body of 5 kg on four legs, whose lower ends touch a floor, with a horizontal force."""
    legs = {f"l{i}{j}": (0.4 * i - 0.2, 0.4 * j - 0.2, -0.45) for i in (0, 1) for j in (0, 1)}
    model = gs.Model("chair", gravity=(0, 0, -G))
    model.add(gs.Body("chair", gs.box(5.0, (0.4, 0.4, 0.1)), points=legs))
    model.add(gs.Free("p", "ground", "chair", initial={"z": 0.45}))
    for leg in legs:
        model.add(gs.RigidContact(leg, f"chair.{leg}", "ground", mu=0.4, shape_b=gs.shapes.Plane()))
    model.add(gs.Force("push", "chair", (push, 0, 0)))
    return model


def cradle(count: int = 5) -> gs.Model:
    """Return equal balls on a line with gaps of 0.01 m."""
    model = gs.Model("cradle")
    for i in range(count):
        model.add(gs.Body(f"b{i}", gs.sphere(1.0, 0.05)))
        model.add(gs.Prismatic(f"x{i}", "ground", f"b{i}", axis="x", initial=0.11 * i))
    for i in range(count - 1):
        model.add(gs.RigidContact(f"c{i}", f"b{i + 1}", f"b{i}", restitution=1))
    return model


def woodpecker() -> gs.Model:
    """Return a woodpecker toy: a sleeve on a pole with a woodpecker on a spring; its numbers are plausible ones."""
    sizes = {"r0": 0.0025, "rM": 0.0031, "hM": 0.0058, "lM": 0.010, "lG": 0.015, "hS": 0.02, "lS": 0.0201}
    model = gs.Model("woodpecker", gravity=(0, -G, 0), parameters=sizes)
    places = {"hinge": ("lM", 0, 0), "low": ("rM", "-hM", 0), "high": ("rM", "hM", 0)}
    model.add(gs.Body("sleeve", mass=0.0003, inertia=(5e-9, 5e-9, 5e-9), points=places))
    ends = {"tail": ("-lG", 0, 0), "beak": ("-lS", "hS", 0)}
    model.add(gs.Body("bird", mass=0.0045, inertia=(7e-7, 7e-7, 7e-7), points=ends))
    model.add(gs.Planar("s", "ground", "sleeve", driven={"x": 0}, initial={"angle": -0.1, "y.rate": -0.34}))
    model.add(gs.Revolute("b", "sleeve.hinge", "bird.tail", initial=-0.18))
    model.add(gs.TorsionSpring("spring", "b", stiffness=0.0056))
    for name, point, e in (("beak", "bird.beak", 0.5), ("low", "sleeve.low", 0), ("high", "sleeve.high", 0)):
        pole = gs.shapes.Plane(along="x", at=("r0", 0, 0))
        model.add(gs.RigidContact(name, point, "ground", mu=0.3, restitution=e, shape_b=pole))
    return model


def dominoes(count: int) -> gs.Model:
    """Return a row of dominoes in the plane; the first leans over its foot, at rest."""
    model = gs.Model("dominoes", gravity=(0, -G, 0))
    w, h, apart, lean = 0.008, 0.048, 0.025, 0.25
    feet = {"l": (-w / 2, -h / 2, 0), "r": (w / 2, -h / 2, 0), "top": (w / 2, h / 2, 0)}
    for i in range(count):
        model.add(gs.Body(f"d{i}", gs.box(0.01, (w, h, 0.02)), points=feet))
        start = {"x": apart * i, "y": h / 2}
        if i == 0:
            start = {
                "angle": -lean,
                "x": w / 2 - w / 2 * np.cos(lean) + h / 2 * np.sin(lean),
                "y": w / 2 * np.sin(lean) + h / 2 * np.cos(lean),
            }
        model.add(gs.Planar(f"p{i}", "ground", f"d{i}", initial=start))
        for foot in "lr":
            floor = gs.shapes.Plane(along="y")
            model.add(gs.RigidContact(f"f{i}{foot}", f"d{i}.{foot}", "ground", mu=0.5, shape_b=floor))
    for i in range(count - 1):
        back = gs.shapes.Plane(along="-x")
        model.add(gs.RigidContact(f"h{i}", f"d{i}.top", (f"d{i + 1}", (-w / 2, 0, 0)), mu=0.2, shape_b=back))
    return model


def hinged_dominoes(count: int) -> gs.Model:
    """Return a row of dominoes that turn about their front feet, which do not slide; the first begins to fall."""
    model = gs.Model("dominoes", gravity=(0, -G, 0))
    w, h, apart = 0.008, 0.048, 0.025
    for i in range(count):
        places = {"foot": (w / 2, -h / 2, 0), "top": (w / 2, h / 2, 0)}
        model.add(gs.Body(f"d{i}", gs.box(0.01, (w, h, 0.02)), points=places))
        start = {"initial": {"angle": -0.25}} if i == 0 else {}
        model.add(gs.Revolute(f"a{i}", ("ground", (apart * i, 0, 0)), f"d{i}.foot", **start))
        behind = gs.shapes.Plane(along="y")
        if i:
            heel = (f"d{i}", (-w / 2, -h / 2, 0))
            model.add(gs.RigidContact(f"f{i}", heel, "ground", shape_b=behind))
    for i in range(count - 1):
        back = gs.shapes.Plane(along="-x")
        model.add(gs.RigidContact(f"h{i}", f"d{i}.top", (f"d{i + 1}", (-w / 2, 0, 0)), mu=0.2, shape_b=back))
    return model


def tumbling_box() -> gs.Model:
    """Return a box in space above a floor, which its corners touch; mu and e are parameters."""
    model = gs.Model("box", gravity=(0, 0, -G), parameters={"mu": 0.3, "e": 0.3})
    model.add(gs.Body("box", gs.box(1.0, (0.5, 0.4, 0.3))))
    model.add(gs.Free("p", "ground", "box", initial={"z": 1.0}))
    model.add(gs.RigidContact("c", "box", "ground", mu="mu", restitution="e", shape_b=gs.shapes.Plane()))
    return model


def simulate_quietly(model: gs.Model | gs.System, **arguments: object) -> gs.Trajectory:
    """Simulate without warnings of statically indeterminate loads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gs.simulate(model, **arguments)  # type: ignore[arg-type]
