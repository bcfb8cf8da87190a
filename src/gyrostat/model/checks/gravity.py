"""Comparison of the gravity of a model with that of its subsystems, which has no effect."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gyrostat.errors import ModelError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.model import Model
from gyrostat.model.names import GROUND
from gyrostat.model.subsystems import Subsystem
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import IDENTITY, Matrix, Vector, apply, product

_TOLERANCE = 1e-9
"""The relative difference of two accelerations of gravity that counts as none."""


def gravity_notes(model: Model) -> Iterator[str]:
    """Yield a note for each subsystem, at any level, whose own gravity differs from that of the model.

    They are compared in world axes where the subsystem stands on the ground, otherwise by their magnitudes. A used
    model without gravity says nothing about it.
    """
    model = model.source
    if not model.subsystems:
        return
    try:
        value = model.evaluator()
        outermost = value.vector(model.gravity)
    except (ModelError, KeyError):
        return  # a parameter has no value
    yield from _notes_within(model, value, IDENTITY, outermost, "")


def parameters_of_gravity(model: Model, prefix: str = "") -> set[str]:
    """Return the parameters of subsystems, at any level, that their own gravity uses, by their names in the model."""
    found = set()
    for name, subsystem in model.subsystems.items():
        inner = f"{prefix}{name}."
        found |= {inner + used for formula in subsystem.use.model.gravity for used in formula.names}
        found |= parameters_of_gravity(subsystem.model, inner)
    return found


def _notes_within(model: Model, value: Evaluator, R_WG: Matrix | None, outermost: Vector, prefix: str) -> Iterator[str]:
    """Yield the notes of subsystems of a model whose ground has the orientation R_WG, None if it moves."""
    for name, subsystem in model.subsystems.items():
        used = subsystem.use.model
        try:
            given = {parameter: value(formula) for parameter, formula in subsystem.parameters.items()}
            inner = Evaluator(FloatScalars(), used.values(given).__getitem__)
            own = inner.vector(used.gravity)
            R_inner = _orientation(subsystem, model, value, R_WG)
        except (ModelError, KeyError):
            continue
        if any(own) and _differ(own, outermost, R_inner):
            yield (
                f"gravity of subsystem {prefix + name!r} is {_written(own)} m/s², that of the whole model "
                f"{_written(outermost)} m/s², which counts."
            )
        yield from _notes_within(subsystem.model, inner, R_inner, outermost, f"{prefix}{name}.")


def _orientation(subsystem: Subsystem, model: Model, value: Evaluator, R_WG: Matrix | None) -> Matrix | None:
    """Return the orientation of a subsystem's ground in world axes, None if it is on a moving body."""
    if R_WG is None or subsystem.at.body != GROUND:
        return None
    placement = model.placement(subsystem.at, value)
    return None if placement is None else product(R_WG, placement[0])


def _differ(own: Vector, outermost: Vector, R_WG: Matrix | None) -> bool:
    size = math.hypot(*outermost)
    if R_WG is None:
        return not math.isclose(math.hypot(*own), size, rel_tol=_TOLERANCE)
    return math.dist(apply(R_WG, own), outermost) > _TOLERANCE * max(size, math.hypot(*own))


def _written(vector: Vector) -> str:
    return f"({', '.join(f'{x:.6g}' for x in vector)})"
