"""Steadiness: whether a state is an equilibrium or a steady motion, and the loads that are not balanced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.variations.co_moving_axes import speed_rotation
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.operating_point import OperatingPoint, gravity_of, moving_driver
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.kinematics.state import MotionState
from gyrostat.model.formula import TIME
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.model.forces import VariableMass

BALANCE_TOLERANCE = 1e-7
"""The accelerations that are allowed, relative to their change along one radian, or the mechanism's size."""
ROUNDING = 1e-10
"""The accelerations that are allowed beyond that, relative to gravity, or to 1 m/s²."""
_STATE_TOLERANCE = 1e-6
"""The accelerations that are allowed at a state that a user gives, relative to gravity and centripetal ones."""
_NAME_LIMIT = 5


# --- balance --------------------------------------------------------------------------------------------------------


def tolerances(dynamics: Dynamics, q: Floats, u: Floats) -> Floats:
    """Return for each speed the acceleration that counts as zero."""
    found, scales = dynamics.acceleration_jacobian(q, u), dynamics.scales
    lengths = max(dynamics.system.model_size, 1e-12)
    weight = max(1.0, gravity_of(dynamics.system, dynamics.parameters)) / lengths
    stiff = np.abs(found.by_position) @ scales + np.abs(found.by_speed) @ np.abs(u)
    return np.asarray(BALANCE_TOLERANCE * stiff + ROUNDING * weight * scales)


def unbalanced(dynamics: Dynamics, q: Floats, u: Floats, rotation: Floats | None = None) -> dict[str, float]:
    """Return the unbalanced loads by speed, the largest first; none if the speeds are constant.

    With `rotation` Γ, they are to be constant in axes that rotate: u̇ = −Γ u.
    """
    udot = dynamics.accelerations(q, u) + (0.0 if rotation is None else rotation @ u)
    if not (np.abs(udot) > tolerances(dynamics, q, u)).any():
        return {}
    loads = dynamics.mass_matrix(q) @ udot
    weights = np.abs(loads) * dynamics.scales
    least = 1e-6 * float(weights.max())
    order = np.argsort(-weights, kind="stable")
    return {dynamics.system.speed_names[i]: float(loads[i]) for i in order if weights[i] > least}


def changing_states(dynamics: Dynamics, q: Floats, u: Floats) -> dict[str, float]:
    """Return the rates of state variables that are not zero, and residuals of algebraic ones, the largest first."""
    if not len(dynamics.z):
        return {}
    found = dynamics.state_jacobian(q, u)
    sizes = np.abs(found.by_position) @ dynamics.scales + np.abs(found.by_speed) @ np.abs(u)
    allowed = BALANCE_TOLERANCE * (sizes + np.abs(found.by_state) @ np.abs(dynamics.z)) + ROUNDING
    order = np.argsort(-np.abs(found.zdot), kind="stable")
    names = dynamics.system.state_names
    return {names[i]: float(found.zdot[i]) for i in order if abs(found.zdot[i]) > allowed[i]}


def unbalanced_later(dynamics: Dynamics, q: Floats, u: Floats, rotation: Floats | None = None) -> dict[str, float]:
    """Return the unbalanced loads at two later instants of a motion with constant speeds, in axes that may rotate."""
    for time in dynamics.delays(q, u):
        then = dynamics.later(dynamics.t + time)
        loads = unbalanced(then, *dynamics.continued(q, u, time, rotation), rotation)
        if loads:
            return loads
    return {}


def depends_on_time(dynamics: Dynamics, q: Floats, u: Floats) -> bool:
    """Return whether the accelerations at a state differ between instants."""
    first = dynamics.accelerations(q, u)
    others = (dynamics.later(dynamics.t + delay).accelerations(q, u) for delay in (0.37, 1.61))
    return any(not np.array_equal(first, other) for other in others)


# --- requirements ---------------------------------------------------------------------------------------------------


def require_equilibrium(point: OperatingPoint) -> None:
    """Raise an error, with the unbalanced loads by coordinate, unless a point is an equilibrium, now and later."""
    driver = moving_driver(point.system, point.t, point.parameters)
    if driver is not None:
        raise StateError(driver_moves(driver))
    moving = {name: speed for name, speed in point.speeds.items() if speed}
    if moving:
        name, speed = next(iter(moving.items()))
        raise StateError(
            f"The state is no equilibrium: {name} is {speed:.4g}. Set all speeds to zero, or use gs.steady_motion(…)."
        )
    loads = unbalanced(Dynamics.at(point), point.q, point.u)
    if loads:
        raise StateError(
            f"The state is no equilibrium: loads are not balanced in {listed(point.system, loads)}. Find one from here "
            "with gs.equilibrium(system, guess=…)."
        )


def require_steady(point: OperatingPoint) -> None:
    """Raise an error, with the unbalanced loads by coordinate, unless a point keeps its speeds, now and later."""
    dynamics = Dynamics.at(point)
    rotation = speed_rotation(point.system, point.u, point.udot)
    loads = unbalanced(dynamics, point.q, point.u, rotation)
    if loads:
        raise StateError(
            f"The motion is not steady: loads are not balanced in {listed(point.system, loads)}. Find a steady motion "
            "from here with gs.steady_motion(system, speeds=…, guess=…)."
        )
    changing = unbalanced_later(dynamics, point.q, point.u, rotation)
    if changing:
        raise StateError(
            f"The motion is not steady: speeds are constant at t = {point.t:g} s, but not later: "
            f"{listed(point.system, changing)}. {advice(dynamics, point.q, point.u)}"
        )


def require_balanced(point: OperatingPoint, udot: Floats) -> None:
    """Raise an error, with accelerations by name, unless all speeds are constant, in axes that may rotate.

    States that users give as rounded numbers are allowed larger accelerations than those that are searched for.
    """
    system, u = point.system, point.u
    dynamics = Dynamics.at(point)
    require_constant_masses(point)
    if changing := changing_states(dynamics, point.q, u):
        raise StateError(
            f"The operating point of {system.model.name!r} is not steady: {listed_rates(system, changing)}. Find one "
            "with gs.equilibrium or gs.steady_motion, which solve for states; for one instant of a motion use "
            "linearize(…, frozen=True)."
        )
    rotation = speed_rotation(system, u, udot)
    left = udot + (0.0 if rotation is None else rotation @ u)
    size, fast = system.model_size, float(np.abs(u / dynamics.scales).max(initial=0.0))
    allowed = _STATE_TOLERANCE * (gravity_of(system, point.parameters) / size + fast * fast + 1.0) * dynamics.scales
    if (np.abs(left) <= allowed).all():
        return
    allowed = np.maximum(allowed, tolerances(dynamics, point.q, u))
    order = [i for i in np.argsort(-np.abs(left / dynamics.scales)) if abs(left[i]) > allowed[i]]
    if not order:
        return
    units = ["m/s²" if system.coordinates.slides(name) else "rad/s²" for name in system.speed_names]
    named = [f"{system.speed_names[i]} {left[i]:.4g} {units[i]}" for i in order[:_NAME_LIMIT]]
    more = f" and {len(order) - _NAME_LIMIT} more" if len(order) > _NAME_LIMIT else ""
    kind = "steady motion" if u.any() else "equilibrium"
    remedy = "gs.steady_motion(system, …)" if u.any() else "gs.equilibrium(system, guess=…)"
    raise StateError(
        f"The operating point is no {kind} of {system.model.name!r}: accelerations are not zero: "
        f"{', '.join(named)}{more}. Find one with {remedy}; for one instant of a motion use linearize(…, frozen=True)."
    )


def require_constant_masses(point: OperatingPoint) -> None:
    """Raise an error where a mass on a body changes in time: then no state is an equilibrium or a steady motion."""
    system = point.system
    for force in system.varying_masses:
        flow, mass = (float(point[f"{force.name}.{label}"]) for label in ("flow", "mass"))
        change = f"mass leaves {force.name!r} at {flow:.4g} kg/s"
        if abs(flow) <= ROUNDING * max(1.0, abs(mass)):
            if not _moves_in_time(force, point):
                continue
            change = f"centre or inertia of {force.name!r} change"
        raise StateError(
            f"The operating point of {system.model.name!r} is no equilibrium: {change} at t = {point.t:g} s. Make it "
            "constant, for example by a parameter in the place of t; for one instant of a motion use "
            "linearize(…, frozen=True)."
        )


def _moves_in_time(force: VariableMass, point: OperatingPoint) -> bool:
    """Return whether formulas of time alone move the centre of a mass, or change its inertia."""
    values = point.system.model.values(point.parameters)
    in_time = [entry for entry in force.entries[1:] if TIME in entry.names and entry.names <= {TIME, *values}]
    evaluator, instant = point.system.model.evaluator(values), MotionState((), (), point.t)
    jets = [instant.in_time(entry, evaluator) for entry in in_time]
    return any(jet.rate or jet.acceleration for jet in jets)


# --- messages -------------------------------------------------------------------------------------------------------


def listed(system: System, loads: Mapping[str, float]) -> str:
    """Write unbalanced loads by coordinate."""
    parts = []
    for name, load in list(loads.items())[:_NAME_LIMIT]:
        unit = "N" if system.coordinates.slides(name) else "N·m"
        parts.append(f"{name.removesuffix('.rate')}: {load:.4g} {unit}")
    more = len(loads) - _NAME_LIMIT
    return ", ".join(parts) + (f" and {more} more" if more > 0 else "")


def listed_rates(system: System, rates: Mapping[str, float]) -> str:
    """Write the rates of states that are not zero, and the residuals of algebraic ones."""
    variables, parts = system.model.state_variables, []
    for name, rate in list(rates.items())[:_NAME_LIMIT]:
        unit = system.signal_table[f"{name}.rate"].unit
        algebraic = variables[name].algebraic
        parts.append(
            f"the equation of {name} has residual {rate:.4g}" if algebraic else f"{name} changes by {rate:.4g} {unit}"
        )
    more = len(rates) - _NAME_LIMIT
    return ", ".join(parts) + (f" and {more} more" if more > 0 else "")


def driver_moves(driver: str) -> str:
    """Write that there is no equilibrium because of a driver that moves."""
    return (
        f"There is no equilibrium while {driver!r} is driven and moves. Give it a constant, or use "
        "gs.steady_motion(system, …) for a motion with constant speeds."
    )


def advice(dynamics: Dynamics, q: Floats, u: Floats) -> str:
    """Write which moving coordinate enters the equations, and a remedy."""
    jacobian = dynamics.acceleration_jacobian(q, u).by_position
    weight = np.abs(jacobian / dynamics.scales[:, None]).max(axis=0, initial=0.0) * np.abs(u)
    names = dynamics.system.speed_names
    i = int(np.argmax(weight)) if len(weight) else 0
    if not len(weight) or weight[i] <= 1e-9:
        return "Drivers or loads depend on time. Make them constant, or look for a periodic motion: gs.floquet(…)."
    joint, _, last = names[i].rpartition(".")
    if last[:1] in ("w", "v"):
        return (
            f"The speeds of {joint!r} rotate with its child, on whose attitude the equations depend: join a body that "
            "spins to a frame that does not, by a revolute joint."
        )
    return f"The equations depend on {names[i].removesuffix('.rate')!r}, which moves: its speed cannot be chosen."
