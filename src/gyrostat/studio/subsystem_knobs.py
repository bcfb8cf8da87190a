"""Knobs of the parameters of subsystems: the text gives them values in the field `parameters` of the subsystem."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from gyrostat.model import Model
from gyrostat.model.parameter import Parameter
from gyrostat.studio.knob import Knob, Offsets, at_scalar, children, first_in, lead, slider_range


def subsystem_knobs(model: Model, section: yaml.Node | None, offsets: Offsets) -> Iterator[Knob]:
    """Yield the knobs of the parameters of the subsystems of a section, those of inner subsystems included."""
    entries = {name: node for name, node in children(section).items() if name in model.subsystems}
    if not entries:
        return
    flat = model.flattened()
    values = flat.values()
    for name, node in entries.items():
        for inner in model.subsystems[name].use.model.parameters:
            whole = f"{name}.{inner}"
            if isinstance(node, yaml.MappingNode) and whole in values:
                yield from _of_parameter(node, inner, flat.parameters[whole], (whole, values[whole]), offsets)


def _of_parameter(
    entry: yaml.MappingNode, inner: str, parameter: Parameter, named: tuple[str, float], offsets: Offsets
) -> Iterator[Knob]:
    """Yield the knob of a parameter: where it is written, or where it would be."""
    given, use = children(entry).get("parameters"), children(entry).get("use")
    written, about = children(given).get(inner), parameter.description
    if isinstance(written, yaml.ScalarNode):
        yield at_scalar(written, offsets, "parameter", *named, unit=parameter.unit, description=about)
        return
    if isinstance(given, yaml.MappingNode):
        at, after = first_in(given, offsets)
        before = f"{inner}: "
    elif given is None and isinstance(use, yaml.ScalarNode):
        at, before, after = offsets(use.end_mark.index), f"{lead(entry, use)}parameters: {{{inner}: ", "}"
    elif given is None:  # the used model itself is written there
        at, gap = first_in(entry, offsets)
        before, after = f"parameters: {{{inner}: ", f"}}{gap}"
    else:
        return
    ends = slider_range(named[1], parameter.unit if parameter.unit == "rad" else "")
    yield Knob("parameter", *named, *ends, at, at, before, after, unit=parameter.unit, description=about)
