"""Contacts of boxes, polyhedra, capsules and meshes; stiff methods, equilibria and linear models of many pairs."""

from __future__ import annotations

import numpy as np
import pytest
from campaign import campaign
from many_contacts import LAW, loose

import gyrostat as gs
from gyrostat.analysis.kernels.library import load_pairs, vary_pairs
from gyrostat.analysis.simulation.pairs import PairSet

RUBBING = gs.Coulomb(0.4, speed=0.05)
BRISTLE = gs.Bristle(0.3, 0.4, stiffness=1e5, damping=300, speed=0.1)
REMEMBERING = gs.HuntCrossley(1e6, restitution=0.3)
CORNERS = [(i, j, k) for i in (-0.25, 0.25) for j in (-0.2, 0.2) for k in (-0.15, 0.15)]
BOX = (0.5, 0.4, 0.3)


def _stack(normal: object = LAW, friction: object = RUBBING, **solids: object) -> gs.Model:
    """Return free bodies over a floor; all of them may touch."""
    model = loose(solids)
    model.add(gs.Contacts("c", among=["ground", *solids], normal=normal, friction=friction))
    return model


def _brick() -> gs.Body:
    return gs.Body("b", gs.box(2, BOX), surfaces={"hull": gs.shapes.Polyhedron(CORNERS)})


def test_a_polyhedron_moves_as_the_box_that_it_is() -> None:
    plain = _stack(a=gs.box(5, (1, 1, 0.2)), b=gs.box(2, BOX))
    faceted = loose({"a": gs.box(5, (1, 1, 0.2))})
    faceted.add(_brick())
    faceted.add(gs.Free("b_motion", "ground", "b"))
    faceted.add(gs.Contacts("c", among=["ground", "a", "b"], normal=LAW, friction=RUBBING))
    start = {"a_motion.z": 0.1, "b_motion.z": 0.36, "b_motion.x": 0.4, "b_motion.w2": 0.4, "b_motion.v2": 0.5}
    runs = [
        gs.simulate(one, 0.2, step=0.02, initial=start, integrator=gs.DOP853(1e-9, 1e-11)) for one in (plain, faceted)
    ]
    assert runs[0]["c.touching"].values.max() == 2
    for name in ("b", "b.omega"):
        np.testing.assert_allclose(runs[0][name].values, runs[1][name].values, rtol=0, atol=2e-6)


def test_a_box_on_a_large_box_moves_as_on_a_plane() -> None:
    """Four corners of a flat face act with their whole weight, as corners on a plane do."""
    flat, raised = _stack(b=gs.box(2, BOX)), loose({"b": gs.box(2, BOX)}, on_floor=False)
    raised.add(gs.Body("ground", surfaces={"top": gs.shapes.Box((4, 4, 1))}))
    raised.add(gs.Contacts("c", among=["ground", "b"], normal=LAW, friction=RUBBING))
    shift = {"b_motion.v1": 0.5, "b_motion.w3": 1.0}
    runs = [
        gs.simulate(one, 0.3, step=0.03, initial={"b_motion.z": z, **shift}, integrator=gs.DOP853(1e-9, 1e-11))
        for one, z in ((flat, 0.151), (raised, 0.651))
    ]
    heights = [run["b_motion.z"].values for run in runs]
    np.testing.assert_allclose(heights[0], heights[1] - 0.5, rtol=0, atol=2e-9)
    np.testing.assert_allclose(runs[0]["b_motion.x"].values, runs[1]["b_motion.x"].values, rtol=0, atol=2e-9)


def _mixed(normal: object, friction: object) -> gs.System:
    solids = {"a": gs.box(1, (0.5, 0.5, 0.5)), "b": gs.box(1, BOX), "d": gs.sphere(1, 0.2)}
    model = loose(solids)
    rod = {"skin": gs.shapes.Capsule(0.1, 0.4, along="x", at=(0.02, 0.01, 0.03))}
    model.add(gs.Body("e", mass=1, inertia=[0.1, 0.1, 0.1], surfaces=rod))
    model.add(gs.Free("e_motion", "ground", "e"))
    model.add(gs.Contacts("c", among=["ground", *solids, "e"], normal=normal, friction=friction))
    return gs.formulate(model)


def test_derivatives_of_loads_are_those_of_differences() -> None:
    """Blocks, differences of patches and the chain rule, for faces, edges, corners and balls."""
    system = _mixed(gs.HuntCrossley(1e5, chi=0.5), RUBBING)
    pairs = PairSet.of(system, system.model.values(None))
    assert pairs is not None
    tables = pairs.tables(system.row.state_size, slopes=True).tables
    start = {"a_motion.z": 0.249, "b_motion.z": 0.647, "b_motion.x": 0.1, "b_motion.y": 0.02}
    start |= {"d_motion.z": 0.995, "d_motion.x": 0.1, "e_motion.x": -0.569, "e_motion.z": 0.27}
    rng = np.random.default_rng(2)
    state = gs.assemble(system, start)
    row = np.zeros(system.row.size)
    row[system.row.q] = state.q + 1e-4 * rng.normal(size=len(state.q))
    row[system.row.u] = 0.05 * rng.normal(size=system.row.n_u)
    load, vary = load_pairs.bind(tables), vary_pairs.bind(tables)
    load(row)
    vary(row)
    found = np.array(tables.slopes.by_state)
    used = [k for k, name in enumerate(system.inputs) if ".load." in name]
    differences = np.zeros_like(found)
    for j in range(system.row.state_size):
        for sign in (1, -1):
            near = row.copy()
            near[system.row.state.start + j] += sign * 1e-8
            load(near)
            differences[j] += sign * near[system.row.inputs] / 2e-8
    scale = np.abs(differences[:, used]).max()
    assert scale > 1e4
    assert np.abs(found - differences)[:, used].max() < 1e-6 * scale


@campaign([(LAW, RUBBING), (REMEMBERING, BRISTLE)], name="normal, friction", few=[])
def test_stiff_methods_agree_with_explicit_ones(normal: object, friction: object) -> None:
    model = _stack(normal, friction, a=gs.box(5, (1, 1, 0.2)), b=gs.box(2, BOX))
    start = {"a_motion.z": 0.0999, "b_motion.z": 0.352, "b_motion.v1": 0.3}
    methods = [gs.DOP853(1e-9, 1e-11), gs.Rodas5P(1e-7, 1e-9)]
    if friction is RUBBING:
        methods.append(gs.CVODE(rtol=1e-8, atol=1e-10))
    runs = [gs.simulate(model, 0.1, step=0.02, initial=start, integrator=one) for one in methods]
    assert all(run.status.success for run in runs)
    for run in runs[1:]:
        np.testing.assert_allclose(run["b"].values, runs[0]["b"].values, rtol=0, atol=2e-7)


def test_refused_integrators() -> None:
    model = _stack(REMEMBERING, None, a=gs.sphere(1, 0.1), b=gs.sphere(1, 0.1))
    with pytest.raises(gs.StateError, match="CVODE keeps a history of the state, in which the contacts 'c' set what"):
        gs.simulate(model, 0.1, integrator=gs.CVODE())
    with pytest.raises(
        gs.StateError, match="GaussLegendre cannot integrate the contacts of many pairs 'c': it needs mom"
    ):
        gs.simulate(_stack(a=gs.sphere(1, 0.1), b=gs.sphere(1, 0.1)), 0.1, integrator=gs.GaussLegendre(step=1e-3))


def test_equilibrium_of_a_stack() -> None:
    """Each of four corners carries a quarter of the weight above it: d = (W/4k)^(2/3)."""
    model = _stack(a=gs.box(2, (0.5, 0.5, 0.5)), b=gs.box(1, (0.3, 0.3, 0.3)))
    point = gs.equilibrium(model, {"a_motion.z": 0.25, "b_motion.z": 0.65})
    lower, upper = ((9.81 * mass / 4 / 1e6) ** (2 / 3) for mass in (3, 1))
    assert point["a_motion.z"] == pytest.approx(0.25 - lower, abs=1e-9)
    assert point["b_motion.z"] == pytest.approx(0.65 - lower - upper, abs=1e-9)
    assert point["c.force"] == pytest.approx(4 * 9.81, rel=1e-9)
    run = gs.simulate(model, 1.0, step=0.5, initial=point.state, integrator=gs.Rodas5P())
    assert np.abs(run["b_motion.z"].values - point["b_motion.z"]).max() < 1e-9


def test_equilibrium_of_a_ball_in_a_bowl() -> None:
    grid = np.linspace(-1, 1, 21)
    model = loose({"b": gs.sphere(1, 0.2)}, on_floor=False)
    bowl = gs.shapes.HeightField(grid, grid, (grid[:, None] ** 2 + grid[None, :] ** 2) / 2)
    model.add(gs.Body("ground", surfaces={"bowl": bowl}))
    model.add(gs.Contacts("c", among=["ground", "b"], normal=LAW, friction=RUBBING))
    point = gs.equilibrium(model, {"b_motion.z": 0.3, "b_motion.x": 0.1, "b_motion.y": 0.05})
    assert abs(point["b_motion.x"]) < 1e-6
    assert abs(point["b_motion.y"]) < 1e-6


def test_linear_models_equal_those_of_single_contacts() -> None:
    many, single = loose({"b": gs.box(2, BOX)}), loose({"b": gs.box(2, BOX)})
    many.add(gs.Contacts("c", among=["ground", "b"], normal=LAW, friction=RUBBING))
    single.add(gs.Contact("c", "b", "ground", LAW, RUBBING))
    start = {"b_motion.z": 0.15}
    models = [gs.linearize(one, gs.equilibrium(one, start), outputs=["b.acc"]) for one in (many, single)]
    for label in "AC":
        a, b = (np.array(getattr(one, label)) for one in models)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(b).max())
    with pytest.raises(
        gs.StateError, match=r"The output 'c\.force' is a sum over many pairs, of which linear models have"
    ):
        gs.linearize(many, gs.equilibrium(many, start), outputs=["c.force"])
    with pytest.raises(gs.StateError, match="Sensitivities of linear models do not include the contacts"):
        models[0].sensitivity(models[0].modes()[-1])


@pytest.mark.parametrize(
    ("normal", "friction", "message"),
    [
        (REMEMBERING, None, "Contacts 'c' remember the speed of approach or the deflection of bristles"),
        (LAW, BRISTLE, "Contacts 'c' remember the speed of approach or the deflection of bristles"),
        (gs.KelvinVoigt(1e5, 10), None, "Contacts 'c' have the law KelvinVoigt, which may jump at touch"),
    ],
)
def test_refused_laws_at_operating_points(normal: object, friction: object, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        gs.equilibrium(_stack(normal, friction, a=gs.sphere(1, 0.1), b=gs.sphere(1, 0.1)))


def test_other_analyses_are_refused() -> None:
    model = _stack(a=gs.sphere(1, 0.1), b=gs.sphere(1, 0.1))
    with pytest.raises(gs.StateError, match="Steady motions do not include the contacts of many pairs 'c'"):
        gs.steady_motion(model, {})
    with pytest.raises(gs.StateError, match="Floquet multipliers do not include the contacts of many pairs 'c'"):
        gs.floquet(model, at={}, period=1.0)


def test_rigid_boxes_stay_on_each_other() -> None:
    hard = gs.HuntCrossley(1e6, restitution=0.2, speed=1)
    model = _stack(hard, gs.Coulomb(0.5, speed=0.1), a=gs.box(2, BOX), b=gs.box(2, BOX), d=gs.box(2, BOX))
    start = {f"{name}_motion.z": 0.15 + 0.3 * k for k, name in enumerate("abd")} | {
        "b_motion.x": 0.1,
        "d_motion.w3": 0.5,
    }
    run = gs.simulate(model, 1.0, step=0.1, initial=start, integrator=gs.Moreau(step=0.005))
    assert run.status.success
    assert run["c.force"].values[-1] == pytest.approx(12 * 9.81, rel=1e-3)
    assert run["d_motion.z"].values[-1] == pytest.approx(0.75, abs=1e-3)


@campaign(60)
def test_nothing_falls_through(seed: int) -> None:
    """Boxes, polyhedra, capsules and balls dropped on a plate, and balls on a mesh, at any tolerance."""
    rng = np.random.default_rng(seed)
    shapes = {
        "box": gs.shapes.Box((0.3, 0.2, 0.2)),
        "hull": gs.shapes.Polyhedron([tuple(0.6 * np.array(corner)) for corner in CORNERS]),
        "capsule": gs.shapes.Capsule(0.1, 0.2),
        "ball": gs.shapes.Sphere(0.15),
    }
    shape = shapes[str(rng.choice(list(shapes)))]
    grid = np.linspace(-2, 2, 9)
    plate = gs.shapes.Box((4, 4, 0.5), at=(0, 0, -0.25))
    ground = gs.shapes.HeightField(grid, grid, 0.1 * rng.random((9, 9))) if rng.random() < 0.5 else plate
    model = gs.Model("drop", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", surfaces={"ground": ground}))
    model.add(gs.Body("a", mass=1, inertia=[0.01, 0.01, 0.01], surfaces={"skin": shape}))
    model.add(gs.Free("m", "ground", "a"))
    law = gs.HuntCrossley(10 ** rng.uniform(5, 7), chi=0.3)
    model.add(gs.Contacts("c", among=["ground", "a"], normal=law, friction=RUBBING))
    method = (gs.DOP853, gs.RKF45, gs.Rodas5P)[int(rng.integers(3))]
    rtol = 10 ** rng.uniform(-10, -3)
    turned = rng.normal(size=3)
    start = {"m.z": 0.6, "m.x": 0.1, "m.w1": turned[0], "m.w2": turned[1], "m.v3": -rng.uniform(0, 4)}
    run = gs.simulate(model, 0.4, step=0.02, initial=start, integrator=method(rtol, 1e-2 * rtol))
    assert run.status.success, run.status
    assert run["m.z"].values.min() > 0.02
