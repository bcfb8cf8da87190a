"""Armature of joints: a constant on the diagonal of the mass matrix and its kinetic energy, in every derivation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from campaign import campaign
from float_system import FloatSystem, virtual_outputs
from pinocchio_tree import PinocchioTree
from random_models import random_inputs, random_model
from random_trees import Draw, Floats, relative_error
from rolled_trees import EXAMPLES, chain, row_of

import gyrostat as gs
from gyrostat.coordinates.row import PORTS
from gyrostat.equations.articulated_factor import ArticulatedFactor
from gyrostat.equations.momentum import generalized_momenta
from gyrostat.equations.roberson_schwertassek import RobersonSchwertassek
from gyrostat.recipes.rolled_derivatives import DERIVATIVES
from gyrostat.recipes.rolled_programs import RolledPrograms
from gyrostat.recipes.table import RECIPES

T = 0.6


def with_armatures(model: gs.Model, seed: int) -> gs.Model:
    """Return the model with a random armature on about two thirds of all speeds."""
    random, found = np.random.default_rng(seed), model.copy()
    for joint in model.joints.values():
        sizes = {label: float(random.uniform(0.1, 2)) for label in joint.armature_labels if random.random() < 0.67}
        if sizes:
            found.replace(replace(joint, armature=sizes))
    return found


def sizes_of(system: gs.System) -> Floats:
    """Return the armatures by place in u, from the model's own data."""
    found = np.zeros(len(system.speed_names))
    for joint in system.model.joints.values():
        for name, inertia in zip(joint.speed_names, joint.armatures, strict=True):
            if inertia is not None and name in system.speed_names:
                found[system.speed_names.index(name)] = float(inertia.number)
    return found


@campaign(60, few=[3, 17, 41])
def test_random_trees(seed: int) -> None:
    plain = random_model(seed, 2 + seed % 7)
    without, system = gs.formulate(plain), gs.formulate(with_armatures(plain, seed))
    ours, theirs, draw = FloatSystem(system), FloatSystem(without), Draw(seed)
    q, u = draw.state(system)
    inputs, sizes, rates = random_inputs(draw, system), sizes_of(system), draw.random.normal(size=len(u))
    if not len(u):
        return
    M = theirs.mass_matrix(q, t=T) + np.diag(sizes)
    assert relative_error(ours.mass_matrix(q, t=T), M) < 1e-14
    assert (
        relative_error(
            ours.inverse_dynamics(q, u, rates, t=T, inputs=inputs),
            theirs.inverse_dynamics(q, u, rates, t=T, inputs=inputs) + sizes * rates,
        )
        < 1e-13
    )
    bias = theirs.inverse_dynamics(q, u, 0 * u, t=T, inputs=inputs)
    assert relative_error(ours.forward_dynamics(q, u, t=T, inputs=inputs), -np.linalg.solve(M, bias)) < 1e-9
    motion = ours.motion(q, u, T, inputs)
    momenta = np.array(generalized_momenta(motion)) - generalized_momenta(theirs.motion(q, u, T, inputs))
    assert relative_error(momenta, sizes * u) < 1e-10
    if not motion.tree.groups:
        assert relative_error(ArticulatedFactor.of(motion).solve(list(rates)), np.linalg.solve(M, rates)) < 1e-9
    for about in ("mass centre", "attachment point"):
        form = ours.velocity_transformation(q, u, about, t=T, inputs=inputs)
        assert relative_error(np.array(form.mass_matrix(), float), M) < 1e-12
    literal = RobersonSchwertassek(motion)
    assert relative_error(np.array(literal.mass_matrix(), float), M) < 1e-10
    assert relative_error(np.linalg.solve(M, literal.forcing()), -np.linalg.solve(M, bias)) < 1e-9


@campaign(20, few=[7])
def test_power_is_the_rate_of_the_energy(seed: int) -> None:
    """Drivers of coordinates with armature supply its energy as well: along a motion, by differences."""
    system = FloatSystem(gs.formulate(with_armatures(random_model(seed, 4), seed)))
    draw = Draw(seed)
    q, u = draw.state(system.system)
    udot, step = draw.random.normal(size=len(u)), 1e-5
    loads = system.inverse_dynamics(q, u, udot, t=T)
    plain = FloatSystem(gs.formulate(random_model(seed, 4)))
    driven = system.driver_loads(q, u, udot, t=T)
    added = sum(
        (load - plain.driver_loads(q, u, udot, t=T)[name]) * float(system.motion(q, u, T).speed(name))
        for name, load in driven.items()
    )
    extra = [
        system.energy(q, u + h * udot, t=T + h).kinetic - plain.energy(q, u + h * udot, t=T + h).kinetic
        for h in (-step, step)
    ]
    expected = (extra[1] - extra[0]) / (2 * step)
    found = float((loads - plain.inverse_dynamics(q, u, udot, t=T)) @ u) + added
    assert abs(found - expected) < 1e-6 * max(1.0, abs(expected))


@pytest.mark.parametrize("name", ["rates", "energy", *(name for name in DERIVATIVES if name in RECIPES)])
def test_rolled_programs(name: str) -> None:
    system = gs.formulate(with_armatures(chain(12), 5))
    row = row_of(system)
    given = {port: row[system.row._place(port)] for port in PORTS}
    program = RolledPrograms(system.coordinates).program(name)
    expected = virtual_outputs(system, name, given)
    for output, values in program.evaluate(given).items():
        if values.size:
            assert relative_error(values.ravel(), expected[output].reshape(values.shape).ravel()) < 1e-10, output


@campaign(20, few=[2, 9])
def test_agreement_with_pinocchio(pinocchio: Any, seed: int) -> None:
    draw = Draw(seed)
    tree = draw.tree(2 + seed % 8, ("revolute", "prismatic"))
    model = tree.model()
    peer = PinocchioTree(pinocchio, tree)
    system = gs.formulate(with_armatures(model, seed))
    q, u = draw.state(system)
    at, ours, sizes = peer.mapped(system, q, u), FloatSystem(system), sizes_of(system)
    peer.model.armature = np.abs(at.T @ sizes)
    assert np.linalg.norm(sizes) > 0
    rates = draw.random.normal(size=len(u))
    assert relative_error(ours.mass_matrix(q), peer.mass_matrix(at)) < 1e-10
    assert relative_error(ours.inverse_dynamics(q, u, rates), peer.inverse_dynamics(at, u, rates)) < 1e-10
    found = ours.forward_dynamics(q, u, loads=rates)
    assert relative_error(found, peer.forward_dynamics(at, u, rates)) < 1e-10


def arm(**options: Any) -> gs.Model:
    """Return two links on hinges, with a formula as armature."""
    model = gs.Model("arm", gravity=(0, -9.81, 0), parameters={"J": 0.3, "L": 0.8})
    model.add(gs.Body("upper", mass=2, inertia=(0.1, 0, 0.1), points={"top": (0, "L/2", 0), "end": (0, "-L/2", 0)}))
    model.add(gs.Body("lower", mass=1, inertia=(0.05, 0, 0.05), points={"top": (0, "L/2", 0)}))
    model.add(gs.Revolute("a", "ground", "upper.top", armature="J", initial=1.0))
    model.add(gs.Revolute("b", "upper.end", "lower.top", armature="J/2", **options))
    return model


def test_exact_equations() -> None:
    """M(a, a) and M(b, b) have the armatures, the forcing and M(a, b) none; a cutset is a row of the equations."""
    system = gs.formulate(arm())
    equations = system.equations()
    M = equations.mass_matrix
    J = next(symbol for symbol in M.free_symbols if str(symbol) == "J")
    assert [M[0, 0].diff(J), 2 * M[1, 1].diff(J), M[0, 1].diff(J)] == [1, 1, 0]
    assert not equations.forcing.has(J)
    row = system.cutset("b").projection["b.rate"]
    expected = (equations.forcing - M * sympy.Matrix(equations.accelerations))[1]
    assert sympy.simplify(row - expected) == 0
    equations.verify()


def test_energy_is_constant() -> None:
    run = gs.simulate(gs.formulate(arm()), duration=3.0, integrator=gs.DOP853(rtol=1e-11, atol=1e-12))
    assert np.abs(np.asarray(run.energy()["balance"])).max() < 1e-8
    lighter = gs.simulate(gs.formulate(arm()), duration=3.0, parameters={"J": 0.0})
    assert abs(float(run["a"][-1]) - float(lighter["a"][-1])) > 0.1


def test_branch_coordinates_that_have_the_speeds() -> None:
    one, two = gs.formulate(arm()), gs.formulate(arm(), gs.Trees(["a", "b"]))
    q, u = [0.4, -0.9], [1.0, 2.0]
    np.testing.assert_allclose(one.forward_dynamics(q, u), two.forward_dynamics(q, u), rtol=1e-12)
    assert one.energy(q, u).kinetic == pytest.approx(two.energy(q, u).kinetic)


def test_files(tmp_path: Path) -> None:
    model = arm()
    model.save(tmp_path / "arm.yaml")
    assert gs.Model.load(tmp_path / "arm.yaml") == model
    assert "armature: J" in (tmp_path / "arm.yaml").read_text()


def closed(joint: str) -> gs.Model:
    """Return a four-bar, one joint of which has an armature."""
    model = gs.Model.load(EXAMPLES / "four_bar.yaml")
    model.replace(replace(model.joints[joint], armature={"": 0.4}))
    return model


def test_closed_loops() -> None:
    """The tree takes joints with armature; reactions balance the bodies, whichever joint closes the loop."""
    for joint in gs.Model.load(EXAMPLES / "four_bar.yaml").joints:
        model = closed(joint)
        assert joint in gs.formulate(model).topology.arcs
    others = [name for name in model.joints if name != joint]
    systems = [gs.formulate(model, cut=[name]) for name in others]
    runs = [gs.simulate(system, duration=0.2, integrator=gs.DOP853(rtol=1e-11, atol=1e-12)) for system in systems]
    for name in model.joints:
        loads = [np.asarray(run.reaction(name).to_array())[..., -1] for run in runs]
        for other in loads[1:]:
            np.testing.assert_allclose(other, loads[0], atol=1e-6)


def test_indeterminate_loads() -> None:
    """Of an overconstrained loop: loads do not depend on the joint that closes it, and balance each body."""
    model = gs.Model.load(EXAMPLES / "bricard.yaml")
    first, *others = model.joints
    model.replace(replace(model.joints[first], armature={"": 0.4}))
    found = []
    for cut in (others[1], others[3]):
        system = gs.formulate(model, cut=[cut])
        run = gs.simulate(system, duration=0.3, integrator=gs.DOP853(rtol=1e-11, atol=1e-12))
        found.append({name: np.asarray(run.reaction(name).to_array())[:, -1] for name in model.joints})
    largest = max(np.abs(loads).max() for loads in found[0].values())
    for name in model.joints:
        np.testing.assert_allclose(found[0][name], found[1][name], atol=1e-6 * largest)


def test_refusals() -> None:
    fact = (
        r"Joint 'a' has an armature, but 'a\.rate' is not among the speeds of these absolute coordinates\. "
        r"Use coordinates='joint', or model the rotor"
    )
    with pytest.raises(gs.GyrostatError, match=fact):
        gs.formulate(arm(), "absolute")
    with pytest.raises(gs.GyrostatError, match=r"has an armature, but .* since the joint closes a loop"):
        gs.formulate(closed("hinge_crank"), cut=["hinge_crank"])
    with pytest.raises(gs.GyrostatError, match=r"not among the speeds of these absolute coordinates"):
        gs.formulate(arm()).absolute_method([0.1, 0.2], [0.0, 0.0])
    heavy = arm()
    heavy.replace(replace(heavy.joints["b"], armature={"": -1}))
    with pytest.raises(gs.GyrostatError, match=r"its armature 'b' is -1\. An inertia cannot be negative"):
        gs.formulate(heavy)
