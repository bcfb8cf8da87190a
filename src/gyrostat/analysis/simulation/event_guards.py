"""Guards of event functions: the switching functions of their conditions, watched beside them.

An event function with conditions jumps where one of these changes, and may cross zero and return within a step without
a trace in samples. The search for events cuts a step at the zeros of guards, between which event functions are smooth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gyrostat.analysis.events import Event
from gyrostat.analysis.kernels.run_record import GUARD, Watch
from gyrostat.analysis.simulation.time_switches import inlined
from gyrostat.model.formula import Formula
from gyrostat.model.switches import switches_of
from gyrostat.system import System

_JUMP_FUNCTIONS = ("sign", "floor", "ceil")
"""Functions that jump, as comparisons do; others, such as `abs`, have kinks only, which samples and rates show."""


def guards_of(system: System, formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    """Return the switching functions of event functions that can jump, measures included, by names of their own."""
    model = system.model
    measures = {name: Formula.of(measure.formula) for name, measure in model.measures.items()}
    guards: dict[str, Formula] = {}
    for name, formula in formulas.items():
        whole = formula
        while not whole.names.isdisjoint(measures):
            whole = inlined(whole, measures)
        if not any(
            kind == "compare" or (kind == "call" and payload in _JUMP_FUNCTIONS) for kind, payload, _ in whole.steps
        ):
            continue
        for switch in switches_of(whole):
            if switch.function.names - model.parameters.keys():
                key = f"{name} guard {len(guards)}"
                guards[key] = Formula(f"{key} of {formula.source}", _at_zero(switch.function, whole=switch.whole).steps)
    return guards


def _at_zero(function: Formula, *, whole: bool) -> Formula:
    """Return a function that is zero at the switch; at whole numbers, sin π f."""
    if not whole:
        return function
    return Formula(
        function.source, (*function.steps, ("constant", "pi", 0), ("arithmetic", "*", 2), ("call", "sin", 1))
    )


def watched_events(events: Sequence[Event], guards: int, sides: np.ndarray[Any, np.dtype[np.int8]] | None) -> Watch:
    """Return what is watched of events, whose functions are on known sides of zero, and of further guards."""
    known = np.zeros(len(events), dtype=np.int8) if sides is None else sides
    return Watch(
        np.append(known, np.zeros(guards, dtype=np.int8)),
        np.array([*(event.direction.sign for event in events), *([GUARD] * guards)], dtype=np.int8),
        np.array([*(event.active for event in events), *([False] * guards)], dtype=np.bool_),
    )
