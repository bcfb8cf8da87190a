"""Conditions of the state in constraints, which no analysis watches: the note of a simulation and a warning."""

from __future__ import annotations

import warnings
from weakref import WeakSet

from gyrostat.program.warning import GyrostatWarning
from gyrostat.system import System

_WARNED_SYSTEMS: WeakSet[System] = WeakSet()
"""Systems of which `warn_of_conditions` has warned."""


def note_on_constraints(system: System) -> str | None:
    """Return the note on conditions of the state in constraints, which are not watched; None where there are none."""
    if not system.switching_constraints:
        return None
    return (
        f"Conditions of the state in {_names(system)} are not watched: no step ends where they switch. Methods with "
        "error control take short steps there, fixed steps lose their order. At a corner of the constraint the speeds "
        "jump as in a plastic impact, and energy is lost. Write one smooth formula where that is not meant."
    )


def warn_of_conditions(system: System) -> None:
    """Warn, once for a system, that conditions of the state in constraints are evaluated as written."""
    if not system.switching_constraints or system in _WARNED_SYSTEMS:
        return
    _WARNED_SYSTEMS.add(system)
    warnings.warn(
        f"Conditions of the state in {_names(system)} are evaluated as written, and derivatives are those of one side. "
        "At a corner of the constraint positions may be missed and linear models do not hold. Write one smooth formula "
        "where that is not meant.",
        GyrostatWarning,
        stacklevel=4,
    )


def _names(system: System) -> str:
    found = [repr(name) for name in system.switching_constraints]
    return f"constraint {found[0]}" if len(found) == 1 else f"constraints {', '.join(found)}"
