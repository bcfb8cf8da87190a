"""Evaluation of a system's programs at one state or many, and their outputs as the records that users get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gyrostat import closing
from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats, Inputs, Parameters, Values, column_of, stacked, time_of
from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import driving_values
from gyrostat.program import Port, Program
from gyrostat.recipes.ports import given_rotors, working_owners
from gyrostat.recipes.table import RECIPES
from gyrostat.results.mechanics import BodyMotions, Energy, Momentum, Poses, Powers, Reaction
from gyrostat.system.state import state_of

if TYPE_CHECKING:
    from gyrostat.system.system import System

_SOLVED = frozenset(("forward_dynamics", "forward_dynamics_derivatives", "multipliers"))
"""Programs that solve for accelerations, which have no meaning in loops that cannot be closed."""

Outputs: TypeAlias = Mapping[str, Floats]
"""Outputs of a program by port, with leading axes."""


class At(NamedTuple):
    """The arguments of a program as users give them; names left out have initial values, inputs are zero then."""

    q: Values
    u: Values | None = None
    t: ArrayLike = 0.0
    inputs: Inputs = None
    parameters: Parameters = None
    udot: Values | None = None
    """Accelerations; where they are needed and not given, those of forward dynamics."""
    z: Values | None = None
    """State variables of components."""


def evaluate(system: System, name: str, at: At) -> dict[str, Floats]:
    """Return the outputs of a system's program."""
    values = system.parameter_values(at.parameters)
    program = system.program(name)
    parts = [
        time_of(at.t),
        *state_of(system, at.q, at.u, at.z, at.parameters),
        values,
        column_of(at.inputs, system.inputs, _inputs_of_laws(system, at), "input"),
    ]
    if RECIPES[name].udot:
        udot = evaluate(system, "forward_dynamics", at)["udot"] if at.udot is None else at.udot
        rest = (0.0,) * system.coordinates.n_u
        parts.append(column_of(udot, system.speed_names, rest, "acceleration of speed"))
    if name in _SOLVED and system.constrained:
        _require_closable(system, parts, at.parameters)
    return evaluated(program, system.coordinates, parts)


def _inputs_of_laws(system: System, at: At) -> Sequence[float]:
    """Return the inputs where none are given: zero, but for those that drive coordinates, which follow their laws."""
    if not system.driving_inputs:
        return (0.0,) * len(system.inputs)
    times = np.unique(np.asarray(at.t, dtype=float))
    if len(times) > 1:
        raise StateError(
            f"Inputs of {system.model.name!r} drive coordinates and change with time. Give their values, rates and "
            f"accelerations: {', '.join(system.model.driving_inputs)}; or evaluate one time at once."
        )
    driving = driving_values(system.model, float(times[0]), system.model.values(at.parameters))
    return [driving.get(name, 0.0) for name in system.inputs]


def _require_closable(system: System, parts: Sequence[Floats], parameters: Parameters) -> None:
    """Raise an error if the loops cannot be closed from the first state, nor from the model's initial position.

    States may be open, but a mechanism that has no closed position has no accelerations. One search is made for each
    set of parameters.
    """
    key = ("closable", parts[4].tobytes())
    if key in system.cache:
        return
    rows, _ = stacked(parts)
    closer = closing.Closer(system, float(rows[0, 0]), parameters)
    q, u, free = rows[0, system.row.q], rows[0, system.row.u], np.ones(system.coordinates.n_u, dtype=bool)
    closer.require_possible(q, u)
    found = closing.nearest_closed(closer, q, free)
    if found.position is None:
        start = closer.regular(system.initial_values(parameters)[0])
        if closing.nearest_closed(closer, start, free).position is None:
            raise StateError(closing.cannot_close(closer, found.left))
    system.cache.keep(key, True)


def evaluated(program: Program, coordinates: Coordinates, parts: Sequence[Floats]) -> dict[str, Floats]:
    """Return the outputs by name in the shape (leading axes, port's shape), from arguments in the order of the ports.

    Where a value is not finite, an error names the element at fault.
    """
    rows, leading = stacked(parts)
    found = program.loop(rows) if len(rows) < 4 * program.lanes else program.batch(rows)
    if not np.isfinite(found).all():
        raise closing.explain_failure(coordinates, rows[int(np.argwhere(~np.isfinite(found))[0][0])])
    return {port.name: _dense(port, found[:, program.output_slice(port.name)], leading) for port in program.outputs}


def _dense(port: Port, stored: Floats, leading: tuple[int, ...]) -> Floats:
    """Return a port's values with absent entries as zeros, in the shape (leading axes, port's shape)."""
    full = np.zeros((len(stored), port.columns, port.rows))
    if port.pattern is None:
        full[...] = stored.reshape(len(stored), port.columns, port.rows)
    else:
        rows, columns = port.pattern
        full[:, columns, rows] = stored
    # energies, loads and the like are columns; only matrices keep their second axis
    matrix = port.name == "mass_matrix" or port.name.startswith("udot_")
    shape = (port.rows, port.columns) if matrix else (port.rows,)
    return full.transpose(0, 2, 1).reshape(*leading, *shape)


def by_name(columns: Floats, names: Iterable[str]) -> dict[str, Floats]:
    """Return the last axis of an array by name."""
    return {name: columns[..., i] for i, name in enumerate(names)}


def energy(system: System, found: Outputs) -> Energy:
    """Return kinetic energy, and potential energies of gravity and of the force elements that store energy."""
    names = [name for name, owner in system.model.accounted.items() if owner.stores_energy]
    return Energy(found["kinetic"][..., 0], found["gravity"][..., 0], by_name(found["stored"], names))


def poses(system: System, found: Outputs) -> Poses:
    """Return position and rotation of every body's frame."""
    positions = _vectors(found["positions"], len(system.bodies))
    return Poses(system.bodies, found["rotations"].reshape(*positions.shape, 3), positions)


def body_motions(system: System, found: Outputs) -> BodyMotions:
    """Return position, rotation, velocity and angular velocity of every body's frame."""
    names = ("positions", "velocities", "omegas")
    positions, velocities, omegas = (_vectors(found[name], len(system.bodies)) for name in names)
    rotations = found["rotations"].reshape(*positions.shape, 3)
    return BodyMotions(system.bodies, positions, rotations, velocities, omegas)


def reactions(system: System, found: Outputs) -> dict[str, Reaction]:
    """Return the force and the moment in each joint."""
    joints = system.loaded_joints
    forces, moments = (_vectors(found[name], len(joints)) for name in ("forces", "moments"))
    return {joint: Reaction(forces[..., i, :], moments[..., i, :]) for i, joint in enumerate(joints)}


def momentum(found: Outputs) -> Momentum:
    """Return mass, moment of mass, linear and angular momentum."""
    return Momentum(found["mass"][..., 0], found["moment"], found["linear"], found["angular"])


def powers(system: System, found: Outputs) -> Powers:
    """Return the powers of force elements, drivers, rotors and constraints."""
    owners = system.model.accounted
    return Powers(
        by_name(found["force_powers"], owners),
        by_name(found["stored_rates"], owners),
        by_name(found["driver_powers"], system.coordinates.driven),
        by_name(found["rotor_powers"], given_rotors(system.coordinates)),
        by_name(found["constraint_powers"], working_owners(system.coordinates)),
    )


def _vectors(columns: Floats, count: int) -> Floats:
    """Return the last axis as vectors."""
    return columns.reshape(*columns.shape[:-1], count, 3)
