"""A choice of coordinates as plain data: what makes the same system again from its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gyrostat.coordinates import Choice
from gyrostat.model import Model
from gyrostat.system.formulate import formulate
from gyrostat.system.system import System
from gyrostat.topology import Trees


def choice_to_plain(system: System) -> dict[str, Any]:
    """Return the choice of a system: its tree of joints, or its two trees and whether motion is planar."""
    coordinates = system.coordinates
    plain: dict[str, Any] = {"coordinates": coordinates.choice.value, "tree": list(system.topology.arcs)}
    if not coordinates.are_joint_coordinates:
        names = coordinates.trees.names
        plain |= {
            "translation": list(names.translation),
            "rotation": list(names.rotation),
            "planar": coordinates.plane is not None,
        }
    return plain


def formulate_as(model: Model, plain: Mapping[str, Any]) -> System:
    """Return the system of a model in a choice that `choice_to_plain` has written."""
    if plain["coordinates"] == Choice.JOINT.value:
        return formulate(model, tree=plain["tree"])
    if plain["coordinates"] != Choice.TREES.value:
        return formulate(model, plain["coordinates"], tree=plain["tree"], planar=plain["planar"])
    trees = Trees(plain["translation"], plain["rotation"])
    return formulate(model, trees, tree=plain["tree"], planar=plain["planar"])
