"""Arguments that are functions of time alone: time, and the inputs that drive coordinates."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.kinematics.driving_inputs import with_rates
from gyrostat.recipes.trace import Trace


def moving_in_time(trace: Trace) -> tuple[Any, Any]:
    """Return the arguments that change with time by themselves, and their rates, as columns.

    These are the time, and the inputs that drive coordinates with their rates. Accelerations of such inputs, and other
    inputs, are taken as constant.
    """
    model = trace.motion.tree.coordinates.topology.model
    places = {name: i for i, name in enumerate(model.inputs)}
    inputs = trace.arguments["inputs"]
    symbols, rates = [trace.arguments["t"]], [casadi.SX(1)]
    for name in model.driving_inputs:
        value, rate, acceleration = (inputs[places[one]] for one in with_rates(name))
        symbols += [value, rate]
        rates += [rate, acceleration]
    return casadi.vertcat(*symbols), casadi.vertcat(*rates)
