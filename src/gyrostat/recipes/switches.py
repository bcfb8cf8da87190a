"""Switching functions of laws: recipes for their values and rates, in programs with locked conditions."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.recipes.momenta import over_momenta
from gyrostat.recipes.signal_recipes import rates_of
from gyrostat.recipes.trace import Trace
from gyrostat.scalar.locked import Switch
from gyrostat.scalar.traced import column


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
    is the number of the law: of inputs, then of force elements and of states.
    """
    switches, motion, inputs = _switches(trace), trace.motion, trace.arguments["inputs"]
    model = motion.tree.coordinates.topology.model
    owners = [*motion.state.inputs, *model.forces, *model.states]
    return {
        "whole": column(float(switch.whole) for switch in switches),
        "at_zero": column(switch.at_zero for switch in switches),
        "rough": column(float(rough) for rough in (trace.switches.roughness() if trace.switches else [])),
        "on_inputs": column(float(casadi.depends_on(switch.function, inputs)) for switch in switches),
        "owners": column(float(owners.index(switch.owner)) for switch in switches),
    }


def _switches(trace: Trace) -> list[Switch]:
    """Return the switching functions; none where conditions are not locked."""
    return [] if trace.switches is None else trace.switches.switches
