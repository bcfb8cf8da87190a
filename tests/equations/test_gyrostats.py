"""Gyrostats against Newton's and Euler's equations written out: I ω̇ + ω × (I ω + h) + ḣ = moment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from cases import at_times, case, integrate
from float_system import FloatSystem, float_system
from random_trees import Draw, Floats, relative_error

import gyrostat as gs

T = 0.83
SPIN = ("3 + 2*sin(1.5*t) - t**2", 3 + 2 * np.sin(1.5 * T) - T**2, 3 * np.cos(1.5 * T) - 2 * T)
"""A given motion, with its value and rate at the time of the tests."""


def _satellite(inertia: Floats, com: Any, rotors: list[gs.Rotor], mass: float = 2.5) -> FloatSystem:
    model = gs.Model("satellite")
    model.add(gs.Body("hull", mass=mass, com=com, inertia=inertia.tolist(), rotors=rotors))
    model.add(gs.Free("flight", "ground", "hull"))
    return float_system(model)


def _by_hand(inertia: Floats, com: Floats, mass: float, u: Floats, h: Floats, hdot: Floats) -> Floats:
    """Return ω̇ and v̇ (components in body axes) of a free gyrostat whose rotors have momentum h."""
    w, v = u[:3], u[3:6]
    wdot = np.linalg.solve(inertia, -np.cross(w, inertia @ w + h) - hdot)
    # the mass centre does not accelerate: v̇ + ω × v + ω̇ × c + ω × (ω × c) = 0
    return np.concatenate([wdot, -np.cross(w, v) - np.cross(wdot, com) - np.cross(w, np.cross(w, com))])


@campaign(6)
@pytest.mark.parametrize("given", ["constant spin", "spin of time", "momentum"])
def test_rotors_with_given_motion(seed: int, given: str) -> None:
    draw = Draw(seed)
    inertia, com, axis = draw.inertia(0.5), np.array(draw.vector(0.4)), np.array(draw.axis())
    a, axial = axis / np.linalg.norm(axis), 0.05
    options, h, hdot = {
        "constant spin": ({"inertia": axial, "spin": 7.0}, axial * 7.0, 0.0),
        "spin of time": ({"inertia": axial, "spin": SPIN[0]}, axial * SPIN[1], axial * SPIN[2]),
        "momentum": ({"momentum": SPIN[0]}, SPIN[1], SPIN[2]),
    }[given]
    system = _satellite(inertia, com.tolist(), [gs.Rotor("wheel", tuple(axis), **options)])
    q, u = draw.state(system.system)
    expected = _by_hand(inertia, com, 2.5, u, h * a, hdot * a)
    assert relative_error(system.forward_dynamics(q, u, t=T), expected) < 1e-12
    assert relative_error(system.inverse_dynamics(q, u, expected, t=T), np.zeros(6)) < 1e-12


@campaign(6)
def test_free_rotors_have_an_equation_of_their_own(seed: int) -> None:
    """Two free wheels: Iω̇ + ω × (Iω + Σh) + Σ A ṡ a = 0 and A(ṡ + a·ω̇) = τ for each, solved together."""
    draw = Draw(100 + seed)
    inertia, com = draw.inertia(0.5), np.array(draw.vector(0.4))
    axes = [np.array(draw.axis()), np.array(draw.axis())]
    a = np.column_stack([axis / np.linalg.norm(axis) for axis in axes])
    axial, torque = np.array([0.05, 0.03]), np.array([0.4, -1.1])
    rotors = [gs.Rotor(f"wheel{i}", tuple(axes[i]), axial[i], free=True) for i in (0, 1)]
    system = _satellite(inertia, com.tolist(), rotors)
    q, u = draw.state(system.system)
    w, spin = u[:3], u[6:]
    left = np.block([[inertia, a * axial], [(a * axial).T, np.diag(axial)]])
    right = np.concatenate([-np.cross(w, inertia @ w + a @ (axial * spin)), torque])
    solved = np.linalg.solve(left, right)
    linear = -np.cross(w, u[3:6]) - np.cross(solved[:3], com) - np.cross(w, np.cross(w, com))
    expected = np.concatenate([solved[:3], linear, solved[3:]])
    loads = np.concatenate([np.zeros(6), torque])
    assert relative_error(system.forward_dynamics(q, u, loads=loads), expected) < 1e-12
    assert relative_error(system.inverse_dynamics(q, u, expected), loads) < 1e-12
    M = system.mass_matrix(q)
    np.testing.assert_allclose(M[6:, :3], (a * axial).T, atol=1e-14)
    np.testing.assert_allclose(M[6:, 6:], np.diag(axial), atol=1e-14)
    # kinetic energy: the hull without its wheels, and each wheel with its whole angular velocity about its axis
    bare = inertia - (a * axial) @ a.T
    v_com = u[3:6] + np.cross(w, com)
    kinetic = 0.5 * (2.5 * v_com @ v_com + w @ bare @ w + axial @ (a.T @ w + spin) ** 2)
    assert system.energy(q, u).kinetic == pytest.approx(kinetic, rel=1e-13)
    assert 0.5 * u @ M @ u == pytest.approx(kinetic, rel=1e-13)


def test_the_reaction_of_a_spun_up_wheel_turns_a_hinged_body() -> None:
    """A turntable that carries a wheel on its own axis: J θ̈ = −A ṡ, and the support gets nothing of it."""
    model = gs.Model("turntable")
    wheel = gs.Rotor("wheel", "z", 0.2, spin="4*t**2")
    model.add(gs.Body("table", mass=1, inertia=(1, 1, 1.5), rotors=[wheel]))
    model.add(gs.Revolute("hinge", "ground", "table"))
    system = float_system(model)
    found = system.forward_dynamics([0.3], [2.0], t=0.5)
    np.testing.assert_allclose(found, [-0.2 * 8 * 0.5 / 1.5], rtol=1e-13)
    force, moment = system.reactions([0.3], [2.0], found, t=0.5)["hinge"]
    np.testing.assert_allclose([force, moment], np.zeros((2, 3)), atol=1e-14)


def test_the_gyroscopic_moment_of_a_carried_wheel() -> None:
    """A wheel spinning about x on a turntable about z: the support feels ω × h, along y of the table."""
    model = gs.Model("turntable")
    model.add(gs.Body("table", mass=1, inertia=(1, 1, 1.5), rotors=[gs.Rotor("wheel", "x", 0.2, spin=30.0)]))
    model.add(gs.Revolute("hinge", "ground", "table"))
    system = float_system(model)
    _, moment = system.reactions([0.0], [2.0], [0.0])["hinge"]
    np.testing.assert_allclose(moment, [0, 2.0 * 0.2 * 30.0, 0], atol=1e-13)


# --- reference cases -----------------------------------------------------------------------------------------------


def _turning(system: FloatSystem, start: Any, times: list[float]) -> Floats:
    """Return ω of a free body at given times, from native code."""
    q = system.system.initial_coordinates

    def rates(_: float, w: Floats) -> Floats:
        return system.system.forward_dynamics(q, [*w, 0, 0, 0])[:3]

    return integrate(rates, np.array(start, dtype=float), times)


def test_axisymmetric_gyrostat() -> None:
    found = case("gyrostat_axisymmetric")
    p = found["parameters"]["axisymmetric"]
    rotor = gs.Rotor("wheel", "z", momentum=p["h"])
    system = _satellite(np.diag([p["A"], p["A"], p["C"]]), (0, 0, 0), [rotor])
    expected = at_times(found, "omega")
    turned = _turning(system, found["initial_conditions"]["omega"], list(expected))
    np.testing.assert_allclose(turned, list(expected.values()), atol=1e-9)


def test_a_wheel_stabilises_the_intermediate_axis() -> None:
    found = case("gyrostat_axisymmetric")
    values = {quantity["name"]: quantity["value"] for quantity in found["quantities"]}
    p = found["parameters"]["asymmetric"]

    def eigenvalues(h: float) -> Any:
        system = _satellite(np.diag(p["I"]), (0, 0, 0), [gs.Rotor("wheel", "z", momentum=h)]).system
        at = system.initial_coordinates, [0, 0, p["omega_s"], 0, 0, 0]
        return np.linalg.eigvals(system.forward_dynamics_derivatives(*at)["u"][:2, :2])

    assert max(eigenvalues(0.0).real) == pytest.approx(values["growth_rate_h0"], rel=1e-10)
    assert max(eigenvalues(4.0).imag) == pytest.approx(values["small_osc_freq_h=4"], rel=1e-10)
    assert max(eigenvalues(values["critical_h"] * 0.999).real) > 1e-3
    assert max(abs(eigenvalues(values["critical_h"] * 1.001).real)) < 1e-12


def test_euler_top_near_its_middle_axis() -> None:
    found = case("euler_top_dzhanibekov")
    system = _satellite(np.diag(found["parameters"]["I"]), (0, 0, 0), [])
    expected = at_times(found, "omega")
    turned = _turning(system, found["initial_conditions"]["omega"], list(expected))
    np.testing.assert_allclose(turned, list(expected.values()), atol=1e-8)
