"""Laws and event functions of a run that may vary rapidly with the state, as kernels take them.

Steps resolve laws, and conditions within event functions, that vary rapidly. An event function that does so as a whole
has no influence on the motion: the search for its zeros has its bounds instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.analysis.integrators.run import NO_EVENT_BOUNDS, NO_RAPID_LAWS
from gyrostat.analysis.kernels.problem import EventBounds, RapidLaws
from gyrostat.model.formula import Formula
from gyrostat.model.rapid_parts import may_vary_rapidly, varies_as_a_whole
from gyrostat.recipes.rapid_signals import RapidPrograms
from gyrostat.system import System

_PROGRAM_CACHE: WeakKeyDictionary[System, dict[tuple[Any, ...], RapidPrograms]] = WeakKeyDictionary()
"""Programs of systems by the formulas of their inputs and events; `rapid_laws` and `event_bounds` alone use it."""


def rapid_laws(system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula]) -> RapidLaws:
    """Return the functions in laws, inputs and event functions that may vary rapidly."""
    events = {name: one for name, one in events.items() if not varies_as_a_whole(one, system.model.parameters)}
    if not inputs and not events and not system.laws_may_vary_rapidly:
        return NO_RAPID_LAWS
    given = system.with_measures((*inputs.values(), *events.values()))
    if not system.laws_may_vary_rapidly and not may_vary_rapidly(given, system.model.parameters):
        return NO_RAPID_LAWS
    programs = _programs(system, inputs, events, whole=False)
    return _bounded(system, programs) if programs.functions else NO_RAPID_LAWS


def event_bounds(system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula]) -> EventBounds:
    """Return the event functions that may vary rapidly as a whole."""
    whole = [varies_as_a_whole(formula, system.model.parameters) for formula in events.values()]
    if not any(whole):
        return NO_EVENT_BOUNDS
    chosen = {name: formula for (name, formula), one in zip(events.items(), whole, strict=True) if one}
    programs = _programs(system, inputs, chosen, whole=True)
    numbers, places = np.full(len(events), -1, dtype=np.int64), np.flatnonzero(whole)
    for i, function in enumerate(programs.functions):
        numbers[places[function.event]] = i
    return EventBounds(_bounded(system, programs), numbers) if programs.functions else NO_EVENT_BOUNDS


def _programs(
    system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula], *, whole: bool
) -> RapidPrograms:
    known = _PROGRAM_CACHE.setdefault(system, {})
    written = tuple((name, formula.source) for one in (inputs, events) for name, formula in one.items())
    key = whole, len(inputs), written
    if key not in known:
        known[key] = system.rapid_functions(events, inputs=inputs or None, events=whole)
    return known[key]


def _bounded(system: System, programs: RapidPrograms) -> RapidLaws:
    functions = programs.functions
    addresses = [[program.address for program in programs.of(function)] for function in functions]
    arguments = [list(function.arguments.values()) for function in functions]
    conditions = np.array([function.condition for function in functions], dtype=float)
    sizes = programs.arguments.output_size, system.row.state_size
    return RapidLaws.of(programs.arguments.address, np.array(addresses, dtype=np.int64), arguments, conditions, sizes)
