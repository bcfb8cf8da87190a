"""Ropes over pulleys with published or closed solutions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from cases import case

import gyrostat as gs

D2 = case("crous_D2_rope_pulley")
GIVEN = D2["parameters"]


def hoisted(realisation: str, segments: int, normal: gs.NormalLaw, **options: Any) -> gs.Model:
    """Return the rope over a pulley of Crous 2000, appendix D.2, with parameters mu and gamma of friction.

    The parameter `hold` is an upward force on the heavy mass.
    """
    known = {"mu": 0.5, "gamma": 50.0, "hold": 0.0}
    model = gs.Model("rope over pulley", gravity=(0, -GIVEN["g"], 0), parameters=known)
    J, n = GIVEN["J"], segments
    model.add(gs.Body("wheel", mass=1, inertia=(J, J, J)))
    model.add(gs.Revolute("axle", "ground", "wheel"))
    path = [None, gs.Pulley("sheave", "wheel", GIVEN["pulley_radius"], "right"), None]
    rope = {"segments": n, "length": GIVEN["l"], "density": GIVEN["rho"], "realisation": realisation, "normal": normal}
    model.add(gs.Rope("rope", path, **rope, friction=gs.LimitedViscous("mu", "gamma"), **options))
    model.add(gs.Body("light", gs.point_mass(GIVEN["m2"])))
    model.add(gs.Body("heavy", gs.point_mass(GIVEN["m1"])))
    first, last = ("rope.n0", f"rope.n{n}") if realisation == "nodes" else ("rope.s1.start", f"rope.s{n}.end")
    if realisation == "links":
        model.add(gs.Planar("float", "ground", "rope.s1"))
    model.add(gs.Weld("hook1", first, "light"))
    model.add(gs.Weld("hook2", last, "heavy"))
    model.add(gs.Force("holding", "heavy", (0, "hold", 0), axes="world"))
    return model


def gripped(segments: int) -> gs.Model:
    """Return the rope of appendix D.2 by nodes with bristles on the pulley, contacts that begin at zero, and `hold`."""
    segment, tension, deflection = GIVEN["l"] / segments, 200.0, 1e-3
    law = gs.HuntCrossley(1e6 * segment, chi=5)
    model = hoisted("nodes", segments, law, EA=1e7, damping=880 * segment)
    time = float(np.sqrt(deflection * GIVEN["rho"] * GIVEN["pulley_radius"] / (0.5 * tension)))
    friction = gs.FixedBristle("mu", tension * segment / GIVEN["pulley_radius"], deflection, time)
    model.replace(replace(model["rope"], friction=friction))
    return model


def drop(times: Any, *, slips: bool) -> Any:
    """Return the drop of the heavy mass in closed form; where the rope slips freely, the pulley does not turn."""
    mass = GIVEN["m1"] + GIVEN["m2"] + GIVEN["rho"] * GIVEN["l"]
    mass += 0.0 if slips else GIVEN["J"] / GIVEN["pulley_radius"] ** 2
    difference = (GIVEN["m1"] - GIVEN["m2"]) / GIVEN["rho"]
    return difference / 2 * (np.cosh(np.asarray(times) * np.sqrt(2 * GIVEN["rho"] * GIVEN["g"] / mass)) - 1)


def capstan(contacts: int, radius: float = 0.5, free: int = 3) -> tuple[gs.Model, int]:
    """Return a light rope of nodes on a half turn of a drum that turns against it, and the number of segments.

    So many nodes touch, each at the same change of direction; on both sides `free` segments lead to fixed ends. The
    ends are a thousandth of the length apart further than the rope is long.
    """
    half = np.pi / (2 * contacts)
    chord, segments = 2 * radius * np.sin(half), contacts - 1 + 2 * free
    # the nodes touch a circle r (1 + (l/r)²/24): on it the chord spans the same angle
    line = radius
    for _ in range(50):
        chord = 2 * (line + chord**2 / (24 * line)) * np.sin(half)
    rim = line + chord**2 / (24 * line)
    depth = rim * np.sin(half) - free * chord - 1e-3 * segments * chord / 2
    model = gs.Model("capstan", parameters={"mu": 0.3})
    model.add(gs.Body("drum", gs.disc(1, 1, along="z")))
    model.add(gs.Revolute("axle", "ground", "drum", driven="8*t"))
    across = rim * np.cos(half)
    ends = [("ground", (-across, depth, 0)), ("ground", (across, depth, 0))]
    path = [ends[0], gs.Pulley("capstan", "drum", line, "right", mu="mu"), ends[1]]
    model.add(
        gs.Rope(
            "rope",
            path,
            segments=segments,
            length=segments * chord,
            density=0.1,
            EA=1e6,
            damping=100,
            normal=gs.KelvinVoigt(1e7, 1e3),
            creep_speed=1e-3,
        )
    )
    return model, segments


def swinging_sheave(*, spherical: bool = False, segments: int = 24, **options: Any) -> gs.Model:
    """Return a rope from a driven drum over a sheave on a swinging arm to a body on a ball joint, tethered on the way.

    Ends and a node on the way are held by other components; the motion of the drum is given.
    """
    model = gs.Model("swinging sheave", gravity=(0, -9.81, 0), parameters={"mu": 0.3, "EA": 1e5})
    model.add(gs.Body("arm", gs.rod(3, 1, along="y")))
    joint = gs.Spherical if spherical else gs.Revolute
    model.add(joint("sway", "ground", ("arm", (0, 0.5, 0))))
    model.add(gs.Body("wheel", gs.disc(2, 0.2, along="z")))
    model.add(gs.Revolute("axle", ("arm", (0, -0.5, 0)), "wheel", initial=0.1))
    model.add(gs.Body("drum", gs.disc(2, 0.15, along="z")))
    model.add(gs.Revolute("spin", ("ground", (-1, -1, 0)), "drum", driven="0.5*t + sin(t)"))
    given = {"normal": gs.HuntCrossley(1e5, chi=0.5), "friction": gs.FixedBristle("mu", 10, 1e-3, 0.01), **options}
    path = [("drum", (-0.15, 0, 0)), gs.Pulley("sheave", "wheel", 0.2, "right"), None]
    side = {"side_stiffness": 1e3, "side_damping": 5, "side_load": 2.0}
    rope = {"segments": segments, "length": 2.6, "density": 0.5, "EA": "EA", "damping": 50}
    model.add(gs.Rope("rope", path, **rope, **side, **given))
    model.add(gs.Body("load", gs.box(5, (0.1, 0.2, 0.3))))
    model.add(gs.Spherical("hook", f"rope.n{segments}", ("load", (0, 0.1, 0.02))))
    model.add(gs.SpringDamper("tether", f"rope.n{segments - 4}", ("ground", (1, -2, 0)), 10, 1, 1))
    return model


def held_capstan(contacts: int, ratio: str, mu: float = 0.3) -> tuple[gs.Model, int]:
    """Return a rope that sticks to a half turn of a fixed drum, pulled at both ends, and the number of segments.

    Each of so many nodes turns the rope by the same angle. The pull at the end is `ratio` times that at the start.
    """
    length, free, pull, deflection = np.pi / contacts, 6, 100.0, 1e-3
    segments, load = contacts - 1 + 2 * free, 150.0 * length
    model = gs.Model("capstan", gravity=(0, -1e-9, 0))
    friction = gs.FixedBristle(mu, load, deflection, float(np.sqrt(deflection * 0.5 / (mu * pull))))
    path = [None, gs.Pulley("drum", "ground", 1, "right"), None]
    rope = {"segments": segments, "length": segments * length, "density": 0.5, "EA": 1e6, "damping": 280 * length}
    laws = {"normal": gs.HuntCrossley(1e8 * length, chi=20), "friction": friction}
    model.add(gs.Rope("rope", path, **rope, **laws, side_stiffness=1e4 * length, side_load=load))
    for node, force in ((0, "1"), (segments, ratio)):
        model.add(gs.Body(f"end{node}", gs.point_mass(1)))
        model.add(gs.Weld(f"hook{node}", f"rope.n{node}", f"end{node}"))
        model.add(gs.Force(f"pull{node}", f"end{node}", (0, f"-{pull}*({force})", 0)))
    return model, segments


def heavy_atwood(given: dict[str, float], segments: int) -> gs.Model:
    """Return an Atwood machine with a heavy rope by nodes that sticks to its pulley, laid with equal sides.

    The parameter `hold` is an upward force on the mass m1.
    """
    model = gs.Model("Atwood machine", gravity=(0, -given["g"], 0), parameters={"hold": 0.0})
    J, R, length = given["J"], given["R"], given["L"]
    model.add(gs.Body("wheel", mass=1, inertia=(J, J, J)))
    model.add(gs.Revolute("axle", "ground", "wheel"))
    segment = length / segments
    load = 25.0 * segment / R
    laws = {"normal": gs.HuntCrossley(3e7 * segment, chi=5), "friction": gs.FixedBristle(2.0, load, 1e-4, 2e-3)}
    path = [None, gs.Pulley("sheave", "wheel", R, "right"), None]
    rope = {"segments": segments, "length": length, "density": given["rho"], "EA": 1e6, "damping": 50 * segment}
    model.add(gs.Rope("rope", path, **rope, **laws))
    for name, mass, end in (("light", given["m2"], "rope.n0"), ("heavy", given["m1"], f"rope.n{segments}")):
        model.add(gs.Body(name, gs.point_mass(mass)))
        model.add(gs.Weld(f"{name}_hook", end, name))
    model.add(gs.Force("holding", "heavy", (0, "hold", 0)))
    return model
