"""Circuits as SPICE netlists, and the same circuits as nodal equations that know nothing of gyrostat."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from math import pi, sin
from pathlib import Path

from peers.nodal_equations import NodalEquations

import gyrostat as gs


@dataclass(frozen=True)
class CircuitMotion:
    """A circuit: its netlist without analyses, its nodes, its nodal equations, and the time that it runs."""

    name: str
    netlist: str
    nodes: tuple[str, ...]
    equations: NodalEquations
    duration: float

    def model(self) -> gs.Model:
        """Return the imported netlist."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "circuit.cir"
            path.write_text(f"{self.name}\n{self.netlist}\n.end\n", encoding="utf-8")
            return gs.load_spice(path)


def transistor_amplifier() -> CircuitMotion:
    """Return the amplifier of the test set for initial value problems; its transistors never saturate."""
    lines = ["Ve e 0 SIN(0 0.1 100)", "Vb u 0 6"]
    equations = NodalEquations(8, {"e": lambda t: 0.1 * sin(200 * pi * t), "u": lambda t: 6.0})
    for name, a, b, value in (
        *(("R0", "e", 1, 1e3), ("R1", 2, 0, 9e3), ("R2", "u", 2, 9e3), ("R3", 3, 0, 9e3), ("R4", "u", 4, 9e3)),
        *(("R5", 5, 0, 9e3), ("R6", "u", 5, 9e3), ("R7", 6, 0, 9e3), ("R8", "u", 7, 9e3), ("R9", 8, 0, 9e3)),
    ):
        lines.append(f"{name} {a} {b} {value}")
        equations.resistor(a, b, value)
    for name, a, b, value, initial in (
        *(("C1", 1, 2, 1e-6, -3), ("C2", 3, 0, 2e-6, 3), ("C3", 4, 5, 3e-6, 3), ("C4", 6, 0, 4e-6, 3)),
        ("C5", 7, 8, 5e-6, 6),
    ):
        lines.append(f"{name} {a} {b} {value} ic={initial}")
        equations.capacitor(a, b, value, initial)
    for name, collector, base, emitter in (("X1", 4, 2, 3), ("X2", 7, 5, 6)):
        lines.append(f"{name} {collector} {base} {emitter} trans")
        equations.junction(base, emitter, 1e-6, 0.026)
        equations.junction(base, emitter, 1e-6, 0.026, gain=0.99, into=(collector, base))
    lines += [".subckt trans c b e", "F1 c b Vs 0.99", "Vs b x 0", "D1 x e junction", ".ends"]
    lines.append(".model junction D(is=1u n=1.00522271)")
    return CircuitMotion("transistor amplifier", "\n".join(lines), tuple(f"n{k}" for k in range(1, 9)), equations, 0.2)


def diode_ladder(stages: int = 50) -> CircuitMotion:
    """Return stages of a resistor, and a capacitor and a diode to the ground."""
    lines = ["V1 e 0 SIN(0 2 1k)", ".model dd D(is=1e-14)"]
    equations = NodalEquations(stages, {"e": lambda t: 2 * sin(2000 * pi * t)})
    for k in range(1, stages + 1):
        before = "e" if k == 1 else k - 1
        lines += [f"R{k} {before} {k} 100", f"C{k} {k} 0 1n", f"D{k} {k} 0 dd"]
        equations.resistor(before, k, 100.0)
        equations.capacitor(k, 0, 1e-9, 0.0)
        equations.junction(k, 0, 1e-14, 0.025864925)
    nodes = tuple(f"n{k}" for k in range(1, stages + 1))
    return CircuitMotion(f"ladder of {stages} stages", "\n".join(lines), nodes, equations, 2.3e-3)


CIRCUITS: tuple[Callable[[], CircuitMotion], ...] = (transistor_amplifier, diode_ladder)
