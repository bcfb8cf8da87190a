"""Check of states: names that are unique, and equations that can determine the algebraic ones."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model import states
from gyrostat.model.checks.finding import Subject
from gyrostat.model.formula import Formula
from gyrostat.model.names import first_few
from gyrostat.model.record import Component


def state_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of names of states, and of equations without a state that they could determine."""
    yield from _name_faults(subject)
    yield from _equation_faults(subject)


def _name_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each state whose name something else has."""
    model = subject.model
    taken = dict.fromkeys((*model.parameters, *subject.names.motion), "a parameter, coordinate, speed or input")
    for force in model.forces.values():
        taken |= {f"{force.name}.{label}": f"an output of force {force.name!r}" for label in force.all_outputs}
    for owner in model.state_owners:
        assert isinstance(owner, Component), "states belong to components"
        for variable in owner.state_variables:
            known = taken.get(variable.name)
            if known is not None:
                fact = f"the name of its state {variable.name!r} is that of {known}."
                yield subject.fault(owner, (), fact, "Rename one of them.")
            taken[variable.name] = f"a state of {owner.describe()}"
    for name, block in subject.blocks.items():
        if name in taken:
            yield subject.fault(block, (), f"the name of its output {name!r} is that of {taken[name]}.", "Rename one.")


def _equation_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each equation to which no algebraic state is left that it could determine.

    Each equation is assigned a state that it contains (a matching, by augmenting paths); without one for every equation
    the derivatives of the equations by the states are singular at all values.
    """
    given = [one for one in subject.model.states.values() if isinstance(one, states.State)]
    equations = {one.name: one.equation for one in given if one.equation is not None}
    others = {name for name, variable in subject.states.items() if variable.algebraic and name not in equations}
    owner_of: dict[str, str] = {}
    for name, equation in equations.items():
        contains = [each for each in equations if each in equation.names]
        if others & equation.names or _assign(name, contains, equations, owner_of, set()):
            continue
        held = first_few(sorted(repr(each) for each in contains))
        fact = (
            f"its equation {equation!s:.60} contains no algebraic state."
            if not contains
            else f"its equation {equation!s:.60} contains only {held}, which other equations determine."
        )
        remedy = f"Write an equation with {name!r}, or give {name!r} a rate."
        yield subject.fault(subject.model.states[name], ("equation",), fact, remedy)


def _assign(
    name: str, contains: list[str], equations: dict[str, Formula], owner_of: dict[str, str], visited: set[str]
) -> bool:
    """Assign a state to an equation, where need be by moving others; return whether there is one."""
    for state in contains:
        if state in visited:
            continue
        visited.add(state)
        other = owner_of.get(state)
        if other is None or _assign(
            other, [each for each in equations if each in equations[other].names], equations, owner_of, visited
        ):
            owner_of[state] = name
            return True
    return False
