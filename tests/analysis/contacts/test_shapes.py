"""Bodies of all shapes dropped on a floor or a relief, stacks, and a box on its corners."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from campaign import SOAK, campaign
from contact_models import GRAVITY, floor
from scipy.spatial.transform import Rotation

import gyrostat as gs

SOLIDS: dict[str, Any] = {
    "sphere": gs.sphere(1.0, 0.1),
    "box": gs.box(1.0, (0.3, 0.2, 0.1)),
    "cylinder": gs.cylinder(1.0, 0.1, 0.3),
    "cone": gs.cone(1.0, 0.1, 0.3),
    "capsule": None,
}
INTEGRATORS = (gs.DOP853, gs.RKF45, gs.Rodas5P)
OTHERS = (gs.Rodas4, *(partial(gs.CVODE, method) for method in ("bdf", "adams")))


@cache
def dropped(shape: str) -> gs.System:
    """Return a free body over a floor with friction."""
    model = gs.Model(shape, gravity=(0, 0, -GRAVITY))
    model.add(floor())
    if shape == "capsule":
        model.add(gs.Body("body", gs.cylinder(1.0, 0.1, 0.3), surfaces={"skin": gs.shapes.Capsule(0.1, 0.3)}))
    else:
        model.add(gs.Body("body", SOLIDS[shape]))
    model.add(gs.Free("f", "ground", "body"))
    model.add(gs.Contact("c", "body", "ground.floor", gs.HuntCrossley(1e6, restitution=0.6), gs.Coulomb(0.3, 0.05)))
    return gs.formulate(model)


@pytest.mark.filterwarnings("ignore:Stability limited the step", "ignore:CVODE restarted at order one")
@campaign(1000 if SOAK else 60)
def test_nothing_falls_through_the_floor(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape, method = list(SOLIDS)[seed % len(SOLIDS)], (*INTEGRATORS, *OTHERS)[int(rng.integers(6))]
    tolerance = 10.0 ** rng.uniform(-10, -3)
    e = np.roll(Rotation.random(random_state=rng).as_quat(), 1)
    initial = {"f.z": rng.uniform(0.4, 1.5), **{f"f.e{i}": e[i] for i in range(4)}}
    initial |= {f"f.w{i}": rng.normal(scale=3) for i in (1, 2, 3)} | {f"f.v{i}": rng.normal() for i in (1, 2, 3)}
    motion = gs.simulate(
        dropped(shape),
        duration=1.0,
        step=0.02,
        initial=initial,
        integrator=method(rtol=tolerance, atol=1e-3 * tolerance),
    )
    assert motion.status.success
    total = motion.energy().total.values
    deepest = 2 * (2.5 * total[0] / 1e6) ** 0.4  # a point with twice the energy at depth
    assert motion["c.gap"].values.min() > -deepest
    assert (np.diff(total) < 1e-6 + 30 * tolerance * total[0]).all()


@pytest.mark.parametrize("rtol", [1e-3, 1e-6])
@pytest.mark.parametrize("method", INTEGRATORS)
def test_a_fast_ball_does_not_pass_a_stiff_floor(method: Any, rtol: float) -> None:
    for speed in (10.0, 60.0):
        motion = gs.simulate(
            dropped("sphere"),
            duration=0.1 + 2 / speed,
            initial={"f.z": 1.0, "f.v3": -speed},
            integrator=method(rtol, 1e-9),
        )
        assert motion["body"].values[-1, 2] > 0.1
        assert motion.status.switches >= 2


def test_ten_spheres_on_each_other_rest() -> None:
    count, r, k = 10, 0.1, 1e6
    model = gs.Model("stack", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    law = gs.HuntCrossley(k, 1.5, restitution=0.5)
    below = "ground.floor"
    for i in range(count):
        model.add(gs.Body(f"s{i}", gs.sphere(1.0, r)))
        model.add(gs.Prismatic(f"z{i}", "ground", f"s{i}", axis="z"))
        model.add(gs.Contact(f"c{i}", f"s{i}", below, law))
        below = f"s{i}"
    initial = {f"z{i}": r + 2 * r * i for i in range(count)}
    motion = gs.simulate(model, duration=100, step=1.0, initial=initial, integrator=gs.Rodas5P(1e-6, 1e-9))
    assert motion["c0.force"].values[-1] == pytest.approx(count * GRAVITY, rel=1e-3)
    assert motion["c9.force"].values[-1] == pytest.approx(GRAVITY, rel=1e-3)
    z = motion.q
    assert np.abs(z[-1] - z[20]).max() < 1e-6
    sunk = [((count - i) * GRAVITY / k) ** (2 / 3) for i in range(count)]
    np.testing.assert_allclose(z[-1], r + 2 * r * np.arange(count) - np.cumsum(sunk), atol=1e-6)


def test_a_box_rests_on_four_corners() -> None:
    model = gs.Model("box", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("box", gs.box(2.0, (0.4, 0.3, 0.2))))
    model.add(gs.Free("f", "ground", "box"))
    model.add(gs.Contact("c", "box", "ground.floor", gs.HuntCrossley(1e6, 1, chi=5.0)))
    system = gs.formulate(model)
    sunk = 2.0 * GRAVITY / 4e6
    for height in (0.2, 0.0999):  # above the floor, and with an overlap
        at_rest = gs.equilibrium(system, guess={"f.z": height})
        assert at_rest["f.z"] == pytest.approx(0.1 - sunk, rel=1e-9)
    eigenvalues = np.linalg.eigvals(gs.linearize(system, at=at_rest).A)
    heave = np.sqrt(4e6 / 2.0)  # rad/s, of the springs at four corners
    assert np.abs(np.abs(eigenvalues) - heave).min() < 1e-3 * heave
    motion = gs.simulate(system, duration=10, step=1, initial=at_rest, integrator=gs.Rodas5P(1e-6, 1e-9))
    assert motion["c.force"].values[-1] == pytest.approx(2.0 * GRAVITY, rel=1e-9)
    np.testing.assert_allclose(motion["c.point"].values[-1], [0, 0, -sunk / 2], atol=1e-7)


def test_a_ball_in_a_bowl_oscillates_as_a_pendulum() -> None:
    model = gs.Model("bowl", gravity=(0, 0, -GRAVITY))
    model.add(gs.Body("ground", surfaces={"bowl": gs.shapes.Relief("1 - sqrt(1 - x**2 - y**2)")}))
    model.add(gs.Body("ball", gs.sphere(1.0, 0.1)))
    model.add(gs.Free("f", "ground", "ball"))
    model.add(gs.Contact("c", "ball", "ground.bowl", gs.HuntCrossley(1e7, 1, chi=0.1)))
    system = gs.formulate(model)
    at_rest = gs.equilibrium(system, guess={"f.z": 0.1 - GRAVITY / 1e7})
    assert at_rest["f.z"] == pytest.approx(0.1 - GRAVITY / 1e7, rel=1e-9)
    frequencies = np.abs(np.linalg.eigvals(gs.linearize(system, at=at_rest).A))
    pendulum = np.sqrt(GRAVITY / (0.9 + GRAVITY / 1e7))  # without friction it slides on an arc of this radius
    assert np.abs(frequencies - pendulum).min() < 1e-6 * pendulum


def test_a_pin_in_a_bore_and_a_ball_on_a_box() -> None:
    model = gs.Model("pair", gravity=(0, 0, -GRAVITY))
    tube = gs.shapes.Tube(0.2, 0.15, 1.0, along="x", at=(0, 0, 0.15))
    model.add(gs.Body("ground", surfaces={"tube": tube, "table": gs.shapes.Box((1, 1, 0.2), at=(5, 0, -0.1))}))
    for name, x in (("pin", 0.0), ("ball", 5.2)):
        model.add(gs.Body(name, gs.sphere(1.0, 0.05)))
        model.add(gs.Prismatic(f"{name}_z", ("ground", (x, 0, 0)), name, axis="z"))
    law = gs.HuntCrossley(1e6, 1, restitution=0.4)
    model.add(gs.Contact("bore", "pin", "ground.tube", law))
    model.add(gs.Contact("table", "ball", "ground.table", law))
    initial = {"pin_z": 0.06, "ball_z": 0.06}
    motion = gs.simulate(model, duration=2.0, step=0.1, initial=initial, integrator=gs.Rodas5P(1e-7, 1e-10))
    np.testing.assert_allclose(motion.q[-1], 0.05 - GRAVITY / 1e6, atol=1e-8)


def test_a_polyhedron_of_a_box_rests_as_the_box() -> None:
    corners = [(0.2 * x, 0.15 * y, 0.1 * z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    model = gs.Model("hull", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("body", gs.box(2.0, (0.4, 0.3, 0.2)), surfaces={"skin": gs.shapes.Polyhedron(corners)}))
    model.add(gs.Prismatic("z", "ground", "body", axis="z", initial=0.1))
    model.add(gs.Contact("c", "body", "ground.floor", gs.HuntCrossley(1e6, 1, chi=5.0)))
    model.add(gs.Body("ball", gs.sphere(0.5, 0.05)))
    model.add(gs.Prismatic("top", ("ground", (0.1, 0.05, 0)), "ball", axis="z", initial=0.25))
    model.add(gs.Contact("on_top", "ball", "body", gs.HuntCrossley(1e6, 1, chi=5.0)))
    run = gs.simulate(model, duration=2.0, step=0.5, integrator=gs.Rodas5P(1e-7, 1e-10))
    assert run["c.force"].values[-1] == pytest.approx(2.5 * GRAVITY, rel=1e-6)
    assert run["on_top.force"].values[-1] == pytest.approx(0.5 * GRAVITY, rel=1e-6)
    sunk = 2.5 * GRAVITY / 4e6
    assert run["body"].values[-1, 2] == pytest.approx(0.1 - sunk, abs=1e-8)
    assert run["ball"].values[-1, 2] == pytest.approx(0.25 - sunk - 0.5 * GRAVITY / 1e6, abs=1e-8)


def test_a_ball_stays_in_a_bucket_of_convex_parts() -> None:
    """The bucket is concave: a group of a bottom and two walls, on a body that is shaken to and fro."""
    wall = gs.shapes.Box((0.02, 0.4, 0.3))
    parts = [gs.shapes.Box((0.4, 0.4, 0.02)), *(replace(wall, at=(x, 0, 0.15)) for x in (-0.19, 0.19))]
    model = gs.Model("bucket", gravity=(0, 0, -GRAVITY))
    model.add(gs.Body("bucket", mass=1, inertia=(1, 1, 1), surfaces={"hull": gs.shapes.Group(parts, at=(0, 0, 0.1))}))
    model.add(gs.Prismatic("x", "ground", "bucket", axis="x", driven="0.3*sin(6*t)"))
    model.add(gs.Body("ball", gs.sphere(0.2, 0.05)))
    model.add(gs.Planar("p", ("ground", gs.Frame((0, 0, 0), [("x", "90*deg")])), "ball", initial={"y": 0.161}))
    model.add(gs.Contact("c", "ball", "bucket", gs.HuntCrossley(1e5, 1, restitution=0.5)))
    system = gs.formulate(model)
    assert system.state_names == ("c.p1.approach", "c.p2.approach", "c.p3.approach")
    run = gs.simulate(system, duration=3.0, step=0.02, integrator=gs.Rodas5P(1e-7, 1e-10))
    inside = run["ball"].values[:, 0] - run["x"].values
    assert np.abs(inside).max() < 0.18 - 0.05 + 2e-3
    assert np.abs(inside).max() > 0.125  # it hits the walls
    assert run["ball"].values[:, 2].min() > 0.16 - 1e-3
    assert run["ball"].values[:, 2].max() < 0.2


def test_a_composite_solid_touches_by_all_its_parts() -> None:
    ends = [gs.Part(gs.sphere(1.0, 0.1), at=(0, 0, z)) for z in (-0.2, 0.2)]
    model = gs.Model("dumbbell", gravity=(0, 0, -GRAVITY))
    model.add(floor())
    model.add(gs.Body("body", gs.composite(ends)))
    model.add(gs.Free("f", "ground", "body", initial={"z": 0.1, "e0": np.sqrt(0.5), "e1": np.sqrt(0.5)}))
    model.add(gs.Contact("c", "body", "ground.floor", gs.HuntCrossley(1e6, 1, chi=5.0)))
    run = gs.simulate(model, duration=0.5, integrator=gs.Rodas5P(1e-7, 1e-10))
    assert run["body"].values[-1, 2] == pytest.approx(0.1 - GRAVITY / 1e6, abs=1e-8)
    assert run["c.force"].values[-1] == pytest.approx(2 * GRAVITY, rel=1e-4)


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.Rodas5P()])
def test_a_point_bounces_off_a_narrow_bump_of_a_relief(integrator: gs.Integrator) -> None:
    """Its speed along the slope stays, that across it is multiplied by the restitution; the bump is 4 cm wide."""
    model = gs.Model("bump")
    model.add(gs.Body("ground", surfaces={"floor": gs.shapes.Relief("0.1*exp(-((x-5)/0.02)**2)")}))
    model.add(gs.Body("ball", mass=1, inertia=(1, 1, 1), points={"tip": (0, 0, 0)}))
    model.add(gs.Translation("p", "ground", "ball"))
    law = gs.HuntCrossley(1e9, exponent=1.0, restitution=0.9)
    model.add(gs.Contact("touch", "ball.tip", "ground.floor", normal=law))
    run = gs.simulate(model, duration=8, step=8, initial={"p.x.rate": 1.0, "p.z": 0.05}, integrator=integrator)
    slope = 2 * 0.05 * np.sqrt(np.log(2)) / 0.02
    across, along = np.array([-slope, 1]) / np.hypot(slope, 1), np.array([1, slope]) / np.hypot(slope, 1)
    expected = along[0] * along - 0.9 * across[0] * across
    found = [run[f"p.{axis}.rate"].values[-1] for axis in "xz"]
    np.testing.assert_allclose(found, expected, atol=2e-3)
