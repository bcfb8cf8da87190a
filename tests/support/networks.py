"""Networks for tests: circuits of published cases, closed forms and random ones."""

from __future__ import annotations

from typing import Any

import gyrostat as gs


def network(
    *elements: Any, parameters: dict[str, Any] | None = None, datum: str = "g", domain: str = "electrical"
) -> gs.Model:
    """Return a model with one network."""
    model = gs.Model("network", parameters=parameters or {})
    model.add(gs.Datum(datum, domain))
    for element in elements:
        model.add(element)
    return model


def rc_circuit() -> gs.Model:
    """Return McPhee's circuit of four edges."""
    return network(
        gs.VoltageSource("E1", "a", "g", "E_1"),
        gs.Resistor("R2", "a", "b", "R_2"),
        gs.Resistor("R3", "b", "g", "R_3"),
        gs.Capacitor("C4", "b", "g", "C_4", 0.2),
        parameters={"E_1": 5.0, "R_2": 1000.0, "R_3": 2000.0, "C_4": 1e-6},
    )


def six_edge_circuit() -> gs.Model:
    """Return McPhee's resistive circuit of six edges."""
    return network(
        gs.VoltageSource("E1", "a", "d", 10),
        gs.Resistor("R2", "b", "c", 2),
        gs.Resistor("R3", "a", "b", 3),
        gs.Resistor("R4", "d", "c", 4),
        gs.Resistor("R5", "d", "b", 5),
        gs.CurrentSource("I6", "c", "a", "1/2"),
        datum="d",
    )


def transistor_amplifier() -> gs.Model:
    """Return the amplifier with two transistors of the test set for initial value problems."""
    capacities = {f"c{k}": k * 1e-6 for k in range(1, 6)}
    return network(
        gs.VoltageSource("Ue", "e", "g", "0.1*sin(200*pi*t)"),
        gs.VoltageSource("Ub", "u", "g", "ub"),
        gs.Resistor("R0", "e", "n1", "r0"),
        gs.Capacitor("C1", "n1", "n2", "c1", -3),
        gs.Resistor("R1", "n2", "g", "r"),
        gs.Resistor("R2", "u", "n2", "r"),
        gs.BipolarTransistor("T1", "n4", "n2", "n3", "beta", "alpha", thermal="uf"),
        gs.Resistor("R3", "n3", "g", "r"),
        gs.Capacitor("C2", "n3", "g", "c2", 3),
        gs.Resistor("R4", "u", "n4", "r"),
        gs.Capacitor("C3", "n4", "n5", "c3", 3),
        gs.Resistor("R5", "n5", "g", "r"),
        gs.Resistor("R6", "u", "n5", "r"),
        gs.BipolarTransistor("T2", "n7", "n5", "n6", "beta", "alpha", thermal="uf"),
        gs.Resistor("R7", "n6", "g", "r"),
        gs.Capacitor("C4", "n6", "g", "c4", 3),
        gs.Resistor("R8", "u", "n7", "r"),
        gs.Capacitor("C5", "n7", "n8", "c5", 6),
        gs.Resistor("R9", "n8", "g", "r"),
        parameters={"ub": 6, "uf": 0.026, "alpha": 0.99, "beta": 1e-6, "r0": 1000, "r": 9000, **capacities},
    )
