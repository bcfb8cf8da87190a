"""Ropes on the ground, over bodies and against each other, by contacts of many pairs."""

import numpy as np
import pytest

import gyrostat as gs

LAW = gs.HuntCrossley(1e6, chi=1)
METHOD = gs.Rodas4(1e-4, 1e-6)


def beads(name, ends=(None, None), n=6):
    """Return a rope whose nodes are spheres that touch their neighbours."""
    return gs.Rope(name, list(ends), segments=n, length=0.1 * n, density=2, EA=1e4, damping=5, radius=0.05)


def places(name, n, start, way):
    """Return coordinates of a straight rope of beads."""
    at = np.asarray(start) + 0.1 * np.arange(n + 1)[:, None] * np.asarray(way)
    return {f"{name}.m{i}.{axis}": float(at[i, k]) for i in range(n + 1) for k, axis in enumerate("xyz")}


def test_a_rope_slides_on_the_ground_and_comes_to_rest():
    """Its way is v²/(2 μ g), and the ground carries its weight."""
    model = gs.Model("laid down", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"table": gs.shapes.Plane()}))
    rope = model.add(beads("rope"))
    law, pairs = gs.HuntCrossley(1e6, chi=50), [["ground"], rope.bodies]
    model.add(gs.Contacts("touch", between=pairs, normal=law, friction=gs.Coulomb(0.5, speed=0.002)))
    start = places("rope", 6, (0, 0, 0.05 - (0.2 * 9.81 / 1e6) ** (2 / 3)), (1, 0, 0))
    start |= {f"rope.m{i}.x.rate": 0.5 for i in range(7)}
    run = gs.simulate(model, 0.4, step=0.4, initial=start, integrator=METHOD)
    assert run["touch.touching"].values[-1] == 7
    assert run["touch.force"].values[-1] == pytest.approx(2 * 0.6 * 9.81, rel=1e-3)
    assert run["rope.m3.x"].values[-1] - 0.3 == pytest.approx(0.5**2 / (2 * 0.5 * 9.81), rel=0.02)


def test_a_rope_is_caught_by_another_one():
    """A rope falls across a taut one, and does not pass through it."""
    model = gs.Model("crossing", gravity=(0, 0, -9.81))
    taut = model.add(beads("taut", ("ground", ("ground", (0.602, 0, 0)))))
    other = model.add(beads("other"))
    model.add(gs.Contacts("touch", between=[taut.bodies, other.bodies], normal=LAW))
    start = gs.lay_rope(model, "taut", "straight") | places("other", 6, (0.32, -0.3, 0.12), (0, 1, 0))
    run = gs.simulate(model, 0.2, step=0.02, initial=start, integrator=METHOD)
    assert run["touch.touching"].values.max() >= 1
    assert (run["other.m3.z"].values > run["taut.m3.z"].values + 0.08).all()
    assert run["other.m3.z"].values[-1] - run["other.m0.z"].values[-1] > 0.05
