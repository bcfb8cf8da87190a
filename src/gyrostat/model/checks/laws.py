"""Check of laws that refer to each other: no force element, measure or output of a block depends on itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.forces import ForceElement
from gyrostat.model.kinds import FormulaUse


def law_cycle_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault if laws of force elements, measures or blocks form a cycle, with the signals along it.

    Outputs of blocks depend on the formulas that enter them at the same instant, others than through a state.
    """
    needs = {name: _needed(subject, _laws(subject, name)) for name in (*subject.forces, *subject.measures)}
    needs |= {
        name: _needed(subject, (formula.names for formula in block.feedthrough(name)))
        for name, block in subject.blocks.items()
    }
    try:
        tuple(TopologicalSorter({name: needed.keys() for name, needed in needs.items()}).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1][::-1]  # each needs the next
        names = [needs[a][b] for a, b in pairwise(circle)]
        way = " → ".join((names[-1], *names))
        component = subject.blocks.get(circle[0]) or subject.model[circle[0]]
        fact = f"its law depends on its own value: {way}."
        yield subject.fault(component, (), fact, "Use signals that do not depend on it, or a state between them.")


def _laws(subject: Subject, name: str) -> Iterator[frozenset[str]]:
    """Yield the names in each formula of a component that may use signals."""
    for use in subject.uses[name]:
        if isinstance(use, FormulaUse) and use.scope.system:
            yield use.formula.names - use.scope.variables


def _needed(subject: Subject, laws: Iterable[frozenset[str]]) -> dict[str, str]:
    """Return the components and outputs of blocks that laws depend on, with the signals that they use."""
    found: dict[str, str] = {}
    for used in sorted({name for names in laws for name in names}):
        owner, signal = _owner(subject, used)
        if owner is not None:
            found.setdefault(owner, signal)
    return found


def _owner(subject: Subject, name: str) -> tuple[str | None, str]:
    """Return the component whose laws enter a signal, or None, and the signal's name without a component's label."""
    if name in subject.measures or name in subject.blocks:
        return name, name
    if name in subject.states:
        return None, name
    component, rest = subject.directory.split(name)
    if not isinstance(component, ForceElement) or not rest:
        return None, name
    owner, output = component.name, rest.partition(".")[0]
    declared = component.all_outputs.get(output)
    return (None, name) if declared is not None and declared.kinematic else (owner, f"{owner}.{output}")
