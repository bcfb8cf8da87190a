"""A model with every kind of element of networks."""

from __future__ import annotations

import gyrostat as gs


def all_elements() -> gs.Model:
    """Return a model with every kind of element, and a mechanism for the transducers."""
    model = gs.Model("all", parameters={"r": 2.0, "w": 3.0})
    model.add(gs.Body("mass", gs.point_mass(2.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x"))
    model.add(gs.TorsionSpring("guide", "x", stiffness=300, damping=4))
    for element in (
        gs.Datum("g"),
        gs.VoltageSource("E", "a", "g", "1.5*sin(w*t)"),
        gs.CurrentSource("J", "g", "b", ([0, 1, 10], [0, 0.1, 0.1])),
        gs.Resistor("R1", "a", "b", "r"),
        gs.Capacitor("C1", "b", "g", 0.3),
        gs.Inductor("L1", "b", "c", 0.2),
        gs.Resistor("R2", "c", "g", 3),
        gs.Diode("D", "b", "d", saturation=1e-3),
        gs.Resistor("R3", "d", "g", 1),
        gs.BipolarTransistor("Q", "b", "d", "g", 1e-3, 0.9, 0.5),
        gs.MOSFET("M", "b", "c", "g", 0.1, 0.2, 0.02),
        gs.Switch("S", "b", "e", "t > 0.15", 0.5, 50),
        gs.Transformer("T", "e", "g", "f", "g", 2),
        gs.Resistor("R4", "f", "g", 4),
        gs.Gyrator("G", "b", "g", "h", "g", 5),
        gs.Capacitor("C2", "h", "g", 0.1),
        gs.VoltageControlledVoltageSource("VV", "i", "g", "b", "g", 0.5),
        gs.Resistor("R5", "i", "k", 1),
        gs.CurrentControlledCurrentSource("CC", "g", "h", "k", "g", 0.3),
        gs.VoltageControlledCurrentSource("VC", "g", "h", "c", "g", 0.2),
        gs.CurrentControlledVoltageSource("CV", "l", "g", "m", "g", 0.7),
        gs.Resistor("R6", "l", "g", 1),
        gs.Resistor("R7", "c", "m", 6),
        gs.OperationalAmplifier("A", "g", "n", "o", "g"),
        gs.Resistor("R8", "l", "n", 1),
        gs.Resistor("R9", "n", "o", 2),
        gs.OperationalAmplifier("B", "o", "g", "p", "g", 10, 1.0),
        gs.Resistor("R10", "p", "g", 2),
        gs.Voltmeter("U", "o", "b"),
        gs.Ammeter("I", "b", "q"),
        gs.LawElement("law", "q", "g", through_law="0.1*across + 0.01*across**3"),
        gs.Motor("motor", "c", "s", "x", 1.5),
        gs.Resistor("R11", "s", "g", 2),
        gs.Solenoid("coil", "b", "u", "x", "0.1/(1 + x**2)"),
        gs.Resistor("R12", "u", "g", 1),
        gs.PiezoStack("stack", "c", "g", "x", 0.05, 0.4),
        gs.Datum("tank", "hydraulic"),
        gs.Capacitor("oil", "v", "tank", 0.2, 0.5),
        gs.Piston("piston", "v", "tank", "x", 0.3),
        gs.Pipe("pipe", "v", "tank", 3),
        gs.Valve("valve", "v", "tank", 0.3, "0.5*(1 + sin(w*t))", 0.1),
        gs.ReliefValve("relief", "v", "tank", 0.2, 0.3),
    ):
        model.add(element)
    return model
