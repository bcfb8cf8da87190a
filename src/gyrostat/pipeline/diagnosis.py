"""Why a system has no finite values at a state: the same formulas, run on plain numbers, name the element at fault."""

from __future__ import annotations

import math

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.equations.composite_body import mass_matrix
from gyrostat.errors import StateError
from gyrostat.kinematics.link import build_tree
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import ForceElement, PointLoad
from gyrostat.pipeline.arguments import Floats
from gyrostat.scalar import FloatScalars


def explain_failure(coordinates: Coordinates, row: Floats) -> StateError:
    """Return the error for a state, given as a row of arguments, at which some value is not finite."""
    model = coordinates.topology.model
    sizes = (1, coordinates.n_q, coordinates.n_u, len(model.parameters), len(model.inputs))
    t, q, u, parameters, inputs = (part.tolist() for part in np.split(row, np.cumsum(sizes))[:5])
    values = dict(zip(model.parameters, parameters, strict=True))
    try:
        tree = build_tree(coordinates, Evaluator(FloatScalars(), values.__getitem__))
        motion = WorldMotion.of(tree, State(q, u, t[0], dict(zip(model.inputs, inputs, strict=True))))
    except (ArithmeticError, ValueError) as error:
        return StateError(f"A dimension or driven coordinate of the model has no value at t = {t[0]:g}: {error}.")
    for name, force in model.forces.items():
        if reason := _force_failure(force, motion):
            return StateError(f"Force {name!r} has no finite value at this state: {reason}.")
    if reason := _inertia_failure(motion):
        return StateError(reason)
    return StateError("The accelerations are not finite at this state. Are speeds or loads beyond all measure?")


def _force_failure(force: ForceElement, motion: WorldMotion) -> str:
    try:
        loads = list(force.loads(motion))
    except ZeroDivisionError:
        return "it divides by zero; if it is a spring, its ends coincide and it has no direction"
    except (ArithmeticError, ValueError) as error:
        return str(error)
    for load in loads:
        numbers = (*load.force, *load.moment) if isinstance(load, PointLoad) else (load.value,)
        if not all(math.isfinite(x) for x in numbers):
            return "its law gives no finite number"
    return ""


def _inertia_failure(motion: WorldMotion) -> str:
    """Return which speed moves no mass, if one does not."""
    names = motion.tree.coordinates.speed_names
    matrix = np.zeros((len(names), len(names)))
    for (i, j), value in mass_matrix(motion).items():
        matrix[i, j] = matrix[j, i] = value
    if not names:
        return ""
    scale = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    idle = [name for name, size in zip(names, scale, strict=True) if size == 0]
    if idle:
        return (
            f"Speed {idle[0]!r} moves no mass at this state, so that its coordinate has no inertia. Give the body some."
        )
    size, directions = np.linalg.eigh(matrix / np.outer(scale, scale))
    if size[0] > 1e-13:
        return ""
    worst = names[int(np.argmax(np.abs(directions[:, 0])))]
    return (
        f"The mass matrix is singular at this state: a motion in which {worst!r} takes part moves no mass. "
        "Give the bodies inertia, or use a joint without that freedom."
    )
