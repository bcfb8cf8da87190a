"""Balance: whether a state is at rest or in steady motion, and by coordinate what is lacking."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.operating.going_round import turning_of
from gyrostat.analysis.operating.neighbourhood import Neighbourhood
from gyrostat.analysis.operating.operating_point import OperatingPoint, gravity_of, moving_driver
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.system import System

_BALANCED = 1e-7
"""What accelerations may be, in terms of their change along a radian, or the mechanism's size."""
_ROUNDING = 1e-10
"""What accelerations may be beyond that, in terms of gravity, or of 1 m/s²."""
_MOST_NAMED = 5
_STEPS = 64
_SLOWEST = 0.01
"""Speeds below this (rad/s, or sizes of the mechanism in a second) are given no more time than this one."""


def tolerances(around: Neighbourhood, q: Floats, u: Floats) -> Floats:
    """Return for each speed the acceleration that is as good as none."""
    slopes, scales = around.slopes(q, u), around.scales
    lengths = max(around.system.model_size, 1e-12)
    weight = max(1.0, gravity_of(around.system, around.parameters)) / lengths
    stiff = np.abs(slopes.along) @ scales + np.abs(slopes.by_speed) @ np.abs(u)
    return np.asarray(_BALANCED * stiff + _ROUNDING * weight * scales)


def unbalanced(around: Neighbourhood, q: Floats, u: Floats, turning: Floats | None = None) -> dict[str, float]:
    """Return the loads that nothing balances, by speed, the largest first; none if the state keeps its speeds.

    With `turning` Γ, speeds may go round by u̇ = −Γ u.
    """
    udot = around.accelerations(q, u) + (0.0 if turning is None else turning @ u)
    excess = np.abs(udot) / tolerances(around, q, u)
    if not (excess > 1.0).any():
        return {}
    loads = around.mass_matrix(q) @ udot
    weights = np.abs(loads) * around.scales
    least = 1e-6 * float(weights.max())
    order = np.argsort(-weights, kind="stable")
    return {around.system.speed_names[i]: float(loads[i]) for i in order if weights[i] > least}


def told(system: System, loads: dict[str, float]) -> str:
    """Write unbalanced loads by coordinate."""
    parts = []
    for name, load in list(loads.items())[:_MOST_NAMED]:
        unit = "N" if system.coordinates.slides(name) else "N·m"
        parts.append(f"{name.removesuffix('.rate')}: {load:.4g} {unit}")
    more = len(loads) - _MOST_NAMED
    return ", ".join(parts) + (f" and {more} more" if more > 0 else "")


def around_of(point: OperatingPoint) -> Neighbourhood:
    """Return the neighbourhood of an operating point."""
    return Neighbourhood.of(point.system, point.t, point.parameters, point.inputs)


def demand_equilibrium(point: OperatingPoint) -> None:
    """Raise an error, with what is unbalanced by coordinate, unless a point is at rest and stays so."""
    driver = moving_driver(point.system, point.t, point.parameters)
    if driver is not None:
        raise StateError(moves(driver))
    moving = {name: speed for name, speed in point.speeds.items() if speed}
    if moving:
        name, speed = next(iter(moving.items()))
        raise StateError(
            f"The state is no equilibrium: {name} is {speed:.4g}. Set all speeds to zero, or use gs.steady_motion(…)."
        )
    loads = unbalanced(around_of(point), point.q, point.u)
    if loads:
        raise StateError(
            f"The state is no equilibrium: loads are not balanced in {told(point.system, loads)}. Find one from here "
            "with gs.equilibrium(system, guess=…)."
        )


def demand_steady(point: OperatingPoint) -> None:
    """Raise an error, with what changes by coordinate, unless a point keeps its speeds, now and later."""
    around = around_of(point)
    turning = turning_of(point.system, point.u, point.udot)
    loads = unbalanced(around, point.q, point.u, turning)
    if loads:
        raise StateError(
            f"The motion is not steady: loads are not balanced in {told(point.system, loads)}. Find a steady motion "
            "from here with gs.steady_motion(system, speeds=…, guess=…)."
        )
    changing = unsteady_later(around, point.q, point.u, turning)
    if changing:
        raise StateError(
            f"The motion is not steady: speeds are constant at t = {point.t:g} s, but not later: "
            f"{told(point.system, changing)}. {advice(around, point.q, point.u)}"
        )


def moves(driver: str) -> str:
    """Say that a driver moves."""
    return (
        f"There is no equilibrium while {driver!r} is driven and moves. Give it a constant, or use "
        "gs.steady_motion(system, …) for a motion with constant speeds."
    )


def unsteady_later(around: Neighbourhood, q: Floats, u: Floats, turning: Floats | None = None) -> dict[str, float]:
    """Return the loads that are unbalanced at two later instants, if speeds are constant, or go round, until then."""
    for time in instants(around, q, u):
        then = around.later(around.t + time)
        loads = unbalanced(then, *carried_on(around, q, u, time, turning), turning)
        if loads:
            return loads
    return {}


def instants(around: Neighbourhood, q: Floats, u: Floats) -> tuple[float, float]:
    """Return two delays in which coordinates, or driven ones, change by about a radian, or a size."""
    fastest = float(np.abs(u / around.scales).max(initial=0.0))
    if around.system.coordinates.all_driven:
        program = around.system.program("driven")
        row = np.concatenate(([around.t], q, u, around.system.parameter_values(around.parameters), around.inputs))
        rates = program.loop(row[None, :])[0][program.output_slice("rates")]
        fastest = max(fastest, float(np.abs(rates).max(initial=0.0)))
    pace = max(fastest, _SLOWEST)
    return 0.29 / pace, 1.13 / pace


def carried_on(
    around: Neighbourhood, q: Floats, u: Floats, time: float, turning: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return the state after a time in which speeds are constant, or go round, by Runge and Kutta's method."""
    from scipy.linalg import expm

    h = time / _STEPS
    half = np.eye(len(u)) if turning is None else expm(-turning * h / 2)
    now, speeds = q, u
    for _ in range(_STEPS):
        middle, after = half @ speeds, half @ half @ speeds
        k1 = around.coordinate_rates(now, speeds)
        k2 = around.coordinate_rates(now + 0.5 * h * k1, middle)
        k3 = around.coordinate_rates(now + 0.5 * h * k2, middle)
        k4 = around.coordinate_rates(now + h * k3, after)
        now, speeds = now + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), after
        for first in around.system.coordinates.euler_parameters.values():
            now[first : first + 4] /= np.linalg.norm(now[first : first + 4])
    return now, speeds


def advice(around: Neighbourhood, q: Floats, u: Floats) -> str:
    """Say which moving coordinate enters the equations, and what to do."""
    slopes = around.slopes(q, u)
    weight = np.abs(slopes.along / around.scales[:, None]).max(axis=0, initial=0.0) * np.abs(u)
    names = around.system.speed_names
    i = int(np.argmax(weight)) if len(weight) else 0
    if not len(weight) or weight[i] <= 1e-9:
        return "Drivers or loads depend on time. Make them constant, or look for a periodic motion: gs.floquet(…)."
    joint, _, last = names[i].rpartition(".")
    if last[:1] in ("w", "v"):
        return (
            f"The speeds of {joint!r} turn with its child, on whose attitude the equations depend: join a body that "
            "spins to a frame that does not, by a revolute joint."
        )
    return f"The equations depend on {names[i].removesuffix('.rate')!r}, which moves: its speed cannot be chosen."
