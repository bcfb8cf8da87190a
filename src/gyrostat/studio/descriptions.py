"""Faults and models as plain values of messages."""

from __future__ import annotations

from typing import Any

from gyrostat.studio.base import StudioBase
from gyrostat.studio.tabs import input_names, plotted_by_default

_OUTPUT_LIMIT = 400


def plain_fault(fault: Any) -> dict[str, Any]:
    """Return a fault with its place in the text."""
    line, column = (fault.position.line, fault.position.column) if fault.position else (1, 1)
    text = str(fault).removeprefix(f"{fault.position}: ") if fault.position else str(fault)
    return {"line": line, "column": column, "text": text}


def plain_model(base: StudioBase) -> dict[str, Any]:
    """Return what the page needs to know of a structure."""
    system = base.system
    table = system.signal_table
    return {
        "name": system.model.name,
        "summary": str(system),
        "bodies": list(system.bodies),
        "loops": bool(system.constrained),
        "outputs": list(table.outputs)[:_OUTPUT_LIMIT],
        "plotted": plotted_by_default(system),
        "inputs": [{"name": name, "unit": table[name].unit if name in table else ""} for name in input_names(system)],
    }
