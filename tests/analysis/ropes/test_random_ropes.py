"""Random ropes over pulleys: inextensible as limit of elastic ones, segments as approximation of arcs."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs

G = 9.81
NAMES = ("r", "x", "y", "out", "mass", "block")


@cache
def tackle(*, rigid: bool) -> gs.System:
    """Return a bob that swings on a rope over a fixed pulley and under one on a block, with the end on the ground."""
    given = {"r": 0.2, "x": 0.5, "y": -1.2, "out": 1.5, "mass": 2.0, "block": 4.0, "L": 5.0, "EA": 1e5}
    model = gs.Model("tackle", gravity=(0, -G, 0), parameters=given)
    model.add(gs.Body("bob", mass="mass", inertia=(0, 0, 0)))
    model.add(gs.Planar("j", "ground", "bob", initial={"x": "x", "y": "y"}, driven={"angle": "0"}))
    model.add(gs.Body("load", mass="block", inertia=(0, 0, 0)))
    model.add(gs.Prismatic("b", ("ground", ("-out/2", 0, 0)), "load", axis="y", initial="y"))
    path = ["bob", gs.Pulley("top", "ground", "r", "left"), gs.Pulley("low", "load", 0.15, "right")]
    elastic = {"inextensible": True} if rigid else {"EA": "EA", "damping": "EA/50"}
    model.add(gs.Reeving("rope", [*path, ("ground", ("-out", 0.1, 0))], length="L", **elastic))
    return gs.formulate(model)


@campaign(20)
def test_inextensible_ropes_are_the_limit_of_elastic_ones(seed):
    """The difference of the motions of both bodies falls as 1/EA."""
    low, high = np.array([(0.1, 0.3), (0.3, 0.8), (-1.6, -0.9), (1.2, 2.0), (1.0, 3.0), (2.0, 6.0)]).T
    at = dict(zip(NAMES, np.random.default_rng(seed).uniform(low, high).tolist(), strict=True))
    rigid, times = tackle(rigid=True), [0, 0.15, 0.3]
    state = rigid.initial_state(parameters=at)
    at["L"] = float(rigid.force_outputs(state.q, state.u, parameters=at)["rope"]["length"])
    limit = gs.simulate(rigid, times=times, parameters=at, integrator=gs.DOP853(1e-11, 1e-12))
    assert (limit["rope.tension"].values > 0).all()
    assert limit["rope.length"].values == pytest.approx(at["L"], abs=1e-9)
    gaps = []
    for EA in (1e5, 1e6):
        method = gs.Rodas5P(1e-9, 1e-11)
        run = gs.simulate(tackle(rigid=False), times=times, parameters=at | {"EA": EA}, integrator=method)
        gaps.append(max(np.abs(run[name].values - limit[name].values).max() for name in ("j.x", "j.y", "b")))
    assert gaps[1] < 1e-4
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.2)


GIVEN = {"r1": 0.2, "r2": 0.2, "x": 1.0, "y": 0.0, "a": 1.0, "b": 1.0, "m1": 2.0, "m2": 2.0, "rho": 0.05}
RANGES = [(0.15, 0.35), (0.15, 0.35), (0.9, 1.3), (-0.15, 0.15), (0.8, 1.2), (0.8, 1.2), (2, 4), (2, 4), (0.03, 0.1)]


def hung(rope: gs.Rope | gs.Reeving, ends: tuple[str, str] | None = None) -> gs.System:
    """Return weights on a light rope over two pulleys without friction; on vertical lines, or at ends of the rope."""
    model = gs.Model("weights", gravity=(0, -G, 0), parameters=GIVEN | {"L": 4.0, "grip": 0.0})
    model.add(rope)
    for i, (name, mass, place) in enumerate((("a", "m1", ("-r1", "-a", 0)), ("b", "m2", ("x + r2", "y - b", 0)))):
        model.add(gs.Body(name, mass=mass, inertia=(0, 0, 0)))
        if ends is None:
            model.add(gs.Prismatic(f"{name}_y", ("ground", place), name, axis="y"))
        else:
            model.add(gs.Weld(f"{name}_hook", ends[i], name))
    if ends is not None:
        model.add(gs.Bushing("hold", ("ground", ("-r1", "-a", 0)), "a", ("grip", "grip", 0)))
    return gs.formulate(model)


PULLEYS = (gs.Pulley("p", "ground", "r1", "right"), gs.Pulley("q", ("ground", ("x", "y", 0)), "r2", "right"))


@cache
def wrapped() -> gs.System:
    """Return the weights on a `Reeving`."""
    return hung(gs.Reeving("rope", ["a", *PULLEYS, "b"], length="L", EA=1e6, damping=1e3, density="rho"))


@cache
def segmented(segments: int) -> gs.System:
    """Return the weights on a rope of nodes, one of them held by `grip`."""
    part = 4.0 / segments
    laws = {"EA": 1e6, "damping": 20 * part, "normal": gs.HuntCrossley(3e7 * part, chi=5)}
    rope = gs.Rope("rope", [None, *PULLEYS, None], segments=segments, length="L", density="rho", **laws)
    return hung(rope, ("rope.n0", f"rope.n{segments}"))


def path_length(at: dict[str, float], moved: tuple[float, float] = (0.0, 0.0)) -> float:
    """Return the length of the path, with the weights moved upwards."""
    return float(wrapped().force_outputs(np.array(moved), np.zeros(2), parameters=at)["rope"]["length"])


@campaign(20)
def test_segments_converge_to_the_wrapped_rope(seed):
    """Motions of a weight by 40 and 120 segments differ from that by `Reeving` in proportion to (segment/radius)²."""
    at = dict(zip(GIVEN, np.random.default_rng(seed).uniform(*np.transpose(RANGES)).tolist(), strict=True))
    at["L"] = path_length(at)
    tension = 2 * at["m1"] * at["m2"] / (at["m1"] + at["m2"]) * G
    for segments in (40, 120):
        system = segmented(segments)
        start = gs.settle_ropes(system, gs.lay_rope(system, "rope", parameters=at), parameters=at | {"grip": 1e5})
        run = gs.simulate(system, times=[0, 0.4], initial=start, parameters=at, integrator=gs.Rodas4(1e-5, 1e-7))
        moved = float(run["a"].values[0, 1]) + at["a"], float(run["b"].values[0, 1]) - at["y"] + at["b"]
        taut = at | {"L": path_length(at, moved) / (1 + tension / 1e6)}
        same = {"initial": {"a_y": moved[0], "b_y": moved[1]}, "parameters": taut}
        exact = gs.simulate(wrapped(), times=[0, 0.4], **same, integrator=gs.Rodas5P(1e-8, 1e-10))
        found, drop = np.diff(run["a"].values[:, 1])[0], np.diff(exact["a_y"].values)[0]
        part = at["L"] / segments / min(at["r1"], at["r2"])
        assert abs(found - drop) < 0.05 * part**2, (segments, found, drop)
