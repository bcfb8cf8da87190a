"""Laws and event functions of a run that may vary rapidly with the state, as kernels take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.analysis.integrators.run import NO_RAPID_LAWS
from gyrostat.analysis.kernels.problem import RapidLaws
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.formula import Formula
from gyrostat.model.rapid_parts import may_vary_rapidly
from gyrostat.program import Program
from gyrostat.system import System

_KNOWN: WeakKeyDictionary[System, dict[tuple[Any, ...], tuple[Program, Program] | None]] = WeakKeyDictionary()
"""Programs of systems by the formulas of their inputs and events; `rapid_laws` alone uses it."""


def rapid_laws(system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula], x: Floats) -> RapidLaws:
    """Return the functions in laws, inputs and event functions that may vary rapidly; x is the row of a run."""
    if not inputs and not events and not system.laws_may_vary_rapidly:
        return NO_RAPID_LAWS
    known = _KNOWN.setdefault(system, {})
    key = tuple((name, formula.source) for given in (inputs, events) for name, formula in given.items()), len(inputs)
    if key not in known:
        known[key] = _programs(system, inputs, events)
    found = known[key]
    if found is None:
        return NO_RAPID_LAWS
    signals, bounds = found
    constants = bounds.loop(np.zeros((1, bounds.input_size)))[0][bounds.output_slice("conditions")]
    return RapidLaws.of(
        (signals.address, bounds.address), constants.copy(), signals.output_size, x.size, system.row.state_size
    )


def _programs(
    system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula]
) -> tuple[Program, Program] | None:
    given = system.with_measures((*inputs.values(), *events.values()))
    if not system.laws_may_vary_rapidly and not may_vary_rapidly(given, system.model.parameters):
        return None
    signals, bounds = system.rapid_functions(events, inputs=inputs or None)
    return (signals, bounds) if bounds.output_size else None
