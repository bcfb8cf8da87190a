"""Networks and mechanisms from one model: motors, solenoids, piezo stacks, cylinders, and other domains."""

from __future__ import annotations

import numpy as np
import pytest
from cases import at_times, case, value
from networks import network

import gyrostat as gs

FINE = gs.DOP853(rtol=1e-11, atol=1e-12)


def slide(**parameters: float) -> gs.Model:
    """Return a mass of 2 kg on a slide with a spring and a damper."""
    model = gs.Model("slide", parameters=parameters)
    model.add(gs.Body("mass", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("guide", "x", stiffness=300, damping=4))
    model.add(gs.Datum("g"))
    return model


def dc_motor() -> gs.Model:
    """Return the motor of the case, driven by an input."""
    given = case("dc_motor_step")["parameters"]
    model = gs.Model("motor", parameters={name: given[name] for name in ("R", "L", "J", "b")} | {"K": given["Ke"]})
    model.add(gs.Body("rotor", mass=1, inertia=("J", "J", "J")))
    model.add(gs.Revolute("shaft", "ground", "rotor", axis="z"))
    model.add(gs.TorsionSpring("bearing", "shaft", damping="b"))
    model.add(gs.Input("U", unit="V", law=given["U"]))
    for element in (
        gs.Datum("g"),
        gs.VoltageSource("V", "a", "g", "U"),
        gs.Resistor("Ra", "a", "b1", "R"),
        gs.Inductor("La", "b1", "c", "L"),
        gs.Motor("M", "c", "g", "shaft", "K"),
    ):
        model.add(element)
    return model


def test_dc_motor_from_one_graph() -> None:
    published = case("dc_motor_step")
    system = gs.formulate(dc_motor())
    assert str(system.equations()).splitlines() == [
        "J*shaftddot = K*current_La - b*shaftdot",
        "currentdot_La = -K*shaftdot/L - R*current_La/L + U/L",
    ]
    reference = at_times(published, "i,omega")
    run = gs.simulate(system, times=[0, *reference], integrator=FINE)
    found = np.column_stack((run["La.current"].values, run["shaft.rate"].values))[1:]
    np.testing.assert_allclose(found, list(reference.values()), rtol=1e-9)
    np.testing.assert_allclose(run["M.load.torque"].values, 0.05 * run["M.current"].values)
    linear = gs.linearize(system, gs.equilibrium(system, inputs={"U": 0}), inputs=["U"], outputs=["shaft.rate"])
    eigenvalues = sorted(mode.eigenvalue.real for mode in linear.modes())[:2]
    np.testing.assert_allclose(eigenvalues, sorted(value(published, "eigenvalues")), rtol=1e-10)


def test_energy_account_over_both_domains() -> None:
    run = gs.simulate(dc_motor(), duration=0.1, step=0.02, integrator=FINE)
    energy = run.energy()
    np.testing.assert_allclose(energy["balance"].values, 0, atol=1e-11)
    supplied, lost = energy["supplied"], energy["dissipated"]
    work = np.trapezoid(-run["V.power"].values, run.time)
    total = float(supplied.isel(time=-1).sum())
    assert total == pytest.approx(work, rel=0.3), "the source feeds both domains"
    assert float(lost.sel(damper="M.load").isel(time=-1)) == pytest.approx(0, abs=1e-12)
    heat = run["Ra.power"].values
    assert float(lost.sel(damper="g.network").isel(time=-1)) > 0
    np.testing.assert_allclose(heat, 1.2 * run["La.current"].values ** 2, rtol=1e-12)
    powers = run["V.power"] + run["Ra.power"] + run["La.power"] + run["M.power"]
    np.testing.assert_allclose(powers.values, 0, atol=1e-12)


def test_voice_coil_with_a_constant_that_varies() -> None:
    model = slide()
    model.add(gs.VoltageSource("V", "a", "g", "5*sin(20*t)"))
    model.add(gs.Resistor("R", "a", "b", 2))
    model.add(gs.Motor("coil", "b", "g", "x", "8*(1 - 4*x**2)"))
    system = gs.formulate(model)
    assert system.state_names == ()
    run = gs.simulate(system, duration=1, step=0.05, integrator=FINE)
    x, v, i = (run[name].values for name in ("x", "x.rate", "R.current"))
    np.testing.assert_allclose(run["coil.voltage"].values, 8 * (1 - 4 * x**2) * v, atol=1e-12)
    expected = (8 * (1 - 4 * x**2) * i - 300 * x - 4 * v) / 2
    np.testing.assert_allclose(run["x.acc"].values, expected, atol=1e-10)
    np.testing.assert_allclose(run.energy()["balance"].values, 0, atol=1e-10)


def test_solenoid_has_the_force_of_its_field() -> None:
    model = slide(L0=0.4, d=0.5)
    model.add(gs.VoltageSource("V", "a", "g", 6))
    model.add(gs.Resistor("R", "a", "b", 3))
    model.add(gs.Solenoid("coil", "b", "g", "x", "L0/(1 + x/d)", initial=0.5))
    run = gs.simulate(model, duration=0.4, step=0.05, integrator=FINE)
    x, v, i = (run[name].values for name in ("x", "x.rate", "coil.current"))
    L, slope = 0.4 / (1 + x / 0.5), -0.4 / 0.5 / (1 + x / 0.5) ** 2
    np.testing.assert_allclose(run["coil.load.torque"].values, slope * i**2 / 2, rtol=1e-12)
    np.testing.assert_allclose(run["coil.current.rate"].values, (6 - 3 * i - slope * v * i) / L, rtol=1e-9)
    np.testing.assert_allclose(run.energy()["balance"].values, 0, atol=1e-9)
    np.testing.assert_allclose(run.energy()["potential"].values, L * i**2 / 2 + 150 * x**2, rtol=1e-12)


def test_piezo_stack_acts_and_senses() -> None:
    model = slide()
    model.add(gs.VoltageSource("V", "a", "g", "100*sin(50*t)"))
    model.add(gs.Resistor("R", "a", "b", 1e4))
    model.add(gs.PiezoStack("stack", "b", "g", "x", 2e-6, 3.0))
    run = gs.simulate(model, duration=0.2, step=0.02, integrator=FINE)
    np.testing.assert_allclose(run["stack.load.torque"].values, 3 * run["b.voltage"].values, atol=1e-12)
    current = 2e-6 * run["stack.charge.voltage.rate"].values + 3 * run["x.rate"].values
    np.testing.assert_allclose(run["R.current"].values, current, atol=1e-12)
    np.testing.assert_allclose(run.energy()["balance"].values, 0, atol=1e-10)


def test_cylinder_moves_a_load() -> None:
    model = gs.Model("cylinder")
    model.add(gs.Body("mass", gs.point_mass(50.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("load", "x", damping=2000))
    for element in (
        gs.Datum("tank", "hydraulic"),
        gs.CurrentSource("pump", "tank", "a", 1e-4),
        gs.Capacitor("oil", "a", "tank", 1e-12),
        gs.Piston("cylinder", "a", "tank", "x", 2e-3),
        gs.Pipe("leak", "a", "tank", 1e14),
    ):
        model.add(element)
    run = gs.simulate(model, duration=2, step=0.5, integrator=gs.Rodas5P(rtol=1e-9, atol=1e-9))
    p, v = float(run["a.pressure"].values[-1]), float(run["x.rate"].values[-1])
    assert v == pytest.approx((1e-4 - np.sqrt(p / 1e14)) / 2e-3, rel=1e-6)
    assert p * 2e-3 == pytest.approx(2000 * v, rel=1e-6)


def test_pump_on_a_shaft() -> None:
    """A shaft at constant speed pumps through a pipe; its torque is the displacement times the pressure."""
    model = network(
        gs.Piston("pump", "g", "a", "shaft", 2e-6),
        gs.Capacitor("hose", "a", "g", 1e-11),
        gs.Pipe("pipe", "a", "g", 1e9, 1),
        domain="hydraulic",
    )
    model.add(gs.Body("rotor", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("shaft", "ground", "rotor", axis="z", driven="150*t"))
    run = gs.simulate(model, duration=0.2, step=0.1, integrator=gs.Rodas5P(rtol=1e-9, atol=1e-9))
    assert float(run["pipe.flow"].values[-1]) == pytest.approx(2e-6 * 150, rel=1e-6)
    assert float(run["pump.load.torque"].values[-1]) == pytest.approx(-2e-6 * 1e9 * 2e-6 * 150, rel=1e-6)


def test_valves_have_their_laws() -> None:
    """A valve is turbulent beyond its transition and closed at zero; a relief valve opens at its pressure."""
    model = network(
        gs.VoltageSource("E", "a", "g", "1e6*t"),
        gs.Valve("open", "a", "g", 2e-7, 0.5, 1e3),
        gs.Valve("closed", "g", "a", 2e-7, "max(t - 4, 0)"),
        gs.ReliefValve("relief", "a", "g", 1e-9, 2e6),
        gs.ReliefValve("check", "g", "a", 1e-9),
        domain="hydraulic",
    )
    run = gs.simulate(model, times=[0, 1, 3, 5])
    t = run.time
    np.testing.assert_allclose(run["open.flow"].values, 1e-7 * np.sqrt(1e6 * t), rtol=1e-6)
    np.testing.assert_allclose(run["closed.flow"].values, [0, 0, 0, -2e-7 * np.sqrt(5e6)], rtol=1e-5)
    np.testing.assert_allclose(run["relief.flow"].values, [0, 0, 1e-3, 3e-3], atol=1e-15)
    np.testing.assert_array_equal(run["check.flow"].values, 0)
    laminar = gs.simulate(model, times=[1e-6])  # 1 Pa: q = K u Δp/√p_t
    assert float(laminar["open.flow"].values[0]) == pytest.approx(1e-7 / np.sqrt(1e3), rel=1e-5)
    with pytest.raises(gs.ModelError, match="0 is not positive"):
        gs.Valve("v", "a", "b", 0)
    with pytest.raises(gs.ModelError, match="0 is not positive"):
        gs.ReliefValve("v", "a", "b", 0)


def test_energies_are_outputs() -> None:
    """Stored energy and dissipation of networks, against those of the elements and the account."""
    run = gs.simulate(dc_motor(), times=np.linspace(0, 0.1, 2001), integrator=FINE)
    i = run["La.current"].values
    np.testing.assert_allclose(run["La.energy"].values, 0.5 * case("dc_motor_step")["parameters"]["L"] * i**2)
    np.testing.assert_allclose(run["g.network.energy"].values, run["La.energy"].values)
    np.testing.assert_allclose(run["g.network.dissipation"].values, run["Ra.power"].values)
    lost = run.energy()["dissipated"].sel(damper="g.network").values[-1]
    assert np.trapezoid(run["g.network.dissipation"].values, run.time) == pytest.approx(float(lost), rel=1e-5)
    assert run["La.energy"].attrs["units"] == "J"


def test_motor_between_an_electrical_and_a_rotational_network() -> None:
    """A transformer joins the networks; it equals the motor that drives a body."""
    given = case("dc_motor_step")["parameters"]
    model = gs.Model("two networks")
    for element in (
        gs.Datum("g"),
        gs.VoltageSource("V", "a", "g", given["U"]),
        gs.Resistor("Ra", "a", "b", given["R"]),
        gs.Inductor("La", "b", "c", given["L"]),
        gs.Datum("frame", "rotational"),
        gs.Transformer("M", "c", "g", "shaft", "frame", given["Ke"]),
        gs.Capacitor("rotor", "shaft", "frame", given["J"]),
        gs.Resistor("bearing", "shaft", "frame", 1 / given["b"]),
    ):
        model.add(element)
    reference = at_times(case("dc_motor_step"), "i,omega")
    run = gs.simulate(model, times=[0, *reference], integrator=FINE)
    found = np.column_stack((run["La.current"].values, run["shaft.speed"].values))[1:]
    np.testing.assert_allclose(found, list(reference.values()), rtol=1e-9)
    assert run["bearing.torque"].attrs["units"] == "N·m"


def test_thermal_and_translational_words() -> None:
    wall = network(
        gs.VoltageSource("room", "a", "g", 20),
        gs.Resistor("wall", "a", "b", 0.5),
        gs.Capacitor("mass", "b", "g", 1000, 5),
        domain="thermal",
    )
    run = gs.simulate(wall, times=[0, 500], integrator=FINE)
    assert float(run["b.temperature"].values[-1]) == pytest.approx(20 - 15 * np.exp(-1), rel=1e-9)
    assert run["wall.heat"].attrs["units"] == "W"
    sled = network(
        gs.Capacitor("sled", "s", "g", 2.0, 3.0),
        gs.Inductor("spring", "s", "g", 1 / 50),
        domain="translational",
    )
    run = gs.simulate(sled, times=[0, 0.7], integrator=FINE)
    assert float(run["sled.velocity"].values[-1]) == pytest.approx(3 * np.cos(5 * 0.7), rel=1e-9)
