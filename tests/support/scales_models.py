"""Mechanisms whose expansions are known by hand."""

import gyrostat as gs


def pendulum() -> gs.Model:
    """A bar that hangs: theta'' = −(3 g/2 l) sin theta."""
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top", symbol="theta"))
    return model


def spring_pendulum(**changed: float) -> gs.Model:
    """A mass on a spring that swings; l is its length at rest, and the stretch is tuned to twice the swing."""
    parameters = {"m": 1, "l": 1, "g": 9.81, "k": 39.24} | changed
    model = gs.Model("spring pendulum", gravity=(0, "-g", 0), parameters=parameters)
    model.add(gs.Body("arm", mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("bob", gs.point_mass("m")))
    model.add(gs.Revolute("swing", "ground", "arm", symbol="theta"))
    model.add(gs.Prismatic("slide", ("arm", (0, "-l", 0)), "bob", axis=(0, -1, 0), symbol="r"))
    model.add(gs.SpringDamper("spring", "ground", "bob", stiffness="k", length="l - m*g/k"))
    return model


def driven_pendulum() -> gs.Model:
    """A pendulum whose support moves up and down."""
    parameters = {"m": 1, "l": 1, "g": 9.81, "A": 0.01, "Omega": 7.6, "c": 0.01}
    model = gs.Model("driven pendulum", gravity=(0, "-g", 0), parameters=parameters)
    model.add(gs.Body("cart", mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Prismatic("support", "ground", "cart", axis="y", driven="A*cos(Omega*t)"))
    model.add(gs.Revolute("swing", "cart", "bar.top", symbol="theta"))
    model.add(gs.TorsionSpring("grease", "swing", damping="c"))
    return model


def chain(n: int) -> gs.Model:
    """Hanging bars, hinged to each other."""
    parameters = {"g": 9.81} | {f"m{i}": 1 + 0.1 * i for i in range(1, n + 1)} | {f"l{i}": 1 for i in range(1, n + 1)}
    model = gs.Model(f"chain of {n}", gravity=(0, "-g", 0), parameters=parameters)
    before = "ground"
    for i in range(1, n + 1):
        ends = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.rod(f"m{i}", f"l{i}", along="y"), points=ends))
        model.add(gs.Revolute(f"a{i}", before, f"bar{i}.top", axis="z"))
        before = f"bar{i}.tip"
    return model


def hanging_four_bar() -> gs.Model:
    """A seat on two bars that spread: one freedom, and quadratic terms once it is off its symmetry."""
    parameters = {"g": 9.81, "a": 1.0, "b": 1.2, "d": 0.8, "m": 2.0, "c": 0.05}
    model = gs.Model("swing", gravity=(0, "-g", 0), parameters=parameters)
    model.add(gs.Body("ground", points={"A": (0, 0, 0), "B": ("d", 0, 0)}))
    for name in ("left", "right"):
        ends = {"top": (0, "a/2", 0), "tip": (0, "-a/2", 0)}
        model.add(gs.Body(name, gs.rod(1, "a", along="y"), points=ends))
    model.add(gs.Body("seat", gs.rod("m", "b", along="x"), points={"l": ("-b/2", 0, 0), "r": ("b/2", 0, 0)}))
    model.add(gs.Revolute("h1", "ground.A", "left.top", initial=-0.2))
    model.add(gs.Revolute("h2", "ground.B", "right.top", initial=0.2))
    model.add(gs.Revolute("h3", "left.tip", "seat.l", initial=0.2))
    model.add(gs.Revolute("h4", "right.tip", "seat.r"))
    model.add(gs.TorsionSpring("grease", "h1", damping="c"))
    return model


def shaken_pendulum() -> gs.Model:
    """`driven_pendulum` with its support moved by a constraint."""
    parameters = {"m": 1, "l": 1, "g": 9.81, "A": 0.01, "Omega": 7.6, "c": 0.01}
    model = gs.Model("shaken pendulum", gravity=(0, "-g", 0), parameters=parameters)
    model.add(gs.Body("cart", gs.box(1, (0.1, 0.1, 0.1))))
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Prismatic("support", "ground", "cart", axis="y"))
    model.add(gs.Revolute("swing", "cart", "bar.top", symbol="theta"))
    model.add(gs.TorsionSpring("grease", "swing", damping="c"))
    model.add(gs.PointDriver("shaker", "cart", {"y": "A*cos(Omega*t)"}))
    return model


def hanging_body(joint: str = "euler") -> gs.Model:
    """A body in a ball joint, held against twist by two springs; with Euler parameters or with angles."""
    parameters = {"m": 1.0, "J": 0.2, "h": 0.7, "k": 30.0, "g": 9.81}
    model = gs.Model("hanging body", gravity=(0, 0, "-g"), parameters=parameters)
    points = {"top": (0, 0, "h"), "left": (-0.5, 0, "h"), "right": (0.5, 0, "h")}
    model.add(gs.Body("body", mass="m", inertia=("J", "1.2*J", "0.5*J"), points=points))
    model.add(gs.Spherical("ball", "ground", "body.top", angles=None if joint == "euler" else "xyz"))
    model.add(gs.SpringDamper("front", ("ground", (-0.5, 1, 0)), "body.left", stiffness="k", length=0.8))
    model.add(gs.SpringDamper("back", ("ground", (0.5, -1, 0)), "body.right", stiffness="k", length=0.8))
    return model
