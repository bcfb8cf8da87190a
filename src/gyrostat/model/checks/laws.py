"""Check of laws that refer to each other: no force element or measure depends on itself."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.forces import ForceElement
from gyrostat.model.kinds import FormulaUse


def law_cycle_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault if laws of force elements or measures form a cycle, with the signals along it."""
    needs = {name: _needed(subject, name) for name in (*subject.forces, *subject.model.measures)}
    try:
        tuple(TopologicalSorter({name: needed.keys() for name, needed in needs.items()}).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1][::-1]  # each needs the next
        names = [needs[a][b] for a, b in pairwise(circle)]
        way = " → ".join((names[-1], *names))
        component = subject.model[circle[0]]
        fact = f"its law depends on its own value: {way}."
        yield subject.fault(component, (), fact, "Use signals that do not depend on it, or a state between them.")


def _needed(subject: Subject, name: str) -> dict[str, str]:
    """Return the force elements and measures that laws of a component depend on, with the signals that they use."""
    found: dict[str, str] = {}
    for use in subject.uses[name]:
        if not isinstance(use, FormulaUse) or not use.scope.system:
            continue
        for used in sorted(use.formula.names - use.scope.variables):
            owner, signal = _owner(subject, used)
            if owner is not None:
                found.setdefault(owner, signal)
    return found


def _owner(subject: Subject, name: str) -> tuple[str | None, str]:
    """Return the component whose laws enter a signal, or None, and the signal's name without a component's label."""
    if name in subject.model.measures:
        return name, name
    component, rest = subject.directory.split(name)
    if not isinstance(component, ForceElement) or not rest:
        return None, name
    owner, output = component.name, rest.partition(".")[0]
    declared = component.outputs.get(output)
    return (None, name) if declared is not None and declared.kinematic else (owner, f"{owner}.{output}")
