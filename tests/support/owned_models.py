"""Models whose components are all parts of one owner, to show that names with dots work everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gyrostat.model import COMPOUNDS, Compound, Model, Parameter
from gyrostat.model.documents import read_json
from gyrostat.model.kinds import TextKind, VectorKind
from gyrostat.model.model_file import model_to_plain, read_model
from gyrostat.model.names import GROUND
from gyrostat.model.prefix import Prefix
from gyrostat.model.record import Component, value


@dataclass(frozen=True)
class Owned(Compound):
    """All components and parameters of another model, which is given as the text of a JSON file."""

    text: str = value(TextKind(), doc="the model")

    @property
    def model(self) -> Model:
        return read_model(read_json(self.text)).model

    def parts(self) -> Iterator[Component]:
        naming = Prefix(self.name)
        return (c.as_part(self.name, naming) for c in self.model.components.values() if c.name != GROUND)

    def part_parameters(self) -> Mapping[str, Parameter]:
        naming = Prefix(self.name)
        return {self.part_name(name): p.renamed(naming) for name, p in self.model.parameters.items()}


if COMPOUNDS.get(Owned.__name__) is None:
    COMPOUNDS.add(Owned)


def owned(model: Model, *owners: str) -> Model:
    """Return a model with one owner of all components but the ground, or owners within owners, the innermost last."""
    for owner in reversed(owners):
        naming = Prefix(owner)
        gravity = VectorKind().renamed(model.gravity, naming)
        around = Model(model.name, gravity=gravity, description=model.description)
        if GROUND in model.components:
            around.add(model.ground.renamed(naming))
        around.add(Owned(owner, json.dumps(model_to_plain(model))))
        model = around
    return model
