"""Networks whose solutions are known in closed form, or published."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case, value
from networks import network, rc_circuit, six_edge_circuit, transistor_amplifier

import gyrostat as gs

FINE = gs.DOP853(rtol=1e-11, atol=1e-13)


def at_once(model: gs.Model, *names: str) -> list[float]:
    """Return outputs at time zero."""
    run = gs.simulate(model, times=[0.0])
    return [float(run[name].values[0]) for name in names]


def test_rc_circuit_has_the_published_response() -> None:
    published = case("mcphee_rc_circuit")
    run = gs.simulate(rc_circuit(), times=[0, 1e-3, 3e-3], integrator=FINE)
    expected = [0.2, value(published, "v4(1 ms)"), value(published, "v4(3 ms)")]
    np.testing.assert_allclose(run["C4.voltage"].values, expected, rtol=1e-10)
    np.testing.assert_allclose(run["E1.current"].values[0], value(published, "i1(0+)"), rtol=1e-12)


def test_six_edge_circuit_has_the_published_voltages_and_currents() -> None:
    published, names = case("mcphee_circuit_six_edge"), ("E1", "R2", "R3", "R4", "R5", "I6")
    model = six_edge_circuit()
    np.testing.assert_allclose(
        at_once(model, *(f"{n}.voltage" for n in names)), value(published, "alpha_float"), rtol=1e-14
    )
    np.testing.assert_allclose(
        at_once(model, *(f"{n}.current" for n in names)), value(published, "tau_float"), rtol=1e-14
    )
    assert gs.formulate(model).state_names == ()


def test_transistor_amplifier_from_elements() -> None:
    published = case("ivp_transistor_amplifier")
    system = gs.formulate(transistor_amplifier())
    states = system.model.states["g.network"]
    assert len(states.plan.relations.states) == 5
    assert len(states.plan.relations.unknowns) == 3
    assert len(states.plan.algebraic) == 2, "the output stage is linear in its voltage"
    run = gs.simulate(system, times=[0, 0.2], integrator=gs.Rodas5P(rtol=1e-9, atol=1e-11))
    found = [run[f"n{k}.voltage"].values[-1] for k in range(1, 9)]
    np.testing.assert_allclose(found, published["quantities"][0]["value"], rtol=1e-8)


def test_nullor_integrator_and_inverting_amplifier() -> None:
    integrator = network(
        gs.VoltageSource("E", "e", "g", "3*t"),
        gs.Resistor("R", "e", "n", 1000),
        gs.Capacitor("C", "n", "o", 1e-3, -2),
        gs.OperationalAmplifier("A", "g", "n", "o", "g"),
    )
    run = gs.simulate(integrator, times=[0, 1, 2], integrator=FINE)
    np.testing.assert_allclose(run["o.voltage"].values, [2 - 1.5 * t**2 for t in (0, 1, 2)], rtol=1e-9)
    amplifier = [
        gs.VoltageSource("E", "e", "g", 0.5),
        gs.Resistor("R1", "e", "n", 1000),
        gs.Resistor("R2", "n", "o", 4000),
    ]
    ideal = network(*amplifier, gs.OperationalAmplifier("A", "g", "n", "o", "g"))
    assert at_once(ideal, "o.voltage", "n.voltage")[0] == pytest.approx(-2.0, rel=1e-12)
    finite = network(*amplifier, gs.OperationalAmplifier("A", "g", "n", "o", "g", gain=1e4))
    assert at_once(finite, "o.voltage")[0] == pytest.approx(-0.5 * 4 / (1 + 5 / 1e4), rel=1e-12)
    limited = network(*amplifier, gs.OperationalAmplifier("A", "g", "n", "o", "g", gain=1e4, limit=1.5))
    assert at_once(limited, "o.voltage")[0] == pytest.approx(-1.5, rel=1e-3)


@pytest.mark.parametrize("second", [gs.Resistor("R", "c", "g", 5), gs.Resistor("R", "g", "c", 5)])
def test_transformer_shows_n_squared_r(second: gs.Resistor) -> None:
    model = network(gs.VoltageSource("E", "a", "g", 12), gs.Transformer("T", "a", "g", "c", "g", 3), second)
    assert at_once(model, "E.current", "c.voltage") == pytest.approx([-12 / (9 * 5), 4], rel=1e-12)


def test_gyrator_turns_a_capacitor_into_an_inductor() -> None:
    model = network(
        gs.VoltageSource("E", "a", "g", 6),
        gs.Gyrator("G", "a", "g", "c", "g", 20),
        gs.Capacitor("C", "c", "g", 1e-3),
    )
    run = gs.simulate(model, times=[0, 0.5], integrator=FINE)
    assert float(run["G.first.current"].values[-1]) == pytest.approx(6 * 0.5 / (20**2 * 1e-3), rel=1e-10)


def test_capacitor_loop_leaves_one_state() -> None:
    model = network(
        gs.VoltageSource("E", "a", "g", "sin(w*t)"),
        gs.Capacitor("C2", "a", "b", "c2"),
        gs.Capacitor("C1", "b", "g", "c1"),
        gs.Resistor("R", "a", "b", "r"),
        parameters={"c1": 2e-6, "c2": 3e-6, "r": 400, "w": 700},
    )
    system = gs.formulate(model)
    assert system.state_names == ("C1.voltage",)
    rate = system.equations().states[0]
    c1, c2, r, w = (gs_symbol(rate, name) for name in ("c1", "c2", "r", "w"))
    import sympy

    t, v = gs_symbol(rate, "t"), gs_symbol(rate, "voltage_C1")
    expected = (c2 * r * w * sympy.cos(w * t) - v + sympy.sin(w * t)) / (r * (c1 + c2))
    assert sympy.simplify(rate - expected) == 0


def gs_symbol(expression: object, name: str) -> object:
    found = [symbol for symbol in expression.free_symbols if symbol.name == name]
    assert found, f"{name} does not occur in {expression}"
    return found[0]


def test_inductor_cutset_leaves_one_state() -> None:
    model = network(
        gs.CurrentSource("J", "g", "a", "sin(50*t)"),
        gs.Inductor("L1", "a", "b", 0.2),
        gs.Resistor("R", "b", "g", 4),
        gs.Inductor("L2", "b", "g", 0.3),
    )
    system = gs.formulate(model)
    assert len(system.state_names) == 1
    run = gs.simulate(system, times=[0, 0.01, 0.03], integrator=FINE)
    t = run.time
    np.testing.assert_allclose(run["L1.current"].values, np.sin(50 * t), atol=1e-12)
    np.testing.assert_allclose(run["L1.voltage"].values, 0.2 * 50 * np.cos(50 * t), rtol=1e-12)
    a, w = 4 / 0.3, 50.0
    expected = a * (a * np.sin(w * t) - w * np.cos(w * t) + w * np.exp(-a * t)) / (a**2 + w**2)
    np.testing.assert_allclose(run["L2.current"].values, expected, atol=1e-10)


def test_two_tanks() -> None:
    model = network(
        gs.CurrentSource("pump", "g", "a", 1e-3),
        gs.Capacitor("T1", "a", "g", 1e-5, 2e4),
        gs.Capacitor("T2", "b", "g", 2e-5),
        gs.Pipe("p1", "a", "b", 1e10),
        gs.Pipe("p2", "b", "g", 1e10),
        domain="hydraulic",
    )
    run = gs.simulate(model, times=[0, 50, 200], integrator=gs.DOP853(rtol=1e-11, atol=1e-6))
    np.testing.assert_allclose(run["T1.pressure"].values[1:], [18339.2451, 16494.8457], atol=6e-5)
    assert run["p1.flow"].attrs["units"] == "m³/s"


def test_a_pipe_whose_flow_reverses() -> None:
    """Two tanks that swing through an inertance: with a transition the same motion in few steps, laminar near rest."""

    def run(**given: float) -> gs.Trajectory:
        model = network(
            gs.Capacitor("T1", "a", "g", 1e-8, 2e5),
            gs.Capacitor("T2", "c", "g", 1e-8),
            gs.Inductor("line", "a", "b", 1e5),
            gs.Pipe("pipe", "b", "c", 1e14, **given),
            domain="hydraulic",
        )
        return gs.simulate(model, 0.5, step=0.05, integrator=gs.Rodas5P(rtol=1e-7, atol=1e-9))

    plain, smooth = run(), run(transition=1.0)
    np.testing.assert_allclose(smooth["T1.pressure"].values, plain["T1.pressure"].values, atol=200)
    p = 3e4
    model = network(gs.VoltageSource("E", "a", "g", p), gs.Pipe("pipe", "a", "g", 1e14, 3, 2e4), domain="hydraulic")
    flow = p * (p**2 + 2e4**2) ** ((1 / 3 - 1) / 2) / 1e14 ** (1 / 3)
    assert at_once(model, "pipe.flow")[0] == pytest.approx(flow, rel=1e-12)
    with pytest.raises(gs.ModelError, match="Give a positive pressure, or 0 for none"):
        gs.formulate(network(gs.Pipe("pipe", "a", "g", 1e14, 2, -1.0), domain="hydraulic"))


def test_operating_points_are_found_from_nothing() -> None:
    """Without given initial values the iteration begins with no voltage across junctions and channels."""
    diode = network(
        gs.VoltageSource("E", "a", "g", 5), gs.Resistor("R", "a", "b", 100), gs.Diode("D", "b", "g", 1e-14, 1, 0.025)
    )
    point = gs.equilibrium(diode)
    v = 5 - point.states["R.voltage"]
    assert 1e-14 * np.expm1(v / 0.025) == pytest.approx((5 - v) / 100, rel=1e-9)
    channel = network(
        gs.VoltageSource("E", "a", "g", 5),
        gs.VoltageSource("G", "k", "g", 2),
        gs.Resistor("R", "a", "b", 1000),
        gs.MOSFET("M", "b", "k", "g", 1e-3, 1.0, 0.01),
    )
    saturated = (5 - 0.5) / (1 + 0.5 * 0.01)  # v = 5 − ½ (1 + 0.01 v) with R K = 1/V
    assert at_once(channel, "b.voltage")[0] == pytest.approx(saturated, rel=1e-9)
    for polarity, sign in (("npn", 1), ("pnp", -1)):
        stage = network(
            gs.VoltageSource("E", "a", "g", 12 * sign),
            gs.Resistor("R1", "a", "b", 47e3),
            gs.Resistor("R2", "b", "g", 10e3),
            gs.Resistor("Rc", "a", "c", 2e3),
            gs.Resistor("Re", "e", "g", 500),
            gs.BipolarTransistor("Q", "c", "b", "e", 1e-14, 0.99, 0.5, polarity=polarity),
        )
        base, emitter, collector = at_once(stage, "b.voltage", "e.voltage", "c.voltage")
        current = 1e-14 * np.expm1(sign * (base - emitter) / 0.02585)  # the collector junction is blocked
        assert sign * emitter / 500 == pytest.approx(current, rel=1e-6)
        assert sign * (12 * sign - collector) / 2e3 == pytest.approx(0.99 * current, rel=1e-6)


def test_sensitivity_of_the_only_mode() -> None:
    system = gs.formulate(rc_circuit())
    linear = gs.linearize(system, gs.equilibrium(system))
    found = linear.sensitivity(linear.modes()[0], wrt=["R_2", "C_4"])
    np.testing.assert_allclose(found.eigenvalue, [1 / (1000**2 * 1e-6), 1500 / 1e-6], rtol=1e-9)


def test_rates_of_many_algebraic_unknowns() -> None:
    """More than 16 unknowns stay algebraic; their rates follow from a sparse factorization."""
    n = 20
    ladder = [gs.VoltageSource("E", "n0", "g", "sin(3*t)")]
    for k in range(1, n + 1):
        ladder += [gs.Resistor(f"R{k}", f"n{k - 1}", f"n{k}", 1), gs.Resistor(f"S{k}", f"n{k}", "g", 2)]
    system = gs.formulate(network(*ladder))
    assert len(system.coordinates.algebraic) == n
    run = gs.simulate(system, times=[0.2, 0.4])
    matrix = 2.5 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    matrix[-1, -1] = 1.5
    share = np.linalg.solve(matrix, np.eye(n)[0])
    found = np.array([run[f"S{k}.voltage"].values for k in range(1, n + 1)])
    np.testing.assert_allclose(found, np.outer(share, np.sin(3 * run.time)), rtol=1e-9)
    rates = np.array([run[f"S{k}.voltage.rate"].values for k in range(1, n + 1)])
    np.testing.assert_allclose(rates, np.outer(share, 3 * np.cos(3 * run.time)), rtol=1e-9)
