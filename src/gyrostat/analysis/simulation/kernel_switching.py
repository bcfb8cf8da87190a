"""Switching functions of a run, and the state variables that jump with them, as kernels take them."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.run import NO_SWITCHING
from gyrostat.analysis.kernels.problem import Resets, Switching
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.coordinates.arguments import Floats
from gyrostat.program import Program
from gyrostat.system import System

_SLACK = 1e-12
"""By how much bodies overlap or part before the law of their contact changes, in sizes of the mechanism."""


def switching_of(
    system: System, momenta: bool, switches: StateSwitches | None, plan: InputPlan, x: Floats, size: int
) -> Switching:
    """Return the switching functions, with modes at the end of x and so many rates, of momenta where these are used."""
    if switches is None:
        return NO_SWITCHING
    true_rates = _true_rates(system, plan, momenta=momenta).address
    return Switching.of(
        (switches.program.address, true_rates, switches.on_inputs, bool(system.coordinates.algebraic)),
        (switches.whole, switches.at_zero, switches.rough),
        x[system.row.size :],
        (x.size, system.row.state_size, size),
        _resets(system, switches),
        (switches.touching, _SLACK * system.model_size),
    )


def _true_rates(system: System, plan: InputPlan, *, momenta: bool) -> Program:
    """Return the program of what laws and their conditions determine: u̇ alone, where there are no state variables.

    Equilibria and initial states need that program as well.
    """
    inputs = plan.formulas or None
    if momenta:
        return system.program("canonical_rates", inputs=inputs)
    return system.ready_program("rates" if system.row.n_z else "forward_dynamics", inputs=inputs)


def _resets(system: System, switches: StateSwitches) -> Resets:
    """Return the state variables that jump with switches."""
    row, (places, numbers, modes) = system.row, switches.reset_kinds
    in_state = row.n_q + row.n_u + places.astype(np.int64)
    function = 0 if switches.resets is None else switches.resets.address
    return Resets.of(function, in_state, numbers.astype(np.int64), modes, len(switches.owners))
