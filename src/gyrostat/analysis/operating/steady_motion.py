"""Steady motions: motions with constant speeds, and relative equilibria, with constant speeds in rotating axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.operating.at_rest import at_rest, in_original
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.task import Conditions, Task
from gyrostat.analysis.operating.trim import TrimPoint
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.steadiness import (
    advice,
    changing_states,
    listed,
    listed_rates,
    unbalanced,
    unbalanced_later,
)
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.system import System, system_of
from gyrostat.system.kernel_forces import refuse_kernel_forces

_SETTLING_STEPS = 8
"""Steps in which states settle; each is ten times as long as the one before, the first 1 s."""
_NEAR_DISTANCE = 0.1
"""Distance of a steady motion from its start beyond which relative equilibria are searched too: radians, or sizes."""


def steady_motion(
    system: System | Model,
    speeds: Mapping[str, object] | None = None,
    *,
    solve_for: Sequence[str] = (),
    fixed: Mapping[str, object] | None = None,
    guess: Mapping[str, object] | None = None,
    inputs: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    t: float = 0.0,
) -> OperatingPoint:
    """Return the steady motion with chosen speeds that is near a guess, with its stability.

    All speeds are constant, at least in axes that rotate steadily, and so is all that the equations depend on: a
    pendulum turns about the vertical at one angle, a wheel rolls in a circle. Rates that are not mentioned are zero,
    except where constraints tie them to others; those in `solve_for` are found, like inputs and parameters that are
    named there. Coordinates in `fixed` keep their values, the others begin at `guess`, or at their initial values.

    >>> import gyrostat as gs
    >>> model = gs.Model("rotating pendulum", gravity=(0, 0, -9.81))
    >>> arm = model.add(gs.Body("arm", mass=0, inertia=(0, 0, 0)))
    >>> ball = model.add(gs.Body("ball", gs.point_mass(10), points={"pivot": (0, 0, 0.5)}))
    >>> turn = model.add(gs.Revolute("turn", "ground", "arm"))
    >>> swing = model.add(gs.Revolute("swing", "arm", "ball.pivot", axis="x"))
    >>> print(gs.steady_motion(model, {"turn.rate": 4.759750472766499}, guess={"swing": 0.4}))
    Steady motion of 'rotating pendulum'
      turn       0 rad
      swing      0.523599 rad (30°)
      turn.rate  4.75975
      stable: to first order, undamped: no eigenvalue has a positive real part; 1 is zero, of neighbouring motions.
    """
    system = system_of(system)
    refuse_kernel_forces(system, "Steady motions")
    conditions = Conditions(at_rest(system), True, speeds, solve_for, fixed, inputs, parameters, t)
    return in_original(system, _nearest(conditions, guess))


def _nearest(conditions: Conditions, guess: Mapping[str, object] | None) -> OperatingPoint:
    """Return the steady motion with constant speeds, or the relative equilibrium where that is nearer."""
    found: list[tuple[float, Task, TrimPoint]] = []
    failures: list[StateError] = []
    for relative in (False, True):
        asked = Task.of(conditions, relative=relative)
        if relative and not asked.trim.generators:
            continue
        start = asked.start(guess)
        try:
            point = _solved(asked, start)
        except StateError as failure:
            failures.append(failure)
            continue
        distance = float(np.abs(point.q - start.q).max(initial=0.0)) / max(1.0, asked.system.model_size)
        found.append((distance, asked, point))
        if distance <= _NEAR_DISTANCE:
            break
    if not found:
        raise failures[0]
    _, asked, point = min(found, key=lambda one: one[0])
    return asked.finished(point)


def _solved(task: Task, start: TrimPoint) -> TrimPoint:
    """Return the solution near a start; where states still change there, the one near to settled states."""
    point, _ = solve(task.trim, start)
    try:
        require_solution(task, point)
    except StateError:
        if not len(start.z):
            raise
        other, _ = solve(task.trim, replace(point, z=_settled_states(task, point)))
        if task.unsettled(other) or task.missed(other):
            raise
        require_solution(task, other)
        return other
    return point


def _settled_states(task: Task, start: TrimPoint) -> Floats:
    """Return the states to which those of a point tend while coordinates and speeds stay.

    Implicit Euler steps that grow: bristles, whose rates have no derivative by the deflection up to the limit of
    friction, exceed it in the first step and return to it.
    """
    z, unit = start.z, np.eye(len(start.z))
    for power in range(_SETTLING_STEPS):
        found = task.trim.dynamics(replace(start, z=z)).state_jacobian(start.q, start.u)
        step = np.linalg.lstsq(unit / 10.0**power - found.by_state, found.zdot)[0]
        if not np.isfinite(step).all():
            break
        z = z + step
    return z


def require_solution(task: Task, point: TrimPoint) -> None:
    """Raise an error, with the unbalanced loads by coordinate, unless a point is in steady motion."""
    system, dynamics, rotation = task.system, task.trim.dynamics(point), task.trim.rotation(point.values)
    head = f"No steady motion of {system.model.name!r} was found:"
    loads = unbalanced(dynamics, point.q, point.u, rotation)
    if loads:
        raise StateError(f"{head} loads stay unbalanced in {listed(system, loads)}. {_remedy(task, point)}")
    if states := changing_states(dynamics, point.q, point.u):
        raise StateError(f"{head} {listed_rates(system, states)}. Give another guess of the states.")
    missed = task.missed(point)
    if missed is not None:
        raise StateError(f"{head} {missed[0]!r} is off by {missed[1]:.4g}. Choose fewer speeds or fixed values.")
    changing = unbalanced_later(dynamics, point.q, point.u, rotation)
    if changing:
        raise StateError(
            f"{head} with constant speeds loads are unbalanced later, in {listed(system, changing)}. "
            f"{advice(dynamics, point.q, point.u)}"
        )


def _remedy(task: Task, point: TrimPoint) -> str:
    """Write a probable cause: a speed along a non-ignorable coordinate, a child that spins, too few unknowns."""
    trim, names = task.trim, task.system.speed_names
    dynamics = trim.dynamics(point)
    for name, speed in task.chosen.items():
        if name.endswith(".rate") and speed and _affects_rates(dynamics, point, names.index(name)):
            return (
                f"The equations depend on {name.removesuffix('.rate')!r}, whose speed was chosen: a steady motion has "
                "speeds only along coordinates on which nothing depends. Choose such coordinates."
            )
    turning = next((name for name, speed in task.chosen.items() if speed and not name.endswith(".rate")), None)
    if turning is not None:
        return (
            f"The speeds of {turning.rpartition('.')[0]!r} are in the axes of its child and turn with it. If the child "
            "spins, join it to a frame that does not spin by a revolute joint; otherwise give another guess."
        )
    unknown = [*np.array(names)[trim.open_speeds].tolist(), *trim.solved]
    found = f"coordinates and {', '.join(map(repr, unknown[:6]))}" if unknown else "coordinates only"
    return f"Solved for were {found}. Name more in solve_for, or give another guess."


def _affects_rates(dynamics: Dynamics, point: TrimPoint, place: int) -> bool:
    """Return whether a displacement along a speed changes accelerations, or the constraints on speeds."""
    scales = dynamics.scales
    scaled = np.abs(dynamics.acceleration_jacobian(point.q, point.u).by_position * scales / scales[:, None])
    speeds = np.abs(dynamics.constraint_jacobians(point.q, point.u).speed_by_position)
    limit = 1e-6 * max(1.0, float(np.abs(point.u).max(initial=0.0)))
    return bool(
        scaled[:, place].max(initial=0.0) > 1e-6 * scaled.max(initial=0.0) > 0.0
        or speeds[:, place].max(initial=0.0) > limit
    )
