"""Values of inputs at rows of arguments."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.simulation.inputs import InputFunction, InputPlan
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.system import System


def input_values(system: System, plan: InputPlan, rows: Floats, modes: Floats | None = None) -> Floats:
    """Return the inputs, shape (N, number of inputs), at rows of x; not-a-number where a Python function fails.

    Conditions in formulas have the modes of a motion, shape (N, number of modes), or are evaluated as written.
    """
    filled, inputs = rows.copy(), system.row.inputs
    for name, values in plan.table_values(system, rows[:, TIME]).items():
        filled[:, inputs.start + system.inputs.index(name)] = values
    if plan.functions:
        for row in filled:
            function = InputFunction(plan, system, row)
            function.fill()
            if function.interrupted and function.failure is not None:
                raise function.failure
    if plan.formulas and modes is not None:
        return system.program("inputs", inputs=plan.formulas, locked=True).loop(np.hstack((filled, modes)))
    if plan.formulas:
        return system.program("inputs", inputs=plan.formulas).loop(filled)
    return filled[:, inputs]
