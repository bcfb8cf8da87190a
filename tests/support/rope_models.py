"""Ropes over pulleys with published or closed solutions."""

from __future__ import annotations

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
