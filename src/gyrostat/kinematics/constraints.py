"""All constraints on the motion of a system's tree, in order: chords first, then the model's constraint components."""

from __future__ import annotations

from gyrostat.coordinates import Coordinates
from gyrostat.errors import TopologyError
from gyrostat.kinematics.chords import chord_rows
from gyrostat.kinematics.component_rows import component_rows
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import Constraint, ConstraintRow


def constraint_rows(motion: WorldMotion) -> list[ConstraintRow]:
    """Return the rows of all constraints, also those that are empty in this system."""
    topology = motion.tree.coordinates.topology
    chords = motion.tree.coordinates.chords
    of_chords = [row for name in chords for row in chord_rows(motion, topology.joints[name])]
    components = topology.model.constraints.values()
    return [*of_chords, *(row for component in components for row in _determined(motion, component))]


def _determined(motion: WorldMotion, component: Constraint) -> list[ConstraintRow]:
    """Return the rows of a component; raise an error if a direction is undetermined at every position."""
    try:
        return component_rows(motion, component)
    except ZeroDivisionError:
        raise TopologyError(
            f"Constraint {component.name!r} divides by zero in every position: the joints hold its bodies so that "
            "its directions are not determined. Check its axes and places."
        ) from None


def has_constraints(coordinates: Coordinates) -> bool:
    """Return whether joints close loops or the model has constraints."""
    return bool(coordinates.chords or coordinates.topology.model.constraints)
