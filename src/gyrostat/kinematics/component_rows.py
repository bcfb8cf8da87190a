"""Rows of constraint components: their residuals, and the rates of these."""

from __future__ import annotations

from dataclasses import replace

from gyrostat.kinematics.varied_motion import DisplacedMotion, OwnMotion, PushedMotion, Variation, VirtualTwist, rate_of
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import Constraint, ConstraintRow
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import subtract

_STILL = VirtualTwist("")
"""No body and no coordinate moves, nor does time."""


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
    still = {row.name: row.speed for row in constraint.rows(PushedMotion(motion, _STILL))}
    return {row.name: rates[row.name] if row.speed is None else subtract(row.speed, still[row.name]) for row in pushed}


def _rates(motion: WorldMotion, constraint: Constraint, variation: Variation) -> dict[str, Scalar]:
    """Return the rates of residuals by the names of rows."""
    rows = constraint.rows(DisplacedMotion(motion, variation))
    return {row.name: rate_of(row.residual) for row in rows if row.residual is not None and row.speed is None}
