"""Masses that vary: published cases, equations by hand, and the account of energy and momentum."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import campaign
from scipy.integrate import simpson
from varying_bodies import VaryingBody

import gyrostat as gs
from gyrostat.analysis.simulation.status import Outcome

FINE = gs.DOP853(rtol=1e-12, atol=1e-14)


def oscillator(mass: str, own: float = 0, **load: Any) -> gs.Model:
    """Return a body on a spring of 400 N/m with a mass that varies."""
    model = gs.Model("leaking oscillator", parameters={"q": 1.0})
    model.add(gs.Body("tank", mass=own))
    model.add(gs.Prismatic("x", "ground", "tank", axis="x"))
    model.add(gs.JointSpring("spring", "x", stiffness=400, length=0))
    model.add(gs.VariableMass("water", "tank", mass=mass, **load))
    return model


def rocket() -> gs.Model:
    """Return a rocket of 100 kg that burns 5 kg/s at 200 m/s, vertical."""
    model = gs.Model("rocket", gravity=(0, 0, -9.81))
    model.add(gs.Body("shell", mass=20))
    model.add(gs.Prismatic("height", "ground", "shell", axis="z"))
    model.add(gs.VariableMass("fuel", "shell", mass="80 - 5*t", exit_velocity=(0, 0, -200)))
    return model


# --- known solutions --------------------------------------------------------------------------------------------


def test_leaking_oscillator_by_bessel_functions() -> None:
    run = gs.simulate(oscillator("10 - q*t"), duration=5, initial={"x": 0.1}, integrator=FINE)
    assert run["x"].values[-1] == pytest.approx(0.066642026520, abs=2e-12)
    assert run["x.rate"].values[-1] == pytest.approx(0.455356580789, abs=2e-11)


def test_lumps_converge_to_the_leaking_oscillator() -> None:
    errors = []
    for n in (5, 50, 500):
        lumps = oscillator(f"10 - {5 / n!r}*floor({n / 5!r}*t + 0.5)")
        run = gs.simulate(lumps, times=[0, 5], initial={"x": 0.1}, integrator=gs.DOP853(rtol=1e-11, atol=1e-13))
        errors.append(abs(run["x"].values[-1] - 0.066642026520))
    assert errors == pytest.approx([5e-4, 4e-7, 3e-8], rel=0.5)


def test_rocket_by_tsiolkovsky() -> None:
    run = gs.simulate(rocket(), duration=10, integrator=FINE)
    assert run["height.rate"].values[-1] == pytest.approx(40.529436111989, rel=1e-12)
    assert run["height"].values[-1] == pytest.approx(123.205638880109, rel=1e-12)
    np.testing.assert_allclose(run["fuel.thrust"].values[[0, -1]], [(0, 0, 1000)] * 2)
    np.testing.assert_allclose(run["fuel.mass"].values[[0, -1]], (80, 30))
    np.testing.assert_allclose(run["fuel.flow"].values, 5)


def test_chain_that_falls_from_a_heap_accelerates_with_a_third_of_gravity() -> None:
    model = gs.Model("chain", gravity=(0, 0, -9.81))
    model.add(gs.Body("end", mass=0))
    model.add(gs.Prismatic("fall", "ground", "end", axis="-z"))
    model.add(gs.VariableMass("chain", "end", mass="2*fall", center=(0, 0, "fall/2"), entry_velocity=(0, 0, 0)))
    begin, a = 0.1, 9.81 / 3
    start = {"fall": a * begin**2 / 2, "fall.rate": a * begin}
    run = gs.simulate(model, duration=1, initial=start, integrator=FINE)
    assert run["fall"].values[-1] == pytest.approx(a * (begin + 1) ** 2 / 2, rel=1e-11)
    energy = run.energy()
    assert abs(energy["balance"].values).max() < 1e-11
    lost = energy["dissipated"].sel(damper="chain").values[-1]  # ½ ṁ v², half of the work of the weight of the chain
    assert lost == pytest.approx(a**3 * ((begin + 1) ** 4 - begin**4) / 4, rel=1e-10)


def test_chain_that_is_laid_down_needs_no_force() -> None:
    model = gs.Model("chain", gravity=(0, 0, -9.81))
    model.add(gs.Body("end", mass=0))
    model.add(gs.Prismatic("rise", "ground", "end", axis="z"))
    model.add(gs.VariableMass("chain", "end", mass="2*rise", center=(0, 0, "-rise/2"), entry_velocity=(0, 0, 0)))
    run = gs.simulate(model, duration=0.3, initial={"rise": 1}, integrator=FINE)
    np.testing.assert_allclose(run["rise"].values, 1 - 9.81 / 2 * run.time**2, rtol=1e-12)


@pytest.mark.parametrize("radius", [0, 0.3, 1])
def test_turntable_that_sheds_from_any_radius_keeps_its_speed(radius: float) -> None:
    model = gs.Model("turntable", parameters={"r": radius})
    model.add(gs.Body("table", mass=1, inertia=(1, 1, 2)))
    model.add(gs.Revolute("turn", "ground", "table", axis="z"))
    model.add(gs.VariableMass("sand", "table", mass="3*exp(-t)", center=("r", 0, 0)))
    run = gs.simulate(model, duration=2, initial={"turn.rate": 1.5})
    np.testing.assert_allclose(run["turn.rate"].values, 1.5, rtol=1e-12)


# --- equations by hand ------------------------------------------------------------------------------------------


@campaign(40)
def test_random_bodies_move_as_by_equations_written_by_hand(seed: int) -> None:
    body = VaryingBody(seed)
    expected = body.by_hand(1.0)
    for coordinates in ("joint", "absolute"):
        system = gs.formulate(body.model(), coordinates=coordinates)
        run = gs.simulate(system, times=[0, 0.5, 1], initial=body.initial, integrator=gs.DOP853(rtol=1e-11, atol=1e-12))
        found = np.concatenate([run[name].values[-1] for name in ("body", "body.velocity")])
        np.testing.assert_allclose(found, expected[[0, 1, 2, 7, 8, 9]], rtol=1e-9, atol=1e-9)
        energy = run.energy()
        assert abs(energy["balance"].values).max() < 1e-10 * abs(energy["kinetic"].values).max()
        assert not run.status.notes


def chain(coordinates: str, *, closed: bool, links: int = 3) -> gs.System:
    """Return a chain of bars with a mass that a state empties and one that shifts."""
    model, place = gs.Model("chain", gravity=(0, -9.81, 0)), "ground"
    for i in range(links):
        ends = {"top": (0, 0.15, 0), "tip": (0, -0.15, 0)}
        model.add(gs.Body(f"bar{i}", gs.rod(1, 0.3, along="y"), points=ends))
        model.add(gs.Revolute(f"a{i}", place, f"bar{i}.top", axis="z"))
        place = f"bar{i}.tip"
    model.add(gs.State("fill", rate="-0.2*fill", initial=1))
    shape = {"center": ("0.1*fill", -0.1, 0), "inertia": ("0.02*fill",) * 3}
    last = f"bar{links - 1}"
    model.add(gs.VariableMass("sand", last, mass="2*fill + 0.1", **shape, exit_velocity=(3, 0, 0), at=f"{last}.tip"))
    center = ("0.1*sin(5*t)", 0, 0)
    model.add(gs.VariableMass("cart", f"bar{links // 2}", mass="0.5 + 0.1*sin(t)", center=center, shifts=True))
    if closed:
        model.add(gs.PointOnLine("slot", f"{last}.tip", ("ground", (0.6, 0, 0)), "y"))
    return gs.formulate(model, coordinates=coordinates)


@pytest.mark.parametrize("closed", [False, True])
def test_coordinates_and_methods_agree(closed: bool) -> None:
    places = []
    for coordinates in ("joint", "absolute", "branch"):
        run = gs.simulate(chain(coordinates, closed=closed), times=[0, 0.4], initial={"a0": 0.5}, integrator=FINE)
        places.append(run["bar2.tip"].values[-1])
        assert abs(run.energy()["balance"].values).max() < 1e-10
    np.testing.assert_allclose(places[1:], [places[0]] * 2, atol=1e-10)


def test_rolled_code_gives_the_same_rates() -> None:
    system = chain("joint", closed=False, links=14)
    assert system.rolls
    draw = np.random.default_rng(3)
    row = system.ready_program("rates").input_buffer().array.copy()
    row[0], row[system.row.z] = 0.7, 0.8
    row[system.row.q], row[system.row.u] = draw.normal(size=(2, 14))
    rolled, straight = system.ready_program("rates"), system.program("rates")
    assert rolled is not straight
    np.testing.assert_allclose(rolled.loop(row[None, :]), straight.loop(row[None, :]), rtol=1e-10, atol=1e-9)


def test_inverse_dynamics_is_the_inverse() -> None:
    system, draw = chain("joint", closed=False), np.random.default_rng(5)
    q, u, load = draw.normal(size=(3, 3))
    udot = system.forward_dynamics(q, u, z=[0.7], t=0.3)
    assert system.inverse_dynamics(q, u, udot, z=[0.7], t=0.3) == pytest.approx(np.zeros(3), abs=1e-11)
    M = system.mass_matrix(q, z=[0.7], t=0.3)
    more = np.linalg.solve(M, load)
    assert system.inverse_dynamics(q, u, udot + more, z=[0.7], t=0.3) == pytest.approx(load, abs=1e-11)


# --- what leaves ------------------------------------------------------------------------------------------------


def test_the_energy_account_names_what_leaves() -> None:
    run = gs.simulate(rocket(), duration=10, integrator=FINE)
    energy = run.energy()
    assert abs(energy["balance"].values).max() < 1e-12 * 1e6
    assert energy["supplied"].sel(supplier="fuel").values[-1] == pytest.approx(5 * 10 * 200**2 / 2, rel=1e-12)
    t, v, z = run.time, run["height.rate"].values, run["height"].values
    power = 5 * ((v - 200) ** 2 / 2 + 9.81 * z)  # the energy of what leaves, at its own velocity
    np.testing.assert_allclose(run["fuel.carried"].values, power, rtol=1e-12)
    carried = energy["carried"].sel(carrier="fuel").values
    assert carried[-1] == pytest.approx(np.trapezoid(power, t), rel=1e-5)


def test_momentum_of_rocket_and_exhaust_is_conserved() -> None:
    model = gs.Model("rocket")
    model.add(gs.Body("shell", mass=20, inertia=(1, 1, 1)))
    model.add(gs.Free("free", "ground", "shell"))
    model.add(gs.VariableMass("fuel", "shell", mass="8 - t", center=(0, 0.2, 0.5), exit_velocity=(9, 0, -50)))
    run = gs.simulate(model, duration=2, step=1e-3, initial={"free.w1": 0.3, "free.v2": 1}, integrator=FINE)
    centre, omega = run["fuel.center"].values, run["shell.omega"].values
    exhaust = run["shell.velocity"].values + np.cross(omega, centre - run["shell"].values) - run["fuel.thrust"].values
    lost = simpson(exhaust, x=run.time, axis=0)
    momentum = run.momentum()["linear"].values
    np.testing.assert_allclose(momentum[-1] + lost, momentum[0], rtol=0, atol=1e-9)


@cache
def _shift() -> gs.Trajectory:
    model = gs.Model("swing")
    model.add(gs.Body("board", mass=3, inertia=(1, 2, 3)))
    model.add(gs.Revolute("turn", "ground", "board", axis="z"))
    center = ("0.5 + 0.2*sin(3*t)", 0, 0)
    model.add(
        gs.VariableMass("child", "board", mass=2, center=center, inertia=(0.1, 0.1, "0.15 - 0.02*t"), shifts=True)
    )
    return gs.simulate(model, duration=2, initial={"turn.rate": 1}, integrator=FINE)


def test_a_shift_conserves_the_angular_momentum() -> None:
    run = _shift()
    J = 3 + 2 * (0.5 + 0.2 * np.sin(3 * run.time)) ** 2 + 0.15 - 0.02 * run.time
    np.testing.assert_allclose(J * run["turn.rate"].values, J[0], rtol=1e-11)
    np.testing.assert_allclose(run.momentum()["angular"].values[:, 2], J[0], rtol=1e-11)


def test_the_account_has_the_work_of_what_shifts() -> None:
    energy = _shift().energy()
    gained = energy["total"].values - energy["total"].values[0]
    np.testing.assert_allclose(energy["supplied"].sel(supplier="child").values, gained, atol=1e-10)


def test_lumps_that_leave_take_their_energy_at_once() -> None:
    model = oscillator("where(t < 0.3, 4, 3)", 1)
    run = gs.simulate(model, duration=1, initial={"x": 0.1}, integrator=FINE)
    energy = run.energy()
    phase = 0.3 * np.sqrt(400 / 5)
    assert energy["impacts"].values[-1] == pytest.approx(0.5 * (0.1 * np.sqrt(400 / 5) * np.sin(phase)) ** 2, rel=1e-9)
    assert abs(energy["balance"].values).max() < 1e-11


def test_a_jump_with_a_velocity_of_its_own_is_refused() -> None:
    model = oscillator("where(t < 0.3, 4, 3)", 1, exit_velocity=(1, 0, 0))
    with pytest.raises(gs.StateError, match=r"The mass of 'water' jumps at t = 0.3 s, and it leaves or arrives with a"):
        gs.simulate(model, duration=1)


# --- runs that end ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(), gs.RK4(step=1e-2), gs.Rodas5P()], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize(
    ("own", "mass", "reason"),
    [
        (1, "10 - t", "the mass of 'water' is negative. Let it end at zero, as max(0, …) does"),
        (0, "10 - t", "the mass of 'water' is zero, and body 'tank' has no other. Give body 'tank' a mass of its own"),
        (0, "max(0, 10 - t)", "the mass of 'water' is zero, and body 'tank' has no other."),
    ],
)
def test_a_run_ends_where_the_mass_does(integrator: gs.Integrator, own: float, mass: str, reason: str) -> None:
    with pytest.warns(gs.GyrostatWarning):
        run = gs.simulate(oscillator(mass, own), duration=15, initial={"x": 0.1}, integrator=integrator)
    assert run.status.outcome is Outcome.IMPOSSIBLE_MASS
    assert run.status.time == pytest.approx(10, abs=0.011)
    assert reason in run.status.message


def test_an_empty_tank_goes_on() -> None:
    run = gs.simulate(oscillator("max(0, 10 - t)", 1), duration=15, initial={"x": 0.1})
    assert run.status.outcome is Outcome.COMPLETED
    assert run["water.mass"].values[-1] == 0


def test_a_run_ends_where_the_inertia_is_impossible() -> None:
    model = oscillator("1", 1, inertia=((1, "0.1*t", 0), ("0.1*t", 1, 0), (0, 0, "1 + t")))
    with pytest.warns(gs.GyrostatWarning):
        run = gs.simulate(model, duration=5)
    moments = np.linalg.eigvalsh([[1, 0.1 * run.time[-1], 0], [0.1 * run.time[-1], 1, 0], [0, 0, 1 + run.time[-1]]])
    assert moments[2] == pytest.approx(moments[0] + moments[1], rel=1e-7)
    assert "the inertia of 'water' violates the triangle inequality" in run.status.message


def test_a_motion_does_not_begin_with_a_negative_mass() -> None:
    with pytest.raises(gs.StateError, match=r"cannot begin: at t = 0 s the mass of 'water' is negative"):
        gs.simulate(oscillator("x + 1", 1), duration=1, initial={"x": -2})


@pytest.mark.parametrize(
    ("load", "message"),
    [
        ({"mass": "10 - leak*t"}, r"mass: 10 - leak\*t refers to 'leak', which is not known here"),
        ({"mass": "1 + x.rate"}, r"mass: 1 \+ x.rate refers to 'x.rate', which is not known here"),
        ({"mass": "-1 - t"}, r"mass: it is -1 kg at t = 0. A mass cannot be negative"),
        ({"mass": "where(x > 1, 1, 2)"}, r"may jump where a condition of the state changes. Use max, min or abs"),
        ({"mass": -1}, r"mass: it is -1. A mass cannot be negative"),
        ({"mass": 1, "inertia": (1, 1, "3 + t")}, r"inertia: it violates the triangle inequality at t = 0"),
        ({"mass": 1, "center": ("x", 0, 0), "shifts": True}, r"center\[0\]: x depends on 'x', and material shifts by"),
        ({"mass": 1, "at": "tank"}, r"at: mass that leaves without relative velocity causes no load there"),
        ({"mass": 1, "at": "ground", "exit_velocity": (1, 0, 0)}, r"at: it is on 'ground'. Name a place on 'tank'"),
    ],
)
def test_wrong_input_is_explained(load: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.ModelError, match=message):
        gs.formulate(oscillator(**load))


def test_the_ground_has_no_mass() -> None:
    with pytest.raises(gs.ModelError, match="body: the ground has no mass"):
        gs.VariableMass("water", "ground", mass=1)


# --- equations and operating points -----------------------------------------------------------------------------


def test_written_equations_have_the_present_mass_and_no_rate_of_it() -> None:
    assert str(gs.formulate(oscillator("10 - q*t")).equations()) == "(-q*t + 10)*xddot = -400*x"


def test_written_equations_agree_with_numbers() -> None:
    system = chain("joint", closed=False)
    found = system.equations()
    assert "fill" in str(found)


def test_operating_points_with_leaving_mass_are_refused() -> None:
    model = oscillator("10 - q*t", 1)
    text = r"no equilibrium: mass leaves 'water' at 1 kg/s at t = 0 s. Make it constant"
    with pytest.raises(gs.StateError, match=text):
        gs.equilibrium(model)
    with pytest.raises(gs.StateError, match=text):
        gs.linearize(model)
    shifting = oscillator("1", 1, center=("t", 0, 0), shifts=True)
    with pytest.raises(gs.StateError, match=r"no equilibrium: centre or inertia of 'water' change at t = 0 s"):
        gs.equilibrium(shifting)


def test_frozen_linear_models_have_the_present_mass() -> None:
    linear = gs.linearize(oscillator("10 - q*t", 1), t=4, frozen=True)
    np.testing.assert_allclose(linear.A.values, [[0, 1], [-400 / 7, 0]], rtol=1e-12)


def test_a_mass_by_a_state_has_an_equilibrium_where_the_state_has() -> None:
    model = gs.Model("scale", gravity=(0, 0, -9.81))
    model.add(gs.Body("pan", mass=1))
    model.add(gs.Prismatic("z", "ground", "pan", axis="z"))
    model.add(gs.JointSpring("spring", "z", stiffness=100, damping=5, length=0))
    model.add(gs.State("sand", rate="0.5*(2 - sand)", initial=0))
    model.add(gs.VariableMass("heap", "pan", mass="sand", entry_velocity=(0, 0, -3)))
    point = gs.equilibrium(model)
    assert point["z"] == pytest.approx(-3 * 9.81 / 100, rel=1e-9)
    with pytest.warns(
        gs.GyrostatWarning, match="'z.rate' changes differently"
    ):  # sand enters with a velocity, or leaves
        A = gs.linearize(model, point).A.values
    by_hand = [[0, 1, 0], [-100 / 3, -5 / 3, -9.81 / 3], [0, 0, -0.5]]
    np.testing.assert_allclose(A[:, :2], np.array(by_hand)[:, :2], atol=1e-9)


def test_all_methods_find_the_same_accelerations() -> None:
    model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    model.add(gs.Body("arm", gs.rod(1, 1, along="y"), points={"tip": (0, -1, 0)}))
    model.add(gs.Revolute("a", "ground", "arm", axis="z", initial=0.5))
    load = {"center": ("0.1*t", -1, 0), "inertia": (0.1, 0.1, 0.1), "exit_velocity": (1, 0, 0), "at": "arm.tip"}
    model.add(gs.VariableMass("sand", "arm", mass="3 - 0.2*t + 0.1*a", **load))
    found = gs.compare_methods(model)
    assert len(found.rows) == 8
    assert max(row.difference for row in found.rows) < 1e-10


def test_shapes_of_modes_count_the_mass() -> None:
    shares = []
    for own, varying in ((1, "m"), (3, "0*m")):
        model = gs.Model("two carts", parameters={"m": 2.0})
        for name, mass in (("first", own), ("second", 2)):
            model.add(gs.Body(name, mass=mass))
            model.add(gs.Prismatic(name[0], "ground", name, axis="x"))
        model.add(gs.SpringDamper("wall", ("ground", (-1, 0, 0)), "first", 10, length=1))
        model.add(gs.SpringDamper("link", "first", ("second", (3, 0, 0)), 5, length=3))
        model.add(gs.VariableMass("load", "first", mass=varying))
        shares.append([mode.energy().to_array().values for mode in gs.linearize(model).modes()])
    np.testing.assert_allclose(shares[0], shares[1], rtol=1e-12)
