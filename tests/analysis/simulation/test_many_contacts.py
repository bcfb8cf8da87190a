"""Contacts of many pairs: agreement with contacts of single pairs, conservation, no fall-through, refusals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from campaign import SOAK, campaign
from contact_models import floor
from many_contacts import LAW, balls, loose

import gyrostat as gs
from gyrostat.analysis.kernels.library import load_pairs
from gyrostat.analysis.simulation.pairs import PairSet
from gyrostat.coordinates.row import StateParts
from gyrostat.model.contacts import NormalLaw
from gyrostat.model.friction import FrictionLaw

TIGHT = gs.DOP853(1e-11, 1e-13)
RUBBING = gs.Coulomb(0.4, speed=0.05)
REMEMBERING = gs.HuntCrossley(1e6, restitution=0.6)
BRISTLE = gs.Bristle(0.3, 0.4, stiffness=1e4, damping=50, speed=0.1)


def _solids() -> dict[str, object]:
    return {"ball": gs.sphere(1, 0.1), "drum": gs.cylinder(2, 0.15, 0.4)}


@pytest.mark.parametrize(("normal", "friction"), [(LAW, RUBBING), (REMEMBERING, BRISTLE)])
def test_loads_equal_those_of_single_contacts(normal: NormalLaw, friction: FrictionLaw) -> None:
    """The same motion follows from one kernel over all pairs and from a traced contact for each."""
    many, single = loose(_solids()), loose(_solids())
    laws = {"normal": normal, "friction": friction, "rolling": gs.RollingResistance(0.01, speed=0.5)}
    many.add(gs.Contacts("c", between=[["ground", "drum"], ["ball"]], **laws))
    many.add(gs.Contacts("d", between=[["ground"], ["drum"]], **laws, most=8))
    pairs = {"e": ("ball", "ground"), "f": ("ball", "drum"), "g": ("drum", "ground")}
    for name, (a, b) in pairs.items():
        single.add(gs.Contact(name, a, b, **laws))
    start = {
        "ball_motion.z": 0.65, "ball_motion.x": 0.05, "ball_motion.w1": 3.0,
        "drum_motion.z": 0.25, "drum_motion.w2": 1.0, "drum_motion.v1": 0.3,
    }  # fmt: skip
    runs = [gs.simulate(one, 0.4, step=0.02, initial=start, integrator=TIGHT, progress=False) for one in (many, single)]
    assert all(run.status.success for run in runs)
    assert runs[0]["c.touching"].values.max() >= 1
    for name, tolerance in (("ball", 1e-7), ("ball.omega", 2e-6), ("drum.omega", 2e-6), ("ball.acc", 5e-5)):
        np.testing.assert_allclose(runs[0][name].values, runs[1][name].values, rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("restitution", [0.1, 0.5, 0.9])
def test_restitution_is_as_asked(restitution: float) -> None:
    law = gs.HuntCrossley(1e7, restitution="e", speed="v")
    model = balls([0.1, 0.2], law, gravity=0, on_floor=False)
    model.set_parameter("e", restitution)
    model.set_parameter("v", 2.0)
    start = {"b0_motion.x": -0.35, "b0_motion.v1": 1.5, "b1_motion.v1": -0.5}
    run = gs.simulate(model, 0.2, step=0.2, initial=start, integrator=TIGHT, progress=False)
    after = run["b1.velocity"].values[-1, 0] - run["b0.velocity"].values[-1, 0]
    assert after == pytest.approx(2.0 * restitution, abs=1e-6)


def test_each_contact_remembers_its_own_approach() -> None:
    """Without a speed, any approach returns with the restitution asked for; slots are given back afterwards."""
    model = balls([0.1] * 4, gs.HuntCrossley(1e6, restitution=0.7), gravity=0, on_floor=False)
    speeds = {0: 0.2, 2: 3.0}
    start = {f"b{i}_motion.y": 1.0 * (i // 2) for i in range(4)} | {f"b{i}_motion.x": 0.25 * (i % 2) for i in range(4)}
    start |= {f"b{i}_motion.v1": speed for i, speed in speeds.items()}
    run = gs.simulate(model, 0.5, step=5e-4, initial=start, integrator=TIGHT, progress=False)
    for i, speed in speeds.items():
        after = run[f"b{i + 1}.velocity"].values[-1, 0] - run[f"b{i}.velocity"].values[-1, 0]
        assert after == pytest.approx(0.7 * speed, abs=1e-6)
    taken = np.stack([run[f"contacts.slot{k + 1}.point"].values for k in range(24)])
    assert (taken > 0).sum(axis=0).max() >= 1
    assert (taken[:, [0, -1]] == 0).all()


def test_bristles_hold_a_block() -> None:
    """A block under a load along the floor, below the limit of friction, stays where it is."""
    model = gs.Model("held block", gravity=(4, 0, -9))
    model.add(floor())
    model.add(gs.Body("block", gs.box(1, 0.2, 0.2, 0.2)))
    model.add(gs.Free("motion", "ground", "block", initial={"z": 0.1}))
    law, friction = gs.HuntCrossley(1e5, chi=4), gs.Bristle(0.6, 0.8, 1e3, 20, 0.05)
    model.add(gs.Contacts("c", among=["ground", "block"], normal=law, friction=friction))
    run = gs.simulate(model, 4, step=0.1, integrator=gs.DOP853(1e-8, 1e-11), progress=False)
    x = run["motion.x"].values
    assert x[-1] > 1e-5
    assert np.ptp(x[30:]) < 1e-6


def test_stacked_balls_press_with_their_weight() -> None:
    """At rest the normal forces of a stack of n balls are m g (1 + … + n), and nothing drifts."""
    model = balls([0.1] * 4, gs.KelvinVoigt(1e5, 300))
    start = {f"b{i}_motion.z": 0.1 + 0.2 * i for i in range(4)}
    run = gs.simulate(model, 2, step=0.1, initial=start, integrator=gs.DOP853(1e-8, 1e-11), progress=False)
    np.testing.assert_allclose(run["contacts.force"].values[-3:], 9.81 * 10, rtol=1e-5)
    assert np.ptp(run["b3_motion.z"].values[-5:]) < 1e-7


def test_slots_that_are_too_few_are_explained() -> None:
    model = loose({"brick": gs.box(1, 0.2, 0.2, 0.2)})
    model.add(gs.Contacts("c", among=["ground", "brick"], normal=REMEMBERING, most=2))
    with pytest.warns(gs.GyrostatWarning, match=r"more points touch than there are slots.*most=…"):
        run = gs.simulate(model, 1, initial={"brick_motion.z": 0.2}, progress=False)
    assert run.status.outcome is gs.Outcome.UNRESOLVED_CONTACT


def test_momenta_are_kept_and_energy_is_not_gained() -> None:
    """Internal loads have no resultant, also with friction, whatever the order of the shapes in a pair."""
    model = balls([0.1, 0.13, 0.1, 0.16], friction=RUBBING, gravity=0, on_floor=False)
    rng = np.random.default_rng(1)
    start = {}
    for i, corner in enumerate(itertools.islice(itertools.product((-1, 1), repeat=3), 4)):
        for axis, x in zip("xyz", corner, strict=True):
            start[f"b{i}_motion.{axis}"] = 0.25 * x + rng.uniform(-0.02, 0.02)
        for k, x in enumerate(corner, start=1):
            start[f"b{i}_motion.v{k}"] = -x + rng.uniform(-0.3, 0.3)
            start[f"b{i}_motion.w{k}"] = rng.uniform(-5, 5)
    run = gs.simulate(model, 0.5, step=0.01, initial=start, integrator=gs.DOP853(1e-10, 1e-12), progress=False)
    assert run["contacts.touching"].values.max() >= 1
    bodies = [f"b{i}" for i in range(4)]
    linear = sum(run[f"{body}.momentum"].values for body in bodies)
    spin = sum(
        run[f"{body}.angular_momentum"].values + np.cross(run[f"{body}"].values, run[f"{body}.momentum"].values)
        for body in bodies
    )
    np.testing.assert_allclose(linear - linear[0], 0, atol=1e-8)
    np.testing.assert_allclose(spin - spin[0], 0, atol=1e-8)
    energy = run.energy()
    kinetic = energy.kinetic.values[run["contacts.touching"].values == 0]
    assert (np.diff(kinetic) <= 1e-8).all()
    assert kinetic[-1] < kinetic[0] - 0.01
    assert np.abs(energy.balance.values).max() < 1e-6


def _brute(centres: np.ndarray, radii: np.ndarray, allowed) -> int:
    count = 0
    for i, j in itertools.combinations(range(len(radii)), 2):
        if allowed(i, j) and np.linalg.norm(centres[i] - centres[j]) < radii[i] + radii[j]:
            count += 1
    return count


@pytest.fixture(scope="module")
def cloud() -> gs.System:
    rng = np.random.default_rng(2)
    radii = rng.uniform(0.02, 0.2, 40).tolist()
    model = balls(radii, gravity=0, on_floor=False)
    model.add(
        gs.Contacts("across", between=[[f"b{i}" for i in range(10)], [f"b{i}" for i in range(20, 30)]], normal=LAW)
    )
    return gs.formulate(model)


def _row(system: gs.System, centres: np.ndarray) -> np.ndarray:
    q = system.initial_coordinates.copy()
    for i, centre in enumerate(centres):
        at = system.coordinate_names.index(f"b{i}_motion.x")
        q[at : at + 3] = centre
    state = StateParts(q, np.zeros(len(system.speed_names)), np.zeros(0))
    return system.row.of(0.0, state, [], 0.0)


@campaign(160)
def test_neighbours_are_complete(cloud: gs.System, seed: int) -> None:
    """Sweep and prune finds all pairs that touch, after large and small motions, and where lists have no room."""
    rng = np.random.default_rng(seed)
    pairs = PairSet.of(cloud, {})
    assert pairs is not None
    radii = np.array([one.solid.radius for one in pairs.shapes if one.group == 0])
    tables = pairs.tables(cloud.row.state_size).tables
    if seed % 3 == 0:
        broad = tables.broad
        tables = tables._replace(broad=broad._replace(lists=broad.lists[:, :5].copy(), neighbours=broad.neighbours[:5]))
    centres = rng.uniform(0, rng.uniform(0.5, 2.0), (40, 3))
    counts = [cloud.row.inputs.start + cloud.inputs.index(f"{name}.sum.touching") for name in ("contacts", "across")]
    for _ in range(6):
        row = _row(cloud, centres)
        load_pairs(tables, row)
        assert row[counts[0]] == _brute(centres, radii, lambda i, j: True)
        assert row[counts[1]] == _brute(centres, radii, lambda i, j: i < 10 and 20 <= j < 30)
        centres = centres + rng.normal(0, 10.0 ** rng.uniform(-4, -0.5), (40, 3))


@pytest.fixture(scope="module", params=[3, None], ids=["fixed damping", "remembered approach"])
def dropped(request: pytest.FixtureRequest) -> gs.System:
    solids = {"ball": gs.sphere(1, 0.1), "bar": gs.cylinder(2, 0.05, 0.4), "brick": gs.box(1, 0.1, 0.2, 0.3)}
    model = loose(solids)
    law = gs.HuntCrossley("k", exponent=1.5, restitution=0.6, speed=request.param)
    model.set_parameter("k", 1e6)
    model.add(gs.Contacts("drops", between=[["ground"], list(solids)], normal=law, friction=gs.Coulomb(0.3, speed=0.1)))
    return gs.formulate(model)


@campaign(200)
def test_nothing_falls_through(dropped: gs.System, seed: int) -> None:
    """Random drops of random shapes at any tolerance: steps end at touch."""
    rng = np.random.default_rng(seed)
    start: dict[str, float] = {}
    for i, name in enumerate(("ball", "bar", "brick")):
        start[f"{name}_motion.x"] = float(i)
        start[f"{name}_motion.z"] = float(np.exp(rng.uniform(np.log(0.4), np.log(10))))
        for k in (1, 2, 3):
            start[f"{name}_motion.w{k}"] = rng.uniform(-8, 8)
            start[f"{name}_motion.v{k}"] = rng.uniform(-3, 3)
    tolerance = 10 ** rng.uniform(-10, -3)
    method = (gs.DOP853, gs.RKF45)[seed % 2](tolerance, 1e-3 * tolerance)
    time = 1.3 * np.sqrt(2 * max(start[f"{name}_motion.z"] for name in ("ball", "bar", "brick")) / 9.81)
    stiff = {"k": 10 ** rng.uniform(6, 8)}
    run = gs.simulate(dropped, time, step=time / 40, initial=start, parameters=stiff, integrator=method, progress=False)
    assert run.status.success, run.status
    for name in ("ball", "bar", "brick"):
        assert run[f"{name}"].values[:, 2].min() > 0


@pytest.fixture(scope="module")
def hail() -> gs.System:
    """Return balls above a floor, so many that steps pass their touches."""
    model = balls([0.1] * 50, gs.HuntCrossley("k", restitution=0.6, speed=3))
    model.set_parameter("k", 1e6)
    return gs.formulate(model)


def _hail(seed: int, highest: float) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    start = {f"b{i}_motion.x": 0.5 * i for i in range(50)}
    start |= {f"b{i}_motion.z": float(np.exp(rng.uniform(np.log(0.15), np.log(highest)))) for i in range(50)}
    return start | {f"b{i}_motion.v3": rng.uniform(-3, 0) for i in range(50)}


@campaign(40)
def test_no_ball_of_many_falls_through(hail: gs.System, seed: int) -> None:
    """Random drops at any tolerance, with steps that pass touches and steps that end there."""
    rng = np.random.default_rng(1000 + seed)
    tolerance = 10 ** rng.uniform(-7.5, -3)
    method = (gs.DOP853, gs.RKF45)[seed % 2](tolerance, 1e-2 * tolerance)
    run = gs.simulate(
        hail, 0.7, step=0.02, initial=_hail(seed, 2.0), parameters={"k": 10 ** rng.uniform(6, 7.5)}, integrator=method,
        progress=False,
    )  # fmt: skip
    assert run.status.success, run.status
    assert min(run[f"b{i}"].values[:, 2].min() for i in range(50)) > 0.05
    assert np.abs(run.energy().balance.values).max() < 1e-2 * run.energy().kinetic.values.max()


@pytest.mark.parametrize(("method", "most"), [(gs.RKF45, 2e-4), (gs.DOP853, 2e-4)])
def test_steps_that_pass_touches_are_accurate(hail: gs.System, method: type, most: float) -> None:
    """Errors follow the tolerance although no step ends at a touch; with a finer one steps end there."""
    start = _hail(0, 1.0)
    exact = gs.simulate(hail, 0.3, initial=start, integrator=TIGHT, progress=False)
    assert exact.status.switches >= 5
    errors = []
    for tolerance in (1e-4, 1e-6):
        run = gs.simulate(hail, 0.3, initial=start, integrator=method(tolerance, 1e-2 * tolerance), progress=False)
        assert run.status.switches == 0
        errors.append(max(abs(run.state[f"b{i}_motion.z"] - exact.state[f"b{i}_motion.z"]) for i in range(50)))
    assert errors[0] < 100 * most
    assert errors[1] < most


@pytest.mark.parametrize(("method", "most"), [(gs.DOP853, 300), (gs.RKF45, 1200), (gs.Rodas5P, 400)])
def test_energy_is_kept_to_the_tolerance_across_lift_off(method: type, most: float) -> None:
    """Steps end where contacts do: the estimate of DOP853 across lift-off let 1e5 tolerances pass."""
    system = gs.formulate(balls([0.1], gs.HuntCrossley(1e6, chi=0.0)))
    worst = 0.0
    for tolerance in 10.0 ** -np.arange(4, 10.1, 0.25 if SOAK else 1.0):
        run = gs.simulate(system, times=[0, 1], initial={"b0_motion.z": 0.6}, integrator=method(tolerance, tolerance))
        height, speed = float(run["b0"].values[-1, 2]), float(run["b0.velocity"].values[-1, 2])
        stored = 4e5 * max(0.1 - height, 0) ** 2.5
        worst = max(worst, abs(0.5 * speed**2 + 9.81 * (height - 0.6) + stored) / tolerance)
    assert worst < most


def test_steps_repeat_from_checkpoints(dropped: gs.System) -> None:
    run = gs.simulate(
        dropped, 0.5, step=0.05, initial={"ball_motion.z": 0.5, "bar_motion.z": 9, "brick_motion.z": 9}, progress=False
    )
    assert run.status.switches >= 1
    again = run.at(run.time[7])
    assert again["ball_motion.z"].values[0] == run["ball_motion.z"].values[7]


def test_a_fixed_step_that_is_too_long_is_explained(dropped: gs.System) -> None:
    start = {"ball_motion.z": 2.0, "bar_motion.z": 99, "brick_motion.z": 99}
    with pytest.warns(
        gs.GyrostatWarning, match=r"'ball' and 'ground' pass through each other.*step of 0.03 s is too long"
    ):
        run = gs.simulate(dropped, 1, initial=start, integrator=gs.RK4(step=0.03), progress=False)
    assert run.status.outcome is gs.Outcome.UNRESOLVED_CONTACT
    fine = gs.simulate(dropped, 1, initial=start, integrator=gs.RK4(step=1e-4), progress=False)
    exact = gs.simulate(dropped, 1, initial=start, integrator=TIGHT, progress=False)
    assert fine.state["ball_motion.z"] == pytest.approx(exact.state["ball_motion.z"], abs=1e-3)


def test_a_law_that_is_too_soft_is_explained() -> None:
    model = balls([0.1], gs.HuntCrossley(1e4, chi=0.01))
    with pytest.warns(gs.GyrostatWarning, match="'b0' and 'ground' pass .* too soft for such an impact"):
        run = gs.simulate(model, 2, initial={"b0_motion.z": 10}, progress=False)
    assert run.status.outcome is gs.Outcome.UNRESOLVED_CONTACT


def test_joined_bodies_do_not_touch() -> None:
    model = gs.Model("pendulum", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"post": gs.shapes.Sphere(0.3)}))
    model.add(gs.Body("a", gs.sphere(1, 0.2), points={"top": (0, 0, 0.1)}))
    model.add(gs.Revolute("hinge", "ground", "a.top", axis="y", initial=0.3))
    model.add(gs.Body("b", gs.sphere(1, 0.2), points={"top": (0, 0, 0.1)}))
    model.add(gs.Revolute("next", ("a", (0, 0, -0.1)), "b.top", axis="y"))
    model.add(gs.Contacts("c", among=["ground", "a", "b"], normal=LAW))
    system = gs.formulate(model)
    pairs = PairSet.of(system, {})
    assert pairs is not None
    shapes = pairs.tables(system.row.state_size).tables.shapes
    names = {frozenset(pairs.shapes[int(i)].body for i in pair) for pair in shapes.excluded}
    assert names == {frozenset(("ground", "a")), frozenset(("a", "b"))}


def test_programs_of_pairs_do_not_depend_on_their_number() -> None:
    few, many = (PairSet.of(gs.formulate(balls([0.1] * n)), {}) for n in (2, 30))
    assert few is not None
    assert many is not None
    assert [one.operations for one in few.programs.values()] == [one.operations for one in many.programs.values()]
    assert len(few.programs) == 2


def test_deep_overlap_at_the_start_is_refused() -> None:
    with pytest.raises(gs.StateError, match=r"'contacts': 'b0' and 'b1' overlap by 0.15 m at the start"):
        gs.simulate(balls([0.1, 0.1]), 1, initial={"b0_motion.z": 1, "b1_motion.z": 1.05}, progress=False)


def test_other_analyses_are_refused() -> None:
    system = gs.formulate(balls([0.1]))
    with pytest.raises(gs.StateError, match=r"Accelerations at a state do not include"):
        system.forward_dynamics(system.initial_coordinates, system.initial_speeds)
    with pytest.raises(gs.StateError, match=r"'contacts.load.0' is a load of contacts"):
        gs.simulate(system, 1, inputs={"contacts.load.0": 1.0}, progress=False)


@pytest.mark.parametrize("integrator", [gs.RKF45(1e-5, 1e-7), gs.RK4(step=1e-3), gs.Moreau(step=5e-3)])
def test_runs_in_kept_memory_give_the_same_bits(integrator: gs.Integrator) -> None:
    model = balls([0.1, 0.1], gs.HuntCrossley("k", restitution="e", speed=1), gs.Coulomb(0.3, speed=0.1))
    model.set_parameter("k", 1e5)
    model.set_parameter("e", 0.6)
    system = gs.formulate(model)

    def run(where: gs.System, lift: float = 0.0, **parameters: float) -> gs.Trajectory:
        start = {"b0_motion.z": 0.15 + lift, "b0_motion.v1": 1.0, "b1_motion.z": 0.4 + lift, "b1_motion.x": 0.03}
        return gs.simulate(where, 0.4, step=0.05, initial=start, integrator=integrator, parameters=parameters)

    first = run(system)
    other = run(system, 0.02, k=2e5, e=0.3)
    again, alone = run(system), run(gs.formulate(model), 0.02, k=2e5, e=0.3)
    assert first["contacts.touching"].values.max() >= 1
    for one, same in ((first, again), (other, alone)):
        np.testing.assert_array_equal(one.q, same.q)
        np.testing.assert_array_equal(one["contacts.force"].values, same["contacts.force"].values)
    with pytest.raises(gs.StateError, match="overlap by"):
        run(system, -0.14)
    np.testing.assert_array_equal(run(system).q, first.q)
