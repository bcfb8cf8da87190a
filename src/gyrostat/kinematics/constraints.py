"""All constraints on the motion of a system's tree, in order: chords first, then the model's constraint components."""

from __future__ import annotations

from gyrostat.coordinates import Coordinates
from gyrostat.kinematics.chords import chord_rows
from gyrostat.kinematics.component_rows import component_rows
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import ConstraintRow


def constraint_rows(motion: WorldMotion) -> list[ConstraintRow]:
    """Return the rows of all constraints, also those that are empty in this system."""
    topology = motion.tree.coordinates.topology
    of_chords = [row for name in topology.chords for row in chord_rows(motion, topology.joints[name])]
    components = topology.model.constraints.values()
    return [*of_chords, *(row for component in components for row in component_rows(motion, component))]


def has_constraints(coordinates: Coordinates) -> bool:
    """Tell whether joints close loops or the model has constraints."""
    topology = coordinates.topology
    return bool(topology.chords or topology.model.constraints)
