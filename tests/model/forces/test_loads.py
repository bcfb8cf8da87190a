"""Force elements on two free bodies: action and reaction, potentials, power, laws, axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from float_system import FloatSystem, float_system
from random_trees import Draw, Floats

import gyrostat as gs
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import CoordinateLoad, ForceElement, PointLoad

T = 0.7
INTERNAL = {
    "spring": gs.SpringDamper("f", "a.eye", "b.eye", 30.0, 0.7, 0.4),
    "line law": gs.SpringDamper("f", "a.eye", "b.eye", force="2*length**2 - rate**3 + t*a_hinge"),
    "to ground": gs.SpringDamper("f", ("ground", (0.3, 0.1, -0.2)), "b.eye", 30.0, 0.7, 0.4),
    "bushing": gs.Bushing("f", "a.seat", "b.seat", (3, 4, 5), (0.1, 0.2, 0.3), (1.0, 1.2, 0.9), (0.02, 0.03, 0.01)),
    "bushing to ground": gs.Bushing("f", "ground", "b.seat", (3, 4, 5), (0, 0, 0), (1.0, 1.2, 0.9)),
}
CONSERVATIVE = {
    "spring": gs.SpringDamper("f", "a.eye", "b.eye", "k", 0, 0.4),
    "bushing": gs.Bushing("f", "a.seat", "b.seat", (3, 4, 5), (0, 0, 0), (1.0, 1.2, 0.9)),
    "bushing with unequal stiffness": gs.Bushing("f", "a.seat", "b.seat", (3, 0, 0), (0, 0, 0), (1.0, 0.0, 0.0)),
    "torsion spring": gs.TorsionSpring("f", "a_hinge", 3.0, 0, 0.2),
    "slide spring": gs.TorsionSpring("f", "slide", 3.0, 0, "0.2*k"),
}
DISSIPATIVE = {
    "damper": gs.SpringDamper("f", "a.eye", "b.eye", damping=0.7),
    "bushing": gs.Bushing("f", "a.seat", "b.seat", damping=(3, 4, 5), rotational_damping=(0.3, 0.2, 0.1)),
    "coil": gs.TorsionSpring("f", "a_hinge", damping=0.4),
    "cubic": gs.TorsionSpring("f", "a_hinge", torque="-0.4*rate**3"),
    "line law": gs.SpringDamper("f", "a.eye", "b.eye", force="0.3*rate*abs(rate)"),
}


def _system(*forces: ForceElement) -> FloatSystem:
    """Return a body on a hinge that carries a slide, and another that flies."""
    model = gs.Model("two bodies", parameters={"k": 12.0})
    places: dict[str, Any] = {
        "points": {"eye": (0.3, -0.2, 0.5)},
        "frames": {"seat": gs.Frame((0.1, 0.4, 0), [("x", 0.4), ("z", -1.1)])},
    }
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Body("a", mass=1, inertia=(1, 1, 1), **places))
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1), **places))
    model.add(gs.Revolute("a_hinge", "ground", "arm", axis=(1, 2, 2)))
    model.add(gs.Prismatic("slide", ("arm", (0.5, 0, 0)), "a", axis="y"))
    model.add(gs.Free("flight", "ground", "b"))
    for force in forces:
        model.add(force)
    return float_system(model)


def _state(system: FloatSystem, seed: int) -> tuple[Floats, Floats]:
    return Draw(seed).state(system.system)


def _point_loads(force: ForceElement, motion: WorldMotion) -> list[tuple[Any, Floats, Floats]]:
    return [
        (load.end, np.array(load.force, dtype=float), np.array(load.moment, dtype=float))
        for load in force.loads(motion)
        if isinstance(load, PointLoad)
    ]


def _power(force: ForceElement, motion: WorldMotion) -> float:
    power = 0.0
    for load in force.loads(motion):
        if isinstance(load, CoordinateLoad):
            power += load.value * motion.speed(load.coordinate)
        else:
            place = motion.end(load.end)
            power += float(np.dot(load.force, place.velocity) + np.dot(load.moment, place.omega))
    return power


@pytest.mark.parametrize("name", INTERNAL)
@pytest.mark.parametrize("seed", range(3))
def test_internal_elements_have_no_resultant(name: str, seed: int) -> None:
    system = _system(INTERNAL[name])
    motion = system.motion(*_state(system, seed), T)
    loads = _point_loads(INTERNAL[name], motion)
    assert len(loads) == 2
    assert max(np.abs(f).max() for _, f, _ in loads) > 1e-3
    np.testing.assert_allclose(sum(f for _, f, _ in loads), np.zeros(3), atol=1e-12)
    about_origin = sum(m + np.cross(np.array(motion.end(end).position), f) for end, f, m in loads)
    np.testing.assert_allclose(about_origin, np.zeros(3), atol=1e-12)


@pytest.mark.parametrize("name", CONSERVATIVE)
@pytest.mark.parametrize("seed", range(3))
def test_loads_are_the_gradient_of_the_potential(name: str, seed: int) -> None:
    """In any motion −V̇ is the power of the loads: six-point differences against it."""
    force = CONSERVATIVE[name]
    system = _system(force)
    q, u = _state(system, seed)
    rates = system.coordinate_rates(q, u)
    step, slope = 2e-3, 0.0
    for k, weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
        later = force.potential(system.motion(q + k * step * rates, u, T))
        slope += weight * (later - force.potential(system.motion(q - k * step * rates, u, T))) / step
    assert abs(slope) > 1e-3
    assert -slope == pytest.approx(_power(force, system.motion(q, u, T)), rel=1e-8)


@pytest.mark.parametrize("name", DISSIPATIVE)
def test_dampers_take_energy(name: str) -> None:
    system = _system(DISSIPATIVE[name])
    for seed in range(10):
        assert _power(DISSIPATIVE[name], system.motion(*_state(system, seed), T)) < 0


def test_bushings_are_stiffness_times_displacement_for_small_ones() -> None:
    bushing = gs.Bushing("f", "ground", "b", (3, 4, 5), (0, 0, 0), (1.0, 1.2, 0.9))
    system = _system(bushing)
    small = 1e-6 * np.array([0.3, -0.5, 0.7])
    q = np.array([0, 0, *small, 1.0, *(small[::-1] / 2)])
    loads = _point_loads(bushing, system.motion(q, np.zeros(8)))
    force, moment = next((f, m) for end, f, m in loads if end.body == "b")
    np.testing.assert_allclose(force, -np.array([3, 4, 5]) * small, rtol=1e-5)
    np.testing.assert_allclose(moment, -np.array([1.0, 1.2, 0.9]) * small[::-1], rtol=1e-5)


def test_tension_is_positive_and_pulls_the_ends_together() -> None:
    spring = gs.SpringDamper("f", ("ground", (0, 0, 0)), "b", 10.0, 0, 1.0)
    system = _system(spring)
    q = np.array([0, 0, 1.5, 0, 0, 1.0, 0, 0, 0])
    loads = {end.body: force for end, force, _ in _point_loads(spring, system.motion(q, np.zeros(8)))}
    np.testing.assert_allclose(loads["b"], [-5, 0, 0])
    np.testing.assert_allclose(loads["ground"], [5, 0, 0])


def test_laws_may_use_length_rate_time_parameters_coordinates_speeds_and_inputs() -> None:
    law = "k*length + 2*rate + t + 3*slide + 5*a_hinge.rate + 7*pull + 11*flight.x + 13*flight.w1 + 17*flight.e1.rate"
    spring = gs.SpringDamper("f", ("ground", (0, 0, 0)), "b", force=law)
    system = _system(spring, gs.Actuator("pull", "slide"))
    q, u = _state(system, 4)
    motion = system.motion(q, u, T, {"pull": 0.6})
    place = motion.end(spring.b)
    r, v = np.array(place.position), np.array(place.velocity)
    length = np.linalg.norm(r)
    named = dict(zip(system.system.coordinate_names, q, strict=True)) | dict(
        zip(system.system.speed_names, u, strict=True)
    )
    rates = dict(zip(system.system.coordinate_names, system.coordinate_rates(q, u), strict=True))
    expected = 12.0 * length + 2 * (r @ v) / length + T + 3 * named["slide"] + 5 * named["a_hinge.rate"] + 7 * 0.6
    expected += 11 * named["flight.x"] + 13 * named["flight.w1"] + 17 * rates["flight.e1"]
    force = next(f for end, f, _ in _point_loads(spring, motion) if end.body == "ground")
    np.testing.assert_allclose(force, expected * r / length, rtol=1e-12)


def test_torsion_springs_know_their_angle_and_rate() -> None:
    spring = gs.TorsionSpring("f", "a_hinge", 2.0, 0.3, 0.5, torque="sin(angle) + 4*rate + t")
    system = _system(spring)
    q, u = _state(system, 1)
    (load,) = spring.loads(system.motion(q, u, T))
    assert isinstance(load, CoordinateLoad)
    expected = -2.0 * (q[0] - 0.5) - 0.3 * u[0] + np.sin(q[0]) + 4 * u[0] + T
    assert load.value == pytest.approx(expected, rel=1e-13)


def test_springs_on_driven_coordinates_load_the_driver() -> None:
    model = gs.Model("driven")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 2)))
    model.add(gs.Revolute("h", "ground", "b", driven="3*t**2"))
    model.add(gs.TorsionSpring("f", "h", 5.0, 0.5))
    system = float_system(model)
    expected = 2 * 6 + 5 * 3 * T**2 + 0.5 * 6 * T
    assert system.driver_loads([], [], [], t=T)["h"] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("axes", ["world", "body", "a.seat", "a"])
def test_given_forces_and_torques_in_chosen_axes(axes: str) -> None:
    components = np.array([0.4, -1.0, T])
    force = gs.Force("f", "b.eye", (0.4, -1, "t"), axes=axes)
    torque = gs.Torque("g", "b", (0.4, -1, "t"), axes=axes)
    system = _system(force)
    motion = system.motion(*_state(system, 2), T)
    name = {"world": "ground", "body": "b"}.get(axes, axes)
    R = np.array(motion.end(gs.SpringDamper("s", name, "b", 0, 1).a).rotation, dtype=float)
    ((end, found, moment),) = _point_loads(force, motion)
    assert str(end) == "b.eye"
    np.testing.assert_allclose(found, R @ components, atol=1e-14)
    np.testing.assert_allclose(moment, np.zeros(3))
    ((end, none, found),) = _point_loads(torque, motion)
    assert str(end) == "b"
    np.testing.assert_allclose(found, R @ components, atol=1e-14)
    np.testing.assert_allclose(none, np.zeros(3))


def test_a_force_at_a_point_moves_the_body_as_newton_and_euler_say() -> None:
    force = gs.Force("f", "b.eye", (0.4, -1, 2), axes="body")
    system = _system(force)
    q, u = _state(system, 2)
    u[2:] = 0
    found = system.forward_dynamics(q, u)
    np.testing.assert_allclose(found[2:5], np.cross([0.3, -0.2, 0.5], [0.4, -1, 2]), atol=1e-13)
    np.testing.assert_allclose(found[5:], [0.4, -1, 2], atol=1e-13)
