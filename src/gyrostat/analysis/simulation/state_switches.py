"""Switching functions of the state: whether laws of a system can switch, and the programs that tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.names import first_few
from gyrostat.model.switches import switches_of
from gyrostat.program import Program
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class StateSwitches:
    """The switching functions of a system's laws, in the order of its modes."""

    program: Program
    """Values and rates of all functions, at a row of x and modes."""
    whole: Floats
    """1 where a function switches at whole numbers, otherwise 0."""
    at_zero: Floats
    """The mode of a function that stays zero."""
    rough: Floats
    """1 where a law may be a fractional power of a function, and is not smooth at the switch, otherwise 0."""
    on_inputs: bool
    """Whether a function depends on inputs that are no formulas."""
    owners: tuple[str, ...]
    """The input, force element or state whose law has the condition."""
    resets: Program | None
    """New values of the state variables that jump where a condition becomes true; None where there are none."""
    reset_kinds: tuple[Floats, Floats, Floats]
    """Where in z they are, the switching function of each, and the mode with which its condition is true."""
    touching: Floats
    """The mode with which bodies touch; −1 for functions of other conditions."""

    @staticmethod
    def of(system: System, formulas: Mapping[str, Formula], *, momenta: bool) -> StateSwitches | None:
        """Return the switching functions of a system with some inputs as formulas; None where it has none."""
        if not formulas and not system.laws_may_switch:
            return None
        known = _SWITCH_CACHE.setdefault(system, {})
        key = (momenta, *((name, formula.source) for name, formula in formulas.items()))
        if key not in known:
            known[key] = _form(system, formulas, momenta) if may_switch(system, formulas) else None
        return known[key]


_SWITCH_CACHE: WeakKeyDictionary[System, dict[tuple[Any, ...], StateSwitches | None]] = WeakKeyDictionary()
"""Switching functions of systems by the formulas of their inputs; `StateSwitches.of` alone uses it."""


def _form(system: System, formulas: Mapping[str, Formula], momenta: bool) -> StateSwitches | None:
    inputs = formulas or None
    kinds = system.program("switch_kinds", inputs=inputs, locked=True)
    if not kinds.output_size:
        return None
    constants = kinds.loop(np.zeros((1, kinds.input_size)))[0]
    whole, at_zero, rough, of_inputs, owners = (
        constants[kinds.output_slice(name)] for name in ("whole", "at_zero", "rough", "on_inputs", "owners")
    )
    places, numbers, modes = (
        constants[kinds.output_slice(f"reset_{name}")] for name in ("places", "switches", "modes")
    )
    states = (first_few(state.law_names) for state in system.model.states.values())
    names = (*system.inputs, *system.model.forces, *states)
    return StateSwitches(
        system.program("canonical_switches" if momenta else "switches", inputs=inputs, locked=True),
        whole,
        at_zero,
        rough,
        bool(of_inputs.any()),
        tuple(names[int(owner)] for owner in owners),
        system.program("resets", inputs=inputs, locked=True) if places.size else None,
        (places, numbers, modes),
        constants[kinds.output_slice("touching")],
    )


def may_switch(system: System, formulas: Mapping[str, Formula]) -> bool:
    """Tell whether laws of a system, or inputs given as formulas, may have conditions of the state."""
    used = system.with_measures(formulas.values())
    return system.laws_may_switch or any(_switches_with_state(system, formula) for formula in used)


def _switches_with_state(system: System, formula: Formula) -> bool:
    """Tell whether a formula has conditions of anything but time and parameters."""
    fixed = {TIME, *system.model.parameters}
    return any(not switch.function.names <= fixed for switch in switches_of(formula))
