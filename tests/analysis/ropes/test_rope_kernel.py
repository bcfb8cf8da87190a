"""The kernel of ropes of nodes against the programs of the whole system, which know no ropes."""

from functools import cache

import numpy as np
import pytest
from rope_models import hoisted, swinging_sheave

import gyrostat as gs
from gyrostat.analysis.integrators.rosenbrock_method import RosenbrockMethod
from gyrostat.analysis.integrators.runge_kutta import RungeKutta
from gyrostat.analysis.kernels.library import differentiate_ropes, factorise_ropes, rope_rates, solve_ropes
from gyrostat.analysis.kernels.native_kernel import NativeKernel
from gyrostat.analysis.simulation.rope_rest import rest_of
from gyrostat.analysis.simulation.ropes import rope_tables

load_power = NativeKernel("rope_rates", "load_power", float)


def pushed(model):
    """Return a model with an input beside the loads of ropes: a force on the body at the rope's end."""
    model.add(gs.Input("push"))
    model.add(gs.Force("pushing", "load", ("push", 0, 0)))
    return model


def on_a_chain(links):
    """Return a rope whose end hangs from a chain of links in universal joints."""
    model = swinging_sheave(segments=16)
    before = ("ground", (0.5, -0.5, 0.1))
    for i in range(links):
        model.add(gs.Body(f"link{i}", gs.rod(0.2, 0.05, along="z"), points={"end": (0, 0, 0.025)}))
        model.add(
            gs.Universal(f"joint{i}", before, (f"link{i}", (0, 0, -0.025)), initial={"angle1": 0.1, "angle2": 0.2})
        )
        before = f"link{i}.end"
    model.add(gs.Rope("tie", [before, None], segments=3, length=0.3, density=0.5, EA=1e4, damping=10))
    return model


MODELS = {
    "links": lambda: pushed(on_a_chain(12)),
    "hoist": lambda: hoisted("nodes", 20, gs.KelvinVoigt(5e4, 500), EA=1e7, damping=2000),
    "bristles": lambda: pushed(swinging_sheave()),
    "bending": lambda: swinging_sheave(EI=0.02, bending_damping=2e-4),
    "tilting": lambda: swinging_sheave(
        spherical=True, friction=gs.Coulomb("mu", 0.01), grading=[(1, 6), (0.8, 10), (2, 8)]
    ),
}


@pytest.fixture(scope="module", params=MODELS)
def case(request):
    """A system with its ropes, and a row at a random state near that on the pulleys."""
    system = gs.formulate(MODELS[request.param]())
    values, row, rng = dict(system.model.values()), system.row, np.random.default_rng(1)
    laid = gs.lay_rope(system, "rope", depth=1e-3)
    x = np.zeros(row.size)
    x[0] = 0.3
    x[row.q] = [laid[name] for name in system.coordinate_names]
    x[row.q] += 5e-4 * rng.normal(size=row.n_q)
    x[row.u], x[row.z] = 0.1 * rng.normal(size=row.n_u), 1e-3 * rng.normal(size=row.n_z)
    x[row.parameters] = [values[name] for name in system.model.parameters]
    ropes = rope_tables(system, values, implicit=True)
    found = np.full(row.state_size, np.nan)
    rope_rates(ropes.tables, x, x[row.state].copy(), found)
    return system, ropes, x, found


def output(program, x):
    """Return the first output of a program, dense."""
    found, port = np.zeros(program.output_size), program.outputs[0]
    program(x, found)
    return np.asarray(port.full(found)) if port.pattern is not None else found.reshape(port.columns, port.rows).T


def test_rates_are_those_of_the_whole_system(case):
    system, _, x, found = case
    exact = output(system.program("rates"), x).ravel() if len(system.program("rates").outputs) == 1 else None
    if exact is None:
        exact = np.zeros(system.row.state_size)
        system.program("rates")(x, exact)
    assert found == pytest.approx(exact, rel=1e-9, abs=1e-9 * np.abs(exact).max())


def test_power_of_all_loads(case):
    system, ropes, x, found = case
    rope_rates(ropes.tables, x, x[system.row.state].copy(), found.copy())
    exact = float(output(system.program("load_power"), x)[0, 0])
    assert load_power(ropes.tables) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("step", [1e-2, 1e-4])
def test_stages_are_solved_with_the_jacobian_of_the_whole_system(case, step):
    """(1/hγ − J) k = r to rounding, with contacts that touch."""
    system, ropes, x, _ = case
    n, by_time = system.row.state_size, np.zeros(system.row.state_size)
    rope_rates(ropes.tables, x, x[system.row.state].copy(), np.zeros(n))
    assert differentiate_ropes(ropes.tables, x, x[system.row.state].copy(), False, by_time)
    assert ropes.tables.memory.counts[0] > 0
    assert factorise_ropes(ropes.tables, step, ropes.kernels.width)
    right = np.random.default_rng(2).normal(size=n)
    solution = right.copy()
    solve_ropes(ropes.tables, ropes.kernels.width, solution)
    matrix = np.eye(n) / step - output(system.program("rates_jacobian"), x)
    exact = np.linalg.solve(matrix, right)
    assert solution == pytest.approx(exact, abs=1e-6 * np.abs(exact).max())
    program = system.program("rates_in_time")
    in_time = output(program, x).ravel() if program.output_size else np.zeros(n)
    assert by_time == pytest.approx(in_time, rel=1e-9, abs=1e-8 * (1 + np.abs(in_time).max()))


@cache
def touching_sheave():
    """Return a system whose arm meets a stop: a law with a condition."""
    model = swinging_sheave(segments=16)
    model.add(gs.JointLimit("stop", "sway", gs.KelvinVoigt(1e3, 10), lower=-0.002))
    return gs.formulate(model)


@pytest.mark.parametrize("method", [gs.Rodas4(1e-7, 1e-9), gs.Rodas5P(1e-7, 1e-9), gs.DOP853(1e-8, 1e-10)])
def test_motions_agree_with_those_of_the_general_stage(method, monkeypatch):
    """One model with given motion of the drum, ball joints, a stop and a tether on the rope, by both paths."""
    system = touching_sheave()
    assert system.laws_may_switch
    start = gs.lay_rope(system, "rope", depth=1e-4)
    given = {"times": [0, 0.02, 0.04], "initial": start, "integrator": method, "parameters": {"EA": 2e4}}
    banded = gs.simulate(system, **given)
    assert rest_of(system).kept["key"][1] > 0  # kernels had the modes of the stop
    for owner in (RosenbrockMethod, RungeKutta):
        monkeypatch.setattr(owner, "ropes", False)
    general = gs.simulate(system, **given)
    for name in (*system.coordinate_names, *system.state_names):
        assert banded[name].values == pytest.approx(general[name].values, abs=2e-6), name


@cache
def braked_sheave(speed):
    """Return a system in which dry friction on the sheave holds a speed at zero."""
    model = swinging_sheave(segments=8)
    model.add(gs.Torque("brake", "wheel", (0, 0, f"-60*sign({speed})")))
    return gs.formulate(model)


@pytest.mark.parametrize("speed", ["axle.rate", "axle.rate + 3*sin(axle)*sway.rate - 0.02*sin(40*t)"])
def test_dry_friction_that_sticks_takes_about_as_many_steps_as_in_the_general_stage(speed, monkeypatch):
    """In a sliding mode the banded stage has the Jacobian of the sliding motion, also of functions that change."""
    system = braked_sheave(speed)
    start = gs.lay_rope(system, "rope", depth=1e-4) | {"sway.rate": 0.3}
    given = {"times": [0, 0.02, 0.04], "initial": start, "integrator": gs.Rodas5P(1e-7, 1e-9)}
    banded = gs.simulate(system, **given)
    monkeypatch.setattr(RosenbrockMethod, "ropes", False)
    general = gs.simulate(system, **given)
    assert banded.status.steps < 1.5 * general.status.steps
    axle, sway, rate = (banded[name].values[-1] for name in ("axle", "sway.rate", "axle.rate"))
    moved = 0.0 if speed == "axle.rate" else 3 * np.sin(axle) * sway - 0.02 * np.sin(40 * 0.04)
    assert rate + moved == pytest.approx(0, abs=1e-10)
    for name in (*system.coordinate_names, *system.state_names):
        assert banded[name].values == pytest.approx(general[name].values, abs=1e-6), name


def test_no_program_of_the_whole_system_is_formed_for_the_steps(monkeypatch):
    """Rates of all nodes are neither compiled nor recorded where a kernel moves the rope."""
    system, formed = gs.formulate(swinging_sheave(segments=16)), []
    for way in ("program", "ready_program"):
        original = getattr(type(system), way)

        def noted(self, name, original=original, **options):
            if self is system:
                formed.append(name)
            return original(self, name, **options)

        monkeypatch.setattr(type(system), way, noted)
    start = gs.lay_rope(system, "rope", depth=1e-4)
    gs.simulate(system, 1e-4, step=1e-4, initial=start, integrator=gs.Rodas4())
    assert formed
    assert not [name for name in formed if "rates" in name]


def test_elements_that_others_name_are_left_to_the_general_stage():
    """A formula with the tension of a segment, and nodes in the axes of a body."""
    model = swinging_sheave()
    model.add(gs.Force("following", "load", ("rope.e3.force", 0, 0)))
    assert rest_of(gs.formulate(model)) is None
    turned = gs.Model("turned", gravity=(0, -9.81, 0))
    turned.add(gs.Body("cart", gs.box(1, (1, 1, 1))))
    turned.add(gs.Prismatic("x", "ground", "cart"))
    turned.add(gs.Rope("rope", ["cart", None], segments=3, length=1, density=1, EA=1e3, frame="cart"))
    assert rest_of(gs.formulate(turned)) is None
    assert rest_of(gs.formulate(swinging_sheave())) is not None


def test_a_rope_without_other_bodies():
    """A free rope on a fixed pulley: nothing is left beside the nodes."""
    model = gs.Model("alone", gravity=(0, -9.81, 0))
    path = [None, gs.Pulley("pin", "ground", 0.5, "right", mu=0.2), None]
    model.add(
        gs.Rope("rope", path, segments=20, length=3, density=1, EA=1e5, damping=50, normal=gs.KelvinVoigt(1e4, 50))
    )
    system = gs.formulate(model)
    assert rest_of(system).system is None
    start = gs.settle_ropes(system, gs.lay_rope(system, "rope"))
    run = gs.simulate(system, 0.1, step=0.1, initial=start, integrator=gs.Rodas4(1e-4, 1e-6))
    assert abs(run["rope.m20.y"].values[-1] - run["rope.m20.y"].values[0]) < 1e-3


def test_a_bad_node_is_not_hidden_by_hundreds_of_others():
    """The error of a step is that of its worst node: a rope whose last node is plucked takes as many steps as alone."""
    steps = []
    for segments in (10, 160):
        model = gs.Model("plucked")
        model.add(gs.Rope("rope", ["ground", None], segments=segments, length=segments, density=1, EA=1e3))
        system = gs.formulate(model)
        laid = {f"rope.m{i}.x": float(i) for i in range(1, segments + 1)}
        pluck = {f"rope.m{segments}.x": segments + 0.05}
        run = gs.simulate(system, 1.0, step=1.0, initial=laid | pluck, integrator=gs.Rodas4(1e-6, 1e-8))
        steps.append(run.status.steps)
    assert steps[1] == pytest.approx(steps[0], rel=0.15)
