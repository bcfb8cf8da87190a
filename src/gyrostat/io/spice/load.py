"""SPICE netlists as models."""

from __future__ import annotations

import os
import warnings

from gyrostat.errors import ModelError
from gyrostat.io.spice.building import Builder
from gyrostat.io.spice.netlist import read_netlist
from gyrostat.model import Model
from gyrostat.program.warning import GyrostatWarning


def load_spice(path: str | os.PathLike[str]) -> Model:
    """Return the model of a circuit in a SPICE netlist; a warning names what was left out.

    Elements R, L, C, V, I, D, Q, M (level 1), E, F, G, H and subcircuits X are read, with `.param`, `.subckt` and
    `.model`, expressions in braces, suffixes (`4.7k`, `10MEG`) and the sources DC, SIN, PULSE and PWL. Elements keep
    their names in upper case, nodes in lower case: node 0 is `gnd`, node 7 `n7`, resistor R1 of subcircuit X2 `X2_R1`.
    Analyses are calls of the package and left out. Other lines are refused, and no other file is read.
    """
    circuit, faults = read_netlist(path)
    builder = Builder(Model(circuit.name))
    builder.faults += faults
    builder.build(circuit)
    if builder.faults:
        raise ModelError(builder.faults, f"{os.path.basename(path)} cannot be imported:")
    if builder.notes:
        notes = " ".join(dict.fromkeys(builder.notes))
        warnings.warn(f"{os.path.basename(path)}: {notes}", GyrostatWarning, stacklevel=2)
    return builder.model
