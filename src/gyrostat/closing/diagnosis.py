"""Diagnosis of states without finite values: the formulas, evaluated in floats, identify the element at fault."""

from __future__ import annotations

import math
from functools import singledispatch

import numpy as np

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.equations.dynamics import mass_matrix
from gyrostat.errors import StateError
from gyrostat.kinematics.build import build_mechanism
from gyrostat.kinematics.constraints import component_rows
from gyrostat.kinematics.mechanism import GROUND_INDEX
from gyrostat.kinematics.singular_joints import idle_speeds, singular_coordinates_message
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.tree_motion import TreeMotion
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.constraints import Cable, Constraint, Distance, KnifeEdge, RollingDisc
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import ForceElement, PointLoad, RopeElement
from gyrostat.model.state_variable import StateOwner
from gyrostat.scalar import FloatScalars, Scalar
from gyrostat.spatial import minus

_ROUNDING = 1e-13
"""The relative size of an inertia that has cancelled."""
_NO_TANGENT = (
    "an end or a pulley of its path lies within a sheave, so that the rope has no tangent there. Begin with bodies "
    "farther apart, or give the rope more length"
)


class OpaqueFloats:
    """The engine of NumPy's floats, whose zeros are not simplified.

    Only zeros in the model's text are recognised, so that 0/0 occurs in the same places as in native code.
    """

    def __init__(self) -> None:
        self._floats = FloatScalars()

    def constant(self, value: int | float) -> int | float:
        """Return the number itself, known while the formula is formed."""
        return value

    def pi(self) -> float:
        """Return π."""
        return self._floats.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent."""
        return np.float64(self._floats.power(base, exponent))

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        return np.float64(self._floats.call(function, arguments))

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return 1 where the comparison holds, else 0."""
        return np.float64(self._floats.compare(operator, left, right))

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        return np.float64(self._floats.logic(operator, arguments))


def explain_failure(coordinates: Coordinates, row: Floats) -> StateError:
    """Return the error for a state, given as a row of arguments, at which some value is not finite."""
    layout = coordinates.row
    places = (layout.q, layout.u, layout.z, layout.parameters, layout.inputs)
    with np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore"):
        return _explained(coordinates, row[TIME], [list(row[place]) for place in places])


def _explained(coordinates: Coordinates, t: Scalar, parts: list[list[Scalar]]) -> StateError:
    model, (q, u, z, parameters, inputs) = coordinates.topology.model, parts
    values = dict(zip(model.parameters, parameters, strict=True))
    try:
        tree = build_mechanism(coordinates, Evaluator(OpaqueFloats(), values.__getitem__))
        states = dict(zip(coordinates.state_names, z, strict=True))
        motion = tree.at(MotionState(q, u, t, dict(zip(model.inputs, inputs, strict=True)), states))
    except (ArithmeticError, ValueError) as error:
        return StateError(f"A dimension or driven coordinate of the model has no value at t = {t:g}: {error}.")
    for name, force in model.forces.items():
        if reason := _force_failure(force, motion):
            return StateError(f"Force {name!r} has no finite value at this state: {reason}.")
    for owner in model.state_owners:
        if reason := _state_failure(owner, motion):
            return StateError(reason)
    for name, constraint in model.constraints.items():
        if reason := _constraint_failure(constraint, motion):
            return StateError(f"Constraint {name!r} has no finite value at this state: {reason}.")
    try:
        reason = _inertia_failure(motion)
    except (ArithmeticError, ValueError):  # overflow
        reason = ""
    if reason:
        return StateError(reason)
    return StateError("The accelerations are not finite at this state. Speeds or loads may have overflowed.")


def _force_failure(force: ForceElement, motion: WorldMotion) -> str:
    try:
        loads = list(force.loads(motion))
    except (ZeroDivisionError, FloatingPointError):
        return "it divides by zero; if it is a spring, its ends coincide and it has no direction"
    except (ArithmeticError, ValueError) as error:
        return _NO_TANGENT if isinstance(force, RopeElement) else str(error)
    for load in loads:
        numbers = (*load.force, *load.moment) if isinstance(load, PointLoad) else (load.value,)
        if not all(math.isfinite(x) for x in numbers):
            return "its law gives no finite number"
    return ""


def _state_failure(owner: StateOwner, motion: WorldMotion) -> str:
    names = ", ".join(repr(variable.name) for variable in owner.state_variables)
    try:
        rates = owner.state_rates(motion)
    except (ZeroDivisionError, FloatingPointError):
        return f"The rate or equation of {names} has no finite value at this state: it divides by zero."
    except (ArithmeticError, ValueError) as error:
        return f"The rate or equation of {names} has no finite value at this state: {error}."
    wrong = next((name for name, rate in rates.items() if not math.isfinite(rate)), None)
    return "" if wrong is None else f"The rate or equation of {wrong!r} has no finite value at this state."


def _constraint_failure(constraint: Constraint, motion: WorldMotion) -> str:
    try:
        rows = component_rows(motion, constraint)
    except (ZeroDivisionError, FloatingPointError):
        return _WITHOUT_DIRECTION.get(type(constraint), "it divides by zero, where its directions are not determined")
    except (ArithmeticError, ValueError) as error:
        return str(error)
    if not all(math.isfinite(x) for row in rows for x in (row.speed or 0.0, row.residual or 0.0)):
        return "its formulas give no finite number"
    return ""


_WITHOUT_DIRECTION: dict[type[Constraint], str] = {
    Distance: "its ends coincide, so that it has no direction; begin where they are apart",
    Cable: "two of its points coincide, so that it has no direction there; begin where they are apart",
    RollingDisc: "the disc lies flat, so that no point of its rim is lowest; begin with it tilted",
    KnifeEdge: "the blade is parallel to the normal, so that it has no lateral direction; begin with it in the plane",
}
"""The reason why the directions of a constraint are undetermined, by kind."""


def _inertia_failure(motion: WorldMotion) -> str:
    """Return the fault of a singular mass matrix, or an empty text."""
    names = motion.tree.coordinates.speed_names
    matrix = np.zeros((len(names), len(names)))
    for (i, j), value in mass_matrix(motion).items():
        matrix[i, j] = matrix[j, i] = value
    if not names:
        return ""
    bounds = _inertia_bounds(motion)
    idle = [name for i, name in enumerate(names) if matrix[i, i] <= _ROUNDING * bounds.get(i, 0.0)]
    if idle:
        return (
            f"Speed {idle[0]!r} moves no mass at this state, so that its coordinate has no inertia. Give the body some."
        )
    scale = np.sqrt(np.diag(matrix))
    size, directions = np.linalg.eigh(matrix / np.outer(scale, scale))
    if size[0] > _ROUNDING:
        return ""
    singular = idle_speeds(motion)
    if singular:
        return singular_coordinates_message(singular)
    worst = names[int(np.argmax(np.abs(directions[:, 0])))]
    return (
        f"The mass matrix is singular at this state: a motion in which {worst!r} takes part moves no mass. "
        "Give the bodies inertia, or use a joint without that freedom."
    )


@singledispatch
def _inertia_bounds(motion: WorldMotion) -> dict[int, float]:
    """Return an upper bound of the inertia of each speed, by its place in u.

    An inertia of the size of this bound's rounding error is zero. Bounds are known for trees of joints only.
    """
    return {}


@_inertia_bounds.register(TreeMotion)
def _bounds_on_tree(motion: TreeMotion) -> dict[int, float]:
    links = motion.tree.links
    bounds: dict[int, float] = {}
    for index, link in enumerate(links):
        pose = motion.pose(index)
        spread = float(np.trace(np.array(link.inertia, dtype=float))) / 2
        carrier = index
        while carrier != GROUND_INDEX:
            arm = float(np.linalg.norm(np.array(minus(pose.r_WH_W, motion.pose(carrier).r_WH_W), dtype=float)))
            turning = (np.sqrt(spread) + np.sqrt(float(link.mass)) * arm) ** 2
            for place, mode in motion.motions[carrier].free:
                angular, linear = (float(np.linalg.norm(np.array(v, dtype=float))) for v in (mode.angular, mode.linear))
                bounds[place] = bounds.get(place, 0.0) + turning * angular**2 + float(link.mass) * linear**2
            carrier = links[carrier].parent
    return bounds
