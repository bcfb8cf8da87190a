"""Checks before a model is changed: names of new components, references to removed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.errors import Fault
from gyrostat.model.body import Body
from gyrostat.model.kinds import Reference
from gyrostat.model.names import FORMULA_WORDS, GROUND, WORLD, fault_of, prefixes, reserved_fault
from gyrostat.model.record import Component

if TYPE_CHECKING:
    from gyrostat.model.model import Model


def addition_fault(component: Component, model: Model) -> Fault | None:
    """Return the fault of a new component's name, or None."""
    found = _name_fault(component, model)
    return None if found is None else Fault(component.describe(), *found)


def _name_fault(component: Component, model: Model) -> tuple[str, str] | None:
    """Return (fact, remedy) if the name of a new component cannot be used, else None."""
    name = component.name
    if "." in name:  # such names are those of parts; all others are checked when components are made
        return fault_of(name)
    if name in model.components:
        fact = f"the name is taken by another {model.components[name].word}."
        return fact, "Names are unique in a model; choose another."
    is_body = isinstance(component, Body)
    if name == GROUND and not is_body:
        return "'ground' is the name of the inertial body.", "Choose another name."
    if reserved := reserved_fault(name, (WORLD,) if is_body else FORMULA_WORDS):
        return reserved
    if name in model.parameters and not is_body:
        return "a parameter has the same name, so formulas would be ambiguous.", "Rename one of them."
    return None


def parameter_fault(name: str, model: Model) -> Fault | None:
    """Return the fault of a new parameter whose name a component has, or None."""
    taken = model.components.get(name)
    if taken is None or isinstance(taken, Body):
        return None
    fact = f"{taken.describe()} has the same name, so formulas would be ambiguous."
    return Fault(f"parameter {name!r}", fact, "Rename one of them.")


def removal_faults(model: Model, removed: frozenset[str]) -> list[Fault]:
    """Return a fault for each remaining component that refers to one of the removed components."""
    faults = []
    for name, component in model.components.items():
        if name in removed:
            continue
        for use, path in _names_in(component):
            of = next((start for start in prefixes(use) if start in removed), None)
            if of is None or use in model.parameters:
                continue
            described = model.components[of].describe()
            where = ".".join(str(step) for step in path)
            fact = f"it cannot be removed while {component.describe()} refers to {use!r} ({where})."
            faults.append(Fault(described, fact, f"Remove both: model.remove({of!r}, {name!r}), or replace {name!r}."))
            break
    return faults


def _names_in(component: Component) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return the names that a component refers to, with their paths."""
    found = []
    for use in component.all_uses:
        names = (use.target,) if isinstance(use, Reference) else sorted(use.formula.names - use.scope.variables)
        found += [(name, use.path) for name in names]
    return found
