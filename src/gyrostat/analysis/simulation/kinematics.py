"""Kinematic analysis: the motion that drivers prescribe, with velocities, accelerations and the loads it takes."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Never, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.assembly.constraint_conditions import warn_of_conditions
from gyrostat.analysis.integrators.prescribed_motion import PrescribedMotion
from gyrostat.analysis.integrators.rodas5p import Rodas5P
from gyrostat.analysis.simulation.argument_names import refuse_arguments
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.integrate import integrate
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.simulate import output_times, simulate, warn_of_failure
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.system import System, system_of


def kinematics(
    system: System | Model,
    duration: float | None = None,
    *,
    step: float | None = None,
    times: ArrayLike | None = None,
    guess: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    **others: Never,
) -> Trajectory:
    """Return the motion of a mechanism whose drivers leave it no freedom, as a trajectory.

    All outputs of a trajectory are there: positions, rates and accelerations of all joints and points,
    `reaction(joint)` and `driver_load(coordinate)` by inverse dynamics. `guess` selects one of several positions, and
    gives initial values of states. A mechanism that comes to a dead point stops there, with that explanation in its
    status. Events are located by `simulate`, which follows prescribed motions too.
    """
    if others:
        _refuse(next(iter(others)))
    system = system_of(system)
    grid = output_times(duration, step, times)
    known = system.model.values(parameters)
    warn_of_conditions(system)
    start = assemble(system, guess=guess, parameters=parameters, t=float(grid[0]))
    freedom = start.freedom
    if freedom:
        raise StateError(
            f"The drivers of {system.model.name!r} leave it {freedom} of freedom, so that its motion does not follow "
            f"from them. Drive {'another coordinate' if freedom == 1 else f'{freedom} coordinates more'} "
            "(driven=…), or use simulate()."
        )
    # state variables follow from the motion by integration
    problem = Problem(system, Rodas5P() if system.state_names else PrescribedMotion())
    motion = integrate(problem, grid, start.parts, known, InputPlan.starting({}, system, grid, known))
    trajectory = Trajectory.of(motion)
    warn_of_failure(trajectory)
    return trajectory


def _refuse(name: str) -> NoReturn:
    """Raise an error for an argument that `kinematics` does not have."""
    if name in inspect.signature(simulate).parameters:
        raise StateError(
            f"kinematics has no argument {name!r}. Use simulate(…, {name}=…), which follows the motion that drivers "
            "prescribe as well."
        )
    refuse_arguments("kinematics", [name], inspect.signature(kinematics).parameters)


def velocity_ratio(trajectory: Trajectory, output: str, of: str) -> Floats:
    """Return the rate of one coordinate in terms of another's, over time; infinite where the other is at rest.

    In a mechanism this is the ratio of loads in the opposite direction, by the principle of virtual work.
    """
    top, bottom = trajectory[f"{output}.rate"].values, trajectory[f"{of}.rate"].values
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(top / bottom)


def transmission_angle(trajectory: Trajectory, drive: tuple[str, str], driven: tuple[str, str]) -> Floats:
    """Return the angle between two links, each given by two points, from 0 to π/2 (rad) over time.

    Of a coupler and the link that it drives this is the transmission angle: the nearer to π/2 the better.
    """
    first, second = (trajectory[b].values - trajectory[a].values for a, b in (drive, driven))
    across = np.linalg.norm(np.cross(first, second), axis=1)
    along = np.abs(np.einsum("ni,ni->n", first, second))
    return np.asarray(np.arctan2(across, along))


def dead_centres(trajectory: Trajectory, coordinate: str) -> Floats:
    """Return the times at which a coordinate turns back, to rounding."""
    rate = f"{coordinate}.rate"
    values = trajectory[rate].values
    places = np.flatnonzero((values[:-1] * values[1:] < 0) | (values[:-1] == 0))
    found = []
    for i in places:
        left, right = float(trajectory.time[i]), float(trajectory.time[i + 1])
        sign = np.sign(values[i])
        if sign == 0:
            found.append(left)
            continue
        for _ in range(60):
            middle = 0.5 * (left + right)
            if middle in (left, right):
                break
            if np.sign(trajectory.at(middle)[rate].values[0]) == sign:
                left = middle
            else:
                right = middle
        found.append(right)
    return np.array(found)
