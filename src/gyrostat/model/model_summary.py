"""Summaries of a model: one line of text, and tables for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.model.kinds import Reference
from gyrostat.model.names import GROUND, counted
from gyrostat.model.record import Component
from gyrostat.results.html_table import html_table

if TYPE_CHECKING:
    from gyrostat.model.model import Model


def summary(model: Model) -> str:
    """Return the name of a model and the numbers of its components; of some sections only if there are any."""
    counts = [
        counted(len(model.bodies.keys() - {GROUND}), "body", "bodies"),
        counted(len(model.joints), "joint", "joints"),
        counted(len(model.forces), "force", "forces"),
    ]
    if model.constraints:
        counts.append(counted(len(model.constraints), "constraint", "constraints"))
    formed = sum(state.formed for state in model.states.values())
    if len(model.states) > formed:
        counts.append(counted(len(model.states) - formed, "state", "states"))
    if model.elements:
        counts.append(counted(len(model.elements), "element", "elements"))
    if model.given_inputs:
        counts.append(counted(len(model.given_inputs), "input", "inputs"))
    if model.compounds:
        counts.append(counted(len(model.compounds), "compound", "compounds"))
    if model.subsystems:
        counts.append(counted(len(model.subsystems), "subsystem", "subsystems"))
    counts.append(counted(len(model.parameters), "parameter", "parameters"))
    return f"Model {model.name!r}: {', '.join(counts)}"


def tables(model: Model) -> str:
    """Return tables of components and parameters as HTML."""
    rows = [(c.word, c.name, type(c).__name__, _between(c)) for c in model.components.values()]
    parts = [html_table(str(model), ("section", "name", "kind", "between"), rows)]
    if model.parameters:
        values = [
            (name, "" if p.value is None else str(p.value), p.unit, p.description)
            for name, p in model.parameters.items()
        ]
        parts.append(html_table("Parameters", ("name", "value", "unit", "description"), values))
    return "".join(parts)


def _between(component: Component) -> str:
    """Return the ends of a joint, or the places and coordinates that a force or constraint acts on."""
    return " → ".join(dict.fromkeys(use.target for use in component.all_uses if isinstance(use, Reference)))
