"""Momenta: against the sum over bodies, and against the loads that change them."""

from __future__ import annotations

import numpy as np
from campaign import campaign
from float_system import FloatSystem, float_system
from random_models import Mixture, random_model
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.equations.momentum import MomentumTerms, momentum
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.kinds import End

T = 0.6


def _sum_over_bodies(motion: WorldMotion) -> tuple[float, Floats, Floats, Floats]:
    """Return the momenta of rigid bodies from their own records, without hinge frames."""
    model = motion.tree.coordinates.topology.model
    mass, moment, linear, angular = 0.0, np.zeros(3), np.zeros(3), np.zeros(3)
    for name, body in model.bodies.items():
        if name == "ground":
            continue
        properties, at = body.mass_properties(motion.tree.value), motion.end(End(name))
        R, omega = np.array(at.rotation, float), np.array(at.omega, float)
        arm = R @ np.array(properties.com, float)
        position, velocity = np.array(at.position, float) + arm, np.array(at.velocity, float) + np.cross(omega, arm)
        m = float(properties.mass)
        mass, moment, linear = mass + m, moment + m * position, linear + m * velocity
        angular = angular + R @ np.array(properties.inertia, float) @ R.T @ omega + m * np.cross(position, velocity)
        for rotor in body.rotors:
            axis = R @ np.array(motion.tree.value.direction(rotor.axis), float)
            if rotor.free:
                size = motion.tree.value(rotor.inertia) * motion.quantity(f"{name}.{rotor.name}.rate")
            elif rotor.spin is not None:
                size = motion.tree.value(rotor.inertia) * motion.evaluate(rotor.spin)
            else:
                size = motion.evaluate(rotor.momentum)
            angular = angular + size * axis
    return mass, moment, linear, angular


def _assert_alike(found: MomentumTerms, expected: tuple[float, Floats, Floats, Floats]) -> None:
    for value, wanted in zip((found.mass, found.moment, found.linear, found.angular), expected, strict=True):
        np.testing.assert_allclose(np.array(value, float), wanted, rtol=1e-11, atol=1e-11)


@campaign(12)
def test_momenta_are_the_sum_over_bodies(seed: int) -> None:
    system = float_system(random_model(seed, 2 + seed % 4))
    motion = system.motion(*Draw(seed).state(system.system), T)
    _assert_alike(momentum(motion), _sum_over_bodies(motion))


@campaign(2)
def test_native_momenta(seed: int) -> None:
    system = gs.formulate(random_model(30 + seed, 3))
    q, u = Draw(seed).state(system)
    speeds = np.stack([u, 2 * u])
    found = system.momentum(q, speeds, t=T)
    motion = FloatSystem(system).motion(q, 2 * u, T)
    mass, moment, linear, angular = _sum_over_bodies(motion)
    np.testing.assert_allclose(found.mass, [mass, mass])
    np.testing.assert_allclose(found.mass_moment[1], moment, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.mass_centre[1], moment / mass, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.linear[1], linear, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.angular[1], angular, rtol=1e-10, atol=1e-11)


@campaign(4)
def test_free_flight_keeps_momentum_but_for_gravity(seed: int) -> None:
    """ṗ = m g and L̇ = (mass moment) × g, with rotors and joints inside."""
    kinds = ("revolute", "universal", "spherical", "prismatic")
    inner = random_model(seed, 3, Mixture(forces=False), kinds)
    model = gs.Model("flight", gravity=inner.gravity)
    model.add(gs.Body("carrier", mass=2, inertia=(1, 2, 2.5), frames=inner.ground.frames))
    for name, component in inner.components.items():
        if isinstance(component, gs.Body):
            if name != "ground":
                model.add(component)
        else:
            model.add(_on_carrier(component))
    model.add(gs.Free("flight", "ground", "carrier"))
    system = float_system(model)
    q, u = Draw(seed).state(system.system)
    udot, qdot = system.forward_dynamics(q, u, t=T), system.coordinate_rates(q, u, t=T)
    step = 1e-3

    def momenta(s: float) -> Floats:
        found = momentum(system.motion(q + s * qdot, u + s * udot, T + s))
        return np.array([*found.linear, *found.angular], dtype=float)

    rate = sum(w * (momenta(k * step) - momenta(-k * step)) / step for k, w in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)))
    now = momentum(system.motion(q, u, T))
    gravity = np.array([float(str(x)) for x in model.gravity])
    expected = np.concatenate([now.mass * gravity, np.cross(np.array(now.moment, float), gravity)])
    np.testing.assert_allclose(rate, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())


def _on_carrier(joint: gs.Joint) -> gs.Joint:
    """Return a joint that holds on to the carrier where it held on to the ground."""
    from dataclasses import replace

    ends = {
        side: End("carrier", end.name, end.at)
        for side, end in (("parent", joint.parent), ("child", joint.child))
        if end.body == "ground"
    }
    return replace(joint, **ends)


def test_without_mass_there_is_no_mass_centre() -> None:
    model = gs.Model("bead", parameters={"m": 2.0})
    model.add(gs.Body("bead", mass="m", com=(0.5, 0, 0)))
    model.add(gs.Prismatic("x", "ground", "bead", axis="x"))
    system = gs.formulate(model)
    assert np.isnan(system.momentum([0.2], [3.0], parameters={"m": 0}).mass_centre).all()
    np.testing.assert_allclose(system.momentum([0.2], [3.0]).mass_centre, [0.7, 0, 0])
