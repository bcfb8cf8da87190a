"""Outputs by name: each has a unit, and equals the result of the system's methods at the same states."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign import campaign
from random_models import random_inputs, random_model
from random_trees import KINDS, Draw
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.model import FORCES, JOINTS

SEEDS = range(5)
each_seed = campaign(SEEDS, few=(3,))


def _model(seed: int) -> gs.Model:
    """Return a random model; all of them together have every joint and force, drivers and rotors."""
    kinds = tuple(KINDS[(2 * seed + i) % len(KINDS)] for i in range(3))
    return random_model(10 + seed, 4, kinds=kinds)


@cache
def _motion(seed: int) -> gs.Trajectory:
    draw = Draw(500 + seed)
    system = gs.formulate(_model(seed))
    q, u = draw.state(system)
    start = dict(zip((*system.coordinate_names, *system.speed_names), [*q.tolist(), *(0.4 * u).tolist()], strict=True))
    return gs.simulate(system, 0.2, step=0.02, initial=start, inputs=random_inputs(draw, system))


def test_the_models_have_everything() -> None:
    models = [_model(seed) for seed in SEEDS]
    assert {type(joint) for model in models for joint in model.joints.values()} == set(JOINTS) - {gs.Translation}
    of_states, of_contacts = {gs.DCMotor, gs.JointFriction}, {gs.Contact, gs.Contacts, gs.JointLimit}
    of_contacts |= {gs.RigidContact, gs.Tyre}
    of_ropes = {gs.Belt, gs.BendingSpring, gs.Reeving, gs.SheaveContact, gs.Winch}
    others = {gs.Bond, gs.CompliantJoint, gs.Grains, gs.VariableMass}
    elsewhere = of_states | of_contacts | of_ropes | others  # in their own tests
    assert {type(force) for model in models for force in model.forces.values()} == set(FORCES) - elsewhere
    assert any(joint.driven for model in models for joint in model.joints.values())
    rotors = [rotor for model in models for body in model.bodies.values() for rotor in body.rotors]
    assert any(rotor.free for rotor in rotors)
    assert any(rotor.spin is not None for rotor in rotors)
    assert any(rotor.momentum is not None for rotor in rotors)


@each_seed
def test_every_output_has_numbers_units_and_a_description(seed: int) -> None:
    motion = _motion(seed)
    assert len(motion.names) > 20
    for name in motion.names:
        array = motion[name]
        assert array.dims[0] == "time"
        assert array.shape[0] == len(motion.time)
        assert np.isfinite(array.values).all(), name
        assert array.attrs["long_name"]
        assert "units" in array.attrs
        assert array.attrs["units"] or name in motion.system.inputs, name
        assert name in motion
        if array.ndim == 2:
            assert array.dims[1] in ("axis", "component", "row", "angle") or array.dims[1].endswith("_coordinate")
            for i, label in enumerate(array.coords[array.dims[1]].values):
                component = motion[f"{name}.{label}"]
                np.testing.assert_array_equal(component.values, array.values[:, i])
    assert "nothing" not in motion


@each_seed
def test_outputs_are_what_the_system_says(seed: int) -> None:
    motion = _motion(seed)
    system, q, u, t = motion.system, motion.q, motion.u, motion.time
    inputs = motion.inputs
    for name, column in zip(system.coordinate_names, q.T, strict=True):
        np.testing.assert_array_equal(motion[name], column)
    for name, column in zip(system.speed_names, u.T, strict=True):
        np.testing.assert_allclose(motion[name], column, atol=1e-14)
    udot = system.forward_dynamics(q, u, t=t, inputs=inputs)
    for name, column in zip(system.speed_names, udot.T, strict=True):
        if name.endswith(".rate"):
            np.testing.assert_allclose(motion[f"{name.removesuffix('.rate')}.acc"], column, rtol=1e-9, atol=1e-9)
    rates = system.coordinate_rates(q, u, t=t)
    for name, column in zip(system.coordinate_names, rates.T, strict=True):
        np.testing.assert_allclose(motion[f"{name}.rate"], column, atol=1e-12)
    bodies = system.body_motion(q, u, t=t)
    poses = system.poses(q, t=t)
    for name in system.bodies:
        np.testing.assert_allclose(motion[name], poses[name].position, atol=1e-12)
        np.testing.assert_allclose(motion[f"{name}.velocity"], bodies[name].velocity, atol=1e-12)
        np.testing.assert_allclose(motion[f"{name}.omega"], bodies[name].omega, atol=1e-12)
        e, same = motion[f"{name}.quaternion"].values, poses[name].quaternion
        np.testing.assert_allclose(np.abs((e * same).sum(axis=1)), 1, atol=1e-12)
        assert ((e[1:] * e[:-1]).sum(axis=1) > 0).all()
    for force, found in system.force_outputs(q, u, t=t, inputs=inputs).items():
        for quantity, values in found.items():
            np.testing.assert_allclose(motion[f"{force}.{quantity}"], values, atol=1e-12)
    for joint, load in system.reactions(q, u, udot, t=t, inputs=inputs).items():
        scale = 1 + np.abs(load.force).max() + np.abs(load.moment).max()
        np.testing.assert_allclose(motion.reaction(joint).force, load.force, atol=1e-9 * scale)
        np.testing.assert_allclose(motion.reaction(joint).moment, load.moment, atol=1e-9 * scale)
    for coordinate, load in system.driver_loads(q, u, udot, t=t, inputs=inputs).items():
        np.testing.assert_allclose(motion.driver_load(coordinate), load, rtol=1e-8, atol=1e-8)
    energy, account = system.energy(q, u, t=t, inputs=inputs), motion.energy()
    np.testing.assert_allclose(account.kinetic, energy.kinetic, rtol=1e-12)
    momentum = system.momentum(q, u, t=t)
    np.testing.assert_allclose(motion.momentum().linear, momentum.linear, atol=1e-11)
    np.testing.assert_allclose(motion.momentum().angular, momentum.angular, atol=1e-11)


@each_seed
def test_rates_are_derivatives(seed: int) -> None:
    motion, h, t = _motion(seed), 1e-4, 0.11
    around = motion.at([t - h, t, t + h])
    pairs = [(name, f"{name}.rate") for name in motion.system.coordinates.measures]
    pairs += [(f"{name}.rate", f"{name}.acc") for name in motion.system.coordinates.measures]
    pairs += [(name, f"{name}.velocity") for name in motion.names if f"{name}.velocity" in motion]
    pairs += [(f"{name}.length", f"{name}.rate") for name in motion.system.model.forces if f"{name}.length" in motion]
    for value, rate in pairs:
        before, _, after = around[value].values
        expected = around[rate].values[1]
        scale = 1 + np.abs(expected).max()
        np.testing.assert_allclose((after - before) / (2 * h), expected, atol=3e-5 * scale, err_msg=rate)


def test_driven_coordinates_follow_their_formulas() -> None:
    model = gs.Model("driven")
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("turn", "ground", "arm", driven="sin(2*t)"))
    motion = gs.simulate(model, 1, step=0.1)
    t = motion.time
    np.testing.assert_allclose(motion["turn"], np.sin(2 * t), atol=1e-15)
    np.testing.assert_allclose(motion["turn.rate"], 2 * np.cos(2 * t), atol=1e-14)
    np.testing.assert_allclose(motion["turn.acc"], -4 * np.sin(2 * t), atol=1e-14)
    np.testing.assert_allclose(motion.driver_load("turn"), -4 * np.sin(2 * t), atol=1e-13)
    assert np.abs(motion.energy().balance).max() < 1e-13


def test_time_parameters_reactions_and_rows_are_outputs() -> None:
    motion = gs.simulate(double_pendulum(), 0.2, step=0.1, initial={"a1": 0.3})
    np.testing.assert_array_equal(motion["t"], motion.time)
    np.testing.assert_array_equal(motion["m1"], 1.2)
    assert motion["m1"].attrs["long_name"] == "parameter m1"
    for part in ("force", "moment"):
        np.testing.assert_array_equal(motion[f"a2.reaction.{part}"], motion.reaction("a2")[part])
        assert f"a2.reaction.{part}.x" in motion
        assert f"a2.reaction.{part}" not in motion.names
    model = gs.Model("rod", gravity=(0, -9.81, 0))
    model.add(gs.Body("ball", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Planar("p", "ground", "ball", initial={"y": -1}))
    model.add(gs.Distance("rod", "ground", "ball", 1.0))
    held = gs.simulate(model, 0.2, step=0.1)
    np.testing.assert_allclose(held["rod: tension"], 9.81)
    np.testing.assert_array_equal(held["rod.force"], held.constraint("rod")["tension"])


def test_datasets_and_tables() -> None:
    motion = gs.simulate(double_pendulum(), 1, step=0.25, initial={"a1": 0.3}, outputs=["bar2.tip", "a1.acc"])
    chosen = motion.dataset("bar2.tip", "a1")
    assert set(chosen.data_vars) == {"bar2.tip", "a1"}
    assert chosen.attrs["model"] == "double pendulum"
    table = motion.to_pandas("bar2.tip", "a1")
    assert list(table.columns) == ["bar2.tip.x", "bar2.tip.y", "bar2.tip.z", "a1"]
    np.testing.assert_array_equal(table.index, motion.time)
    everything = motion.dataset()
    assert set(everything.data_vars) == {"a1", "a2", "a1.rate", "a2.rate", "motor"}
    assert everything["a1"].attrs == {"units": "rad", "long_name": "angle a1"}
    assert everything.time.attrs["units"] == "s"
    assert motion.time.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_changing_labels_of_an_output_changes_no_other() -> None:
    run = gs.simulate(double_pendulum(), 0.2, step=0.1)
    for name, other, unit in (("a1", "a2", "rad"), ("bar1", "bar2", "m")):
        first = run[name]
        first.attrs["units"], first.coords["time"].attrs["units"] = "turns", "h"
        for again in (run[name], run[other]):
            assert again.attrs["units"] == unit
            assert again.coords["time"].attrs == {"units": "s", "long_name": "time"}
        assert (run[name].name, run[other].name) == (name, other)


@pytest.mark.parametrize("count", [3, 2000])
def test_runs_with_the_same_output_times_share_indices_and_nothing_else(count: int) -> None:
    times = np.linspace(0, 0.1, count)
    first, again, later = (gs.simulate(double_pendulum(), times=own) for own in (times, times, times + 1))
    changed = first["bar1"]
    changed.values[:], changed.coords["time"].attrs["units"] = 7.0, "h"
    found = again["bar1"]
    assert found.coords["time"].attrs["units"] == "s"
    assert not (found == 7).any()
    np.testing.assert_array_equal(found.time, times)
    np.testing.assert_array_equal(later["bar1"].time, times + 1)
    assert (found.indexes["time"] is changed.indexes["time"]) == (count < 1024)


def test_output_times_that_do_not_divide_the_duration() -> None:
    motion = gs.simulate(double_pendulum(), 1, step=0.3)
    np.testing.assert_allclose(motion.time, [0, 0.3, 0.6, 0.9, 1])
    assert len(gs.simulate(double_pendulum(), 1).time) == 1001
    late = gs.simulate(double_pendulum(), times=[5, 5.5, 7], initial={"a1": 0.2})
    early = gs.simulate(double_pendulum(), times=[0, 0.5, 2], initial={"a1": 0.2})
    np.testing.assert_allclose(late.q, early.q, atol=1e-8)


def test_outputs_that_are_not_finite_are_explained() -> None:
    """A driven slide passes the place where a force is infinite: its motion is known there, its loads are not."""
    model = gs.Model("slide", gravity=(0, 0, 0))
    model.add(gs.Body("block", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "block", axis="x", driven="t - 0.5"))
    model.add(gs.Force("pull", "block", ("1/x", 0, 0)))
    run = gs.kinematics(model, duration=1, step=0.25)
    with pytest.raises(gs.StateError, match="Force 'pull' has no finite value at this state: it divides by zero"):
        run.reaction("x")
