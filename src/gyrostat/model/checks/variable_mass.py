"""Checks of masses that vary: possible values at the start, and shifts that are given in time."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.checks.mass import InertiaViolation, principal_moments, violation
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import VariableMass
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import Path
from gyrostat.model.switches import switches_of
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import ZERO, MassProperties, Matrix


def variable_mass_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of masses that vary."""
    for force in subject.forces.values():
        if isinstance(force, VariableMass) and force.name not in subject.indefinite:
            if force.shifts:
                yield from _shift_faults(subject, force)
            yield from _jump_faults(subject, force)
            yield from _value_faults(subject, force)


def _shift_faults(subject: Subject, force: VariableMass) -> Iterator[Fault]:
    """Yield faults of a shift that is not given in time."""
    places: list[tuple[Path, Formula]] = [(("center", i), entry) for i, entry in enumerate(force.center)]
    places += [(("inertia", i, j), entry) for i, row in enumerate(force.inertia) for j, entry in enumerate(row)]
    for path, formula in places:
        names = sorted(formula.names - subject.parameters - {TIME} - subject.lost)
        if names:
            fact = f"{formula!s:.60} depends on {names[0]!r}, and material shifts by a motion that is given in time."
            remedy = "Use t and parameters, or give the material a body and a joint of its own."
            yield subject.fault(force, path, fact, remedy)
            return


def _jump_faults(subject: Subject, force: VariableMass) -> Iterator[Fault]:
    """Yield a fault of formulas that may jump with the state: a lump that leaves so is an event."""
    fixed = subject.parameters | {TIME}
    for formula in force.entries:
        jumps = any(kind == "compare" or (kind == "call" and name in _JUMPS) for kind, name, _ in formula.steps)
        if jumps and any(not switch.function.names <= fixed for switch in switches_of(formula)):
            fact = f"{formula!s:.60} may jump where a condition of the state changes."
            remedy = "Use max, min or abs, which do not jump, conditions of t, or a State that an event sets."
            yield subject.fault(force, ("mass",), fact, remedy)
            return


_JUMPS = ("sign", "floor", "ceil")


def _value_faults(subject: Subject, force: VariableMass) -> Iterator[Fault]:
    """Yield faults of values at t = 0, where formulas of time and parameters give them."""
    known = {**subject.values, TIME: 0.0}
    evaluator = Evaluator(FloatScalars(), known.__getitem__)

    def found(formulas: tuple[Formula, ...]) -> bool:
        return all(formula.names <= known.keys() for formula in formulas)

    try:
        mass = float(evaluator(force.mass)) if found((force.mass,)) else 1.0
        whole = found(tuple(entry for row in force.inertia for entry in row))
        a, b, c = (evaluator.vector(row) for row in force.inertia) if whole else (ZERO, ZERO, ZERO)
    except (ArithmeticError, ValueError):
        return  # formulas without a value at the start: the first step of a run reports them
    if mass < 0:
        fact = f"it is {mass:g} kg at t = 0."
        yield subject.fault(force, ("mass",), fact, "A mass cannot be negative: use max(0, …).")
        return
    inertia: Matrix = (a, b, c)
    moments = principal_moments(inertia)
    broken = violation(MassProperties(mass, ZERO, inertia), moments)
    if broken is not None:
        listed = ", ".join(f"{moment:.6g}" for moment in moments)
        what = (
            "has a negative principal moment"
            if broken is InertiaViolation.NEGATIVE
            else "violates the triangle inequality"
        )
        fact = f"it {what} at t = 0 (principal moments {listed})."
        yield subject.fault(force, ("inertia",), fact, f"{broken.value}; is the inertia about the centre?")
    elif mass == 0 and any(moments) and force.mass.number is not None:
        yield subject.fault(force, ("inertia",), "it has inertia but no mass.", "Give it a mass.")
