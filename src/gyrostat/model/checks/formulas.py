"""Check of formulas: every name is defined in its scope, every value is finite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import CONSTANT, FormulaUse, Scope
from gyrostat.model.names import did_you_mean
from gyrostat.model.record import Component


def formula_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults in the formulas of components, parameters and gravity."""
    for component in subject.model.components.values():
        yield from formula_faults_of(component, subject)
    yield from _head_faults(subject)


def formula_faults_of(component: Component, subject: Subject) -> Iterator[Fault]:
    """Yield faults in the formulas of one component."""
    for use in component.all_uses:
        if type(use) is not FormulaUse or type(use.formula.source) is not str:
            continue  # literal numbers were checked when they were read
        if not _only_parameters(subject, use.formula, use.scope):
            owner, known = component.name.rpartition(".")[0], _names_in(subject, use.scope)
            for fact, remedy in _name_faults(subject, use.formula, use.scope, known, owner):
                yield subject.fault(component, use.path, fact, remedy)
        if reason := subject.outcome(use.formula)[1]:
            yield subject.fault(component, use.path, f"{use.formula!s:.60} has no value: {reason}.", "Correct it.")


def _only_parameters(subject: Subject, formula: Formula, scope: Scope) -> bool:
    """Return whether a formula uses parameters only, none of them shadowed in its scope."""
    names = formula.names
    return names <= subject.parameters and names.isdisjoint(scope.variables)


def _names_in(subject: Subject, scope: Scope) -> frozenset[str]:
    """Return the names of coordinates, speeds, inputs and positions that a scope allows."""
    if scope.positions:
        states = (name for name, one in subject.states.items() if scope.states and not one.algebraic)
        return subject.position_names.union(states)
    if scope.inputs:
        return frozenset(subject.model.given_inputs)
    return subject.names.quantities if scope.system else frozenset()


def _head_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of parameters and gravity."""
    model = subject.model
    for name, parameter in model.parameters.items():
        if parameter.value is None or parameter.value.number is not None:
            continue
        if not _only_parameters(subject, parameter.value, CONSTANT):
            for fact, remedy in _name_faults(subject, parameter.value, CONSTANT, frozenset()):
                position = model.position(None, ("parameters", name))
                yield Fault(f"parameter {name!r}", fact, remedy, (), position)
    for name, fault in subject.parameter_faults:
        yield fault.at(model.position(None, ("parameters", name)))
    for i, formula in enumerate(model.gravity):
        if formula.number is not None:
            continue
        unknown = not _only_parameters(subject, formula, CONSTANT)
        faults = list(_name_faults(subject, formula, CONSTANT, frozenset())) if unknown else []
        if reason := subject.outcome(formula)[1]:
            faults.append((f"{formula!s:.60} has no value: {reason}.", "Correct it."))
        for fact, remedy in faults:
            yield Fault("model", fact, remedy, ("gravity", i), model.position(None, ("gravity", i)))


def _name_faults(
    subject: Subject, formula: Formula, scope: Scope, system: frozenset[str], owner: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield (fact, remedy) for each name that a formula may not use.

    Of a part of an owner, a variable of its own is compared with the names beside it in the owner as well.
    """
    parameters, named = subject.model.parameters, scope.system or scope.positions or scope.inputs
    for name in sorted(formula.names & scope.variables):
        meanings = {name, f"{owner}.{name}"} if owner else {name}
        if meanings.isdisjoint((*parameters, *system, *subject.model.measures)):
            continue
        fact = f"{formula!s:.60} refers to {name!r}, which has another meaning here: {scope.describe()}."
        yield fact, "Rename the parameter or component of this name."
    for name in sorted(formula.names - subject.parameters - scope.variables - subject.lost):
        if name == TIME:
            if not scope.time:
                yield f"{formula!s:.60} uses time, which is not allowed here.", f"Use {scope.describe()}."
            continue
        if named and (name in system or subject.is_lost(name) or (scope.states and subject.is_relative_position(name))):
            continue
        fault = _signal_fault(subject, name, scope) if scope.system else _UNKNOWN_NAME
        if fault is not None:
            near = _near(subject, name) if scope.system else system
            hint = did_you_mean(name, chain(parameters, scope.variables, near if named else ()))
            remedy = fault[1] or f"It may use {scope.describe()}. {hint}"
            yield f"{formula!s:.60} refers to {name!r}, which {fault[0]}.", remedy


_UNKNOWN_NAME = ("is not known here", "")
_REMEDY = "Use positions, speeds, inputs and outputs of force elements."


def _signal_fault(subject: Subject, name: str, scope: Scope) -> tuple[str, str] | None:
    """Return the reason why a name is no signal that a law may use, and a remedy if it is known, or None."""
    names = subject.names
    if name in names.laws or names.is_relative(name) or (scope.derived and name in names.derived):
        return None
    if name in names.derived:
        return "follows from the accelerations or loads that these forces cause", _REMEDY
    parts = [f"{name}.{axis}" for axis in "xyz"]
    if any(part in names.laws or part in names.derived or names.is_relative(part) for part in parts):
        return "is a vector", f"Use a component: {', '.join(parts)}."
    return _UNKNOWN_NAME


def _near(subject: Subject, name: str) -> Iterable[str]:
    """Return the names to suggest for an unknown one: of the component that it begins with, or all quantities.

    Those of a component come with the shortest paths first, so that a list that is cut off has the coordinates.
    """
    component, _ = subject.directory.split(name)
    if component is None:
        return subject.names.quantities
    own = (one for one in subject.names.laws if one == component.name or one.startswith(f"{component.name}."))
    return sorted(own, key=lambda one: (one.count("."), one))
