"""The switching functions of a system's laws, which are the event indicators of an FMU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.system import System


@dataclass(frozen=True)
class Switch:
    """A switching function: whether it switches at whole numbers, and its mode where it stays zero."""

    whole: bool
    at_zero: float


def switches_of(system: System) -> tuple[Switch, ...]:
    """Return the switching functions in the order of the modes."""
    if not system.laws_may_switch:
        return ()
    function = system.casadi_function("switch_kinds", locked=True)
    arguments = [np.zeros(function.size1_in(i)) for i in range(function.n_in())]
    found = dict(zip(function.name_out(), function(*arguments), strict=True))
    whole, at_zero = (np.asarray(found[name], dtype=float).ravel() for name in ("whole", "at_zero"))
    return tuple(Switch(bool(one), float(zero)) for one, zero in zip(whole, at_zero, strict=True))
