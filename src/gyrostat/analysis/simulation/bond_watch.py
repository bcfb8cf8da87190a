"""Bonds that cannot be simulated: loaded beyond their limits at the start, or between places of given motion."""

from __future__ import annotations

from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula


def require_whole_bonds(problem: Problem, begin: Aftermath, t: float) -> None:
    """Raise an error where a bond that is not broken is loaded beyond its limit, or cannot break."""
    system, plan = problem.system, begin.plan
    bonds = system.bonds
    switches = StateSwitches.of(system, plan.formulas, momenta=False)
    places = [] if switches is None else switches.reset_kinds[0].tolist()
    for bond in bonds:
        if system.state_names.index(bond.broken) not in places:
            raise StateError(
                f"Bond {bond.name!r} holds places whose motion is given, so that its breaking follows from time alone "
                "and is not watched. Let one of the bodies move freely, or leave the bond out."
            )
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
