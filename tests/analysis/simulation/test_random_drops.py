"""Random drops of random shapes on random grounds, by all adaptive integrators at any tolerance."""

from __future__ import annotations

from functools import cache

import numpy as np
from campaign import campaign

import gyrostat as gs

shapes = gs.shapes
SPIKE = [(0.2, 0.1, -0.1), (-0.2, 0.15, -0.12), (0, -0.25, -0.1), (0.05, 0, 0.2), (0.15, 0.1, 0.15)]
SKINS = {
    "ball": shapes.Sphere(0.15),
    "capsule": shapes.Capsule(0.1, 0.2),
    "box": shapes.Box((0.3, 0.2, 0.2)),
    "hull": shapes.Polyhedron(SPIKE),
    "cylinder": shapes.Cylinder(0.15, 0.25),
    "disc": shapes.Cylinder(0.2, 0.08),
    "cone": shapes.Cone(0.2, 0.3),
    "cross": shapes.Group([shapes.Box((0.4, 0.1, 0.1)), shapes.Capsule(0.07, 0.3, along="y")]),
}
GRID = np.linspace(-3, 3, 9)
WAVES = 0.1 * np.sin(3 * GRID[:, None]) * np.cos(2 * GRID[None, :])
GROUNDS = {
    "plane": shapes.Plane(),
    "plate": shapes.Box((6, 6, 0.5), at=(0, 0, -0.25)),
    "relief": shapes.HeightField(GRID, GRID, WAVES),
    "trunk": shapes.Cylinder(3.0, 0.5, at=(0, 0, -0.25)),
}
ON_RELIEF = ("ball", "capsule", "box", "hull")
"""Shapes that touch surfaces of triangles."""
METHODS = [gs.DOP853, gs.RKF45, gs.Rodas5P, gs.Rodas4, gs.CVODE]


@cache
def _system(skin: str, ground: str, remembering: bool) -> gs.System:
    model = gs.Model("drop", gravity=(0, 0, -9.81), parameters={"k": 1e6})
    model.add(gs.Body("ground", surfaces={"ground": GROUNDS[ground]}))
    model.add(gs.Body("a", mass=1, inertia=[0.01, 0.012, 0.008], surfaces={"skin": SKINS[skin]}))
    model.add(gs.Free("m", "ground", "a"))
    law = gs.HuntCrossley("k", restitution=0.6) if remembering else gs.HuntCrossley("k", restitution=0.6, speed=3)
    friction = gs.Coulomb(0.3, speed=0.1)
    model.add(gs.Contacts("c", among=["ground", "a"], normal=law, friction=friction, most=16 if remembering else None))
    return gs.formulate(model)


def _dropped(seed: int) -> tuple[gs.Trajectory, str, str, type, float]:
    """Return a random drop from up to 3 m with any orientation and spin: its run, shapes, integrator and tolerance."""
    rng = np.random.default_rng(seed)
    ground = list(GROUNDS)[int(rng.integers(len(GROUNDS)))]
    skin = str(rng.choice(ON_RELIEF if ground == "relief" else list(SKINS)))
    method = METHODS[int(rng.integers(len(METHODS)))]
    system = _system(skin, ground, method is not gs.CVODE and rng.random() < 0.4)
    turned, height = rng.normal(size=4), float(np.exp(rng.uniform(np.log(0.5), np.log(3))))
    start = {f"m.e{k}": x for k, x in enumerate(turned / np.linalg.norm(turned))}
    start |= {f"m.w{k}": rng.uniform(-8, 8) for k in (1, 2, 3)} | {f"m.v{k}": rng.uniform(-1, 1) for k in (1, 2)}
    start |= {"m.z": height, "m.x": rng.uniform(-0.5, 0.5), "m.y": rng.uniform(-0.5, 0.5)}
    rtol = 10 ** rng.uniform(-10, -3)
    time = float(np.sqrt(2 * height / 9.81)) + 0.25
    run = gs.simulate(
        system, time, step=time / 40, initial=start, parameters={"k": 10 ** rng.uniform(6, 8)},
        integrator=method(rtol=rtol, atol=1e-2 * rtol), progress=False,
    )  # fmt: skip
    return run, skin, ground, method, rtol


@campaign(1000, few=[3, 97, 192, 286, 381, 475, 570, 664, 759, 853, 948, 999])
def test_nothing_falls_through(seed: int) -> None:
    """No shape passes the ground, and the energy account closes to what the tolerance allows."""
    run, skin, ground, method, rtol = _dropped(seed)
    case = skin, ground, method.__name__, rtol
    assert run.status.success, (*case, run.status)
    assert run["m.z"].values.min() > (-0.1 if ground == "relief" else 0.0), case
    energy = run.energy()
    off = np.abs(energy.balance.values).max() / energy.kinetic.values.max()
    assert off < max(1e-5, 300 * rtol), (*case, off)


def test_cvode_makes_long_steps_again_after_a_bounce() -> None:
    """Derivatives of a contact that has ended must leave the Jacobian: steps were 14506 and the energy off by 1e-3."""
    run, skin, ground, method, rtol = _dropped(57)
    assert (skin, ground, method) == ("disc", "plane", gs.CVODE)
    assert run.status.steps < 700
    energy = run.energy()
    assert np.abs(energy.balance.values).max() < 300 * rtol * energy.kinetic.values.max()


def test_cvode_repeats_its_own_motion() -> None:
    """Works are taken on repeated steps: another end of the run gave other bounces."""
    run = _dropped(57)[0]
    ends = np.unique(np.append(run.motion.segments[0].times, run.time))
    again = run.motion.instants_at(ends)[0]
    np.testing.assert_array_equal(again.q[np.searchsorted(ends, run.time)], run.q)
