"""All constraints on the motion of a system's tree, in order: chords first, then the model's constraint components."""

from __future__ import annotations

from gyrostat.kinematics.chords import chord_rows
from gyrostat.kinematics.constraint_row import ConstraintRow
from gyrostat.kinematics.world import WorldMotion


def constraint_rows(motion: WorldMotion) -> list[ConstraintRow]:
    """Return the rows of all constraints, also those that are empty in this system."""
    topology = motion.tree.coordinates.topology
    return [row for name in topology.chords for row in chord_rows(motion, topology.joints[name])]
