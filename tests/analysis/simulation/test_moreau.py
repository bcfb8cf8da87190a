"""Time stepping with rigid contacts: impacts, friction, rest, conservation, order, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from contact_models import floor
from many_contacts import balls, loose

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

DRY = gs.Coulomb(0.3, speed=0.01)


def _law(restitution: float = 0.5) -> gs.HuntCrossley:
    return gs.HuntCrossley(1e6, restitution=restitution, speed=1)


def _run(model: object, duration: float, start: dict[str, float], h: float = 1e-3, outputs: int = 20) -> gs.Trajectory:
    run = gs.simulate(
        model, duration, step=duration / outputs, initial=start, integrator=gs.Moreau(step=h), progress=False
    )
    assert run.status.success, run.status
    return run


@pytest.fixture(scope="module")
def ball() -> gs.System:
    model = balls([0.1], gs.HuntCrossley(1e6, restitution="e", speed=1), gs.Coulomb("mu", speed=0.01))
    model.set_parameter("e", 0.5)
    model.set_parameter("mu", 0.3)
    return gs.formulate(model)


@pytest.mark.parametrize("e", [0.1, 0.5, 1.0])
def test_a_bounce_has_the_restitution(ball: gs.System, e: float) -> None:
    """The ball returns with e times the speed at touch, at the time of touch, wherever in a step that is."""
    run = gs.simulate(
        ball, 0.35, step=7e-3, initial={"b0_motion.z": 0.5}, parameters={"e": e}, integrator=gs.Moreau(7e-3),
        progress=False,
    )  # fmt: skip
    touch = np.sqrt(2 * 0.4 / 9.81)
    speed, left = e * 9.81 * touch, 0.35 - touch
    if e > 0.2:  # otherwise it bounces once more
        assert run["b0.velocity"].values[-1, 2] == pytest.approx(speed - 9.81 * left, rel=1e-9)
        assert run["b0"].values[-1, 2] == pytest.approx(0.1 + speed * left - 0.5 * 9.81 * left**2, rel=1e-9)
    first = int(np.argmax(np.diff(run["b0.velocity"].values[:, 2]) > 0.1)) + 1
    after = 7e-3 * first - touch
    assert run["b0.velocity"].values[first, 2] == pytest.approx(speed - 9.81 * after, rel=1e-9)
    assert run["b0"].values[:, 2].min() >= 0.1 - 1e-12


def test_bounces_come_to_rest(ball: gs.System) -> None:
    run = _run(ball, 4.0, {"b0_motion.z": 0.5}, h=5e-3)
    assert run["b0"].values[-1, 2] == pytest.approx(0.1, abs=1e-9)
    assert np.abs(run["b0.velocity"].values[-1]).max() < 1e-12
    assert run["contacts.force"].values[-1] == pytest.approx(9.81, rel=1e-9)


def _slope(steps: np.ndarray, errors: list[float]) -> float:
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


def test_a_ball_that_slides_and_rolls_moves_with_order_two(ball: gs.System) -> None:
    v, mu, g = 5.0, 0.3, 9.81
    rolling = 2 * v / (7 * mu * g)
    exact = v * rolling - 0.5 * mu * g * rolling**2 + 5 / 7 * v * (2.0 - rolling)
    steps, start = 2.0 / np.array([40, 100, 200, 1000, 4000]), {"b0_motion.z": 0.1, "b0_motion.v1": v}
    errors = [abs(_run(ball, 2.0, start, h, 1)["b0"].values[-1, 0] - exact) for h in steps]
    assert 1.7 < _slope(steps, errors) < 2.5


def test_mechanisms_between_impacts_move_with_order_two() -> None:
    """A double pendulum with a spring, whose wheel does not reach the floor, against an adaptive method."""
    model = _cart(closed=False)
    model.add(gs.JointSpring("spring", "hinge", stiffness=300))
    model.add(gs.JointSpring("twist", "axle", stiffness=2))
    system = gs.formulate(model)
    exact = gs.simulate(system, 0.2, step=0.2, integrator=gs.DOP853(1e-11, 1e-13), progress=False).states.q[-1]
    steps = 0.2 / np.array([20, 40, 80])
    errors = [float(np.abs(_run(system, 0.2, {}, h, 1).states.q[-1] - exact).max()) for h in steps]
    assert 1.8 < _slope(steps, errors) < 2.2


def test_thin_plates_do_not_pass_through_each_other() -> None:
    """Falling by twice their thickness in a step, a plate comes to rest on another one."""
    model = gs.Model("plates", gravity=(0, 0, -9.81))
    for name, mass, z in (("anvil", 100.0, 0.0), ("plate", 1.0, 0.3)):
        model.add(gs.Body(name, gs.box(mass, 0.4, 0.4, 0.01)))
        model.add(gs.Free(f"{name}_motion", "ground", name, initial={"z": z}))
    model.add(gs.Contacts("c", among=["anvil", "plate"], normal=_law(0.1), friction=DRY))
    for offset in np.linspace(0, 0.02, 7):
        run = _run(model, 0.04, {"plate_motion.z": 0.3 + offset, "plate_motion.v3": -20.0}, h=1e-3)
        assert run["plate"].values[-1, 2] > run["anvil"].values[-1, 2] + 0.0099


def test_a_sliding_ball_comes_to_roll(ball: gs.System) -> None:
    """It rolls with 5/7 of its speed, from the time 2 v/(7 μ g) on, without creeping slip."""
    v, mu, g = 5.0, 0.3, 9.81
    run = _run(ball, 2.0, {"b0_motion.z": 0.1, "b0_motion.v1": v}, h=1e-3)
    rolling = 2 * v / (7 * mu * g)
    assert run["b0.velocity"].values[-1, 0] == pytest.approx(5 / 7 * v, rel=1e-9)
    slip = run["b0.velocity"].values[-1, 0] - 0.1 * run["b0.omega"].values[-1, 1]
    assert abs(slip) < 1e-10
    x = v * rolling - 0.5 * mu * g * rolling**2 + 5 / 7 * v * (2.0 - rolling)
    assert run["b0"].values[-1, 0] == pytest.approx(x, abs=1e-6)


def test_a_stack_stays_where_it_is() -> None:
    """Ten spheres press on each other with m g (1 + … + 10), and neither sink nor rise in 100 s."""
    model = balls([0.1] * 10, _law(), DRY)
    run = _run(model, 100.0, {f"b{i}_motion.z": 0.1 + 0.2 * i for i in range(10)}, h=2e-2)
    np.testing.assert_allclose(run["contacts.force"].values, 9.81 * 55, rtol=1e-3)
    assert np.abs(run["b9"].values[:, 2] - 1.9).max() < 1e-6
    assert np.abs(run["b9"].values[:, :2]).max() < 1e-6


@pytest.fixture(scope="module")
def block() -> gs.System:
    slope = np.radians(25)
    model = gs.Model("block on an incline", gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)))
    model.add(floor())
    model.add(gs.Body("block", gs.box(1, 0.4, 0.2, 0.1)))
    model.add(gs.Free("motion", "ground", "block"))
    model.add(gs.Contacts("c", among=["ground", "block"], normal=_law(0.1), friction=gs.Coulomb("mu", speed=0.01)))
    model.set_parameter("mu", 0.5)
    return gs.formulate(model)


@pytest.fixture(scope="module")
def burdened() -> gs.System:
    """Twenty spheres of 1 kg on each other, the highest of 1000 kg."""
    model = gs.Model("burdened stack", gravity=(0, 0, -9.81))
    model.add(floor())
    names = [f"b{i}" for i in range(20)]
    for i, name in enumerate(names):
        model.add(gs.Body(name, gs.sphere(1000 if i == 19 else 1, 0.1)))
        model.add(gs.Free(f"{name}_motion", "ground", name, initial={"z": 0.1 + 0.2 * i}))
    model.add(gs.Contacts("contacts", among=["ground", *names], normal=_law(), friction=DRY))
    return gs.formulate(model)


def test_a_heavy_sphere_on_a_stack_of_light_ones_presses_with_its_weight(burdened: gs.System) -> None:
    """Sweeps alone carry 13 % less than the weight after 500 of them; Newton's method finds the impulses."""
    run = gs.simulate(burdened, 0.2, step=0.02, integrator=gs.Moreau(0.01, tolerance=1e-9), progress=False)
    weights = 9.81 * (20 * 1000 + sum(range(20)))
    np.testing.assert_allclose(run["contacts.force"].values, weights, rtol=1e-8)
    assert run["b19"].values[-1, 2] == pytest.approx(3.9, abs=1e-9)
    assert not run.status.notes


def test_impulses_that_are_not_found_are_told(burdened: gs.System) -> None:
    told = r"In 2 of 2 steps the impulses of the contacts were not found to the tolerance of 1e-06 in 5 sweeps: "
    with pytest.warns(GyrostatWarning, match=told + r"velocities still changed by up to .*Use Moreau with more sweeps"):
        run = gs.simulate(burdened, 0.02, step=0.02, integrator=gs.Moreau(0.01, sweeps=5), progress=False)
    assert run.status.success


def test_a_step_in_which_all_bodies_may_touch_is_explained() -> None:
    """Every body moves by many times its size, so that all pairs may touch."""
    model = loose({f"b{i}": gs.box(1, 0.1, 0.1, 0.1) for i in range(20)})
    model.add(gs.Contacts("c", among=["ground", *(f"b{i}" for i in range(20))], normal=_law()))
    start = {f"b{i}_motion.z": 0.2 + 0.2 * i for i in range(20)} | {f"b{i}_motion.v3": -100.0 for i in range(20)}
    with pytest.warns(GyrostatWarning, match=r"more points may touch within a step .*Use a smaller step than 1 s"):
        gs.simulate(model, 1.0, step=1.0, initial=start, integrator=gs.Moreau(1.0), progress=False)


@pytest.mark.parametrize(("slope", "holds"), [(0.25, True), (0.35, False)])
def test_heavy_blocks_on_light_ones_stick_or_slide(slope: float, holds: bool) -> None:
    """A tower of blocks with indeterminate loads at its corners stays on an incline below tan⁻¹ 0.3, or slides."""
    gravity = (9.81 * np.sin(slope), 0, -9.81 * np.cos(slope))
    model = gs.Model("tower", gravity=gravity)
    model.add(floor())
    masses = {"low": 1.0, "middle": 10.0, "high": 1000.0}
    for i, (name, mass) in enumerate(masses.items()):
        model.add(gs.Body(name, gs.box(mass, 0.4, 0.4, 0.1)))
        model.add(gs.Free(f"{name}_motion", "ground", name, initial={"z": 0.05 + 0.1 * i}))
    model.add(gs.Contacts("contacts", among=["ground", *masses], normal=_law(), friction=DRY))
    run = gs.simulate(model, 0.2, step=0.02, integrator=gs.Moreau(0.005, tolerance=1e-9), progress=False)
    assert not run.status.notes
    assert run["contacts.force"].values[-1] == pytest.approx(-gravity[2] * (1011 + 1010 + 1000), rel=1e-6)
    acceleration = 0.0 if holds else gravity[0] + 0.3 * gravity[2]
    assert run["low"].values[-1, 0] == pytest.approx(0.5 * acceleration * 0.2**2, abs=5e-6)


def test_friction_holds_a_block(block: gs.System) -> None:
    """Below the angle of friction it does not creep; beyond it slides with g (sin α − μ cos α)."""
    held = _run(block, 100.0, {"motion.z": 0.05}, h=1e-2)
    assert np.abs(held["block"].values[:, 0]).max() < 1e-6
    run = gs.simulate(
        block, 1.0, initial={"motion.z": 0.05}, parameters={"mu": 0.2}, integrator=gs.Moreau(1e-3), progress=False
    )
    slope = np.radians(25)
    assert run["block.velocity"].values[-1, 0] == pytest.approx(9.81 * (np.sin(slope) - 0.2 * np.cos(slope)), rel=1e-5)


def test_a_plank_lands_on_its_corners(block: gs.System) -> None:
    """Dropped askew, it comes to rest flat on the floor, loses energy all the way, and does not sink in."""
    start = {"motion.z": 0.4, "motion.w2": 1.0, "motion.w1": -2.0}
    run = _run(block, 3.0, start, h=2e-3, outputs=100)
    assert run["c.depth"].values.max() < 2e-3
    assert run["c.depth"].values[-1] < 1e-5
    assert run["block"].values[-1, 2] == pytest.approx(0.05, abs=1e-5)
    energy = run.energy()
    total = energy.kinetic.values + energy.potential.values
    assert np.diff(total).max() < 1e-3
    assert np.abs(run["block.omega"].values[-1]).max() < 1e-6


@pytest.mark.parametrize("solid", [gs.cylinder(7, 0.16, 0.08), gs.cone(2, 0.2, 0.1)])
def test_a_disc_comes_to_rest_flat(solid: object) -> None:
    """Supported at the lowest point of its rim alone, it sank in by half of its thickness while it seemed to turn."""
    model = loose({"disc": solid})
    model.add(gs.Contacts("c", among=["ground", "disc"], normal=_law(0.43), friction=DRY))
    start = {"disc_motion.z": 0.1, "disc_motion.w1": -0.06, "disc_motion.w2": -2.2, "disc_motion.w3": -0.3}
    run = _run(model, 3.0, start, h=1e-2)
    height = 0.04 if solid == gs.cylinder(7, 0.16, 0.08) else 0.025
    assert run["disc"].values[-1, 2] == pytest.approx(height, abs=1e-5)
    assert np.abs(run["disc.omega"].values[-1]).max() < 1e-6
    assert run["c.depth"].values.max() < 2e-3


def test_momenta_are_kept_and_energy_is_not_gained() -> None:
    """Linear momentum to rounding errors, angular momentum to those of the place of an impact within a step."""
    model = balls([0.1, 0.13, 0.1, 0.16], _law(0.8), DRY, gravity=0, on_floor=False)
    rng, start = np.random.default_rng(3), {}
    for i, corner in enumerate([(-1, -1, 0), (1, -1, 0), (-1, 1, 0.2), (1, 1, 0.1)]):
        for k, (axis, x) in enumerate(zip("xyz", corner, strict=True), start=1):
            start[f"b{i}_motion.{axis}"] = 0.3 * x
            start[f"b{i}_motion.v{k}"] = -x + rng.uniform(-0.1, 0.1)
            start[f"b{i}_motion.w{k}"] = rng.uniform(-20, 20)
    run = _run(model, 0.6, start, h=1e-3)
    linear = sum(run[f"b{i}.momentum"].values for i in range(4))
    spin = sum(
        run[f"b{i}.angular_momentum"].values + np.cross(run[f"b{i}"].values, run[f"b{i}.momentum"].values)
        for i in range(4)
    )
    np.testing.assert_allclose(linear - linear[0], 0, atol=1e-12)
    np.testing.assert_allclose(spin - spin[0], 0, atol=1e-4)  # points of contact slide during the step of an impact
    kinetic = run.energy().kinetic.values
    assert np.diff(kinetic).max() < 1e-9
    assert kinetic[-1] < kinetic[0] - 0.1


def test_free_flight_keeps_velocities_of_spinning_bodies() -> None:
    """Velocities are given in axes of the body; without loads they stay constant in space."""
    model = loose({"brick": gs.box(1, 0.1, 0.2, 0.3)}, gravity=0)
    model.add(gs.Contacts("c", among=["ground", "brick"], normal=_law()))
    start = {"brick_motion.z": 9.0, "brick_motion.v1": 1.0, "brick_motion.w1": 20.0, "brick_motion.w3": 30.0}
    run = _run(model, 1.0, start, h=1e-3)
    velocity = run["brick.velocity"].values
    np.testing.assert_allclose(velocity, np.broadcast_to(velocity[0], velocity.shape), atol=1e-12)
    spin = run["brick.angular_momentum"].values
    np.testing.assert_allclose(spin, np.broadcast_to(spin[0], spin.shape), rtol=0, atol=0.02 * np.linalg.norm(spin[0]))


def _cart(*, closed: bool) -> gs.Model:
    """Return an arm with a wheel on the floor; closed, a link joins it to a second arm in a four-bar loop."""
    model = gs.Model("wheel on an arm", gravity=(0, 0, -9.81))
    model.add(floor())
    model.add(gs.Body("arm", gs.rod(2, 1.0, along="x")))
    model.add(gs.Body("wheel", gs.sphere(1, 0.1)))
    model.add(gs.Revolute("hinge", ("ground", (0, 0, 0.3)), ("arm", (-0.5, 0, 0)), axis="y", initial=0.1))
    model.add(gs.Revolute("axle", ("arm", (0.5, 0, 0)), "wheel", axis="y"))
    if closed:
        model.add(gs.Body("link", gs.rod(0.5, 0.4, along="z")))
        model.add(gs.Body("other", gs.rod(1, 1.0, along="x")))
        model.add(gs.Revolute("second", ("ground", (0, 0, 0.7)), ("other", (-0.5, 0, 0)), axis="y", initial=0.1))
        model.add(gs.Revolute("third", ("arm", (0.4, 0, 0)), ("link", (0, 0, -0.2)), axis="y"))
        model.add(gs.Revolute("fourth", ("link", (0, 0, 0.2)), ("other", (0.4, 0, 0)), axis="y"))
    model.add(gs.Contacts("c", between=[["ground"], ["wheel"]], normal=_law(0.2), friction=DRY))
    return model


@pytest.mark.parametrize("closed", [False, True])
def test_joints_and_loops_are_included(closed: bool) -> None:
    """The rigid contact carries the load that a stiff penalty contact carries at rest."""
    system = gs.formulate(_cart(closed=closed))
    rigid = _run(system, 2.0, {}, h=2e-3)
    soft = gs.simulate(system, 2.0, step=0.5, integrator=gs.DOP853(1e-6, 1e-8), progress=False)
    assert rigid["c.touching"].values[-1] == 1
    assert rigid["c.depth"].values[-1] < 1e-5
    assert rigid["c.force"].values[-1] == pytest.approx(soft["c.force"].values[-1], rel=2e-3)
    assert np.abs(rigid["arm.velocity"].values[-1]).max() < 1e-6


def _with(**changed: object) -> gs.Model:
    laws = {"normal": _law(), "friction": DRY} | changed
    model = loose({"ball": gs.sphere(1, 0.1)})
    model.add(gs.Contacts("c", among=["ground", "ball"], **laws))
    return model


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"normal": gs.KelvinVoigt(1e5, 10)}, r"contacts 'c' as rigid and needs their coefficient of restitution"),
        ({"normal": gs.HuntCrossley(1e5, chi=1)}, r"needs their .* restitution, which the law HuntCrossley"),
        ({"friction": gs.Bristle(0.3, 0.4, 1e4, 50, 0.1)}, r"dry friction that sticks; Bristle is none"),
        ({"rolling": gs.RollingResistance(0.01, speed=0.5)}, r"has no resistance to rolling"),
    ],
)
def test_laws_without_rigid_contact_are_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.simulate(_with(**changed), 1, integrator=gs.Moreau(step=1e-3), progress=False)


def test_systems_that_it_does_not_treat_are_refused() -> None:
    plain, mixed = loose({"ball": gs.sphere(1, 0.1)}), _with()
    with pytest.raises(gs.StateError, match=r"the model has none of many pairs"):
        gs.simulate(plain, 1, integrator=gs.Moreau(step=1e-3), progress=False)
    mixed.add(gs.Contact("stop", "ball", "ground", normal=gs.KelvinVoigt(1e5, 10)))
    with pytest.raises(gs.StateError, match=r"Moreau does not treat the law of 'stop'"):
        gs.simulate(mixed, 1, integrator=gs.Moreau(step=1e-3), progress=False)
    rigid = _with()
    rigid.add(gs.RigidContact("edge", "ball", "ground", mu=0.1))
    with pytest.raises(gs.StateError, match=r"'edge' is rigid.*which Moreau does not solve"):
        gs.simulate(rigid, 1, integrator=gs.Moreau(step=1e-3), progress=False)
    for wrong, message in (({"step": -1}, "step must be a positive"), ({"step": 1, "sweeps": 0}, "number of sweeps")):
        with pytest.raises(gs.StateError, match=message):
            gs.Moreau(**wrong)
