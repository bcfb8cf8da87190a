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
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.formula import Formula
from gyrostat.model.rapid_parts import may_vary_rapidly, varies_as_a_whole
from gyrostat.program import Program
from gyrostat.system import System

_KNOWN: WeakKeyDictionary[System, dict[tuple[Any, ...], tuple[Program, ...]]] = WeakKeyDictionary()
"""Programs of systems by the formulas of their inputs and events; `rapid_laws` and `event_bounds` alone use it."""


def rapid_laws(system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula], x: Floats) -> RapidLaws:
    """Return the functions in laws, inputs and event functions that may vary rapidly; x is the row of a run."""
    events = {name: one for name, one in events.items() if not varies_as_a_whole(one, system.model.parameters)}
    if not inputs and not events and not system.laws_may_vary_rapidly:
        return NO_RAPID_LAWS
    known = _KNOWN.setdefault(system, {})
    key = _key(inputs, events)
    if key not in known:
        known[key] = _programs(system, inputs, events)
    return _bounded(system, known[key], x) if known[key] else NO_RAPID_LAWS


def event_bounds(
    system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula], x: Floats
) -> EventBounds:
    """Return the event functions that may vary rapidly as a whole."""
    whole = [varies_as_a_whole(formula, system.model.parameters) for formula in events.values()]
    if not any(whole):
        return NO_EVENT_BOUNDS
    chosen = {name: formula for (name, formula), one in zip(events.items(), whole, strict=True) if one}
    known = _KNOWN.setdefault(system, {})
    key = ("events", *_key(inputs, chosen))
    if key not in known:
        known[key] = system.rapid_events(chosen, inputs=inputs or None)
    programs, numbers = known[key], np.full(len(events), -1, dtype=np.int64)
    found = _constants(programs[-1], "numbers")
    numbers[np.flatnonzero(whole)] = found
    return EventBounds(_bounded(system, programs, x), numbers) if found.max() >= 0 else NO_EVENT_BOUNDS


def _key(*given: Mapping[str, Formula]) -> tuple[Any, ...]:
    return tuple((name, formula.source) for one in given for name, formula in one.items()), len(given[0])


def _bounded(system: System, programs: tuple[Program, ...], x: Floats) -> RapidLaws:
    signals, ranges, bounds = programs
    conditions = _constants(bounds, "conditions")
    sizes = signals.output_size - conditions.size, bounds.output_size
    addresses = signals.address, ranges.address, bounds.address
    return RapidLaws.of(addresses, conditions, sizes, x.size, system.row.state_size)


def _constants(program: Program, name: str) -> Floats:
    """Return an output that is the same for all arguments."""
    outputs: Floats = program.loop(np.zeros((1, program.input_size)))[0]
    return outputs[program.output_slice(name)].copy()


def _programs(system: System, inputs: Mapping[str, Formula], events: Mapping[str, Formula]) -> tuple[Program, ...]:
    given = system.with_measures((*inputs.values(), *events.values()))
    if not system.laws_may_vary_rapidly and not may_vary_rapidly(given, system.model.parameters):
        return ()
    programs = system.rapid_functions(events, inputs=inputs or None)
    return programs if programs[-1].output_size else ()
