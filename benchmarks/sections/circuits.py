"""Networks beside ngspice and SciPy, and their costs by the number of nodes."""

from __future__ import annotations

from comparisons.circuits import NODES, compare_circuits, measure_circuit_growth
from tables import growth_table, motion_table

TITLE = "Circuits"
_TEXT = """\
The transistor amplifier of the test set for initial value problems and a ladder of 50 stages, each a resistor and a
capacitor and a diode to the ground, from the same SPICE netlists (`benchmarks/circuit_models.py`), at equal error of
the voltages of all nodes at the end (V). Of ngspice the time that it reports for its analyses counts, without its
start. SciPy's Radau has nodal equations in NumPy that know nothing of gyrostat, with exact Jacobian; before timing both
sides are compared at fine tolerances. *Whole call* is `gs.simulate` with the labelled voltages of all nodes.

{circuits}

Ladders of growing length, from the netlist to the results of two simulations, in processor time; programs are compiled
anew.

{nodes}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    circuits = compare_circuits(rounds=3 if short else 11)
    nodes = measure_circuit_growth(nodes=NODES[:2] if short else NODES)
    return _TEXT.format(circuits=motion_table(circuits), nodes=growth_table(nodes, "circuit"))
