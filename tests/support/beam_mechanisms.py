"""Random mechanisms with flexible beams: trees and loops through stations."""

from __future__ import annotations

from typing import Any

import numpy as np
from random_trees import Floats

import gyrostat as gs
from gyrostat.closing.closing import Closer

_TERMS = ({"v": 2}, {"v": 1, "w": 1, "phi": 1}, {"v": 1, "u": 1}, {"w": 2, "phi": 1})
_ENDS = ("", ".tip", ".mid")


def random_beam(rng: np.random.Generator, name: str, order: Any = None, **changed: Any) -> gs.Beam:
    """Return a beam with random dimensions, order and terms, and a station between its ends."""

    def between(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    given: dict[str, Any] = {
        "length": between(0.5, 1.5),
        "area": between(0.5, 1.5),
        "Iy": between(0.01, 0.03),
        "Iz": between(0.01, 0.03),
        "J": between(0.02, 0.05),
        "E": between(50.0, 150.0),
        "G": between(30.0, 60.0),
        "density": between(0.5, 2.0),
        "damping": between(0.0, 0.1),
        "terms": _TERMS[rng.integers(len(_TERMS))],
        "order": (1, 2, "exact")[rng.integers(3)] if order is None else order,
        "stations": {"mid": between(0.1, 0.4)},
    }
    return gs.Beam(name, **(given | changed))


def beam_tree(seed: int, order: Any = None) -> gs.Model:
    """Return two beams and two bodies on random joints; the beams are held at the root, at the tip or in between."""
    rng = np.random.default_rng(seed)
    model = gs.Model("beams", gravity=tuple(rng.uniform(-9, 9, 3).tolist()))
    model.add(random_beam(rng, "first", order))
    model.add(random_beam(rng, "second", order))
    for name in ("left", "right"):
        eye = tuple(rng.uniform(-0.2, 0.2, 3).tolist())
        model.add(gs.Body(name, mass=0.7, inertia=(0.1, 0.12, 0.15), com=(0.1, 0.05, 0.0), points={"eye": eye}))
    one, two = (_ENDS[i] for i in rng.permutation(3)[:2])
    model.add(_joint(rng, "a", "ground", f"first{one}"))
    model.add(_joint(rng, "b", f"first{two}", f"second{_ENDS[rng.integers(3)]}"))
    model.add(_joint(rng, "c", "second.mid", "left.eye"))
    model.add(_joint(rng, "d", "right.eye", "first.tip"))
    model.add(gs.SpringDamper("spring", "first.mid", "right", stiffness=30.0, length=0.2, damping=0.4))
    return model


def _joint(rng: np.random.Generator, name: str, parent: str, child: str) -> Any:
    axis = tuple(rng.uniform(-1, 1, 3).tolist())
    kind = rng.integers(4)
    if kind == 0:
        return gs.Spherical(name, parent, child, angles="zyx")
    if kind == 1:
        return gs.Prismatic(name, parent, child, axis=axis)
    return gs.Weld(name, parent, child) if kind == 2 else gs.Revolute(name, parent, child, axis=axis)


def beam_loop(seed: int, order: Any = None) -> gs.Model:
    """Return a spatial four-bar whose coupler and rocker are beams, with spherical joints at stations."""
    rng = np.random.default_rng(seed)
    model = gs.Model("loop", gravity=(0, -9.81, 0))
    model.add(gs.Body("crank", mass=1, inertia=(0.1, 0.1, 0.1), points={"tip": (0.3, 0, 0)}))
    model.add(random_beam(rng, "coupler", order, length=1.0, stations={"mid": 0.4}))
    model.add(random_beam(rng, "rocker", order, length=0.8))
    near, far = (_ENDS[i] for i in rng.permutation(3)[:2])
    model.add(gs.Revolute("a", "ground", "crank"))
    model.add(gs.Spherical("b", "crank.tip", f"coupler{near}", angles="zyx"))
    model.add(gs.Revolute("c", ("ground", (0.6, 0, 0)), "rocker"))
    model.add(gs.Spherical("d", f"coupler{far}", "rocker.tip"))
    return model


def state_of(system: gs.System, seed: int) -> tuple[Floats, Floats]:
    """Return coordinates and speeds that obey the constraints, with bent beams."""
    rng, n = np.random.default_rng(seed), system.coordinates.n_u
    if not system.topology.chords:
        return 0.2 * rng.normal(size=n), rng.normal(size=n)
    elastic = [name for name in system.coordinate_names if name.startswith(("coupler.", "rocker."))]
    bent = {name: float(rng.uniform(-0.1, 0.1)) for name in elastic}
    q = np.array(gs.assemble(system, {"a": 1.0, **bent}).q)
    return q, Closer(system).admissible_speeds(q, rng.normal(size=n))[0]
