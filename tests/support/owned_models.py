"""Models whose components are all parts of one owner, to show that names with dots work everywhere."""

from __future__ import annotations

from dataclasses import replace

from gyrostat.model import Model
from gyrostat.model.kinds import VectorKind
from gyrostat.model.names import GROUND
from gyrostat.model.prefix import Prefix
from gyrostat.model.subsystems import Subsystem


def owned(model: Model, *owners: str) -> Model:
    """Return a model with one subsystem of all components, or subsystems within each other, the innermost last.

    The ground keeps its places, so that outputs on it have the same names; its shapes are those of the subsystem.
    """
    for owner in reversed(owners):
        naming = Prefix(owner)
        gravity = VectorKind().renamed(model.gravity, naming)
        around = Model(model.name, gravity=gravity, description=model.description)
        if GROUND in model.components:
            around.add(replace(model.ground.renamed(naming), shape=None))
        around.add(Subsystem(owner, model))
        model = around
    return model
