"""Models for exact equations: symbolic masses, lengths and inertias, frames aligned or turned by simple angles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from document_pendulum import document_pendulum

import gyrostat as gs

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TREES = ("double_pendulum", "slider_pendulum", "spinning_top", "gyrostat_satellite")
KINDS = (
    *("revolute", "prismatic", "cylindrical", "screw", "universal", "spherical", "angles", "planar", "free", "weld"),
)
LIGHT = ("revolute", "prismatic", "cylindrical", "screw", "universal", "planar")
"""Kinds whose equations stay short behind any other joint."""
RATED = {
    "revolute": [""],
    "prismatic": [""],
    "screw": [""],
    "cylindrical": [".angle", ".displacement"],
    "universal": [".angle1", ".angle2"],
    "angles": [".angle1", ".angle2", ".angle3"],
    "planar": [".x", ".y", ".angle"],
}
TURNS: tuple[Any, ...] = ([], [], [["x", "90*deg"]], [["z", "30*deg"]], [["y", "180*deg"]], [["z", "-90*deg"]])


def example(name: str) -> gs.Model:
    """Return an example model."""
    return gs.Model.load(EXAMPLES / f"{name}.yaml")


def crane() -> gs.Model:
    """A trolley on a rail, a winch that pays out rope as driven, a load that swings in two directions, a motor."""
    parameters = {"M": 3, "m": 2, "J": 0.2, "g": 9.81, "l0": 4, "k": 8, "c": 0.3, "v": 0.2}
    model = gs.Model("crane", gravity=(0, 0, "-g"), parameters=parameters)
    model.add(gs.Body("trolley", mass="M", inertia=(1, 1, 1)))
    model.add(gs.Body("rope", mass=0, inertia=(0, 0, 0)))
    model.add(gs.Body("load", mass="m", inertia=("J", "J", "J/2"), points={"hook": (0, 0, 0.5)}))
    model.add(gs.Prismatic("rail", "ground", "trolley", axis="x", symbol="x"))
    model.add(gs.Universal("gimbal", "trolley", "rope", symbol={"angle1": "alpha", "angle2": "beta"}))
    model.add(gs.Prismatic("winch", "rope", "load.hook", axis=(0, 0, -1), driven="l0 + v*sin(t)"))
    model.add(gs.Actuator("drive", "rail"))
    model.add(gs.TorsionSpring("damper", "gimbal.angle2", "k", "c"))
    return model


def sliding_boom() -> gs.Model:
    """A hinge, a telescope with a spring, and a hinge about a parallel axis."""
    model = gs.Model("boom", gravity=(0, "-g", 0), parameters={"m": 2, "J": 0.1, "l": 0.7, "g": 9.81, "k": 50})
    for name in ("boom", "slide", "bucket"):
        model.add(gs.Body(name, mass="m", inertia=("J", "J", "J"), com=("l/2", 0, 0), points={"tip": ("l", 0, 0)}))
    model.add(gs.Revolute("luff", "ground", "boom", symbol="theta"))
    model.add(gs.Prismatic("telescope", "boom.tip", "slide", axis="x", symbol="s"))
    model.add(gs.Revolute("wrist", "slide.tip", "bucket", symbol="phi"))
    model.add(gs.SpringDamper("spring", "boom", "slide", stiffness="k", damping=0, length=1))
    return model


def small_tree(seed: int, kinds: tuple[str, ...]) -> gs.Model:
    """Return a random tree with one body for each kind of joint; some are reversed, driven, sprung, or have rotors."""
    draw = np.random.default_rng(seed)

    def pick(choices: Any) -> Any:
        return choices[int(draw.integers(len(choices)))]

    parameters: dict[str, float] = {"g": 9.81}
    gravity = pick([(0, "-g", 0), (0, 0, "-g")])
    parents = [int(draw.integers(-1, i)) if draw.random() < 0.3 else i - 1 for i in range(len(kinds))]
    frames: dict[int, dict[str, gs.Frame]] = {i: {} for i in range(-1, len(kinds))}
    for i, parent in enumerate(parents):
        parameters |= {f"m{i}": 1.0 + i, f"J{i}": 0.3 + i, f"l{i}": 0.5 + 0.1 * i}
        frames[parent][f"f{i}"] = gs.Frame(pick([(f"l{i}", 0, 0), (0, f"l{i}", 0), (0, 0, 0.3)]), pick(TURNS))
    model = gs.Model(f"tree {seed}", gravity=gravity, parameters=parameters)
    model.add(gs.Body("ground", frames=frames[-1]))
    for i in range(len(kinds)):
        rotors: list[Any] = []
        if draw.random() < 0.4:
            moved = pick([{"spin": 5}, {"spin": "2*t"}, {"free": True}])
            rotors = [gs.Rotor("wheel", pick("xyz"), 0.2, **moved)]
        inertia = pick([(f"J{i}", f"J{i}", 0.25), (f"J{i}", f"2*J{i}", f"3*J{i}/2"), (1, 2, 2)])
        com = pick([(0, 0, 0), (f"l{i}/2", 0, 0), (0, 0.1, 0)])
        model.add(gs.Body(f"b{i}", mass=f"m{i}", inertia=inertia, com=com, frames=frames[i], rotors=rotors))
    loads: list[str] = []
    for i, (kind, parent) in enumerate(zip(kinds, parents, strict=True)):
        ends = [f"{'ground' if parent < 0 else f'b{parent}'}.f{i}", f"b{i}"]
        if draw.random() < 0.3:
            ends.reverse()
        driven = {}
        endings = RATED.get(kind, [])
        if len(endings) > 0 and draw.random() < 0.25:
            driven = {pick(endings).removeprefix("."): pick(["0.5*t", "sin(t)", "t**2"])}
        model.add(_joint(kind, f"j{i}", ends, pick(["x", "y", "z", (0, 0, -1)]), {"driven": driven} if driven else {}))
        loads += [f"j{i}{ending}" for ending in endings if ending.removeprefix(".") not in driven]
    if loads:
        model.add(gs.TorsionSpring("coil", pick(loads), 3, 0.2))
        model.add(gs.Actuator("motor", pick(loads)))
    return model


def _joint(kind: str, name: str, ends: list[str], axis: Any, options: dict[str, Any]) -> Any:
    if kind in ("revolute", "prismatic", "cylindrical"):
        cls = {"revolute": gs.Revolute, "prismatic": gs.Prismatic, "cylindrical": gs.Cylindrical}[kind]
        return cls(name, *ends, axis=axis, **options)
    if kind == "screw":
        return gs.Screw(name, *ends, axis=axis, pitch=0.25, **options)
    if kind == "angles":
        return gs.Spherical(name, *ends, angles="zxz", **options)
    others = {"universal": gs.Universal, "spherical": gs.Spherical, "planar": gs.Planar, "free": gs.Free}
    return {**others, "weld": gs.Weld}[kind](name, *ends, **options)


def small_trees(seeds: range) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return seeds and kinds of trees of two or three bodies, by a name; ten seeds have every kind."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for seed in seeds:
        draw = np.random.default_rng(1000 + seed)
        rest = draw.choice(list(LIGHT), size=1 + seed % 2).tolist()
        heavy = KINDS[seed % len(KINDS)] in ("free", "spherical", "angles")
        kinds = (KINDS[seed % len(KINDS)], *(rest[:1] if heavy else rest))
        found[f"{seed}-{'-'.join(kinds)}"] = (seed, kinds)
    return found


__all__ = ["KINDS", "TREES", "crane", "document_pendulum", "example", "sliding_boom", "small_tree", "small_trees"]
