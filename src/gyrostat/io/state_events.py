"""State events of a system: the switching functions of its laws, and the states that jump."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.system import System


@dataclass(frozen=True)
class StateSwitch:
    """A switching function: whether it switches at whole numbers, and its mode where it stays zero."""

    whole: bool
    at_zero: float


@dataclass(frozen=True)
class Jump:
    """A state variable that jumps: its place in z, and the switching function and the mode with which it does."""

    place: int
    switch: int
    mode: float


@dataclass(frozen=True)
class Events:
    """The events of a system: switching functions in the order of the modes, and states that jump."""

    switches: tuple[StateSwitch, ...] = ()
    jumps: tuple[Jump, ...] = ()


def events_of(system: System) -> Events:
    """Return the events of a system's laws."""
    if not system.laws_may_switch:
        return Events()
    function = system.casadi_function("switch_kinds", locked=True)
    arguments = [np.zeros(function.size1_in(i)) for i in range(function.n_in())]
    outputs = dict(zip(function.name_out(), function(*arguments), strict=True))
    found = {name: np.asarray(values, dtype=float).ravel().tolist() for name, values in outputs.items()}
    switches = zip(found["whole"], found["at_zero"], strict=True)
    jumps = zip(found["reset_places"], found["reset_switches"], found["reset_modes"], strict=True)
    return Events(
        tuple(StateSwitch(bool(whole), zero) for whole, zero in switches),
        tuple(Jump(int(place), int(switch), mode) for place, switch, mode in jumps),
    )
