"""Random nonlinear networks of all elements against nodal analysis by SciPy's Radau, and Tellegen's theorem."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from campaign import campaign
from networks import network
from nodal_networks import NodalNetwork
from scipy.integrate import solve_ivp

import gyrostat as gs

DURATION = 2.0
FINE = gs.Rodas5P(rtol=1e-9, atol=1e-11)
SATURATION, THERMAL = 0.01, 0.2
KINDS = (
    *("diode", "transistor", "pnp", "MOSFET", "p MOSFET", "amplifier", "switch", "transformer", "gyrator", "inductor"),
    *("VCVS", "CCCS", "VCCS", "CCVS", "motor"),
)


FEW = (0, 1, 4, 11, 71)
"""Seeds whose networks have elements of all kinds; the last one switches at its start, where all voltages vanish."""


class Drawn:
    """A random network, as elements of gyrostat and as currents of nodal analysis."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.count = int(rng.integers(3, 6))
        held = rng.random(self.count) < 0.7
        held[0] = True
        self.nodal = NodalNetwork(np.where(held, rng.uniform(0.5, 2, self.count), np.nan))
        self.elements: list[Any] = [gs.CurrentSource("J", "g", "n0", "2*sin(3*t)")]
        self.nodal.add(-1, 0, lambda t, v, w: 2 * np.sin(3 * t))
        self.number, self.has_motor = 0, False
        for node in range(self.count):
            if held[node]:
                capacity = float(self.nodal.capacities[node])
                self.elements.append(gs.Capacitor(f"C{node}", self.name(node), "g", capacity))
            self.resistor(node, int(rng.integers(-1, node)), rng.uniform(0.5, 2))
            self.resistor(node, -1, rng.uniform(1, 3))
        for kind in rng.choice(KINDS, 5, replace=False):
            self.add(str(kind))

    def name(self, node: int) -> str:
        """Return the name of a node."""
        return f"n{node}" if node >= 0 else "g"

    def label(self, kind: str) -> str:
        """Return a new name of an element."""
        self.number += 1
        return f"{kind.replace(' ', '_')}{self.number}"

    def nodes(self, count: int) -> list[int]:
        """Return different nodes; one may be the datum."""
        return [int(node) for node in self.rng.choice(np.arange(-1, self.count), count, replace=False)]

    def resistor(self, a: int, b: int, value: float) -> None:
        """Add a resistor."""
        self.elements.append(gs.Resistor(self.label("R"), self.name(a), self.name(b), float(value)))
        self.nodal.add(a, b, lambda t, v, w: (v[a] - v[b]) / value)

    def series(self, a: int, value: float) -> str:
        """Add a resistor from a node to a new inner node, which nodal analysis does not have; return its name."""
        label = self.label("S")
        self.elements.append(gs.Resistor(label, self.name(a), f"inner{label}", value))
        return f"inner{label}"

    def add(self, kind: str) -> None:
        """Add an element between random nodes."""
        if kind in ("transistor", "pnp"):
            self.add_transistor(1 if kind == "transistor" else -1)
        elif kind.endswith("MOSFET"):
            self.add_mosfet(1 if kind == "MOSFET" else -1)
        elif kind in ("transformer", "gyrator", "VCVS", "CCCS", "VCCS", "CCVS"):
            self.add_two_port(kind)
        elif kind in ("motor", "amplifier"):
            self.add_source(kind)
        else:
            self.add_two_terminal(kind)

    def add_two_terminal(self, kind: str) -> None:
        """Add a diode, an inductor, or a switch that a condition of time closes."""
        a, b = self.nodes(2)
        ends, label, value = (self.name(a), self.name(b)), self.label(kind), float(self.rng.uniform(0.5, 2))
        if kind == "diode":
            self.elements.append(gs.Diode(label, *ends, SATURATION, 1, THERMAL))
            self.nodal.add(a, b, lambda t, v, w: SATURATION * np.expm1((v[a] - v[b]) / THERMAL))
        elif kind == "inductor":
            self.elements.append(gs.Inductor(label, *ends, value))
            self.nodal.inductors.append((a, b, value))
        else:
            self.elements.append(gs.Switch(label, *ends, "sin(5*t) > 0.3", on=0.4, off=50))
            self.nodal.add(a, b, lambda t, v, w: (v[a] - v[b]) / (0.4 if np.sin(5 * t) > 0.3 else 50))
            first = np.arcsin(0.3)
            self.nodal.jumps += [(angle + 2 * np.pi * k) / 5 for k in range(3) for angle in (first, np.pi - first)]

    def add_transistor(self, sign: int) -> None:
        """Add a transistor with both gains."""
        c, b, e = self.nodes(3)
        polarity = "npn" if sign > 0 else "pnp"
        ends = (self.name(c), self.name(b), self.name(e))
        self.elements.append(
            gs.BipolarTransistor(self.label("Q"), *ends, SATURATION, 0.95, 0.4, THERMAL, polarity=polarity)
        )

        def emitter(v: Any) -> float:
            return SATURATION * float(np.expm1(sign * (v[b] - v[e]) / THERMAL))

        def collector(v: Any) -> float:
            return SATURATION * 0.95 / 0.4 * float(np.expm1(sign * (v[b] - v[c]) / THERMAL))

        self.nodal.add(b, e, lambda t, v, w: sign * (emitter(v) - 0.4 * collector(v)))
        self.nodal.add(b, c, lambda t, v, w: sign * (collector(v) - 0.95 * emitter(v)))

    def add_mosfet(self, sign: int) -> None:
        """Add a MOSFET whose channel is longer than its modulation."""
        d, g, s = self.nodes(3)
        channel, ends = "n" if sign > 0 else "p", (self.name(d), self.name(g), self.name(s))
        self.elements.append(gs.MOSFET(self.label("M"), *ends, 0.8, 0.1, 0.05, channel=channel))

        def current(t: float, v: Any, w: float) -> float:
            x, y = sign * (v[d] - v[s]), sign * (v[g] - v[s])
            if x < 0:  # the drain is the lower end
                return -sign * triode_or_saturated(-x, y - x)
            return sign * triode_or_saturated(x, y)

        self.nodal.add(d, s, current)

    def add_two_port(self, kind: str) -> None:
        """Add a transformer, gyrator or controlled source; given voltages and controlling currents in series with R."""
        a, b = self.nodes(2)
        c, d = self.nodes(2)
        k = float(self.rng.uniform(0.3, 0.9))
        label, ports = self.label(kind), (self.name(b), self.name(c), self.name(d))
        if kind == "gyrator":
            self.elements.append(gs.Gyrator(label, self.name(a), *ports, 1 / k))
            self.nodal.add(a, b, lambda t, v, w: -(v[c] - v[d]) * k)
            self.nodal.add(c, d, lambda t, v, w: (v[a] - v[b]) * k)
        elif kind == "transformer":
            self.elements.append(gs.Transformer(label, self.series(a, 1.5), *ports, k))
            self.nodal.add(a, b, lambda t, v, w: (v[a] - v[b] - k * (v[c] - v[d])) / 1.5)
            self.nodal.add(c, d, lambda t, v, w: -k * (v[a] - v[b] - k * (v[c] - v[d])) / 1.5)
        elif kind == "VCVS":
            self.elements.append(gs.VoltageControlledVoltageSource(label, self.series(a, 1.5), *ports, k))
            self.nodal.add(a, b, lambda t, v, w: (v[a] - v[b] - k * (v[c] - v[d])) / 1.5)
        elif kind == "VCCS":
            self.elements.append(gs.VoltageControlledCurrentSource(label, self.name(a), *ports, k))
            self.nodal.add(a, b, lambda t, v, w: k * (v[c] - v[d]))
        else:
            control = (self.name(b), self.series(c, 2.0), self.name(d))
            self.nodal.add(c, d, lambda t, v, w: (v[c] - v[d]) / 2)
            if kind == "CCCS":
                self.elements.append(gs.CurrentControlledCurrentSource(label, self.name(a), *control, k))
                self.nodal.add(a, b, lambda t, v, w: k * (v[c] - v[d]) / 2)
            else:
                self.elements.append(gs.CurrentControlledVoltageSource(label, self.series(a, 1.5), *control, k))
                self.nodal.add(a, b, lambda t, v, w: (v[a] - v[b] - k * (v[c] - v[d]) / 2) / 1.5)

    def add_source(self, kind: str) -> None:
        """Add a motor on the slide, or an amplifier with saturation, in series with a resistor."""
        if kind == "motor":
            a, b = self.nodes(2)
            self.elements.append(gs.Motor(self.label("motor"), self.series(a, 1.2), self.name(b), "x", 0.7))
            self.nodal.add(a, b, lambda t, v, w: (v[a] - v[b] - 0.7 * w) / 1.2)
            self.nodal.force = lambda t, v, w: (0.7 * (v[a] - v[b] - 0.7 * w) / 1.2 - w) / 0.5
            self.has_motor = True
            return
        plus, minus, out = self.nodes(3)
        ends = (self.name(plus), self.name(minus), self.series(out, 1.3), "g")
        self.elements.append(gs.OperationalAmplifier(self.label("A"), *ends, 20.0, 1.5))
        self.nodal.add(out, -1, lambda t, v, w: (v[out] - 1.5 * np.tanh(20 / 1.5 * (v[plus] - v[minus]))) / 1.3)

    def model(self) -> gs.Model:
        """Return the model, with a mass on a slide for the motor."""
        model = network(*self.elements)
        if self.has_motor:
            model.add(gs.Body("mass", gs.point_mass(0.5)))
            model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
            model.add(gs.TorsionSpring("drag", "x", damping=1.0))
        return model


def triode_or_saturated(v_ds: float, v_gs: float) -> float:
    """Return the current of a channel by the three cases of Shichman and Hodges."""
    v = v_gs - 0.1
    if v <= 0:
        return 0.0
    inside = v * v_ds - v_ds**2 / 2 if v_ds < v else v**2 / 2
    return float(0.8 * inside * (1 + 0.05 * v_ds))


@campaign(120, few=FEW)
def test_random_networks_against_nodal_analysis(seed: int) -> None:
    drawn = Drawn(seed)
    run = gs.simulate(drawn.model(), times=[0, 0.7, DURATION], integrator=FINE)
    assert run.status.success
    expected = drawn.nodal.end(DURATION)
    voltages = drawn.nodal.voltages(DURATION, expected)[:-1]
    found = [float(run[f"n{k}.voltage"].values[-1]) for k in range(drawn.count)]
    np.testing.assert_allclose(found, voltages, rtol=2e-6, atol=2e-6)
    inductors = [element.name for element in drawn.elements if isinstance(element, gs.Inductor)]
    currents = [float(run[f"{name}.current"].values[-1]) for name in inductors]
    count = int(drawn.nodal.held.sum())
    np.testing.assert_allclose(currents, expected[count:-1], rtol=2e-6, atol=2e-6)
    if drawn.has_motor:
        assert float(run["x.rate"].values[-1]) == pytest.approx(expected[-1], rel=2e-6, abs=2e-6)
    powers = [run[f"{element.name}.power"].values for element in drawn.elements]
    np.testing.assert_allclose(np.sum(powers, axis=0), 0, atol=1e-7 * np.abs(powers).max())  # Tellegen's theorem
    assert np.abs(run.energy()["balance"].values).max() < 1e-6


@campaign(40)
def test_random_tanks_and_pipes_against_radau(seed: int) -> None:
    """A pump feeds a row of tanks with pipes of several exponents, a valve and a relief valve to the datum."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    capacities, coefficients = rng.uniform(1e-5, 3e-5, n), rng.uniform(5e9, 2e10, n)
    exponents = rng.choice([1.75, 2.0], n)
    coefficients *= 1e-3 ** (2 - exponents)  # similar pressures at 1 l/s
    begin = np.sort(rng.uniform(5e3, 3e4, n))[::-1]
    ends = [*(f"n{k}" for k in range(n)), "g"]
    elements: list[Any] = [gs.CurrentSource("pump", "g", "n0", "1e-3*(1.5 + sin(0.1*t))")]
    for k in range(n):
        elements.append(gs.Capacitor(f"tank{k}", f"n{k}", "g", float(capacities[k]), float(begin[k])))
        elements.append(gs.Pipe(f"pipe{k}", ends[k], ends[k + 1], float(coefficients[k]), float(exponents[k])))
    elements += [gs.Valve("valve", "n0", "g", 1e-6, 0.5, 100.0), gs.ReliefValve("relief", "n0", "g", 1e-8, 2.5e4)]

    def rates(t: float, p: Any) -> Any:
        drops = p - np.append(p[1:], 0)
        flows = np.sign(drops) * (np.abs(drops) / coefficients) ** (1 / exponents)
        total = -flows
        total[1:] += flows[:-1]
        total[0] += 1e-3 * (1.5 + np.sin(0.1 * t))
        total[0] -= 0.5e-6 * p[0] / (p[0] ** 2 + 100.0**2) ** 0.25 + 1e-8 * max(p[0] - 2.5e4, 0)
        return total / capacities

    reference = solve_ivp(rates, (0, 100), begin, method="Radau", rtol=1e-9, atol=1e-6, max_step=5)
    run = gs.simulate(network(*elements, domain="hydraulic"), times=[0, 50, 100], integrator=gs.Rodas5P(1e-9, 1e-6))
    found = [float(run[f"n{k}.pressure"].values[-1]) for k in range(n)]
    np.testing.assert_allclose(found, reference.y[:, -1], rtol=1e-6)
    powers = [run[f"{element.name}.power"].values for element in elements]
    np.testing.assert_allclose(np.sum(powers, axis=0), 0, atol=1e-9 * np.abs(powers).max())


def test_all_kinds_are_drawn() -> None:
    drawn = {type(element).__name__ for seed in FEW for element in Drawn(seed).elements}
    assert len(drawn) == len(KINDS) + 3 - 2, drawn  # resistor, capacitor, source; two polarities, two channels


def test_a_condition_that_holds_at_the_start_switches_once() -> None:
    """All voltages vanish at first; a switch ends a segment, since there is an algebraic unknown."""
    drawn = Drawn(71)
    place = next(k for k, element in enumerate(drawn.elements) if element.name == "M19")
    drawn.elements[place] = gs.LawElement("M19", "g", "n4", through_law="0.4*max(across, 0)**2")
    run = gs.simulate(drawn.model(), times=[0, 0.7], integrator=FINE, most_steps=1000)
    assert run.status.success
    assert run.status.switches < 10
