"""Switching functions of laws: recipes for their values and rates, in programs with locked conditions."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.kinematics.state_rates import delayed_signals, resets_of, touching_in
from gyrostat.model.state_variable import Reset
from gyrostat.recipes.momenta import over_momenta
from gyrostat.recipes.signal_recipes import rates_of
from gyrostat.recipes.trace import Trace
from gyrostat.scalar.locked import LockedSwitch
from gyrostat.scalar.switch_symbols import mode_column, roughness
from gyrostat.scalar.traced import as_sx, column


def form_switches(trace: Trace) -> dict[str, Any]:
    """Return values and rates of all switching functions, with modes held; none where conditions are not locked."""
    values = casadi.densify(casadi.vertcat(casadi.SX(0, 1), *(switch.function for switch in _switches(trace))))
    return {"values": values, "rates": rates_of(trace, values)}


def form_canonical_switches(trace: Trace) -> dict[str, Any]:
    """Return the same over coordinates and momenta; the port u holds p."""
    return over_momenta(trace, form_switches(trace))


def form_switch_kinds(trace: Trace) -> dict[str, Any]:
    """Return constants that describe all switching functions.

    `whole` tells those that switch at whole numbers, `at_zero` is the mode of a function that stays zero, `rough` tells
    those of which a law is a fractional power, `on_inputs` those that depend on inputs which are no formulas, `owners`
    is the number of the law: of inputs, then of force elements and of states. `reset_places`, `reset_switches` and
    `reset_modes` describe the state variables that jump: where in z they are, with which function, and at which mode.
    `touching` is the mode with which bodies touch, −1 for functions of other conditions.
    """
    switches, motion, inputs = _switches(trace), trace.motion, trace.arguments["inputs"]
    model = motion.tree.coordinates.topology.model
    owners = [*motion.state.inputs, *model.forces, *model.states]
    return {
        "whole": column(float(switch.whole) for switch in switches),
        "at_zero": column(switch.at_zero for switch in switches),
        "rough": column(float(rough) for rough in (roughness(trace.switches) if trace.switches else [])),
        "on_inputs": column(float(casadi.depends_on(switch.function, inputs)) for switch in switches),
        "owners": column(float(owners.index(switch.owner)) for switch in switches),
        **_reset_kinds(trace),
        "touching": column(_touching_modes(trace)),
    }


def _switches(trace: Trace) -> list[LockedSwitch]:
    """Return the switching functions; none where conditions are not locked."""
    return [] if trace.switches is None else trace.switches.switches


def form_resets(trace: Trace) -> dict[str, Any]:
    """Return the values that state variables jump to, in the order of `reset_places`."""
    return {"values": column(value for reset in _resets(trace) for value in reset.values.values())}


def form_delayed_signals(trace: Trace) -> dict[str, Any]:
    """Return the present values of the signals of delays; `on_modes` is 1 for those that depend on conditions."""
    values = casadi.densify(column(delayed_signals(trace.motion)))
    modes = casadi.SX(0, 1) if trace.switches is None else mode_column(trace.switches)
    return {
        "values": values,
        "on_modes": column(float(casadi.depends_on(values[i], modes)) for i in range(values.numel())),
    }


def _resets(trace: Trace) -> list[Reset]:
    """Return the resets whose conditions depend on the state; bodies that are driven may have others."""

    def form(trace: Trace) -> list[Reset]:
        return [reset for reset in resets_of(trace.motion) if _switch_of(trace, reset.condition) is not None]

    return [] if trace.switches is None else trace.once("resets", form)


def _reset_kinds(trace: Trace) -> dict[str, Any]:
    """Return constants that describe the state variables that jump."""
    place_of = trace.motion.tree.coordinates.place_of
    places, switches, modes = [], [], []
    for reset in _resets(trace):
        found = _switch_of(trace, reset.condition)
        assert found is not None, "resets without a switching function are left out"
        for name in reset.values:
            places.append(float(place_of[name][1]))
            switches.append(float(found[0]))
            modes.append(found[1])
    return {"reset_places": column(places), "reset_switches": column(switches), "reset_modes": column(modes)}


def _touching_modes(trace: Trace) -> list[float]:
    """Return for each switching function the mode with which bodies touch, or −1."""
    found = [-1.0] * len(_switches(trace))
    for condition in touching_in(trace.motion) if found else ():
        switch = _switch_of(trace, condition)
        if switch is not None:
            found[switch[0]] = switch[1]
    return found


def _switch_of(trace: Trace, condition: Any) -> tuple[int, float] | None:
    """Return the switching function of a condition, and the mode with which it is true: it is a mode, or 1 − it.

    None for a condition that does not depend on the state.
    """
    assert trace.switches is not None, "conditions are locked"
    by_modes = casadi.DM(casadi.jacobian(as_sx(condition), mode_column(trace.switches)))
    if by_modes.nnz() == 0:
        return None
    (number,) = by_modes.sparsity().get_col()
    return number, 1.0 if float(by_modes[number]) > 0 else 0.0
