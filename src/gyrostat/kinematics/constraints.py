"""Rows of all constraints on the motion of a system's tree: chords first, then the model's constraint components."""

from __future__ import annotations

from dataclasses import replace

from gyrostat.coordinates import Coordinates
from gyrostat.errors import TopologyError
from gyrostat.kinematics.chords import chord_rows
from gyrostat.kinematics.varied_motion import DisplacedMotion, OwnMotion, PushedMotion, Variation, VirtualTwist
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import Constraint, ConstraintRow
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import subtract
from gyrostat.scalar.jets import rate_of

_NO_TWIST = VirtualTwist("")
"""No body and no coordinate moves, nor does time."""


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


def component_rows(motion: WorldMotion, constraint: Constraint) -> list[ConstraintRow]:
    """Return the rows of a constraint component, each with its speed."""
    coordinate = constraint.coordinate
    slides = coordinate is not None and motion.tree.coordinates.measures[coordinate] == "length"
    rows = list(constraint.rows(PushedMotion(motion)))
    rates = _rates(motion, constraint, OwnMotion()) if any(row.speed is None for row in rows) else {}
    return [
        replace(
            row,
            speed=rates[row.name] if row.speed is None else row.speed,
            unit="N" if slides and row.unit == "N·m" else row.unit,
        )
        for row in rows
    ]


def varied_speeds(motion: WorldMotion, constraint: Constraint, variation: Variation) -> dict[str, Scalar]:
    """Return by the names of rows the speeds A δ that a virtual variation δ gives them."""
    pushed = list(constraint.rows(PushedMotion(motion, variation)))
    rates = _rates(motion, constraint, variation) if any(row.speed is None for row in pushed) else {}
    still = {row.name: row.speed for row in constraint.rows(PushedMotion(motion, _NO_TWIST))}
    return {row.name: rates[row.name] if row.speed is None else subtract(row.speed, still[row.name]) for row in pushed}


def _rates(motion: WorldMotion, constraint: Constraint, variation: Variation) -> dict[str, Scalar]:
    """Return the rates of residuals by the names of rows."""
    rows = constraint.rows(DisplacedMotion(motion, variation))
    return {row.name: rate_of(row.residual) for row in rows if row.residual is not None and row.speed is None}
