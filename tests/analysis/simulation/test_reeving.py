"""Ropes over pulleys in motion: machines of textbooks, friction, slack, winches, belts, and accounts of energy."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from campaign import campaign
from scipy.special import j1, jv, y1, yv

import gyrostat as gs

G = 9.81
R = 0.1


def weight(model: gs.Model, name: str, mass: float, x: float, y: float | str) -> None:
    """Add a point mass that slides along a vertical line, from a height on, or driven by a formula."""
    model.add(gs.Body(name, gs.point_mass(mass)))
    motion = {"driven": y} if isinstance(y, str) else {"initial": y}
    model.add(gs.Prismatic(f"{name}_y", ("ground", (x, 0, 0)), name, axis="y", **motion))


def atwood(pulley: gs.Pulley, *, EA: float = 1e6, damping: float = 1e3) -> gs.Model:
    """Return two weights of 3 and 2 kg on a rope of 4 m over a pulley at the origin."""
    model = gs.Model("atwood", gravity=(0, -G, 0))
    y = -(4.0 - math.pi * R) / 2
    weight(model, "a", 3.0, R, y)
    weight(model, "b", 2.0, -R, y)
    if pulley.frame.body == "wheel":
        model.add(gs.Body("wheel", mass=1.0, inertia=(0.01, 0.01, 0.01)))
        model.add(gs.Revolute("spin", "ground", "wheel"))
    model.add(gs.Reeving("rope", ["a", pulley, "b"], length=4.0, EA=EA, damping=damping))
    return model


def balance(run: gs.Trajectory) -> float:
    """Return the largest residual of the energy balance."""
    return float(np.abs(run.energy()["balance"]).max())


def test_atwood_with_a_light_sheave():
    """T = 2 m₁ m₂ g/(m₁ + m₂), once the rope's own oscillation has decayed."""
    run = gs.simulate(atwood(gs.Pulley("top", "ground", R, "left")), duration=0.7, step=0.1, integrator=gs.Rodas5P())
    assert run["rope.tension"].values[-1] == pytest.approx(2 * 3 * 2 * G / 5, rel=1e-6)
    assert run["rope.span2.tension"].values[-1] == run["rope.tension"].values[-1]
    assert run["rope.wrap"].values[-1] == pytest.approx(math.pi, abs=1e-12)
    assert balance(run) < 1e-9


@pytest.mark.parametrize("hold", [{"mu": 0.3}, {"grip": True}])
def test_a_rope_that_does_not_slip_turns_its_sheave(hold):
    """Two weights and a sheave: a = g (m₁ − m₂)/(m₁ + m₂ + J/r²), with different tensions on both sides."""
    run = gs.simulate(
        atwood(gs.Pulley("top", "wheel", R, "left", **hold)), duration=0.7, step=0.1, integrator=gs.Rodas5P()
    )
    a = G / (5 + 0.01 / R**2)
    assert run["rope.span1.tension"].values[-1] == pytest.approx(3 * (G - a), rel=1e-5)
    assert run["rope.span2.tension"].values[-1] == pytest.approx(2 * (G + a), rel=1e-5)
    assert run["spin.rate"].values[-1] * R == pytest.approx(run["a_y.rate"].values[-1], rel=1e-5)
    assert balance(run) < 1e-9


def lost(run: gs.Trajectory) -> float:
    """Return the largest energy that the rope has lost or gained from nowhere."""
    return float(np.abs(run.energy()["dissipated"].sel(damper="rope")).max())


def test_a_soft_rope_without_damping_loses_nothing_on_a_sheave_that_it_drives():
    """Rope that passes the sheave takes its elastic energy along, at strains of some percent."""
    model = atwood(gs.Pulley("top", "wheel", R, "left", grip=True), EA=1e3, damping=0)
    run = gs.simulate(model, duration=0.5, step=0.05, integrator=gs.DOP853(1e-10, 1e-12))
    assert np.ptp(run["rope.top.shift"].values) > 1e-3
    assert float(run.energy()["stored"].sel(store="rope").max()) > 0.5
    assert lost(run) < 1e-7


def test_a_soft_rope_without_damping_loses_nothing_on_a_drum():
    """The load on a drum includes the energy of the rope that is paid out, as does the power of a given speed."""
    model = gs.Model("drum", gravity=(0, -G, 0))
    weight(model, "load", 5.0, 0.0, -1.0)
    model.add(gs.Body("drum", mass=1.0, inertia=(0.2, 0.2, 0.2)))
    model.add(gs.Revolute("spin", ("ground", (-0.2, 0, 0)), "drum"))
    model.add(gs.Reeving("rope", ["ground", "load"], length=1.0, EA=2e3))
    turning = model.copy()
    turning.add(gs.Winch("winch", "rope", "spin", 0.1))
    run = gs.simulate(turning, duration=0.5, step=0.05, integrator=gs.DOP853(1e-10, 1e-12))
    assert run["rope.tension"].values.max() > 20
    assert lost(run) < 1e-7
    model.add(gs.Winch("winch", "rope", speed="0.3*sin(t)"))
    run = gs.simulate(model, duration=0.5, step=0.05, integrator=gs.DOP853(1e-10, 1e-12))
    assert lost(run) < 1e-7
    assert abs(float(run.energy()["supplied"].sel(supplier="rope")[-1])) > 0.5


def test_atwood_with_an_inextensible_rope_is_exact():
    """Both the fall ½ a t² and the tension, to rounding."""
    elastic = atwood(gs.Pulley("top", "ground", R, "left"))
    model = elastic.copy()
    model.remove("rope")
    model.add(gs.Reeving("rope", ["a", gs.Pulley("top", "ground", R, "left"), "b"], length=4.0, inextensible=True))
    run = gs.simulate(model, duration=0.7, step=0.1)
    y = -(4.0 - math.pi * R) / 2
    np.testing.assert_allclose(run["a_y"].values, y - G / 5 / 2 * run.time**2, atol=1e-12)
    np.testing.assert_allclose(run["rope.tension"].values, 2 * 3 * 2 * G / 5, rtol=1e-12)
    assert balance(run) < 1e-12


def swinging(**rope: object) -> gs.Model:
    """Return a pendulum on a rope over a pulley, whose other end a weight pulls."""
    model = gs.Model("swing", gravity=(0, -G, 0), parameters={"L": 2.4})
    model.add(gs.Body("bob", gs.point_mass(1.0)))
    model.add(gs.Planar("j", "ground", "bob", initial={"x": 0.7, "y": -1.0}, driven={"angle": "0"}))
    weight(model, "counter", 1.3, -R, -1.0)
    model.add(gs.Reeving("rope", ["bob", gs.Pulley("top", "ground", R, "left"), "counter"], length="L", **rope))
    return model


def test_the_inextensible_rope_is_the_limit_of_the_elastic_one():
    """The difference of a swinging Atwood machine falls as 1/EA."""
    rigid = gs.formulate(swinging(inextensible=True))
    length = float(rigid.force_outputs(*rigid.initial_state()[:2])["rope"]["length"])
    at = {"L": length}
    times = np.linspace(0, 0.5, 6)
    limit = gs.simulate(rigid, times=times, parameters=at, integrator=gs.DOP853(1e-11, 1e-12))
    assert (limit["rope.tension"].values > 0).all()
    np.testing.assert_allclose(limit["rope.length"].values, length, atol=1e-9)
    gaps = []
    for EA in (1e5, 1e6):
        run = gs.simulate(
            swinging(EA=EA, damping=EA / 50), times=times, parameters=at, integrator=gs.Rodas5P(1e-9, 1e-11)
        )
        gaps.append(np.abs(run["j.x"].values - limit["j.x"].values).max())
    assert gaps[1] < 1e-4
    assert gaps[0] / gaps[1] == pytest.approx(10, rel=0.2)


def test_an_inextensible_rope_snaps_tight_once():
    """A falling weight picks up another one from its support: m₁ v = (m₁ + m₂) v′, and the loss is accounted."""
    model = gs.Model("pick", gravity=(0, -G, 0))
    weight(model, "a", 2.0, R, -0.5)
    weight(model, "b", 1.0, -R, -1.5)
    model.add(
        gs.RigidContact(
            "table", ("b", (0, 0, 0)), ("ground", (-R, -1.5, 0)), shape_b=gs.shapes.Plane(turn=[("x", "-90*deg")])
        )
    )
    length = 2.5 + math.pi * R
    model.add(gs.Reeving("rope", ["a", gs.Pulley("top", "ground", R, "left"), "b"], length=length, inextensible=True))
    run = gs.simulate(model, times=np.linspace(0, 0.5, 501))
    tight = math.sqrt(2 * 0.5 / G)
    before, after = run.time < tight - 1e-3, run.time > tight + 1e-3
    assert (run["rope.tension"].values[before] == 0).all()
    np.testing.assert_allclose(run["rope.tension"].values[after], 2 * 2 * 1 * G / 3, rtol=1e-9)
    speed = -run["a_y.rate"].values[after][0] - G / 3 * (run.time[after][0] - tight)
    assert speed == pytest.approx(2 / 3 * G * tight, rel=1e-9)
    assert balance(run) < 1e-9
    assert float(run.energy()["impacts"][-1]) == pytest.approx(2 * G * 0.5 / 3, rel=1e-9)


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        ({}, r"EA: it is missing\. Give EA=…, the tension per strain, or inextensible=True"),
        ({"EA": 1, "inextensible": True}, r"inextensible: it has EA or damping as well\. Leave out one"),
        ({"inextensible": True, "mu": 1}, r"inextensible: pulley 'p' has friction\. Friction and lift-off"),
        ({"EA": 1, "density": 1, "mu": 1}, r"density: pulley 'p' has friction\. A rope with density runs over"),
        ({"EA": 1, "density": 1, "lifts": True}, r"density: pulley 'p' lets the rope lift off\."),
        ({"EA": 1, "density": -1}, r"density: -1 is negative"),
        ({"inextensible": True, "lifts": True}, r"inextensible: pulley 'p' lets the rope lift off"),
    ],
)
def test_what_an_inextensible_rope_has(rope, message):
    pulley = gs.Pulley("p", "ground", 1, "left", **{name: rope.pop(name) for name in ("mu", "lifts") if name in rope})
    with pytest.raises(gs.ModelError, match=message):
        gs.Reeving("rope", ["a", pulley, "b"], length=1, **rope)
    with pytest.raises(gs.ModelError, match=r"EA: it is missing\. Give EA=…, the tension per strain of the belt"):
        gs.Belt("belt", [gs.Pulley("p", "a", 1, "left"), gs.Pulley("q", "b", 1, "left")], length=1)


def test_analyses_of_small_motions_refuse_inextensible_ropes():
    model = swinging(inextensible=True)
    with pytest.raises(gs.StateError, match=r"Rope 'rope' is inextensible, and linear models .* Give it an EA"):
        gs.linearize(model, {"j.x": 0.1, "j.y": -1.0, "counter_y": -1.0})
    short = gs.formulate(swinging(inextensible=True))
    with pytest.raises(
        gs.StateError, match=r"overlap by 0\.\d+ m\. Rope 'rope' is too short for its path by this length"
    ):
        gs.simulate(short, duration=0.1, parameters={"L": 2.0})


def capstan(speed: float, mu: float = 0.3) -> gs.Model:
    """Return a load of 10 kg on a rope over a drum that does not turn, whose other end a hand pulls at a speed."""
    model = gs.Model("capstan", gravity=(0, -G, 0))
    weight(model, "load", 10.0, R, -1.0)
    weight(model, "hand", 1.0, -R, f"-1 - {speed}*t")
    drum = gs.Pulley("drum", "ground", R, "left", mu=mu)
    model.add(gs.Reeving("rope", ["load", drum, "hand"], length=2 + math.pi * R, EA=1e5, damping=1e3))
    return model


@pytest.mark.parametrize("speed", [0.01, -0.01])
def test_a_rope_that_slips_has_the_tensions_of_the_capstan(speed):
    """T₂/T₁ = e^(±μ π) in both directions."""
    run = gs.simulate(capstan(speed), duration=4, step=1, integrator=gs.Rodas5P())
    ratio = run["rope.span2.tension"].values[-1] / run["rope.span1.tension"].values[-1]
    assert ratio == pytest.approx(math.exp(math.copysign(0.3 * math.pi, speed)), rel=2e-6)
    assert run["rope.drum.slip"].values[-1] == pytest.approx(speed, rel=1e-2)
    assert balance(run) < 1e-4


def test_a_rope_sticks_below_the_limit():
    """A hand that holds still carries less than the load, and nothing creeps in 100 s."""
    run = gs.simulate(capstan(0.0), duration=100, step=10, integrator=gs.Rodas5P())
    held = run["rope.span2.tension"].values[-1]
    assert 98.1 * math.exp(-0.3 * math.pi) - 1e-6 < held < 98.1
    assert np.ptp(run["rope.drum.shift"].values[5:]) < 1e-12
    assert np.ptp(run["load_y"].values[5:]) < 1e-9


@pytest.mark.parametrize("speed", [0.01, -0.01])
def test_a_hoist_over_three_sheaves_multiplies_their_ratios(speed):
    """Tensions grow by e^(μ α) on each sheave, in the direction of the motion."""
    model = gs.Model("hoist", gravity=(0, -G, 0))
    weight(model, "load", 10.0, 0.0, -2.0)
    weight(model, "hand", 1.0, 2.6, f"-2 - {speed}*t")
    places = [("p", (R, 0, 0), "right"), ("q", (1.2, -0.5, 0), "left"), ("r", (2.5, 0.2, 0), "right")]
    pulleys = [gs.Pulley(name, ("ground", at), R, side, mu=0.2) for name, at, side in places]
    model.add(
        gs.Reeving("rope", ["load", *pulleys, "hand"], length=7.4132167 / (1 + 10 * G / 2e5), EA=2e5, damping=2e3)
    )
    run = gs.simulate(model, duration=6, step=1, integrator=gs.Rodas5P())
    sign = math.copysign(1.0, speed)
    tensions = [run[f"rope.span{i}.tension"].values[-1] for i in (1, 2, 3, 4)]
    wraps = [run[f"rope.{name}.wrap"].values[-1] for name in "pqr"]
    for (before, after), wrap in zip(pairwise(tensions), wraps, strict=True):
        assert after / before == pytest.approx(math.exp(sign * 0.2 * wrap), rel=2e-4)
    assert balance(run) < 1e-6


def test_a_slack_rope_has_no_force_and_snaps_tight():
    """A weight falls freely, and what the damped rope loses afterwards is its account."""
    model = gs.Model("snap", gravity=(0, -G, 0))
    weight(model, "load", 2.0, 0.0, -0.5)
    model.add(gs.Reeving("rope", ["ground", "load"], length=1.0, EA=1e4, damping=2))
    run = gs.simulate(model, duration=2, step=0.005, integrator=gs.Rodas5P())
    falling = run.time < math.sqrt(2 * 0.5 / G) - 1e-3
    assert (run["rope.tension"].values[falling] == 0).all()
    np.testing.assert_allclose(run["load_y"].values[falling], -0.5 - G / 2 * run.time[falling] ** 2, atol=1e-9)
    tension = run["rope.tension"].values
    assert tension.min() >= 0
    assert tension.max() == pytest.approx(2 * G + math.sqrt((2 * G) ** 2 + 2 * 1e4 * 2 * G * 0.5), rel=0.03)
    assert balance(run) < 1e-6
    lost = run.energy()["dissipated"].sel(damper="rope").values
    assert (np.diff(lost) > -1e-9).all()
    dense = gs.simulate(model, times=np.linspace(0, 0.6, 6001), integrator=gs.Rodas5P())
    impulse = np.trapezoid(dense["rope.tension"].values, dense.time)
    assert 2.0 * dense["load_y.rate"].values[-1] == pytest.approx(impulse - 2 * G * 0.6, abs=1e-3)


def test_a_rope_lifts_off_a_peg_and_comes_back():
    """A pendulum swings across a peg at its side: the free length changes where the rope touches it."""
    model = gs.Model("peg", gravity=(0, -G, 0))
    model.add(gs.Body("bob", gs.point_mass(1.0)))
    model.add(gs.Planar("j", "ground", "bob", initial={"x": 0.8, "y": -0.6}, driven={"angle": "0"}))
    peg = gs.Pulley("peg", ("ground", (0, -0.5, 0)), 0.02, "right", lifts=True)
    model.add(gs.Reeving("rope", ["ground", peg, "bob"], length=1.0, EA=1e5))
    run = gs.simulate(model, duration=3, step=0.01, integrator=gs.Rodas5P())
    wrap, length = run["rope.peg.wrap"].values, run["rope.length"].values
    assert wrap.min() < -0.3
    assert wrap.max() > 0.3
    assert np.abs(length - 1.0).max() < 2e-3
    assert balance(run) < 1e-7
    highest = run["j.y"].values[wrap > 0].max()
    assert highest == pytest.approx(-0.6, abs=5e-3)


@pytest.mark.parametrize("parts", range(2, 9))
def test_block_and_tackle_divides_the_load(parts):
    """In equilibrium the rope of n parts carries the n-th part of the load."""
    model = gs.Model("tackle", gravity=(0, -G, 0))
    model.add(gs.Body("block", gs.point_mass(80.0)))
    model.add(gs.Prismatic("y", "ground", "block", axis="y", initial=-5.0))
    path: list[object] = [("ground", (0, 0, 0)) if parts % 2 == 0 else "block"]
    for i in range(parts - 1):
        low = (i + parts) % 2 == 0
        place = (2 * R * i + R, 0, 0)
        path.append(gs.Pulley(f"p{i}", ("block" if low else "ground", place), R, "left" if low else "right"))
    path.append(("ground", (2 * R * (parts - 1), -0.1, 0)))
    model.add(gs.Reeving("rope", path, length=5.0 * parts, EA=1e6))
    point = gs.equilibrium(model)
    tension = gs.formulate(model).force_outputs(point.q, np.zeros(1))["rope"]["tension"]
    assert tension == pytest.approx(80 * G / parts, rel=1e-6)


@pytest.mark.parametrize("loss", [0.0, 0.1])
def test_weston_hoist_lifts_with_the_difference_of_its_wheels(loss):
    """F = T₁ − (T₂ − S) r/R with T₁ = T₂ e^loss on the block, and the efficiency that follows."""
    large, small, mass, tail = 0.15, 0.12, 100.0, 2.0
    model = gs.Model("weston", gravity=(0, -G, 0))
    model.add(gs.Body("axle", mass=1, inertia=(0.05, 0.05, 0.05)))
    model.add(gs.Revolute("turn", "ground", "axle"))
    weight(model, "block", mass, (large - small) / 2, -1.0)
    weight(model, "tail", tail, small, -1.0)
    weight(model, "hand", 1.0, -large, "-1 - 0.02*t")
    path = [
        "hand",
        gs.Pulley("large", "axle", large, "right", grip=True),
        gs.Pulley("low", "block", (large + small) / 2, "right", loss=loss),
        gs.Pulley("small", "axle", small, "right", grip=True),
        "tail",
    ]
    length = 4 + math.pi * (large + small + (large + small) / 2)
    model.add(gs.Reeving("chain", path, length=length / 1.002, EA=2e5, damping=4e3))
    run = gs.simulate(model, duration=4, step=0.5, integrator=gs.Rodas5P())
    F, T1, T2, S = (run[f"chain.span{i}.tension"].values[-1] for i in (1, 2, 3, 4))
    assert pytest.approx(math.exp(loss), rel=2e-5) == T1 / T2
    assert pytest.approx((mass * G, tail * G), rel=1e-4) == (T1 + T2, S)
    expected = mass * G / (1 + math.exp(-loss)) - (mass * G / (1 + math.exp(loss)) - tail * G) * small / large
    assert pytest.approx(expected, rel=1e-3) == F
    lift = run["block_y.rate"].values[-1]
    assert lift == pytest.approx(0.02 * (large - small) / (2 * large), rel=1e-2)
    efficiency = (mass * G * lift - tail * G * 0.02 * small / large) / (F * 0.02)
    ideal = mass * G * (1 - small / large) / 2 - tail * G * small / large
    assert efficiency == pytest.approx(ideal / expected, rel=2e-2)
    assert balance(run) < 1e-4


def test_winch_pendulum_is_that_of_bessel():
    """θ = (A J₁(u) + B Y₁(u))/u with u = (2/v) √(g L) for a length L₀ + v t."""
    L0, v, angle, T = 10.0, 0.5, 1e-3, 20.0
    model = gs.Model("winch", gravity=(0, -G, 0))
    model.add(gs.Body("load", gs.point_mass(1.0)))
    start = {"x": L0 * math.sin(angle), "y": -L0 * math.cos(angle)}
    model.add(gs.Planar("j", "ground", "load", initial=start, driven={"angle": "0"}))
    model.add(gs.Reeving("rope", ["ground", "load"], length=L0 - L0 * G / 1e8, EA=1e8, damping=1e5))
    model.add(gs.Winch("winch", "rope", speed=v))
    speeds = {"j.x.rate": v * math.sin(angle), "j.y.rate": -v * math.cos(angle)}
    run = gs.simulate(model, duration=T, step=T, initial=speeds, integrator=gs.Rodas5P(1e-9, 1e-12))

    def u(length: float) -> float:
        return 2 / v * math.sqrt(G * length)

    first = u(L0)
    A, B = np.linalg.solve(np.array([[j1(first), y1(first)], [-jv(2, first), -yv(2, first)]]) / first, [angle, 0])
    last = u(L0 + v * T)
    expected = (A * j1(last) + B * y1(last)) / last
    x, y = run["j.x"].values[-1], run["j.y"].values[-1]
    assert math.atan2(x, -y) == pytest.approx(expected, abs=1e-6 * angle)
    assert run["winch.payout"].values[-1] == pytest.approx(v * T, rel=1e-12)
    assert balance(run) < 1e-7


def test_a_drum_with_layers_pays_out_by_its_radius():
    """The radius falls by the diameter of the rope on half a turn per change of layers; the payout is ∫ r dθ."""
    model = gs.Model("drum", gravity=(0, -G, 0))
    weight(model, "load", 5.0, 0.0, -1.0)
    model.add(gs.Body("drum", mass=1.0, inertia=(0.2, 0.2, 0.2)))
    model.add(gs.Revolute("spin", ("ground", (-0.2, 0, 0)), "drum"))
    model.add(gs.Reeving("rope", ["ground", "load"], length=1.0, EA=1e6, damping=1e3))
    model.add(gs.Winch("winch", "rope", "spin", 0.1, layers=3, turns=0.75, diameter=0.02))
    turn = 1.5 * math.pi
    run = gs.simulate(model, duration=1.08, step=0.01, integrator=gs.Rodas5P())
    angle, radius = run["spin"].values, run["winch.radius"].values
    crossed = [np.clip(angle - k * turn + math.pi / 2, 0, math.pi) / math.pi for k in (1, 2)]
    np.testing.assert_allclose(radius, 0.14 - 0.02 * sum(crossed), atol=1e-12)
    full = np.linspace(0, angle[-1], 20001)
    radii = 0.14 - 0.02 * sum(np.clip(full - k * turn + math.pi / 2, 0, math.pi) / math.pi for k in (1, 2))
    paid = np.concatenate(([0], np.cumsum((radii[1:] + radii[:-1]) / 2 * np.diff(full))))
    np.testing.assert_allclose(run["winch.payout"].values, np.interp(angle, full, paid), atol=1e-7)
    assert radius[-1] == pytest.approx(0.1, rel=1e-14)
    assert balance(run) < 1e-6
    early = 0.2 * run["spin.acc"].values[20]
    assert early == pytest.approx(0.14 * run["rope.tension"].values[20], rel=1e-4)


def belt_drive(torque: str, *, mu: float = 0.4) -> gs.Model:
    """Return two pulleys of 50 and 150 mm at 0.5 m with a belt under 200 N; a brake is on the large one."""
    r1, r2, c = 0.05, 0.15, 0.5
    model = gs.Model("drive")
    model.add(gs.Body("rotor", mass=1, inertia=(0.01, 0.01, 0.01)))
    model.add(gs.Revolute("w1", "ground", "rotor"))
    model.add(gs.Body("fan", mass=1, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Revolute("w2", ("ground", (c, 0, 0)), "fan"))
    length = 2 * math.sqrt(c**2 - (r2 - r1) ** 2) + math.pi * (r1 + r2) + 2 * (r2 - r1) * math.asin((r2 - r1) / c)
    pulleys = gs.Pulley("p1", "rotor", r1, "left", mu=mu), gs.Pulley("p2", "fan", r2, "left", mu=mu)
    model.add(gs.Belt("belt", pulleys, length=length / (1 + 200 / 5e4), EA=5e4, damping=100))
    model.add(gs.TorsionSpring("motor", "w1", torque=torque))
    model.add(gs.TorsionSpring("brake", "w2", torque="-20*rate"))
    return model


def test_a_belt_drive_slips_at_the_predicted_torque():
    """M = 2 T₀ r (e^(μ α) − 1)/(e^(μ α) + 1) on the smaller pulley."""
    run = gs.simulate(belt_drive("10*t"), duration=1.2, step=0.002, integrator=gs.Rodas5P())
    wrap = math.pi - 2 * math.asin(0.2)
    assert run["belt.p1.wrap"].values[0] == pytest.approx(wrap, rel=1e-12)
    ratio = math.exp(0.4 * wrap)
    limit = 2 * 200 * 0.05 * (ratio - 1) / (ratio + 1)
    slipping = np.abs(run["belt.p1.slip"].values) > 1e-6
    first = int(np.argmax(slipping))
    passed = 0.05 * (run["belt.span2.tension"].values - run["belt.span1.tension"].values)
    assert passed[first] == pytest.approx(limit, rel=3e-3)
    assert not slipping[: first - 1].any()
    assert (run["belt.p2.slip"].values == 0).all()
    assert run["w1.rate"].values[first - 5] * 0.05 == pytest.approx(run["w2.rate"].values[first - 5] * 0.15, rel=2e-2)
    assert balance(run) < 1e-4


TILTS = ("t1", "t2", "t3", "t4", "z1", "z2", "z3")


@cache
def random_reeving() -> gs.System:
    """Return a flying body on a rope over three sheaves, one of which tilts on a body of its own."""
    model = gs.Model("random", gravity=(0, -G, 0), parameters=dict.fromkeys(TILTS, 0.0))
    model.add(gs.Body("a", mass=2.7, inertia=(0.1, 0.2, 0.15), points={"eye": (0.05, 0.1, 0.02)}))
    model.add(gs.Free("a_free", "ground", "a", initial={"x": 0, "y": -2.0, "z": "z1"}))
    model.add(gs.Body("block", mass=6.0, inertia=(0.2, 0.3, 0.25)))
    model.add(gs.Free("block_free", "ground", "block", initial={"x": 1.5, "y": -1.2, "z": "z3"}))
    first = gs.Frame((0.3, 0, 0), [("x", "t1"), ("y", "t2")])
    last = gs.Frame((2.9, 0.2, 0), [("x", "t3"), ("y", "t4")])
    pulleys = [
        gs.Pulley("p", ("ground", first), 0.3, "right", mu=0.01),
        gs.Pulley("q", "block", 0.2, "left"),
        gs.Pulley("r", ("ground", last), 0.3, "right", grip=True),
    ]
    model.add(
        gs.Reeving(
            "rope", ["a.eye", *pulleys, ("ground", (3.2, -1.9, "z2"))], length=9.5, EA=5e3, damping=20, relaxation=1e-2
        )
    )
    return gs.formulate(model)


@pytest.mark.filterwarnings("ignore:Rope 'rope' meets pulley")
@campaign(40)
def test_random_reeved_systems_balance_their_power(seed):
    """Power of all tensions and friction: kinetic, potential and elastic energy and losses add up."""
    rng = np.random.default_rng(seed)
    tilts = dict(zip(TILTS, (0.1 * rng.normal(size=len(TILTS))).tolist(), strict=True))
    run = gs.simulate(random_reeving(), duration=0.4, step=0.05, parameters=tilts, integrator=gs.DOP853(1e-9, 1e-11))
    assert run["rope.mismatch"].values.max() < 1e-9
    assert np.abs(run["rope.p.slip"].values).max() > 1e-4
    assert run["rope.tension"].values.max() > 10
    assert balance(run) < 1e-7
    assert run.energy()["dissipated"].sel(damper="rope").values[-1] > 0


def test_elevator_bounces_on_its_rope():
    """A cage on a rope over a sheave that grips it: ω = √(EA/(L m)), by the linear model at equilibrium."""
    model = gs.Model("lift", gravity=(0, -G, 0), parameters={"L": 20.0})
    weight(model, "cage", 800.0, 0.3, -15.0)
    wheel = gs.Pulley("top", "ground", 0.3, "left")
    model.add(gs.Reeving("rope", ["cage", wheel, ("ground", (-0.3, -5, 0))], length="L + 0.3*pi", EA=1e7))
    system = gs.formulate(model)
    point = gs.equilibrium(system)
    modes = gs.linearize(system, point).modes()
    assert 2 * math.pi * modes.frequencies[0] == pytest.approx(math.sqrt(1e7 / (20 + 0.3 * math.pi) / 800), rel=1e-3)
