"""Small mechanisms against equations derived by hand, and against published ones typed in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import at_times, case, integrate
from float_system import float_system
from random_trees import Draw, Floats

import gyrostat as gs

G = 9.81


def _random(seed: int, *sizes: int) -> list[Floats]:
    random = np.random.default_rng(seed)
    return [random.uniform(-1.5, 1.5, size) for size in sizes]


# --- joints --------------------------------------------------------------------------------------------------------


def test_screw_with_an_eccentric_load() -> None:
    """(J + m d² + m h²) θ̈ = −m g h + τ with h = pitch/2π; the thread carries weight and centripetal force."""
    m, J, d, pitch, torque = 2.0, 0.3, 0.4, 0.05, 0.7
    model = gs.Model("nut", gravity=(0, 0, -G))
    model.add(gs.Body("nut", mass=m, inertia=(0.4, 0.35, J), com=(d, 0, 0)))
    model.add(gs.Screw("thread", "ground", "nut", axis="z", pitch=pitch))
    model.add(gs.Actuator("motor", "thread"))
    system, h = float_system(model), pitch / (2 * np.pi)
    expected = (torque - m * G * h) / (J + m * d**2 + m * h**2)
    found = system.forward_dynamics([0.8], [1.9], inputs={"motor": torque})
    np.testing.assert_allclose(found, [expected], rtol=1e-13)
    force, _ = system.reactions([0.8], [1.9], found, inputs={"motor": torque})["thread"]
    along, across = np.array([np.cos(0.8), np.sin(0.8)]), np.array([-np.sin(0.8), np.cos(0.8)])
    plane = m * d * (expected * across - 1.9**2 * along)
    np.testing.assert_allclose(force, [*plane, m * (G + h * expected)], rtol=1e-12)


def test_cylindrical_joint_with_a_level_axis() -> None:
    """About x: (J + m d²) θ̈ = −m g d sin θ for a bar that hangs at θ = 0; along x nothing but the input."""
    m, J, d = 1.7, 0.2, 0.6
    model = gs.Model("sleeve", gravity=(0, 0, -G))
    model.add(gs.Body("bar", mass=m, inertia=(J, 0.3, 0.25), com=(0.1, 0, -d)))
    model.add(gs.Cylindrical("sleeve", "ground", "bar", axis="x"))
    model.add(gs.Actuator("push", "sleeve.displacement"))
    system = float_system(model)
    found = system.forward_dynamics([0.7, 0.2], [1.3, -0.4], inputs={"push": 3.0})
    np.testing.assert_allclose(found, [-m * G * d * np.sin(0.7) / (J + m * d**2), 3.0 / m], rtol=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_planar_joint(seed: int) -> None:
    """m r̈_c = F and J ω̇ = M about the mass centre, for a plate whose frame is not at its mass centre."""
    (c, q, u, load) = _random(seed, 2, 3, 3, 3)
    m, J = 1.4, 0.5
    model = gs.Model("plate", gravity=(0, -G, 0))
    model.add(gs.Body("plate", mass=m, inertia=(0.3, 0.3, J), com=(*c, 0)))
    model.add(gs.Planar("plane", "ground", "plate"))
    cosine, sine = np.cos(q[2]), np.sin(q[2])
    d = np.array([cosine * c[0] - sine * c[1], sine * c[0] + cosine * c[1]])
    # r̈_c = r̈ + ω̇ z × d − ω² d;  loads on (x, y, angle) are a force at the frame's origin and a moment
    left = np.array([[m, 0, -m * d[1]], [0, m, m * d[0]], [-m * d[1], m * d[0], J + m * d @ d]])
    right = load + u[2] ** 2 * np.array([*(m * d), 0]) + np.array([0, -m * G, -m * G * d[0]])
    found = float_system(model).forward_dynamics(q, u, loads=load)
    np.testing.assert_allclose(found, np.linalg.solve(left, right), rtol=1e-12)


def test_free_body_in_gravity() -> None:
    """The mass centre falls, the rest is Euler's equations."""
    draw = Draw(3)
    inertia, com = draw.inertia(0.4), np.array(draw.vector(0.5))
    model = gs.Model("stone", gravity=(1.0, -2.0, -G))
    model.add(gs.Body("stone", mass=2, com=tuple(com), inertia=inertia.tolist()))
    model.add(gs.Free("flight", "ground", "stone"))
    system = float_system(model)
    q, u = draw.state(system.system)
    found, w, v = system.forward_dynamics(q, u), u[:3], u[3:]
    np.testing.assert_allclose(inertia @ found[:3] + np.cross(w, inertia @ w), np.zeros(3), atol=1e-12)
    R = system.poses(q)["stone"][0]
    at_com = found[3:] + np.cross(w, v) + np.cross(found[:3], com) + np.cross(w, np.cross(w, com))
    np.testing.assert_allclose(R @ at_com, [1.0, -2.0, -G], atol=1e-12)


# --- driven coordinates ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [0.0, 0.4, 1.3])
def test_pendulum_with_a_moving_support(t: float) -> None:
    """l θ̈ = −g sin θ − ẍ cos θ; the driver pushes (M + m) ẍ + m l (θ̈ cos θ − θ̇² sin θ)."""
    M, m, length, theta, rate = 3.0, 1.2, 0.8, 0.7, -1.1
    model = gs.Model("shaken pendulum", gravity=(0, -G, 0), parameters={"a": 0.3, "w": 2.5})
    model.add(gs.Body("slider", mass=M))
    model.add(gs.Body("bob", gs.point_mass(m), points={"hook": (0, length, 0)}))
    model.add(gs.Prismatic("shaker", "ground", "slider", axis="x", driven="a*sin(w*t) + 0.1*t**3"))
    model.add(gs.Revolute("hinge", "slider", "bob.hook", axis="z"))
    system = float_system(model)
    assert system.system.coordinate_names == ("hinge",)
    push = -0.3 * 2.5**2 * np.sin(2.5 * t) + 0.6 * t
    expected = -(G * np.sin(theta) + push * np.cos(theta)) / length
    found = system.forward_dynamics([theta], [rate], t=t)
    np.testing.assert_allclose(found, [expected], rtol=1e-12)
    driver = (M + m) * push + m * length * (expected * np.cos(theta) - rate**2 * np.sin(theta))
    assert system.driver_loads([theta], [rate], found, t=t)["shaker"] == pytest.approx(driver, rel=1e-12)
    x = 0.3 * np.sin(2.5 * t) + 0.1 * t**3
    np.testing.assert_allclose(system.poses([theta], t=t)["slider"][1], [x, 0, 0], atol=1e-14)


@pytest.mark.parametrize("t", [0.0, 0.6, 1.7])
def test_driven_crank_with_a_pendulum_on_its_tip(t: float) -> None:
    """Lagrange, θ the crank's angle from +x, φ the rod's, both absolute; the coordinate is φ − θ.

    m l² φ̈ + m l r [θ̈ cos(φ−θ) + θ̇² sin(φ−θ)] + m g l cos φ = 0,
    τ = (J + m r²) θ̈ + m r l [φ̈ cos(φ−θ) − φ̇² sin(φ−θ)] + m g r cos θ   (with the former, which is zero).
    """
    J, m, r, length, q, u = 0.4, 1.1, 0.5, 0.9, 0.8, 1.4
    model = gs.Model("crank", gravity=(0, -G, 0))
    model.add(gs.Body("crank", mass=2.0, inertia=(0.1, 0.4, J), points={"tip": (r, 0, 0)}))
    model.add(gs.Body("bob", gs.point_mass(m), points={"hook": (-length, 0, 0)}))
    model.add(gs.Revolute("motor", "ground", "crank", axis="z", driven="2*t + 0.7*t**2 + 0.1*cos(3*t)"))
    model.add(gs.Revolute("pin", "crank.tip", "bob.hook", axis="z"))
    system = float_system(model)
    theta = 2 * t + 0.7 * t**2 + 0.1 * np.cos(3 * t)
    rate = 2 + 1.4 * t - 0.3 * np.sin(3 * t)
    push = 1.4 - 0.9 * np.cos(3 * t)
    phi, phi_rate = theta + q, rate + u
    phi_push = -(r * (push * np.cos(q) + rate**2 * np.sin(q)) + G * np.cos(phi)) / length
    found = system.forward_dynamics([q], [u], t=t)
    np.testing.assert_allclose(found, [phi_push - push], rtol=1e-12)
    torque = (J + m * r**2) * push + m * r * length * (phi_push * np.cos(q) - phi_rate**2 * np.sin(q))
    torque += m * G * r * np.cos(theta)
    assert system.driver_loads([q], [u], found, t=t)["motor"] == pytest.approx(torque, rel=1e-12)


def test_one_coordinate_of_a_cylindrical_joint_driven() -> None:
    """A bob on a mast that turns as given and slides freely along it, tilted: s̈ = −g·axis, force across is inertia."""
    m, d, t = 1.3, 0.5, 0.9
    axis = np.array([0.0, 0.6, 0.8])
    model = gs.Model("mast", gravity=(0, 0, -G))
    model.add(gs.Body("bob", gs.point_mass(m), com=(d, 0, 0)))
    model.add(gs.Cylindrical("mast", "ground", "bob", axis=(0, 3, 4), driven={"angle": "1.5*t**2"}))
    system = float_system(model)
    assert system.system.coordinate_names == ("mast.displacement",)
    found = system.forward_dynamics([0.2], [0.7], t=t)
    np.testing.assert_allclose(found, [-G * axis[2]], rtol=1e-12)
    angle, rate, push = 1.5 * t**2, 3 * t, 3.0
    across = np.cross(axis, [1.0, 0, 0])
    radial = np.cos(angle) * np.array([1.0, 0, 0]) + np.sin(angle) * across
    tangent = np.cross(axis, radial)
    force, _ = system.reactions([0.2], [0.7], found, t=t)["mast"]
    acceleration = d * (push * tangent - rate**2 * radial) + found[0] * axis
    np.testing.assert_allclose(force, m * (acceleration + np.array([0, 0, G])), atol=1e-12)
    lever = m * d * (d * push + G * tangent[2])
    assert system.driver_loads([0.2], [0.7], found, t=t)["mast.angle"] == pytest.approx(lever, rel=1e-12)


def test_the_other_coordinate_driven() -> None:
    """A pendulum whose level axis is pulled along as given swings as if nothing happened."""
    m, d = 1.3, 0.5
    model = gs.Model("sleeve", gravity=(0, 0, -G))
    model.add(gs.Body("bob", gs.point_mass(m), com=(0, 0, -d)))
    model.add(gs.Cylindrical("sleeve", "ground", "bob", axis="x", driven={"displacement": "sin(2*t)"}))
    system = float_system(model)
    found = system.forward_dynamics([0.7], [1.0], t=0.4)
    np.testing.assert_allclose(found, [-G * np.sin(0.7) / d], rtol=1e-12)
    pull = system.driver_loads([0.7], [1.0], found, t=0.4)["sleeve.displacement"]
    assert pull == pytest.approx(-4 * np.sin(0.8) * m, rel=1e-12)


# --- published equations and numbers ----------------------------------------------------------------------------------


def _pendulum_of_bars() -> gs.Model:
    model = gs.Model("bars", gravity=(0, "-g", 0), parameters={"m1": 1, "m2": 1, "l1": 1, "l2": 1, "g": G})
    for i in (1, 2):
        solid = gs.slender_rod(f"m{i}", f"l{i}", along="y")
        points = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"bar{i}", solid, points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top"))
    return model


@pytest.mark.parametrize("seed", range(5))
def test_double_pendulum_of_forehand_cartmell_and_khanin(seed: int) -> None:
    """000 eqs 108 and 109, typed in as printed."""
    (q, u) = _random(seed, 2, 2)
    m1, m2, l1, l2 = (1.3, 0.8, 0.9, 1.4)
    t1, t2, w1, w2 = *q, *u
    J11 = (m1 / 3 + m2) * l1**2 + m2 * l1 * l2 * np.cos(t2) + m2 * l2**2 / 3
    J12 = m2 * l1 * l2 / 2 * np.cos(t2) + m2 * l2**2 / 3
    J22 = m2 * l2**2 / 3
    shared = -m2 * G * l2 / 2 * np.sin(t1 + t2)
    first = m2 * l1 * l2 / 2 * (w1 + w2) ** 2 * np.sin(t2) - (m1 / 2 + m2) * G * l1 * np.sin(t1)
    first += -m2 * l1 * l2 / 2 * w1**2 * np.sin(t2) + shared
    second = -m2 * l1 * l2 / 2 * w1**2 * np.sin(t2) + shared
    model = _pendulum_of_bars()
    system = gs.formulate(model)
    given = {"m1": m1, "m2": m2, "l1": l1, "l2": l2}
    np.testing.assert_allclose(system.mass_matrix(q, parameters=given), [[J11, J12], [J12, J22]], rtol=1e-12)
    expected = np.linalg.solve([[J11, J12], [J12, J22]], [first, second])
    np.testing.assert_allclose(system.forward_dynamics(q, u, parameters=given), expected, rtol=1e-11)


def _simulated(system: gs.System, start: Floats, times: list[float]) -> Floats:
    def rates(t: float, y: Floats) -> Floats:
        half = len(y) // 2
        return np.concatenate([y[half:], system.forward_dynamics(y[:half], y[half:], t=t)])

    return integrate(rates, start, times)


def test_motion_of_the_double_pendulum_of_bars() -> None:
    found = case("forehand_double_pendulum_bars")
    system = gs.formulate(_pendulum_of_bars())
    expected = at_times(found, "theta1,theta2,rates")
    start = np.array([found["initial_conditions"]["theta1"], found["initial_conditions"]["theta2"], 0, 0])
    np.testing.assert_allclose(_simulated(system, start, list(expected)), list(expected.values()), atol=1e-8)


def test_motion_of_the_double_pendulum_of_crous() -> None:
    found = case("crous_D1_double_pendulum")
    p = found["parameters"]
    model = gs.Model("point masses", gravity=(0, -p["g"], 0))
    for i in (1, 2):
        model.add(gs.Body(f"bob{i}", gs.point_mass(p[f"m{i}"]), points={"hook": (0, p[f"l{i}"], 0)}))
    model.add(gs.Revolute("a1", "ground", "bob1.hook"))
    model.add(gs.Revolute("a2", "bob1", "bob2.hook"))
    expected = {t: value for t, value in at_times(found, "theta1,theta2,theta1dot,theta2dot").items() if t <= 5}
    first = np.deg2rad([found["initial_conditions"]["theta1_deg"], found["initial_conditions"]["theta2_deg"]])
    motion = _simulated(gs.formulate(model), np.array([first[0], first[1] - first[0], 0, 0]), list(expected))
    absolute = motion @ np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]])
    np.testing.assert_allclose(absolute, list(expected.values()), atol=1e-8)


def _quantities(name: str) -> list[Any]:
    return [quantity for quantity in case(name)["quantities"] if isinstance(quantity["value"], dict)]


def test_two_link_robot() -> None:
    found = case("two_link_robot_inverse_dynamics")
    p = found["parameters"]
    model = gs.Model("robot", gravity=(0, -p["g"], 0))
    for i in (0, 1):
        inertia = (0.01, p["I_com"][i], p["I_com"][i])
        model.add(
            gs.Body(
                f"link{i}", mass=p["m"][i], com=(p["com"][i], 0, 0), inertia=inertia, points={"tip": (p["l"][i], 0, 0)}
            )
        )
    model.add(gs.Revolute("a0", "ground", "link0"))
    model.add(gs.Revolute("a1", "link0.tip", "link1"))
    system = gs.formulate(model)
    rows = _quantities("two_link_robot_inverse_dynamics")
    assert len(rows) >= 3
    for row in rows:
        value, q, u, a = row["value"], row["q"], row["v"], row["a"]
        close = {"rtol": 1e-11, "atol": 1e-11}
        np.testing.assert_allclose(system.mass_matrix(q), value["M"], **close)
        np.testing.assert_allclose(system.inverse_dynamics(q, np.zeros(2), np.zeros(2)), value["G"], **close)
        np.testing.assert_allclose(system.inverse_dynamics(q, u, a), value["tau"], **close)
