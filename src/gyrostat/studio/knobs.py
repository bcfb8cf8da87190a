"""The knobs of a text: parameters, initial values, and the numbers that the text has no place for."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from gyrostat.model import Model
from gyrostat.studio.joint_knobs import joint_knobs
from gyrostat.studio.knob import Knob, Offsets, at_scalar, children
from gyrostat.studio.model_text import ModelText
from gyrostat.studio.outside_knobs import outside_knobs
from gyrostat.studio.state_knobs import state_knobs
from gyrostat.studio.subsystem_knobs import subsystem_knobs


def knobs_of(read: ModelText) -> list[Knob]:
    """Return the knobs of a text: parameters, initial values, and those of numbers without a place in it."""
    if read.model is None:
        return []
    found: list[Knob] = []
    if isinstance(read.root, yaml.MappingNode):
        offsets = Offsets(read.text)
        sections = children(read.root)
        found += _parameters(read.model, sections.get("parameters"), offsets)
        found += subsystem_knobs(read.model, sections.get("subsystems"), offsets)
        found += joint_knobs(read.model, sections.get("joints"), offsets)
        found += state_knobs(read.model, sections, offsets)
    return [*found, *outside_knobs(read.model, found)]


def _parameters(model: Model, section: yaml.Node | None, offsets: Offsets) -> Iterator[Knob]:
    values = model.values()
    for name, node in children(section).items():
        parameter = model.parameters.get(name)
        written = children(node).get("value", node)
        if parameter is None or name not in values or not isinstance(written, yaml.ScalarNode):
            continue
        yield at_scalar(
            written, offsets, "parameter", name, values[name], unit=parameter.unit, description=parameter.description
        )
