"""Models whose equilibria and steady motions are known in closed form, and random ones on springs."""

from __future__ import annotations

import numpy as np
from closed_models import closed_system
from random_trees import Draw

import gyrostat as gs


def rotating_pendulum(mass: float, length: float, g: float) -> gs.Model:
    """Return a point mass on a rod that swings in a plane, which turns freely about the vertical."""
    model = gs.Model("rotating pendulum", gravity=(0, 0, -g))
    model.add(gs.Body("plane", mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("ball", gs.point_mass(mass), points={"pivot": (0, 0, length)}))
    model.add(gs.Revolute("turn", "ground", "plane"))
    model.add(gs.Revolute("swing", "plane", "ball.pivot", axis="x"))
    return model


def bead_on_hoop(radius: float, g: float, mass: float, rate: float) -> gs.Model:
    """Return a bead on a hoop that is driven about the vertical; its angle is from the bottom."""
    model = gs.Model("bead on a hoop", gravity=(0, 0, -g), parameters={"rate": rate})
    model.add(gs.Body("hoop", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Body("bead", gs.point_mass(mass), points={"centre": (0, 0, radius)}))
    model.add(gs.Revolute("turn", "ground", "hoop", driven="rate*t"))
    model.add(gs.Revolute("angle", "hoop", "bead.centre", axis="y"))
    return model


def top(parameters: dict[str, float], angles: str | None) -> gs.Model:
    """Return a symmetric top on a fixed point, with angles about moving axes, or with Euler parameters."""
    mass, height, g = (parameters[name] for name in ("m", "l", "g"))
    across = parameters["I1_fixed_point"] - mass * height**2
    model = gs.Model("top", gravity=(0, 0, -g))
    model.add(gs.Body("top", mass=mass, inertia=(across, across, parameters["I3"]), com=(0, 0, height)))
    model.add(gs.Spherical("tip", "ground", "top", angles=angles))
    return model


def disc_in_a_circle(mass: float, radius: float, g: float) -> gs.Model:
    """Return a disc that rolls, by polar coordinates of its centre, its heading, the tilt of its axis, and its spin."""
    model = gs.Model("disc in a circle", gravity=(0, 0, -g))
    frames = ("arm", "slider", "post", "fork", "axle")
    for name in frames:
        model.add(gs.Body(name, mass=0, inertia=(0, 0, 0)))
    across = mass * radius**2 / 4
    model.add(gs.Body("disc", mass=mass, inertia=(across, across, 2 * across)))
    model.add(gs.Revolute("azimuth", "ground", "arm"))
    model.add(gs.Prismatic("distance", "arm", "slider", axis="x", initial=1.3 * radius))
    model.add(gs.Prismatic("height", "slider", "post", axis="z", initial=0.9 * radius))
    model.add(gs.Revolute("heading", "post", "fork", axis="z"))
    model.add(gs.Revolute("tilt", "fork", "axle", axis="y", initial=1.0))
    model.add(gs.Revolute("spin", "axle", "disc", axis="z"))
    model.add(gs.RollingDisc("roll", "disc", radius))
    return model


def upright_disc(mass: float, radius: float, g: float, polar: float, across: float) -> gs.Model:
    """Return a disc or hoop that rolls straight on, by its place, heading, lean and spin."""
    model = gs.Model("upright disc", gravity=(0, 0, -g))
    for name in ("cart", "slider", "post", "fork", "axle"):
        model.add(gs.Body(name, mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("disc", mass=mass, inertia=(across, across, polar)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Prismatic("y", "cart", "slider", axis="y"))
    model.add(gs.Prismatic("z", "slider", "post", axis="z", initial=radius))
    model.add(gs.Revolute("heading", "post", "fork", axis="z"))
    model.add(gs.Revolute("lean", "fork", "axle", axis="x", initial="pi/2"))
    model.add(gs.Revolute("spin", "axle", "disc", axis="z"))
    model.add(gs.RollingDisc("roll", "disc", radius))
    return model


def free_disc(mass: float, radius: float, g: float, polar: float, across: float) -> gs.Model:
    """Return a disc or hoop that rolls, as a free body; its axis is along y at zero coordinates."""
    model = gs.Model("free disc", gravity=(0, 0, -g))
    frames = {"hub": gs.Frame(turn=[("x", "90*deg")])}
    model.add(gs.Body("disc", mass=mass, inertia=(across, across, polar), frames=frames, points={"pole": (0, 0, 1)}))
    model.add(gs.Free("flight", "ground", "disc.hub", initial={"z": radius}))
    model.add(gs.RollingDisc("roll", "disc", radius))
    return model


def planar_vehicle() -> gs.Model:
    """Return the vehicle below in a planar joint, whose speeds are in the axes of the world."""
    values = {"m": 1500, "a": 1.2, "b": 1.5, "front": 80e3, "rear": 90e3, "steer": 0.03, "drive": 0}
    model = gs.Model("planar vehicle", parameters=values)
    points = {"front": ("a", 0, 0), "rear": ("-b", 0, 0)}
    model.add(gs.Body("car", mass="m", inertia=(500, 2000, 2500), points=points))
    model.add(gs.Planar("road", "ground", "car"))
    ahead = "(road.x.rate*cos(road.angle) + road.y.rate*sin(road.angle))"
    aside = "(road.y.rate*cos(road.angle) - road.x.rate*sin(road.angle))"
    front, rear = f"({aside} + a*road.angle.rate)/{ahead} - steer", f"({aside} - b*road.angle.rate)/{ahead}"
    model.add(gs.Force("front_tyre", "car.front", (0, f"-front*({front})", 0), axes="car"))
    model.add(gs.Force("rear_tyre", "car.rear", (0, f"-rear*({rear})", 0), axes="car"))
    model.add(gs.Force("engine", "car", ("drive", 0, 0), axes="car"))
    return model


def vehicle() -> gs.Model:
    """Return a vehicle in the plane, with side forces on two axles that are linear in their slip angles."""
    values = {"m": 1500, "a": 1.2, "b": 1.5, "front": 80e3, "rear": 90e3, "steer": 0.03, "drive": 0}
    model = gs.Model("vehicle", parameters=values)
    points = {"front": ("a", 0, 0), "rear": ("-b", 0, 0), "side": (0, 1, 0)}
    model.add(gs.Body("car", mass="m", inertia=(500, 2000, 2500), points=points))
    model.add(gs.Free("road", "ground", "car"))
    for name in points:
        model.add(gs.PointOnPlane(f"on_{name}", f"car.{name}", "ground"))
    front, rear = "(road.v2 + a*road.w3)/road.v1 - steer", "(road.v2 - b*road.w3)/road.v1"
    model.add(gs.Force("front_tyre", "car.front", (0, f"-front*({front})", 0), axes="car"))
    model.add(gs.Force("rear_tyre", "car.rear", (0, f"-rear*({rear})", 0), axes="car"))
    model.add(gs.Force("engine", "car", ("drive", 0, 0), axes="car"))
    return model


def governor() -> gs.Model:
    """Return a governor: two rods in a loop with a sleeve, on a shaft that turns freely."""
    model = gs.Model("governor", gravity=(0, 0, -9.81))
    ends = {"top": (0, 0, 0.15), "low": (0, 0, -0.15)}
    model.add(gs.Body("shaft", mass=1, inertia=(0.01, 0.01, 0.01)))
    model.add(gs.Body("upper", gs.slender_rod(0.5, 0.3, along="z"), points=ends))
    model.add(gs.Body("lower", gs.slender_rod(0.5, 0.3, along="z"), points=ends))
    model.add(gs.Body("sleeve", mass=1, inertia=(0.01, 0.01, 0.01)))
    model.add(gs.Revolute("turn", "ground", "shaft"))
    model.add(gs.Revolute("arm", "shaft", "upper.top", axis="y", initial=-0.5))
    model.add(gs.Revolute("knee", "upper.low", "lower.top", axis="y", initial=1.0))
    model.add(gs.Prismatic("slide", "shaft", "sleeve", axis="z", initial=-0.5))
    model.add(gs.Revolute("foot", "lower.low", "sleeve", axis="y", initial=-0.5))
    return model


def truss() -> gs.Model:
    """Return a mass between two springs that snaps through under the load F."""
    model = gs.Model("truss", parameters={"F": 0})
    model.add(gs.Body("mass", gs.point_mass(1.0)))
    model.add(gs.Prismatic("y", "ground", "mass", axis="y", initial=0.5))
    for name, side in (("left", -1), ("right", 1)):
        spring = gs.SpringDamper(name, ("ground", (side, 0, 0)), "mass", stiffness=100, length=float(np.hypot(1, 0.5)))
        model.add(spring)
    model.add(gs.Force("load", "mass", (0, "-F", 0)))
    return model


def hanging_four_bar(base: float) -> gs.Model:
    """Return three uniform rods of 1 m and 1 kg that hang from pivots on one level, `base` apart."""
    model = gs.Model("hanging four-bar", gravity=(0, -9.81, 0))
    for name in ("left", "middle", "right"):
        model.add(gs.Body(name, gs.slender_rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Revolute("h1", "ground", "left.a"))
    model.add(gs.Revolute("h2", "left.b", "middle.a"))
    model.add(gs.Revolute("h3", "middle.b", "right.b"))
    model.add(gs.Revolute("h4", ("ground", (base, 0, 0)), "right.a"))
    return model


def tree_on_springs(seed: int, bodies: int) -> gs.System:
    """Return a random tree, each of whose bodies is held by two springs with dampers."""
    draw = Draw(seed)
    tree = draw.tree(bodies)
    return gs.formulate(_on_springs(draw, tree.model(), [body.name for body in tree.bodies], 2))


def loop_on_springs(seed: int) -> tuple[gs.System, dict[str, float]] | None:
    """Return a random closed mechanism on springs, and a position in which it is closed; None where nothing moves."""
    closed = closed_system(seed)
    if closed is None:
        return None
    old = closed.system.model
    model = gs.Model(old.name, gravity=old.gravity)
    for component in (old.ground, *(one for one in old.components.values() if one.name != "ground")):
        model.add(component)
    model = _on_springs(Draw(seed + 1000), model, closed.system.bodies, 2)
    system = gs.formulate(model, cut=list(closed.system.topology.chords))
    return system, dict(zip(system.coordinate_names, closed.q.tolist(), strict=True))


def _on_springs(draw: Draw, model: gs.Model, bodies, count: int) -> gs.Model:
    for i, body in enumerate(bodies):
        for k in range(count):
            place = tuple(2 * x for x in draw.vector(1.0))
            stiffness = float(draw.random.uniform(5, 50))
            ends = ("ground", place), (body, draw.vector(0.5))
            model.add(gs.SpringDamper(f"spring{i}_{k}", *ends, stiffness=stiffness, damping=1.0, length=0.3))
    return model


def puck(stiffness: float, length: float, radius: float) -> gs.Model:
    """Return a puck of mass 1 in the plane on a spring that is tied to the origin, started on a circle."""
    speed = float(np.sqrt(stiffness * (1 - length / radius)) * radius)
    model = gs.Model("puck")
    model.add(gs.Body("puck", gs.sphere(1.0, 0.1)))
    model.add(gs.Planar("p", "ground", "puck", initial={"x": radius, "y.rate": speed}))
    model.add(gs.SpringDamper("spring", "ground", "puck", stiffness=stiffness, length=length))
    return model
