"""The switching functions of a trace as CasADi's expressions of modes that are symbols."""

from __future__ import annotations

from typing import Any

import casadi as ca

from gyrostat.scalar.locked import SwitchRecord


def mode_column(record: SwitchRecord) -> Any:
    """Return the modes as a column."""
    return ca.vertcat(ca.SX(0, 1), *(switch.mode for switch in record.switches))


def roughness(record: SwitchRecord) -> list[bool]:
    """Tell of each switching function whether a law may be a fractional power of it: not smooth at the switch."""
    core = record.structure.core
    cores = {core(base) for base in record.bases}
    symbols = {symbol.element_hash() for base in record.bases for symbol in ca.symvar(base)}
    return [switch.mode.element_hash() in symbols or core(switch.function) in cores for switch in record.switches]


def substitute(record: SwitchRecord, before: Any, after: Any) -> None:
    """Replace symbols in all switching functions and values of observed formulas."""
    for i, switch in enumerate(record.switches):
        record.switches[i] = switch._replace(function=ca.substitute(switch.function, before, after))
    for _, values in record.observed:
        values |= {name: ca.substitute(value, before, after) for name, value in values.items()}
