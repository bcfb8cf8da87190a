"""All elements: file round trip, exact and traced equations, Tellegen's theorem; nonlinear networks by other means."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import sympy
from all_elements import all_elements
from networks import network, rc_circuit, transistor_amplifier

import gyrostat as gs
from gyrostat.model.elements import ELEMENTS
from gyrostat.model.networks.probe import Probe


@pytest.fixture(scope="module")
def everything() -> gs.Trajectory:
    """Return a motion of the model with every kind of element."""
    return gs.simulate(all_elements(), duration=0.4, step=0.05, integrator=gs.Rodas5P(rtol=1e-8, atol=1e-10))


def test_every_kind_occurs() -> None:
    assert {type(element) for element in all_elements().elements.values()} == set(ELEMENTS)


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_model_files_keep_networks(suffix: str, tmp_path: Path) -> None:
    model, path = all_elements(), tmp_path / f"model.{suffix}"
    model.save(path)
    assert gs.Model.load(path) == model
    assert "networks" in path.read_text()


def test_tellegen_at_every_output(everything: gs.Trajectory) -> None:
    elements = [element for element in all_elements().elements.values() if element.edges()]
    powers = np.array([everything[f"{element.name}.power"].values for element in elements])
    assert everything.status.outcome is gs.Outcome.COMPLETED
    np.testing.assert_allclose(powers.sum(axis=0), 0, atol=1e-7 * np.abs(powers).max())


def test_stored_and_dissipated_energy_balance_the_sources() -> None:
    """d(energy)/dt + dissipation = power of sources − power given to the mechanism, by a fine difference."""
    system, h = gs.formulate(all_elements()), 1e-5
    run = gs.simulate(system, times=0.1 + h * np.arange(-2, 3), integrator=gs.Rodas5P(1e-11, 1e-13))
    stored = run["g.network.energy"].values
    rate = (stored[0] - 8 * stored[1] + 8 * stored[3] - stored[4]) / (12 * h)
    sources = [e.name for element in system.model.elements.values() for e in element.edges() if e.supplies]
    supplied = -sum(float(run[f"{name}.voltage"][2] * run[f"{name}.current"][2]) for name in sources)
    loads = [run[f"{name}.load.torque"][2] for name in ("motor", "coil", "stack", "piston")]
    given = float(sum(loads) * run["x.rate"][2])
    assert rate + float(run["g.network.dissipation"].values[2]) == pytest.approx(supplied - given, rel=1e-6)


def test_energy_is_accounted_for(everything: gs.Trajectory) -> None:
    energy = everything.energy()
    np.testing.assert_allclose(energy["balance"].values, 0, atol=1e-6 * float(energy["total"].max()))


def test_exact_and_traced_rates_are_equal() -> None:
    system = gs.formulate(all_elements())
    equations, rng = system.equations(), np.random.default_rng(5)
    names = system.state_names
    values: dict[str, float] = {"x": 0.1, "x.rate": 0.3, "t": 0.1, "r": 2.0, "w": 3.0, "J.table": 0.04}
    values |= dict(zip(names, rng.uniform(0.1, 0.3, len(names)), strict=True))
    known = {equations.symbols.sympy[name]: number for name, number in values.items()}
    rows = [*equations.states, *equations.algebraic]
    exact = [float(sympy.N(row.subs(known))) for row in rows]
    states = system.model.states["g.network"]
    rates = states.state_rates(Probe(values))
    np.testing.assert_allclose(exact, [rates[name] for name in names], rtol=1e-9, atol=1e-12)
    native = system.state_rates([0.1], [0.3], z={n: values[n] for n in names}, t=0.1, inputs={"J.table": 0.04})
    algebraic = [variable.name for variable in states.state_variables if variable.algebraic]
    own = [i for i, name in enumerate(names) if name not in algebraic]
    np.testing.assert_allclose(native[own], [rates[names[i]] for i in own], rtol=1e-9, atol=1e-12)


def test_models_with_networks_can_be_pickled_and_swept() -> None:
    system = gs.formulate(rc_circuit())
    copy = pickle.loads(pickle.dumps(system.model))
    assert gs.formulate(copy).state_names == ("C4.voltage",)
    analysis = gs.Simulation(duration=1e-3, outputs=[gs.Last("R2.current")])
    found = gs.sweep(system, over={"R_2": [500.0, 1000.0]}, analysis=analysis, workers=1)
    runs = (gs.simulate(system, duration=1e-3, parameters={"R_2": r}) for r in (500, 1000))
    expected = [float(run["R2.current"].values[-1]) for run in runs]
    np.testing.assert_allclose(found["last(R2.current)"].values, expected, rtol=1e-9)


def test_sensitivities_to_component_values() -> None:
    """Operating point, gain and pole of a circuit with two diodes, one of them at an algebraic unknown."""
    model = network(
        gs.VoltageSource("E", "a", "g", "2 + u"),
        gs.Resistor("R", "a", "b", "r"),
        gs.Diode("D1", "b", "g"),
        gs.Capacitor("C", "b", "g", "c"),
        gs.Resistor("S", "b", "d", "s"),
        gs.Diode("D2", "d", "g"),
        parameters={"r": 100.0, "c": 1e-6, "s": 50.0},
    )
    model.add(gs.Input("u"))
    system = gs.formulate(model)

    def linear(**values: float) -> gs.LinearModel:
        point = gs.equilibrium(system, parameters=values)
        return gs.linearize(system, point, inputs=["u"], outputs=["D2.current"])

    found, states = linear(), list(system.state_names)
    assert states == ["C.voltage", "S.voltage"]
    points = found.point_sensitivity(["r", "s"])
    gains = found.response_sensitivity("u", "D2.current", [1000.0], ["r", "s"])["sensitivity"]
    poles = found.sensitivity(found.modes()[0], wrt=["r", "s"]).eigenvalue
    for k, (name, value) in enumerate({"r": 100.0, "s": 50.0}.items()):
        h = 1e-5 * value
        above, below = linear(**{name: value + h}), linear(**{name: value - h})
        change = np.array([above.point.states[n] - below.point.states[n] for n in states]) / (2 * h)
        np.testing.assert_allclose(points.sel(coordinate=states, parameter=name).values, change, rtol=1e-6)
        responses = [one.frequency_response([1000.0]).values.values.squeeze() for one in (above, below)]
        np.testing.assert_allclose(gains.values[0, k], (responses[0] - responses[1]) / (2 * h), rtol=1e-6)
        slope = (above.modes()[0].eigenvalue - below.modes()[0].eigenvalue) / (2 * h)
        np.testing.assert_allclose(poles[k], slope, rtol=1e-6)


def test_operating_point_and_small_signals_of_the_amplifier() -> None:
    """The gain at 1 kHz by the linear model equals that of a small sine in the transient."""
    model = transistor_amplifier()
    model.replace(gs.VoltageSource("Ue", "e", "g", "signal"))
    model.add(gs.Input("signal"))
    system = gs.formulate(model)
    guess = {"C1.voltage": -3, "C2.voltage": 3, "C3.voltage": 3, "C4.voltage": 3, "C5.voltage": 6}
    point = gs.equilibrium(system, guess=guess)
    linear = gs.linearize(system, point, inputs=["signal"], outputs=["n8.voltage"])
    s = 2j * np.pi * 1000.0
    A, B, C, D = (np.asarray(each) for each in (linear.A, linear.B, linear.C, linear.D))
    gain = complex((C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D)[0, 0])
    run = gs.simulate(
        system,
        times=[0.0, *np.linspace(0.6, 0.601, 9)],
        initial=point,
        inputs={"signal": "1e-5*sin(2000*pi*t)"},
        integrator=gs.Rodas5P(rtol=1e-9, atol=1e-12),
    )
    wave = run["n8.voltage"].values[1:-1]
    found = 2 / 8 * np.sum(wave * np.exp(-2j * np.pi * np.arange(8) / 8)) / 1e-5 * 1j
    assert abs(found - gain) < 0.02 * abs(gain)


def test_networks_of_subsystems_are_one_network() -> None:
    """Two RC stages and their data become one circuit; motors act on the shafts of their own subsystems."""
    stage = network(
        gs.Resistor("R", "a", "b", "r"), gs.Capacitor("C", "b", "g", "c"), parameters={"r": 100.0, "c": 1e-6}
    )
    model = gs.Model("two stages")
    model.add(gs.Subsystem("s1", stage))
    model.add(gs.Subsystem("s2", stage, {"r": 300.0}))
    model.add(gs.VoltageSource("E", "s1.a", "s1.g", 5))
    model.add(gs.Ammeter("X", "s1.b", "s2.a"))
    system = gs.formulate(model)
    assert system.state_names == ("s1.C.voltage", "s2.C.voltage")
    rates = system.state_rates([], [], z=[1.0, 2.0])
    np.testing.assert_allclose(rates, [((5 - 1) / 100 + (2 - 1) / 300) / 1e-6, (1 - 2) / 300 / 1e-6])
    drive = gs.Model("drive")
    drive.add(gs.Body("rotor", mass=1, inertia=(1, 1, 1)))
    drive.add(gs.Revolute("shaft", "ground", "rotor", axis="z"))
    for element in (gs.Datum("g"), gs.VoltageSource("V", "a", "g", 12), gs.Motor("M", "a", "b", "shaft", 0.5)):
        drive.add(element)
    drive.add(gs.Resistor("R", "b", "g", 2))
    pair = gs.Model("pair")
    pair.add(gs.Subsystem("left", drive))
    pair.add(gs.Subsystem("right", drive))
    np.testing.assert_allclose(gs.formulate(pair).forward_dynamics([0, 0], [0, 4]), [0.5 * 6, 0.5 * (12 - 2) / 2])
