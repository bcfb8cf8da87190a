"""Ropes over pulleys with mass: closed forms, Lagrange's equations, material points by hand, and accounts of energy."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from campaign import campaign
from cases import case, value
from scipy.optimize import brentq
from scipy.special import jv, yv

import gyrostat as gs

G = 9.81
ATWOOD = case("atwood_heavy_rope")
CHAIN = case("chain_sliding_off_table")


def weight(model: gs.Model, name: str, mass: float, x: float, y: float | str) -> None:
    """Add a point mass that slides along a vertical line."""
    model.add(gs.Body(name, gs.point_mass(mass)))
    model.add(gs.Prismatic(f"{name}_y", ("ground", (x, 0, 0)), name, axis="y", initial=y))


def balance(run: gs.Trajectory) -> float:
    """Return the largest residual of the energy balance."""
    return float(np.abs(run.energy()["balance"]).max())


def atwood(**rope: object) -> gs.Model:
    """Return the case: two weights, a heavy rope and a sheave that it grips."""
    of = ATWOOD["parameters"]
    model = gs.Model("atwood", gravity=(0, -of["g"], 0))
    free, x, R = (of["L"] - math.pi * of["R"]) / 2, ATWOOD["initial_conditions"]["x"], of["R"]
    weight(model, "a", of["m1"], R, -free - x)
    weight(model, "b", of["m2"], -R, -free + x)
    model.add(gs.Body("wheel", mass=1, inertia=(of["J"],) * 3))
    model.add(gs.Revolute("turn", "ground", "wheel"))
    wheel = gs.Pulley("top", "wheel", R, "left", grip=True)
    model.add(gs.Reeving("rope", ["a", wheel, "b"], length=of["L"], density=of["rho"], **rope))
    return model


def test_atwood_with_a_heavy_rope_and_a_sheave():
    """(m₁ + m₂ + ρ L + J/R²) ẍ = (m₁ − m₂) g + 2 ρ g x, to rounding."""
    run = gs.simulate(atwood(inextensible=True), times=[0, 0.2, 0.5], integrator=gs.DOP853(1e-11, 1e-12))
    x = (run["b_y"].values - run["a_y"].values) / 2
    np.testing.assert_allclose(x[1:], value(ATWOOD, "x"), rtol=1e-11)
    assert -run["a_y.acc"].values[0] == pytest.approx(value(ATWOOD, "initial_acc"), rel=1e-12)
    assert run["turn.rate"].values[-1] * 0.1 == pytest.approx(run["a_y.rate"].values[-1], rel=1e-12)
    assert balance(run) < 1e-11


def test_the_elastic_rope_follows_the_inextensible_one():
    """Their difference falls as 1/EA."""
    times, gaps = [0, 0.2, 0.5], []
    exact = value(ATWOOD, "x")
    for EA in (1e5, 1e6):
        run = gs.simulate(atwood(EA=EA, damping=EA / 1e3), times=times, integrator=gs.Rodas5P(1e-8, 1e-10))
        x = (run["b_y"].values - run["a_y"].values) / 2
        gaps.append(np.abs(x[1:] - exact).max())
        assert balance(run) < 1e-2 * 1e5 / EA
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.3)
    assert gaps[1] < 1e-5


@pytest.mark.filterwarnings("ignore:Span 1 of rope 'chain' would sag")
def test_a_chain_slides_off_a_table():
    """On an edge of any radius, with the height of its arc: x = x₀ cosh(√(g/L) t)."""
    of, r = CHAIN["parameters"], 0.01
    model = gs.Model("chain", gravity=(0, -of["g"], 0))
    for name, place, axis, at in (
        ("tail", (0, r, 0), "-x", of["L"] - of["x0"] + r - math.pi * r / 2),
        ("head", (r, 0, 0), "-y", of["x0"] - r),
    ):
        model.add(gs.Body(name, gs.point_mass(1e-13)))
        model.add(gs.Prismatic(f"{name}_s", ("ground", place), name, axis=axis, initial=at))
    edge = gs.Pulley("edge", "ground", r, "right")
    model.add(gs.Reeving("chain", ["tail", edge, "head"], length=of["L"], inextensible=True, density=1.0))
    run = gs.simulate(model, times=[0, 0.3, 0.6], integrator=gs.DOP853(1e-11, 1e-12))
    np.testing.assert_allclose(run["head_s"].values[1:] + r, value(CHAIN, "x(0.3),x(0.6)"), rtol=1e-10)
    assert balance(run) < 1e-11


@pytest.mark.parametrize(("share", "error"), [(0.02, 5e-6), (0.05, 3e-5), (0.2, 4e-4)])
def test_a_heavy_hoist_rope_swings_as_a_chain_with_a_load(share, error):
    """The pendulum frequency of the chain with a load; without the rope's mass 4e-3 are missing at a share of 5 %."""
    L, M = 60.0, 160e3
    rho = share * M / L
    model = gs.Model("crane", gravity=(0, -G, 0))
    model.add(gs.Body("load", gs.point_mass(M)))
    model.add(gs.Planar("j", "ground", "load", initial={"y": -L}, driven={"angle": "0"}))
    model.add(gs.Reeving("rope", ["ground", "load"], length=L, EA=1e15, density=rho))
    system = gs.formulate(model)
    found = 2 * math.pi * gs.linearize(system, gs.equilibrium(system)).modes().frequencies.min()

    def condition(omega: float) -> float:
        def terms(z: float) -> tuple[float, float]:
            return 2 * omega * math.sqrt((z + M / rho) / G), omega / math.sqrt(G * (z + M / rho))

        (k, dk), (top, _) = terms(0.0), terms(L)
        P, Q = (-G * f(1, k) * dk + omega**2 * f(0, k) for f in (jv, yv))
        return float(jv(0, top) * Q - yv(0, top) * P)

    light = math.sqrt(G / L)
    exact = brentq(condition, light * 0.9999, light * 1.1, xtol=1e-14)
    assert 0 < found / exact - 1 < error
    assert light / exact - 1 < -0.07 * share


@cache
def elevator() -> gs.System:
    """Return a cage of 1000 kg and its counterweight on 70 m of rope, 5 % of the cage's mass, over a held sheave."""
    r = 0.4
    model = gs.Model("lift", gravity=(0, -G, 0), parameters={"l": 30.0})
    weight(model, "cage", 1000.0, r, "-l")
    weight(model, "weight", 1400.0, -r, "l - 70")
    model.add(gs.Body("sheave", mass=100, inertia=(5, 5, 5)))
    model.add(gs.Revolute("turn", "ground", "sheave", driven="0"))
    top = gs.Pulley("top", "sheave", r, "left", grip=True)
    rope = {"length": 70 + math.pi * r, "EA": 8e6, "density": 0.05 * 1000 / 60}
    model.add(gs.Reeving("rope", ["cage", top, "weight"], **rope))
    return gs.formulate(model)


@pytest.mark.parametrize("length", [10.0, 30.0, 60.0])
def test_an_elevator_bounces_on_its_heavy_rope(length):
    """β tan β = m/M for each side of the sheave, over the height of the cage."""
    at = {"l": length}
    point = gs.equilibrium(elevator(), parameters=at)
    found = np.sort(2 * math.pi * gs.linearize(elevator(), point).modes().frequencies)
    rho, exact = 0.05 * 1000 / 60, []
    for free, mass in ((length, 1000.0), (70 - length, 1400.0)):
        part = free + 0.2 * math.pi  # to the middle of the arc
        beta = brentq(lambda b, m=rho * part / mass: b * math.tan(b) - m, 1e-6, 1.5)
        exact.append(beta / part * math.sqrt(8e6 / rho))
    np.testing.assert_allclose(found, sorted(exact), rtol=4e-5)
    light = [math.sqrt(8e6 / (free + 0.2 * math.pi) / mass) for free, mass in ((length, 1000.0), (70 - length, 1400.0))]
    assert np.abs(found / sorted(light) - 1).max() > 3e-3


def test_rope_on_the_drum_counts():
    """(m + ρ L + J/r²) ẍ = m g + ρ g x: all rope has the speed of the load, on the drum as well."""
    m, rho, J, r, x0 = 20.0, 0.8, 0.9, 0.2, 3.0
    turns = 30.0
    model = gs.Model("drum", gravity=(0, -G, 0))
    weight(model, "load", m, 0.0, -x0)
    model.add(gs.Body("drum", mass=5.0, inertia=(J, J, J)))
    model.add(gs.Revolute("spin", ("ground", (-1, 0, 0)), "drum"))
    model.add(gs.Reeving("rope", ["ground", "load"], length=x0, inextensible=True, density=rho))
    model.add(gs.Winch("winch", "rope", "spin", r, turns=turns))
    run = gs.simulate(model, times=np.linspace(0, 1, 6), integrator=gs.DOP853(1e-11, 1e-12))
    whole = m + rho * (x0 + 2 * math.pi * turns * r) + J / r**2
    k, rest = math.sqrt(rho * G / whole), m / rho
    expected = (x0 + rest) * np.cosh(k * run.time) - rest
    np.testing.assert_allclose(-run["load_y"].values, expected, rtol=1e-10)
    assert balance(run) < 1e-8


@pytest.mark.filterwarnings("ignore:Rope 'rope' has mass and is slack")
def test_layers_of_rope_on_the_drum_keep_the_energy():
    """Three layers with crossovers on a cart, a sheave, and a load that swings: no energy is lost or found."""
    model = gs.Model("drum", gravity=(0, -G, 0))
    model.add(gs.Body("load", gs.point_mass(8.0)))
    model.add(gs.Planar("j", "ground", "load", initial={"x": 0.5, "y": -1.0}, driven={"angle": "0"}))
    model.add(gs.Body("drum", mass=5.0, inertia=(0.05, 0.05, 0.05)))
    model.add(gs.Body("cart", gs.point_mass(3.0)))
    model.add(gs.Prismatic("roll", ("ground", (-1.5, 0, 0)), "cart", axis="x"))
    model.add(gs.Revolute("spin", "cart", "drum"))
    tip = gs.Pulley("tip", ("ground", (0, 0, 0)), 0.1, "right")
    model.add(gs.Reeving("rope", ["cart", tip, "load"], length=2.7, EA=2e4, density=0.5))
    model.add(gs.Winch("winch", "rope", "spin", 0.1, layers=3, turns=0.75, diameter=0.02))
    run = gs.simulate(model, duration=0.75, step=0.15, integrator=gs.DOP853(1e-10, 1e-12))
    assert run["winch.radius"].values.max() - run["winch.radius"].values.min() > 0.03
    assert run["rope.tension"].values.max() > 10
    assert abs(run["roll.rate"].values[-1]) > 0.3
    assert balance(run) < 1e-6


def bob_and_block(**rope: object) -> gs.Model:
    """Return a planar system: a bob, a fixed sheave, a block that moves and turns, and an end on the ground."""
    model = gs.Model("planar", gravity=(0, -G, 0))
    model.add(gs.Body("bob", mass=3.0, inertia=(0.1, 0.1, 0.2), points={"eye": (0.05, 0.1, 0)}))
    model.add(gs.Planar("j", "ground", "bob", initial={"x": 0.1, "y": -1.5}))
    model.add(gs.Body("block", mass=5.0, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Planar("b", "ground", "block", initial={"x": 1.0, "y": -1.2}))
    path = [
        "bob.eye",
        gs.Pulley("p", ("ground", (0.4, 0, 0)), 0.25, "right"),
        gs.Pulley("q", ("block", (0.02, 0.01, 0)), 0.2, "left"),
        ("ground", (1.4, 0.3, 0)),
    ]
    model.add(gs.Reeving("rope", path, density=0.7, **rope))
    return model


def test_inertia_is_that_of_lagrange():
    """d/dt ∂T/∂u − ∂T/∂q + ∂V/∂q, by differences of energies, is what inverse dynamics needs beyond the tension."""
    system = gs.formulate(bob_and_block(length=5.0, EA=1e-9))
    rng, h = np.random.default_rng(3), 1e-4
    q0 = system.initial_state().q
    for _ in range(3):
        q, u, udot = q0 + 0.05 * rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)

        def T(q, u):
            return float(system.energy(q, u).kinetic)

        def V(q):
            return float(system.energy(q, np.zeros(6)).gravity)

        def p(q, u):
            return np.array([(T(q, u + e) - T(q, u - e)) / 2 for e in np.eye(6)])

        pdot = (p(q + h * u, u + h * udot) - p(q - h * u, u - h * udot)) / (2 * h)
        slope = [(T(q + h * e, u) - V(q + h * e) - T(q - h * e, u) + V(q - h * e)) / (2 * h) for e in np.eye(6)]
        np.testing.assert_allclose(system.inverse_dynamics(q, u, udot), pdot - np.array(slope), atol=2e-5)
        np.testing.assert_allclose(system.mass_matrix(q) @ u, p(q, u), atol=1e-10)


def place(q: np.ndarray, share: float) -> np.ndarray:
    """Return where the material of `bob_and_block` at a share of its length is, from the geometry of circles."""

    def circle_tangent(D, difference):
        length = math.sqrt(D @ D - difference**2)
        across = np.array([-D[1], D[0]])
        return (length * D - difference * across) / (D @ D), length

    def turned(angle):
        c, s = math.cos(angle), math.sin(angle)
        return np.array([[c, -s], [s, c]])

    eye = q[:2] + turned(q[2]) @ np.array([0.05, 0.1])
    p, r1 = np.array([0.4, 0.0]), 0.25
    b, r2 = q[3:5] + turned(q[5]) @ np.array([0.02, 0.01]), 0.2
    end = np.array([1.4, 0.3])
    u1, l1 = circle_tangent(p - eye, -r1)
    u2, l2 = circle_tangent(b - p, r2 + r1)
    u3, l3 = circle_tangent(end - b, -r2)
    wrap1 = -math.atan2(u1[0] * u2[1] - u1[1] * u2[0], u1 @ u2) % (2 * math.pi)
    wrap2 = math.atan2(u2[0] * u3[1] - u2[1] * u3[0], u2 @ u3) % (2 * math.pi)
    lengths = [l1, r1 * wrap1, l2, r2 * wrap2, l3]
    x = share * sum(lengths)
    left = turned(math.pi / 2)
    if x < l1:
        return eye + x * u1
    if (x := x - l1) < lengths[1]:
        return p + r1 * turned(-x / r1) @ (left @ u1)
    if (x := x - lengths[1]) < l2:
        return p + r1 * left @ u2 + x * u2
    if (x := x - l2) < lengths[3]:
        return b - r2 * turned(x / r2) @ (left @ u2)
    return b - r2 * left @ u3 + (x - lengths[3]) * u3


def test_kinetic_energy_and_weight_are_those_of_material_points():
    """T and V by quadrature over the material, with velocities by differences of its places."""
    system = gs.formulate(bob_and_block(length=5.0, EA=1e-9))
    bare = bob_and_block(length=5.0, EA=1e-9)
    bare.remove("rope")
    without = gs.formulate(bare)
    rng, h = np.random.default_rng(5), 1e-5
    shares = (np.arange(4000) + 0.5) / 4000
    for _ in range(2):
        q, u = system.initial_state().q + 0.05 * rng.normal(size=6), rng.normal(size=6)
        velocity = np.array([(place(q + h * u, s) - place(q - h * u, s)) / (2 * h) for s in shares])
        height = np.array([place(q, s)[1] for s in shares])
        mass = 0.7 * 5.0 / len(shares)
        full, bodies = system.energy(q, u), without.energy(q, u)
        assert full.kinetic - bodies.kinetic == pytest.approx(mass / 2 * (velocity**2).sum(), rel=1e-5)
        assert full.gravity - bodies.gravity == pytest.approx(mass * G * height.sum(), rel=1e-6)


@cache
def random_heavy_rope() -> gs.System:
    """Return a flying body on a heavy rope over a tilted sheave and a block that flies as well."""
    model = gs.Model("random", gravity=(0, -G, 0), parameters={"t1": 0.0, "t2": 0.0, "z": 0.0})
    model.add(gs.Body("a", mass=2.7, inertia=(0.1, 0.2, 0.15), points={"eye": (0.05, 0.1, 0.02)}))
    model.add(gs.Free("a_free", "ground", "a", initial={"y": -2.0, "z": "z"}))
    tilted = gs.Frame((0.3, 0, 0), [("x", "t1"), ("y", "t2")])
    path = ["a.eye", gs.Pulley("p", ("ground", tilted), 0.3, "right"), ("ground", (0.9, -1.5, 0))]
    model.add(gs.Reeving("rope", path, length=4.3, EA=4e3, density=0.4))
    return gs.formulate(model)


@pytest.mark.filterwarnings(
    "ignore:Rope 'rope' meets pulley",
    "ignore:Rope 'rope' has mass and is slack",
    "ignore:Rope 'rope' is too short",
    "ignore:Span",
)
@campaign(20)
def test_random_heavy_ropes_balance_their_power(seed):
    """A heavy rope on a tilted sheave, with fleet angles, loses and finds no energy."""
    rng = np.random.default_rng(seed)
    at = dict(zip(("t1", "t2", "z"), (0.15 * rng.normal(size=3)).tolist(), strict=True))
    speeds = dict(zip(("a_free.v1", "a_free.v2", "a_free.v3", "a_free.w1"), rng.normal(size=4).tolist(), strict=True))
    run = gs.simulate(
        random_heavy_rope(), duration=0.3, step=0.1, parameters=at, initial=speeds, integrator=gs.DOP853(1e-10, 1e-12)
    )
    assert run["rope.tension"].values.max() > 5
    assert balance(run) < 1e-7


def test_reactions_and_momenta_include_the_rope():
    """What holds the weights and the bearing of the sheave carry all mass; the rope's momentum is that of its sides."""
    system = gs.formulate(atwood(EA=1e6))
    q, still = system.initial_state().q, np.zeros(3)
    a, b, _ = system.inverse_dynamics(q, still, still)
    bearing = system.reactions(q, still, still)["turn"].force[1]
    assert a + b + bearing == pytest.approx((3 + 2 + 1 + 0.5 * 4.0) * G, rel=1e-12)
    moving = system.momentum(q, np.array([-1.0, 1.0, -10.0]))
    assert moving.linear[1] == pytest.approx(-3 + 2 - 0.5 * 0.8, rel=1e-12)
    sides = [-x for x in q[:2]]
    spin = 0.1 * (-3 - 0.5 * sides[0]) - 0.1 * (2 + 0.5 * sides[1]) - 0.5 * math.pi * 0.1 * 0.1 - 0.02 * 10
    assert moving.angular[2] == pytest.approx(spin, rel=1e-12)


@pytest.mark.filterwarnings("ignore:Rope 'rope' has mass and is slack")
@pytest.mark.parametrize("coordinates", ["absolute", "branch"])
def test_all_coordinates_have_the_same_accelerations(coordinates):
    """The rope's inertia in absolute and branch coordinates is that in joint coordinates."""
    model = bob_and_block(length=5.45, EA=1e4, damping=10)
    joint, other = gs.formulate(model), gs.formulate(model, coordinates=coordinates)
    times = [0, 0.1]
    one, two = (gs.simulate(s, times=times, integrator=gs.DOP853(1e-10, 1e-12)) for s in (joint, other))
    for name in ("bob", "block"):
        np.testing.assert_allclose(two[f"{name}"].values, one[f"{name}"].values, atol=1e-9)
