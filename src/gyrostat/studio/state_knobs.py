"""Knobs of the initial values of states: those of components and of elements of networks that have a field for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import yaml

from gyrostat.model import Model
from gyrostat.model.state_variable import StateOwner, StateVariable
from gyrostat.studio.initial_places import InitialPlace, initial_places
from gyrostat.studio.knob import Knob, Offsets, at_scalar, children, lead, slider_range


def state_knobs(model: Model, sections: Mapping[str, yaml.Node], offsets: Offsets) -> Iterator[Knob]:
    """Yield the knobs of states for whose initial values the file has a field."""
    for section in ("forces", "states"):
        for name, node in children(sections.get(section)).items():
            owner = model.components.get(name)
            if isinstance(node, yaml.MappingNode) and isinstance(owner, StateOwner):
                for place in initial_places(owner):
                    yield from _of_state(node, place, model, offsets)
    formed = model.flat.components.values() if children(sections.get("networks")) else ()
    variables = {one.name: one for owner in formed if isinstance(owner, StateOwner) for one in owner.state_variables}
    for name, node in children(sections.get("networks")).items():
        element = model.components.get(name)
        for variable in (one for one in variables.values() if one.name.rpartition(".")[0] == name):
            if isinstance(node, yaml.MappingNode) and hasattr(element, "initial") and not variable.algebraic:
                yield from _of_state(node, InitialPlace(variable, "initial"), model, offsets)


def _of_state(entry: yaml.MappingNode, place: InitialPlace, model: Model, offsets: Offsets) -> Iterator[Knob]:
    """Yield the knob of a state's initial value: where it is written, or where it would be."""
    variable, fields = place.variable, children(entry)
    value, written, kind = float(model.evaluator()(variable.initial)), fields.get(place.field), fields.get("type")
    before = f"{place.field}: "
    after = ""
    if isinstance(place.key, str):
        written = children(written).get(place.key)
    elif place.key is not None and written is None:
        before, after = f"{before}[{'0, ' * place.key}", f"{', 0' * (place.count - 1 - place.key)}]"
    elif place.key is not None:
        written = written.value[place.key] if isinstance(written, yaml.SequenceNode) else written
    if isinstance(written, yaml.ScalarNode):
        about = variable.description
        yield at_scalar(written, offsets, "initial", variable.name, value, unit=variable.unit, description=about)
    elif written is None and isinstance(kind, yaml.ScalarNode):
        at = offsets(kind.end_mark.index)
        text = (f"{lead(entry, kind)}{before}", after)
        yield _at_state(variable, value, (at, at, *text))


def _at_state(variable: StateVariable, value: float, place: tuple[int, int, str, str]) -> Knob:
    head = ("initial", variable.name, value, *slider_range(value, variable.unit))
    return Knob(*head, *place, unit=variable.unit, description=variable.description)
