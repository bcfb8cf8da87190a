"""Conservation laws and balances along the motion of random trees of bodies."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from random_models import Mixture, random_forces, random_inputs, random_model
from random_trees import Draw, Floats, TreeDescription
from simulations import TIGHT, double_pendulum

import gyrostat as gs

METHODS: dict[str, tuple[Any, int, float, float]] = {
    "Euler": (gs.Euler, 1, 1e-3, 2e-3),
    "RK2": (gs.RK2, 2, 1e-2, 2e-2),
    "RK4": (gs.RK4, 4, 1e-2, 4e-2),
    "RKF45": (lambda step: gs.RKF45(step=step), 5, 0.0125, 0.05),
    "DOP853": (lambda step: gs.DOP853(step=step), 8, 0.025, 0.2),
}
"""Methods with their order, and steps at which errors follow it: of a swinging pendulum, and of tumbling bodies."""


@cache
def _pendulum() -> gs.System:
    return gs.formulate(double_pendulum())


@cache
def _floating() -> gs.System:
    """Two bodies in space, joined by a spherical joint."""
    model = gs.Model("floating")
    model.add(gs.Body("a", mass=1.5, inertia=(0.3, 0.5, 0.6), points={"p": (0.4, 0.1, 0)}))
    model.add(gs.Body("b", mass=0.8, inertia=(0.2, 0.1, 0.25), points={"p": (0, -0.5, 0.2)}))
    model.add(gs.Free("f", "ground", "a"))
    model.add(gs.Spherical("s", "a.p", "b.p"))
    return gs.formulate(model)


def _drift_of_energy(method: gs.Integrator) -> float:
    motion = gs.simulate(_pendulum(), 2, step=0.2, initial={"a1": 1.2, "a2": -0.7}, integrator=method)
    return float(np.ptp(motion.energy().total.values))


def _drift_of_momentum(method: gs.Integrator) -> float:
    start = {"f.w1": 1.0, "f.w2": 2.0, "f.w3": -0.5, "s.w1": -1.5, "s.w3": 1.0, "f.v1": 0.3}
    motion = gs.simulate(_floating(), 2, step=0.2, initial=start, integrator=method)
    angular = motion.momentum().angular.values
    return float(np.abs(angular - angular[0]).max())


@pytest.mark.parametrize("name", METHODS)
def test_drift_of_energy_and_momentum_falls_with_the_order(name: str) -> None:
    make, order, swing, tumble = METHODS[name]
    for drift, step in ((_drift_of_energy, swing), (_drift_of_momentum, tumble)):
        slope = np.log2(drift(make(step)) / drift(make(step / 2)))
        assert order - 0.3 < slope < order + 0.8


# --- random trees -----------------------------------------------------------------------------------------------------


def _floating_tree(draw: Draw, bodies: int) -> TreeDescription:
    """Return a tree of which one body only, and that freely, is joined to the ground."""
    tree = draw.tree(bodies)
    first, *others = tree.bodies
    joined = [replace(body, parent="b0") if body.parent == "ground" else body for body in others]
    return TreeDescription((replace(first, kind="free", against=False), *joined), (0.0, 0.0, 0.0))


@campaign(4)
def test_momentum_of_floating_trees_is_conserved(seed: int) -> None:
    draw = Draw(seed)
    tree = _floating_tree(draw, 4)
    model = tree.model()
    model.add(gs.SpringDamper("spring", ("b0", (0.4, 0, 0)), ("b3", (0, -0.6, 0.2)), 15.0, 0.5, 0.3))
    system = gs.formulate(model)
    q, u = draw.state(system)
    motion = gs.simulate(system, 1.5, step=0.1, initial=_named(system, q, u), integrator=TIGHT)
    found = motion.momentum()
    scale = sum(body.mass for body in tree.bodies)
    for momentum in (found.linear.values, found.angular.values):
        assert np.abs(momentum[0]).max() > 0.01
        np.testing.assert_allclose(momentum, np.tile(momentum[0], (len(momentum), 1)), atol=2e-11 * scale)
    # the mass centre moves evenly
    centre, mass = found.mass_centre.values, scale
    expected = centre[0] + np.outer(motion.time, found.linear.values[0]) / mass
    np.testing.assert_allclose(centre, expected, atol=1e-11)
    about = motion.momentum(about=(1.0, -2.0, 0.5)).angular.values
    np.testing.assert_allclose(about, np.tile(about[0], (len(about), 1)), atol=1e-10 * scale)


def _named(system: gs.System, q: Floats, u: Floats) -> dict[str, float]:
    return dict(zip((*system.coordinate_names, *system.speed_names), [*q.tolist(), *u.tolist()], strict=True))


@campaign(8)
def test_the_account_of_energy_closes(seed: int) -> None:
    # springs, dampers, laws, mounts, forces, torques, motors, drivers and rotors of all sorts, impulses, an input
    # that changes
    draw = Draw(1000 + seed)
    model = random_model(seed, 3)
    system = gs.formulate(model)
    q, u = draw.state(system)
    inputs: dict[str, Any] = dict(random_inputs(draw, system))
    events = [gs.Event.at_time("kick", 0.21, gs.Impulse(system.speed_names[-1], 0.3))]
    if inputs:
        name = next(iter(inputs))
        inputs[name] = "0.4*sin(5*t)"
        events.append(
            gs.Event.at_time("change", 0.37, gs.SetInput(name, gs.Table([0, 0.44, 1], [1, -1, 2], "previous")))
        )
    motion = gs.simulate(
        system, 0.6, step=0.05, initial=_named(system, q, 0.5 * u), inputs=inputs, events=events, integrator=TIGHT
    )
    account = motion.energy()
    moved = [account.kinetic, *account.stored.T, *account.dissipated.T, *account.supplied.T, account.impacts]
    scale = max(float(np.ptp(part.values)) for part in moved)
    assert scale > 0.1
    assert np.abs(account.impacts.values).max() > 1e-6
    assert np.abs(account.balance.values).max() < 1e-9 * scale
    np.testing.assert_allclose(account.total, account.kinetic + account.potential, rtol=1e-14)
    np.testing.assert_allclose(account.potential, account.stored.sum("store"), rtol=1e-12, atol=1e-12 * scale)


def test_dampers_only_ever_take() -> None:
    model = double_pendulum()
    model.add(gs.TorsionSpring("hinge", "a2", 0.0, 0.4))
    model.add(gs.SpringDamper("strut", ("ground", (0.8, 0, 0)), "bar2.tip", 3.0, 0.3, 0.5))
    motion = gs.simulate(model, 4, step=0.02, initial={"a1": 1.5}, integrator=TIGHT)
    account = motion.energy()
    lost = account.dissipated
    assert list(lost.damper.values) == ["hinge", "strut"]
    assert (np.diff(lost.values, axis=0) >= 0).all()
    assert (lost[-1] > 0.1).all()
    assert list(account.stored.store.values) == ["gravity", "hinge", "strut"]
    assert np.abs(account.balance).max() < 1e-11


# --- forces on each body ----------------------------------------------------------------------------------------------


def _rate(motion: gs.Trajectory, t: float, quantity: Any, h: float = 2e-4) -> Floats:
    """Return the rate of a quantity of trajectories at a time, by differences of order four."""
    before2, before, after, after2 = quantity(motion.at([t - 2 * h, t - h, t + h, t + 2 * h]))
    return np.asarray((8 * (after - before) - (after2 - before2)) / (12 * h))


@campaign(5)
def test_reactions_balance_gravity_and_inertia_of_each_body(seed: int) -> None:
    draw = Draw(2000 + seed)
    tree = draw.tree(4)
    model = tree.model()
    ends = [("b0", (0.3, 0.1, 0.0)), ("b3", (0.0, -0.4, 0.2))]
    model.add(gs.SpringDamper("spring", *ends, 12.0, 0.7, 0.4))
    model.add(gs.Force("wind", ("b2", (0.1, 0.2, 0.3)), (0.5, "sin(3*t)", -0.4), axes="world"))
    free = [n.removesuffix(".rate") for n in gs.formulate(model).speed_names if n.endswith(".rate")]
    if free:
        model.add(gs.Actuator("motor", free[0]))
    system = gs.formulate(model)
    q, u = draw.state(system)
    inputs = {"motor": "0.8*cos(2*t)"} if free else {}
    motion = gs.simulate(system, 0.4, step=0.1, initial=_named(system, q, 0.5 * u), inputs=inputs, integrator=TIGHT)
    t = 0.23
    now = motion.at(t)
    place = {name: now[name].values[0] for name in (*system.bodies, "ground")}
    R = {"ground": np.eye(3), **{name: system.body_motion(now.q[0], now.u[0])[name].rotation for name in system.bodies}}

    def at(body: str, r: Any) -> Floats:
        return np.asarray(place[body] + R[body] @ np.array(r))

    # loads (where, force, moment) on each body
    loads: dict[str, list[tuple[Floats, Floats, Floats]]] = {name: [] for name in (*system.bodies, "ground")}
    for body in tree.bodies:
        load = now.reaction(body.joint)
        force, moment = load.force.values[0], load.moment.values[0]
        parent, child = (body.name, body.parent) if body.against else (body.parent, body.name)
        end = f"{body.parent}.to_{body.name}" if body.against else f"{body.name}.hinge"
        where = now[end].values[0]
        loads[child].append((where, force, moment))
        loads[parent].append((where, -force, -moment))
    a, b = (at(*end) for end in ends)
    pull = now["spring.force"].values[0] * (b - a) / np.linalg.norm(b - a)
    loads["b0"].append((a, pull, np.zeros(3)))
    loads["b3"].append((b, -pull, np.zeros(3)))
    loads["b2"].append((at("b2", (0.1, 0.2, 0.3)), np.array([0.5, np.sin(3 * t), -0.4]), np.zeros(3)))
    for body in tree.bodies:
        centre = at(body.name, body.com)
        gravity = body.mass * np.array(tree.gravity)

        def momenta(other: gs.Trajectory, body: Any = body) -> Floats:
            found = system.body_motion(other.q, other.u)[body.name]
            arm = np.einsum("nij,j->ni", found.rotation, np.array(body.com))
            linear = body.mass * (found.velocity + np.cross(found.omega, arm))
            inertia = np.einsum("nij,jk,nlk->nil", found.rotation, body.inertia, found.rotation)
            return np.hstack((linear, np.einsum("nij,nj->ni", inertia, found.omega)))

        rates = _rate(motion, t, momenta)
        force = gravity + sum(f for _, f, _ in loads[body.name])
        moment = sum(m + np.cross(r - centre, f) for r, f, m in loads[body.name])
        scale = 1 + max(np.abs(f).max() for _, f, _ in loads[body.name])
        np.testing.assert_allclose(rates[:3], force, atol=1e-6 * scale)
        np.testing.assert_allclose(rates[3:], moment, atol=1e-6 * scale)


@campaign((1, 4))
def test_forces_of_every_kind_move_the_mass_centre(seed: int) -> None:
    # the rate of the momentum of everything is gravity, what acts from the ground, and what has no partner
    draw = Draw(3000 + seed)
    tree = _floating_tree(draw, 3)
    model = tree.model()
    inner = [f for f in random_forces(draw, tree, model, {}) if isinstance(f, (gs.TorsionSpring, gs.Actuator))]
    for force in inner:
        model.add(force)
    system = gs.formulate(model)
    q, u = draw.state(system)
    motion = gs.simulate(system, 1, step=0.1, initial=_named(system, q, u), integrator=TIGHT)
    linear = motion.momentum().linear.values
    np.testing.assert_allclose(linear, np.tile(linear[0], (len(linear), 1)), atol=1e-10)


def test_a_mixture_without_dampers_keeps_its_energy() -> None:
    model = random_model(11, 4, Mixture(rotors=False, forces=False, drivers=False))
    system = gs.formulate(model)
    q, u = Draw(11).state(system)
    motion = gs.simulate(system, 2, step=0.1, initial=_named(system, q, u), integrator=TIGHT)
    total = motion.energy().total.values
    assert np.ptp(total) < 1e-10 * max(1, np.abs(total).max())
