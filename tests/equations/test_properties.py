"""Properties of random trees with all joints, rotors, forces and drivers.

Balances are formed body by body in world axes, from positions and velocities alone: accelerations are differences of
velocities along the motion, inertia comes from the model, not from the recursions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import sympy
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import Mixture, random_drivers, random_inputs, random_model, with_rotors
from random_trees import Draw, Floats, relative_error

import gyrostat as gs
from gyrostat.equations.energy import energy
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import PointLoad
from gyrostat.model.kinds import End

SEEDS = range(40)
STEP = 2e-3


@dataclass(frozen=True)
class Instant:
    """A random model at a random state, moving as forward dynamics says."""

    system: FloatSystem
    q: Floats
    u: Floats
    udot: Floats
    t: float
    inputs: dict[str, float]
    _motions: dict[float, WorldMotion] = field(default_factory=dict)

    def motion(self, step: float = 0.0) -> WorldMotion:
        """Return the motion a little later along the tangent."""
        if step not in self._motions:
            self._motions[step] = self._motion(step)
        return self._motions[step]

    def _motion(self, step: float) -> WorldMotion:
        q = self.q + step * self.system.coordinate_rates(self.q, self.u, t=self.t)
        return self.system.motion(q, self.u + step * self.udot, self.t + step, self.inputs)

    def rate(self, quantity: Callable[[WorldMotion], Any]) -> Any:
        """Return the time derivative by central differences of sixth order."""
        weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
        total = 0.0
        for k, weight in weights.items():
            later, earlier = quantity(self.motion(k * STEP)), quantity(self.motion(-k * STEP))
            total = total + weight * (np.array(later, dtype=float) - np.array(earlier, dtype=float))
        return total / STEP


def _instant(seed: int, mixture: Mixture | None = None) -> Instant:
    system = float_system(random_model(seed, 2 + seed % 6, mixture))
    draw = Draw(seed + 1)
    q, u = draw.state(system.system)
    inputs = random_inputs(draw, system.system)
    t = 0.6
    return Instant(system, q, u, system.forward_dynamics(q, u, t=t, inputs=inputs), t, inputs)


@campaign(SEEDS)
def test_mass_matrix_is_symmetric_positive_definite_and_gives_kinetic_energy(seed: int) -> None:
    at = _instant(seed, Mixture(rotors=False, forces=False, drivers=False))
    M = at.system.mass_matrix(at.q)
    if not len(M):
        return
    np.linalg.cholesky(M)
    kinetic = at.system.energy(at.q, at.u).kinetic
    assert 0.5 * at.u @ M @ at.u == pytest.approx(kinetic, rel=1e-12)
    # column by column: inverse dynamics of unit accelerations, minus that of none
    still = at.system.inverse_dynamics(at.q, at.u, np.zeros(len(M)))
    for k, column in enumerate(M.T):
        found = at.system.inverse_dynamics(at.q, at.u, np.eye(len(M))[k]) - still
        assert relative_error(found, column) < 1e-11


@campaign(SEEDS)
def test_inverse_dynamics_undoes_forward_dynamics(seed: int) -> None:
    at = _instant(seed)
    state = {"t": at.t, "inputs": at.inputs}
    loads = np.random.default_rng(seed).normal(size=len(at.u))
    forward = at.system.forward_dynamics(at.q, at.u, loads=loads, **state)
    scale = max(1.0, np.abs(forward).max(initial=0))
    assert np.abs(at.system.inverse_dynamics(at.q, at.u, forward, **state) - loads).max(initial=0) < 1e-10 * scale
    wanted = np.random.default_rng(seed + 1).normal(size=len(at.u))
    needed = at.system.inverse_dynamics(at.q, at.u, wanted, **state)
    assert relative_error(at.system.forward_dynamics(at.q, at.u, loads=needed, **state), wanted) < 1e-9


def _power_of_forces(at: Instant) -> float:
    """Return the power of all force elements, from their loads and the motion of the places they act on."""
    motion, power = at.motion(), 0.0
    for force in at.system.system.model.forces.values():
        for load in force.loads(motion):
            if isinstance(load, PointLoad):
                place = motion.end(load.end)
                power += float(np.dot(load.force, place.velocity) + np.dot(load.moment, place.omega))
            else:
                power += load.value * motion.speed(load.coordinate)
    return power


def _power_of_rotors(at: Instant) -> float:
    """Return the power of the motors that make given spins happen: h (a·ω)˙, and h ḣ/A where A is known."""
    power = 0.0
    for i, link in enumerate(at.system.tree.links):
        for wheel in link.wheels:
            if wheel.place is None:
                formula = wheel.rotor.spin or wheel.rotor.momentum
                factor = 1.0 if wheel.rotor.spin is None else wheel.inertia
                jet = at.motion().state.in_time(formula, at.system.tree.value)
                h, rate = factor * jet.value, factor * jet.rate
                power += h * at.rate(lambda m, i=i, a=wheel.axis: np.dot(a, m.omega(i)))
                power += h * rate / wheel.inertia if wheel.inertia is not None else 0.0
    return float(power)


@campaign(SEEDS)
def test_energy_changes_by_the_power_of_loads_and_drivers(seed: int) -> None:
    at = _instant(seed)

    def mechanical(motion: WorldMotion) -> float:
        found = energy(motion)
        return float(found.kinetic + found.gravity)

    drivers = at.system.driver_loads(at.q, at.u, at.udot, t=at.t, inputs=at.inputs)
    motion = at.motion()
    power = sum(load * motion.speed(name) for name, load in drivers.items())
    power += _power_of_forces(at) + _power_of_rotors(at)
    assert at.rate(mechanical) == pytest.approx(power, rel=1e-7, abs=1e-7 * (1 + abs(power)))


def _body_numbers(body: gs.Body) -> tuple[float, Floats, Floats]:
    properties = body.mass_properties(gs.Model("numbers").evaluator())
    return properties.mass, np.array(properties.com, dtype=float), np.array(properties.inertia, dtype=float)


def _momentum(motion: WorldMotion, body: gs.Body) -> tuple[Floats, Floats]:
    """Return linear momentum and angular momentum about the mass centre, rotors included, in world axes."""
    mass, com, inertia = _body_numbers(body)
    centre = motion.end(End(body.name, None, gs.Body("x", mass=0, com=tuple(com)).com))
    R, omega = np.array(centre.rotation, dtype=float), np.array(centre.omega, dtype=float)
    spin = R @ inertia @ R.T @ omega
    for rotor in body.rotors:
        axis = np.array(gs.Model("numbers").evaluator().direction(rotor.axis), dtype=float)
        if rotor.free:
            size = rotor.inertia.number * motion.quantity(f"{body.name}.{rotor.name}.rate")
        else:
            given = rotor.spin or rotor.momentum
            factor = 1.0 if rotor.spin is None else rotor.inertia.number
            size = factor * motion.state.in_time(given, motion.tree.value).value
        spin = spin + size * (R @ axis)
    return mass * np.array(centre.velocity, dtype=float), spin


@campaign(SEEDS)
def test_loads_on_every_body_balance_its_change_of_momentum(seed: int) -> None:
    """Newton and Euler for each body: what a joint's parent gives the child it takes itself at the same point."""
    at = _instant(seed)
    model, motion = at.system.system.model, at.motion()
    reactions = at.system.reactions(at.q, at.u, at.udot, t=at.t, inputs=at.inputs)
    gravity = np.array([g.number for g in model.gravity])
    loads: dict[str, list[tuple[Floats, Floats, Floats]]] = {body: [] for body in ("ground", *at.system.system.bodies)}
    for name, (force, moment) in reactions.items():
        joint = model.joints[name]
        point = np.array(motion.end(joint.child).position, dtype=float)
        loads[joint.child.body].append((point, force, moment))
        loads[joint.parent.body].append((point, -force, -moment))
    for element in model.forces.values():
        for load in element.loads(motion):
            if isinstance(load, PointLoad):
                point = np.array(motion.end(load.end).position, dtype=float)
                loads[load.end.body].append((point, np.array(load.force, float), np.array(load.moment, float)))
    for name in at.system.system.bodies:
        body = model.bodies[name]
        mass, com, _ = _body_numbers(body)
        centre = motion.end(End(name, None, gs.Body("x", mass=0, com=tuple(com)).com))
        force = mass * gravity + sum(f for _, f, _ in loads[name])
        moment = sum(m + np.cross(p - np.array(centre.position), f) for p, f, m in loads[name])
        for found, index in ((force, 0), (moment, 1)):
            expected = at.rate(lambda m, body=body, index=index: _momentum(m, body)[index])
            size = max(1.0, *(np.abs(f).max() for _, f, _ in loads[name]))
            np.testing.assert_allclose(found, expected, atol=1e-6 * size, err_msg=f"{name}, {index}")


@campaign(SEEDS)
def test_joints_work_only_through_their_coordinates(seed: int) -> None:
    """The power of a reaction on the relative motion is that of actuators, springs and drivers on the coordinates."""
    at = _instant(seed)
    model, motion = at.system.system.model, at.motion()
    drivers = at.system.driver_loads(at.q, at.u, at.udot, t=at.t, inputs=at.inputs)
    reactions = at.system.reactions(at.q, at.u, at.udot, t=at.t, inputs=at.inputs)
    given: dict[str, float] = {}
    for element in model.forces.values():
        for load in element.loads(motion):
            if not isinstance(load, PointLoad):
                given[load.coordinate] = given.get(load.coordinate, 0.0) + load.value
    for name, load in drivers.items():
        given[name] = given.get(name, 0.0) + load
    for name, (force, moment) in reactions.items():
        joint = model.joints[name]
        parent, child = motion.end(joint.parent), motion.end(joint.child)
        arm = np.array(child.position) - np.array(parent.position)
        carried = np.array(parent.velocity) + np.cross(parent.omega, arm)
        power = force @ (np.array(child.velocity) - carried) + moment @ (np.array(child.omega) - np.array(parent.omega))
        expected = sum(given[c] * motion.speed(c) for c in joint.coordinate_names if c in given)
        assert power == pytest.approx(expected, abs=1e-9 * (1 + np.abs(force).max() + np.abs(moment).max()))


@campaign(SEEDS)
def test_driving_a_coordinate_is_imposing_its_acceleration(seed: int) -> None:
    """The undriven twin at the driven values: no load on free speeds, the driver's load on driven ones."""
    draw, t = Draw(seed), 0.6
    tree = draw.tree(3 + seed % 4)
    driven = random_drivers(draw, tree)
    system = float_system(with_rotors(Draw(seed), tree.model(driven=driven)))
    twin = float_system(with_rotors(Draw(seed), tree.model()))
    q, u = draw.state(system.system)
    udot = system.forward_dynamics(q, u, t=t)
    known = dict(zip(system.system.coordinate_names, q, strict=True))
    rates = dict(zip(system.system.speed_names, u, strict=True))
    changes = dict(zip(system.system.speed_names, udot, strict=True))
    time = sympy.Symbol("t")
    for joint, formulas in driven.items():
        for label, text in formulas.items():
            name = f"{joint}.{label}" if label else joint
            formula = sympy.sympify(text)
            known[name], rates[f"{name}.rate"], changes[f"{name}.rate"] = (
                float(sympy.diff(formula, time, n).subs(time, t)) for n in range(3)
            )
    twin_q = [known[name] for name in twin.system.coordinate_names]
    twin_u = [rates[name] for name in twin.system.speed_names]
    twin_udot = [changes[name] for name in twin.system.speed_names]
    loads = dict(zip(twin.system.speed_names, twin.inverse_dynamics(twin_q, twin_u, twin_udot, t=t), strict=True))
    drivers = system.driver_loads(q, u, udot, t=t)
    assert len(drivers) == sum(len(formulas) for formulas in driven.values())
    expected = {name: drivers.get(name.removesuffix(".rate"), 0.0) for name in loads}
    assert relative_error(list(loads.values()), list(expected.values())) < 1e-10
    R, r = (np.concatenate([pose[k].reshape(-1) for pose in system.poses(q, t=t).values()]) for k in (0, 1))
    R2, r2 = (np.concatenate([pose[k].reshape(-1) for pose in twin.poses(twin_q).values()]) for k in (0, 1))
    assert max(relative_error(R, R2), relative_error(r, r2)) < 1e-13
