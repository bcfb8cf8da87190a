"""Cylinders and cones on boxes, polyhedra, capsules and each other."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign

import gyrostat as gs

LAW = gs.HuntCrossley(1e6, chi=0.2)
RUBBING = gs.Coulomb(0.4, speed=0.01)
INERTIA = (0.02, 0.03, 0.04)
PLATE = gs.shapes.Box((4, 4, 0.5), at=(0, 0, -0.25))
SPIKE = [(0.2, 0.1, -0.1), (-0.2, 0.15, -0.12), (0, -0.25, -0.1), (0.05, 0, 0.3)]
KEEL = [(0, 1, 0), (0, -1, 0), (0.3, 0, 1), (-0.3, 0, 1)]
HARD = gs.HuntCrossley(1e6, restitution=0.2, speed=1)


def _on(ground: object, *skins: object, normal: object = LAW, friction: object = RUBBING) -> gs.Model:
    """Return free bodies b0, b1, … with a shape each, which touch each other and a shape of the ground."""
    model = gs.Model("round", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"ground": ground}))
    for i, skin in enumerate(skins):
        model.add(gs.Body(f"b{i}", mass=1, inertia=list(INERTIA), surfaces={"skin": skin}))
        model.add(gs.Free(f"m{i}", "ground", f"b{i}"))
    among = ["ground", *(f"b{i}" for i in range(len(skins)))]
    model.add(gs.Contacts("c", among=among, normal=normal, friction=friction))
    return model


@pytest.mark.parametrize("method", [gs.DOP853(1e-10, 1e-12), gs.Rodas5P(1e-8, 1e-10)])
def test_a_cylinder_rolls_on_a_box_as_on_a_plane(method: gs.DOP853 | gs.Rodas5P) -> None:
    """Both ends of the lowest line touch, as they do by the closed form of a plane; the cylinder yaws and rocks."""
    start = {"m0.z": 0.1999, "m0.v1": 1.0, "m0.w3": 0.4, "m0.w1": 0.05}
    drum = gs.shapes.Cylinder(0.2, 0.6, along="y")
    runs = [
        gs.simulate(_on(ground, drum), 0.4, step=0.04, initial=start, integrator=method)
        for ground in (gs.shapes.Plane(), PLATE)
    ]
    assert runs[1].status.success
    for name in ("b0", "b0.omega"):
        np.testing.assert_allclose(runs[1][name].values, runs[0][name].values, rtol=0, atol=2e-7, err_msg=name)


def test_linear_models_equal_those_on_a_plane() -> None:
    """The point of contact stays below the axis while the cylinder turns: rolling has no stiffness."""
    drum = gs.shapes.Cylinder(0.2, 0.6, along="y")
    found = []
    for ground in (gs.shapes.Plane(), PLATE):
        model = _on(ground, drum)
        found.append(np.array(gs.linearize(model, gs.equilibrium(model, {"m0.z": 0.1999})).A))
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-6 * np.abs(found[0]).max())


@pytest.mark.parametrize(
    ("skin", "height", "points"),
    [
        (gs.shapes.Cylinder(0.2, 0.6), 0.3, 4),
        (gs.shapes.Cone(0.2, 0.4), 0.1, 4),
        (gs.shapes.Cylinder(0.2, 0.6, along="x"), 0.2, 2),
    ],
)
def test_depth_at_rest(skin: object, height: float, points: int) -> None:
    """Each of the points carries its part of the weight: d = (W/(n k))^(2/3)."""
    point = gs.equilibrium(_on(PLATE, skin), {"m0.z": height})
    assert point["m0.z"] == pytest.approx(height - (9.81 / points / 1e6) ** (2 / 3), abs=1e-9)
    assert point["c.force"] == pytest.approx(9.81, rel=1e-9)


@pytest.mark.parametrize(
    ("lower", "upper", "distance"),
    [
        (gs.shapes.Cylinder(0.2, 2.0, along="x"), gs.shapes.Cylinder(0.1, 2.0, along="y"), 0.3),
        (gs.shapes.Cylinder(0.2, 2.0, along="x"), gs.shapes.Capsule(0.1, 2.0, along="y"), 0.3),
        (gs.shapes.Cylinder(0.2, 2.0, along="x"), gs.shapes.Polyhedron(KEEL), 0.2),
        (gs.shapes.Cylinder(0.2, 2.0, along="x"), gs.shapes.Cone(0.2, 0.4, turn=[("x", np.pi)], at=(0, 0, 0.3)), 0.2),
    ],
)  # fmt: skip
def test_crossing_lines_touch_at_one_point(lower: object, upper: object, distance: float) -> None:
    """At a depth d the force is k d^1.5, along the normal of the mantle."""
    model, depth = _on(lower, upper, friction=None), 1e-4
    state = {"m0.z": distance - depth}
    run = gs.simulate(model, 1e-6, initial=state, integrator=gs.RK4(step=1e-6))
    assert run["c.depth"].values[0] == pytest.approx(depth, rel=1e-6)
    assert run["c.force"].values[0] == pytest.approx(1e6 * depth**1.5, rel=1e-6)
    assert run["b0.acc"].values[0, 2] == pytest.approx(1e6 * depth**1.5 - 9.81, rel=1e-6)
    np.testing.assert_allclose(run["b0.acc"].values[0, :2], 0, atol=1e-6)


def test_parallel_cylinders_touch_along_their_common_part() -> None:
    """Two points carry the upper cylinder, whose centre is above the middle of the common part."""
    lower, upper = gs.shapes.Cylinder(0.2, 1.0, along="x"), gs.shapes.Cylinder(0.1, 0.6, along="x")
    run = gs.simulate(_on(lower, upper), 1e-6, initial={"m0.z": 0.3 - 1e-4}, integrator=gs.RK4(step=1e-6))
    assert run["c.force"].values[0] == pytest.approx(2 * 1e6 * 1e-4**1.5, rel=1e-6)
    np.testing.assert_allclose(run["b0.alpha"].values[0], 0, atol=1e-3)


def test_rigid_cylinders_stay_on_each_other() -> None:
    drum = gs.shapes.Cylinder(0.2, 0.3)
    model = _on(PLATE, drum, drum, normal=HARD, friction=gs.Coulomb(0.5, speed=0.1))
    start = {"m0.z": 0.15, "m1.z": 0.45, "m1.x": 0.05}
    run = gs.simulate(model, 1.0, step=0.1, initial=start, integrator=gs.Moreau(step=0.005))
    assert run.status.success
    assert run["c.force"].values[-1] == pytest.approx(3 * 9.81, rel=1e-3)
    assert run["m1.z"].values[-1] == pytest.approx(0.45, abs=1e-3)


@campaign(100)
def test_nothing_falls_through(seed: int) -> None:
    """Cylinders and cones dropped on a plate and on each other, at any tolerance; the energy account closes."""
    rng = np.random.default_rng(seed)
    shapes = [gs.shapes.Cylinder(0.15, 0.2), gs.shapes.Cylinder(0.2, 0.1), gs.shapes.Cone(0.2, 0.3)]
    others = [*shapes, gs.shapes.Box((0.3, 0.2, 0.2)), gs.shapes.Polyhedron(SPIKE), gs.shapes.Capsule(0.1, 0.2)]
    skins = [shapes[int(rng.integers(3))], others[int(rng.integers(6))]]
    model = _on(PLATE, *skins, normal=gs.HuntCrossley(10 ** rng.uniform(5.5, 7), chi=0.3))
    start = {"m0.z": 0.5, "m1.z": 1.1, "m1.x": 0.05}
    for i in range(2):
        start |= {f"m{i}.w{k}": rng.normal() for k in (1, 2, 3)}
        turned = rng.normal(size=4)
        start |= {f"m{i}.e{k}": x for k, x in enumerate(turned / np.linalg.norm(turned))}
        start[f"m{i}.v3"] = -rng.uniform(0, 3)
    method = (gs.DOP853, gs.RKF45, gs.Rodas5P)[int(rng.integers(3))]
    rtol = 10 ** rng.uniform(-10, -3)
    run = gs.simulate(model, 0.5, step=0.02, initial=start, integrator=method(rtol, 1e-2 * rtol))
    assert run.status.success, run.status
    assert min(run[f"m{i}.z"].values.min() for i in range(2)) > 0.02
    energy = run.energy()
    assert np.abs(energy.balance.values).max() < max(1e-3, 100 * rtol) * energy.kinetic.values.max()


def test_a_cylinder_on_a_guide_lands_on_a_box() -> None:
    """A joint connects the two: a single contact, which knows no such pair, names what serves them."""
    model = gs.Model("guided", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"die": gs.shapes.Box((1, 1, 1), at=(0, 0, -0.5))}))
    model.add(gs.Body("drum", mass=2, inertia=(1, 1, 1), surfaces={"hull": gs.shapes.Cylinder(0.1, 0.4)}))
    model.add(gs.Prismatic("h", "ground", "drum", axis="z", initial=0.3))
    law = gs.HuntCrossley(1e6, 1, chi=0.5)
    model.add(gs.Contact("c", "drum", "ground", law))
    with pytest.raises(gs.ModelError, match=r"between=\(\['drum'\], \['ground'\]\), joined=True, …\), which finds"):
        gs.formulate(model)
    model.replace(gs.Contacts("c", between=(["drum"], ["ground"]), normal=law, joined=True))
    system = gs.formulate(model)
    runs = [
        gs.simulate(system, duration=0.5, step=0.05, integrator=method)
        for method in (gs.DOP853(1e-9, 1e-11), gs.Rodas5P(1e-8, 1e-10))
    ]
    np.testing.assert_allclose(runs[0]["h"].values, runs[1]["h"].values, atol=1e-7)
    assert runs[0]["h"].values.min() > 0.19
    at_rest = gs.equilibrium(system, {"h": 0.1999})
    assert at_rest["h"] == pytest.approx(0.2 - 2 * 9.81 / 4e6, abs=1e-12)  # four points of the rim carry
    frequency = np.abs(np.linalg.eigvals(gs.linearize(system, at_rest).A))
    np.testing.assert_allclose(frequency, np.sqrt(4e6 / 2), rtol=1e-7)
