"""Bonds that are loaded beyond their limits at the start of a motion."""

from __future__ import annotations

from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.errors import StateError
from gyrostat.model.forces import Bond
from gyrostat.model.formula import Formula


def require_whole_bonds(problem: Problem, begin: Aftermath, t: float) -> None:
    """Raise an error where a bond that is not broken is loaded beyond its limit."""
    system, plan = problem.system, begin.plan
    bonds = [force for force in system.model.forces.values() if isinstance(force, Bond)]
    if not bonds:
        return
    loads = {bond.name: Formula.of(f"(1 - {bond.broken})*{bond.name}.load") for bond in bonds}
    row = problem.vector(t, begin.state, begin.parameters, plan)
    row[system.row.inputs] = input_values(system, plan, row[None, :])[0]
    found = system.signal_values(loads, inputs=plan.formulas or None).loop(row[None, :])[0]
    for bond, load in zip(bonds, found, strict=True):
        if load > 1:
            raise StateError(
                f"The motion cannot begin: bond {bond.name!r} is loaded {load**0.5:.4g} times its limit at t = {t:g} "
                f"s. Begin with less stretch, give a larger limit, or begin with {bond.broken!r}: 1."
            )
