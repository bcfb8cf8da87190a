"""Formulas: every name known where it stands, every number finite."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import CONSTANT, FormulaUse, Scope
from gyrostat.model.names import did_you_mean


def formula_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults in the formulas of components, parameters and gravity."""
    model = subject.model
    system = {name for joint in model.joints.values() for name in (*joint.coordinate_names, *joint.speed_names)}
    system |= {f"{joint.full_name(c.label)}.rate" for joint in model.joints.values() for c in joint.coordinates}
    system |= {
        f"{body.name}.{rotor.name}{rate}"
        for body in model.bodies.values()
        for rotor in body.rotors
        if rotor.free
        for rate in ("", ".rate")
    }
    system |= set(model.inputs)
    for name, component in model.components.items():
        for use in subject.uses[name]:
            if not isinstance(use, FormulaUse) or use.formula.number is not None:
                continue  # a number is finite, or it would not have been read
            if use.formula.names:
                for fact, remedy in _name_faults(subject, use.formula, use.scope, system):
                    yield subject.fault(component, use.path, fact, remedy)
            if subject.known(use.formula) and (reason := _no_number(subject, use.formula)):
                yield subject.fault(component, use.path, f"{use.formula!s:.60} has no value: {reason}.", "Correct it.")
    yield from _head_faults(subject)


def _head_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of parameters and gravity."""
    model = subject.model
    for name, parameter in model.parameters.items():
        if parameter.value is not None:
            for fact, remedy in _name_faults(subject, parameter.value, CONSTANT, set()):
                position = model.position(None, ("parameters", name))
                yield Fault(f"parameter {name!r}", fact, remedy, (), position)
    _, faults_of_values = model.parameters.evaluate()
    for name, fault in faults_of_values:
        yield fault.at(model.position(None, ("parameters", name)))
    for i, formula in enumerate(model.gravity):
        faults = list(_name_faults(subject, formula, CONSTANT, set()))
        if subject.known(formula) and (reason := _no_number(subject, formula)):
            faults.append((f"{formula!s:.60} has no value: {reason}.", "Correct it."))
        for fact, remedy in faults:
            yield Fault("model", fact, remedy, ("gravity", i), model.position(None, ("gravity", i)))


def _name_faults(subject: Subject, formula: Formula, scope: Scope, system: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (fact, remedy) for each name that a formula may not use."""
    parameters = subject.model.parameters
    for name in sorted(formula.names & scope.variables):
        if name not in parameters and name not in system:
            continue
        fact = f"{formula!s:.60} refers to {name!r}, which means something here already: {scope.describe()}."
        yield fact, "Rename the parameter or component of this name."
    for name in sorted(formula.names - parameters.keys() - scope.variables - subject.lost):
        if name == TIME:
            if not scope.time:
                yield f"{formula!s:.60} uses time, which is not possible here.", f"Use {scope.describe()}."
        elif not (scope.system and (name in system or name.partition(".")[0] in subject.lost)):
            hint = did_you_mean(name, chain(parameters, scope.variables, system if scope.system else ()))
            yield (
                f"{formula!s:.60} refers to {name!r}, which is not known here.",
                f"It may use {scope.describe()}. {hint}",
            )


def _no_number(subject: Subject, formula: Formula) -> str:
    """Return why a formula with known parameters has no finite number, or nothing if it has one."""
    try:
        result: float = subject.evaluator(formula)
    except (ArithmeticError, ValueError) as error:
        return str(error)
    return "" if result - result == 0 else "the result is not finite"
